"""What each type of record says, as one line of Markdown (§5, §6, §7).

This module knows the words for every record type, and that no key may get lost: keys without words
of their own follow in parentheses. It does not know where the line will stand (`pairl.render.markdown`).

In every line the words in bold or italics are the renderer's: content is escaped, so a value cannot
pose as a key, or as another record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from pairl.model import Record
from pairl.render.economy import COST_KEYS, NOT_GIVEN, QUOTA_KEYS, cost, quota
from pairl.render.escape import code, shown, text

STATUS = {"ok": "ok", "err": "error"}
"""§7.2: how a call can end, in words."""

LABELS = {("evid", "conf"): "confidence"}
"""Keys with a word of their own, by record type; any other key is its own word."""

Writer = Callable[[str], str]


def line(record: Record) -> str:
    """Return the line for a record that carries `key=value` pairs, without its tags."""
    write_line = LINES.get(record.kind, _other)
    return write_line(record)


def details(record: Record, told: Collection[str] = (), write: Writer = shown) -> str:
    """Return in parentheses, behind a space, the pairs whose keys are not in `told`."""
    rest = _pairs(record, told, write)
    return f" ({rest})" if rest else ""


def _pairs(record: Record, told: Collection[str] = (), write: Writer = shown, mark: str = "*") -> str:
    return "; ".join(
        f"{mark}{LABELS.get((record.kind, key)) or text(key)}:{mark} {write(value)}"
        for key, value in record.kv.items()
        if key not in told
    )


def _value(record: Record, key: str, write: Writer = shown) -> str:
    value = record.kv.get(key)
    return NOT_GIVEN if value is None else write(value)


def _fact(record: Record) -> str:
    return _pairs(record, mark="**")


def _ref(record: Record) -> str:
    return f"Reference {_pairs(record, write=code)}"


def _rule(record: Record) -> str:
    return f"Rule {_pairs(record)}"


def _evid(record: Record) -> str:
    """Keep the attribution in the words (§12): a claim is never shown as a fact of its own."""
    return (
        f"According to {_value(record, 'src', code)}: {_value(record, 'claim')}"
        f"{details(record, ('claim', 'src'))}"
    )


def _cost(record: Record) -> str:
    return cost(record) + details(record, COST_KEYS)


def _quota(record: Record) -> str:
    return quota(record) + details(record, QUOTA_KEYS)


def _call(record: Record) -> str:
    return f"Called **{_value(record, 'tool')}**{details(record, ('tool',), code)}"


def _ret(record: Record) -> str:
    call = _value(record, "call", lambda rid: code(f"#{rid}"))
    status = _value(record, "status", lambda status: STATUS.get(status) or shown(status))
    return f"Result of {call}: {status}{details(record, ('call', 'status'))}"


def _think(record: Record) -> str:
    return f"Thought: {_value(record, 'summary')}{details(record, ('summary',))}"


def _edit(record: Record) -> str:
    words = f"Edited {_value(record, 'file', code)}"
    if "summary" in record.kv:
        words += f": {shown(record.kv['summary'])}"
    return words + details(record, ("file", "summary"))


def _state(record: Record) -> str:
    return f"State: {code(record.arg) if record.arg else NOT_GIVEN}{details(record)}"


def _other(record: Record) -> str:
    return f"Record {code(f'#{record.name}')}{details(record)}"


LINES: dict[str, Callable[[Record], str]] = {
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
