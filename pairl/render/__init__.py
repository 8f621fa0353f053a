"""A message for people, as Markdown, plain text or HTML: everything it says, nothing it does not say (§12).

This package knows how a message reads, and that its content is data. `turns` finds out who spoke, `records`,
`intents` and `economy` put a record into words, `layout` makes a document of them, in `blocks`; `markdown`,
`plain_text` and `hypertext` write blocks, each with the escapes of its form. It does not know whether a
message is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum

from pairl.model import Message
from pairl.render.blocks import Block
from pairl.render.hypertext import hypertext
from pairl.render.layout import blocks
from pairl.render.markdown import markdown
from pairl.render.plain_text import plain_text

__all__ = ["Form", "render"]


class Form(StrEnum):
    """What a message can be rendered as."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"


WRITERS: dict[Form, Callable[[Iterable[Block]], str]] = {
    Form.MARKDOWN: markdown,
    Form.TEXT: plain_text,
    Form.HTML: hypertext,
}
"""What writes each form."""


def render(msg: Message, form: Form = Form.MARKDOWN) -> str:
    """Return a message as a document for people, ending in one LF (§12).

    Everything that was read is shown, and every value verbatim: escaped so that whatever displays the form
    shows exactly the value, with characters that control a terminal, reorder writing or hide text written
    as escapes. HTML is a fragment, an `<article>`. Never raises for a message that `pairl.parse` returned.

    Raises:
        ValueError: `form` is neither a `Form` nor the text of one.

    """
    return WRITERS[Form(form)](blocks(msg))
