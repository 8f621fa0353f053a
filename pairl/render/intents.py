"""Intents as short phrases: what the sender does, about what, and in which tone (§4).

This module knows how a phrase is put together from the words of `pairl.vocabulary`. Intents are the lossy
channel, so a topic may be shown with spaces for its underscores; but nothing is left out, and what has no
words of its own is shown as it is.
"""

from __future__ import annotations

from pairl.model import Record
from pairl.render.blocks import Emphasis, Inline, Line, Strong, Words, code, joined, shown
from pairl.vocabulary import INTENT_PARAMETERS, INTENTS, PARAMETER_VALUES

_TOPIC = "t"


def intent(record: Record) -> Line:
    """Return an intent as a phrase: what is done, the topic, then the tone in italics."""
    name = record.name or ""
    phrase = INTENTS.get(name)
    action: Line = (Words(phrase[0].upper() + phrase[1:]),) if phrase else (Words("Intent "), code(name))
    topic = record.kv.get(_TOPIC)
    line: list[Inline] = [Strong(action)]
    if topic is not None:
        line = [Strong((*action, Words(":"))), Words(" "), shown(topic.replace("_", " "))]
    tones: list[str] = []
    others: list[Line] = []
    for key, value in record.kv.items():
        if value in PARAMETER_VALUES.get(key, ()):
            tones.append(PARAMETER_VALUES[key][value])
        elif key != _TOPIC:
            label = Emphasis((INTENT_PARAMETERS.get(key, key), Words(":")))
            others.append((label, Words(" "), shown(value)))
    if tones:
        line += Words(" — "), Emphasis((Words(", ".join(tones)),))
    if others:
        line += Words(" ("), *joined("; ", others), Words(")")
    return tuple(line)
