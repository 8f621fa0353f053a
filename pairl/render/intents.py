"""Intents as short phrases: what the sender does, about what, and in which tone (§4).

This module knows the words for the standard parameters. Intents are the lossy channel, so a topic
may be shown with spaces for its underscores; but nothing is left out, and what has no words of its
own is shown as it is.
"""

from __future__ import annotations

from pairl.model import Record
from pairl.render.escape import code, shown, text
from pairl.vocabulary import INTENT_PARAMETERS, INTENTS

PHRASES = {
    "s": {"f": "formal", "c": "casual", "t": "terse", "p": "poetic", "e": "elevated"},
    "l": {"0": "very short", "1": "short", "2": "normal length", "3": "longer"},
    "m": {"+": "positive", "-": "negative", "!": "urgent", "0": "neutral"},
    "a": {"i": "internal", "c": "for the client", "p": "for the public"},
    "u": {"lo": "low uncertainty", "md": "medium uncertainty", "hi": "high uncertainty"},
    "fmt": {"par": "in paragraphs", "bul": "in bullets", "num": "in a numbered list"},
}
"""The values of §4.1, each in words that need no key beside them."""

_TOPIC = "t"


def intent(record: Record) -> str:
    """Return an intent as a phrase: what is done, the topic, then the tone in italics."""
    name = record.name or ""
    phrase = INTENTS.get(name)
    action = phrase[0].upper() + phrase[1:] if phrase else f"Intent {code(name)}"
    topic = record.kv.get(_TOPIC)
    words = f"**{action}**" if topic is None else f"**{action}:** {shown(topic.replace('_', ' '))}"
    known = [PHRASES[key][value] for key, value in record.kv.items() if value in PHRASES.get(key, ())]
    others = [
        f"*{text(INTENT_PARAMETERS.get(key, key))}:* {shown(value)}"
        for key, value in record.kv.items()
        if key != _TOPIC and value not in PHRASES.get(key, ())
    ]
    if known:
        words += f" — *{', '.join(known)}*"
    if others:
        words += f" ({'; '.join(others)})"
    return words
