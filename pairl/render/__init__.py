"""Markdown for people: everything a message says, nothing that it does not say (§12).

This package knows how a message reads, and that its content is data: `escape` keeps the content
from becoming markup, `turns` finds out who spoke, `records`, `intents` and `economy` put a record
into words, `markdown` lays them out. It does not know whether a message is valid.
"""

from pairl.render.markdown import render

__all__ = ["render"]
