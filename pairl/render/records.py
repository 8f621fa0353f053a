"""What each type of record says, as one line (§5, §6, §7).

This module knows the words for every record type, and that no key may get lost: keys without words
of their own follow in parentheses. It does not know where the line will stand (`pairl.render.layout`),
nor in which form it is written.

In every line the words that stand out are the renderer's, or the name of a key: so a value cannot pose as
a key, or as another record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from pairl.model import Record
from pairl.render.blocks import NOT_GIVEN, Emphasis, Inline, Line, Strong, Words, code, joined, shown
from pairl.render.economy import COST_KEYS, QUOTA_KEYS, cost, quota
from pairl.render.numbers import percentage

STATUS = {"ok": "ok", "err": "error"}
"""§7.2: how a call can end, in words."""

LABELS = {("evid", "conf"): "confidence"}
"""Keys with a word of their own, by record type; any other key is its own word."""

SHARES = frozenset({("evid", "conf")})
"""Keys whose values are parts of one, by record type: a percentage is added to them."""

Value = Callable[[str], Inline]


def line(record: Record) -> Line:
    """Return the line for a record that carries `key=value` pairs, without its tags."""
    words = LINES.get(record.kind, _other)
    return words(record)


def details(record: Record, told: Collection[str] = (), value: Value = shown) -> Line:
    """Return in parentheses, behind a space, the pairs whose keys are not in `told`."""
    rest = _pairs(record, told, value)
    return (Words(" ("), *rest, Words(")")) if rest else ()


def _pairs(
    record: Record,
    told: Collection[str] = (),
    value: Value = shown,
    style: type[Emphasis | Strong] = Emphasis,
) -> Line:
    return joined("; ", (_pair(record, key, value, style) for key in record.kv if key not in told))


def _pair(record: Record, key: str, value: Value, style: type[Emphasis | Strong]) -> Line:
    written = record.kv[key]
    label = style((LABELS.get((record.kind, key), key), Words(":")))
    share = percentage(written, "1") if (record.kind, key) in SHARES else None
    if share is not None:
        return label, Words(" "), value(written), Words(f" ({share})")
    return label, Words(" "), value(written)


def _value(record: Record, key: str, value: Value = shown) -> Inline:
    written = record.kv.get(key)
    return NOT_GIVEN if written is None else value(written)


def _fact(record: Record) -> Line:
    return _pairs(record, style=Strong)


def _ref(record: Record) -> Line:
    return Words("Reference "), *_pairs(record, value=code)


def _rule(record: Record) -> Line:
    return Words("Rule "), *_pairs(record)


def _evid(record: Record) -> Line:
    """Keep the attribution in the words (§12): a claim is never shown as a fact of its own."""
    return (
        Words("According to "),
        _value(record, "src", code),
        Words(": "),
        _value(record, "claim"),
        *details(record, ("claim", "src")),
    )


def _cost(record: Record) -> Line:
    return *cost(record), *details(record, COST_KEYS)


def _quota(record: Record) -> Line:
    return *quota(record), *details(record, QUOTA_KEYS)


def _call(record: Record) -> Line:
    return Words("Called "), Strong((_value(record, "tool"),)), *details(record, ("tool",), code)


def _ret(record: Record) -> Line:
    return (
        Words("Result of "),
        _value(record, "call", lambda rid: code(f"#{rid}")),
        Words(": "),
        _value(record, "status", lambda status: shown(STATUS.get(status, status))),
        *details(record, ("call", "status")),
    )


def _think(record: Record) -> Line:
    return Words("Thought: "), _value(record, "summary"), *details(record, ("summary",))


def _edit(record: Record) -> Line:
    edited: Line = (Words("Edited "), _value(record, "file", code))
    if "summary" in record.kv:
        edited += Words(": "), shown(record.kv["summary"])
    return *edited, *details(record, ("file", "summary"))


def _state(record: Record) -> Line:
    return Words("State: "), code(record.arg) if record.arg else NOT_GIVEN, *details(record)


def _other(record: Record) -> Line:
    return Words("Record "), code(f"#{record.name}"), *details(record)


LINES: dict[str, Callable[[Record], Line]] = {
    "fact": _fact,
    "ref": _ref,
    "rule": _rule,
    "evid": _evid,
    "cost": _cost,
    "quota": _quota,
    "call": _call,
    "ret": _ret,
    "think": _think,
    "edit": _edit,
    "s": _state,
}
"""The words for each record type that has some; `#req` and `#rpt` are quotations, not lines."""
