"""Recognises the bodies with which nothing is wrong, without taking them apart: the fast case.

This module knows a sufficient condition, one regular expression over the whole body and a few searches
behind it, that no rule about records would find anything. It judges nothing: of whatever it does not
recognise it says so, and the rules, which alone define what is right, look at every record. A property
test holds the two against each other.

Only a message that its text stands for (`Message.is_whole`) is recognised.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from operator import lt

from pairl.budget import read_budget, sum_by_unit
from pairl.grammar import ATOM, KEY, QUOTED_TEXT, SHORT_ID
from pairl.model import Message
from pairl.vocabulary import CARRIED_TURNS, CONDENSED, INTENTS

_RID = rf"(?: ++@rid={SHORT_ID})?+"
_VALUE = rf'(?:{ATOM}|"{QUOTED_TEXT}")'
SOMETHING = rf'(?:{ATOM}|"(?!"){QUOTED_TEXT}")'
_LOCAL = rf"@{SHORT_ID}(?:#[A-Za-z0-9_\-]{{1,8}}+)?+"
_REFERENCE = rf'(?:ref:[A-Za-z0-9_\-]++:{ATOM}|{_LOCAL}|"{_LOCAL}")'
_BARE_NAME = r"[A-Za-z0-9_\-]++"
_SOURCE = rf"(?:{_REFERENCE}|{_BARE_NAME})"
_SHARE = r"(?:0(?:\.[0-9]{1,40}+)?+|1(?:\.0{1,40}+)?+)"
# Words without digits and without a run that could be a hash: nothing in them that V1 would find.
_WORD = r"(?![A-Za-z_\-]*[A-Fa-f]{12})[A-Za-z_\-]{1,64}+"


def _pair(key: str, value: str, *, optional: bool = False) -> str:
    """Return a pattern for a pair and the spaces before it."""
    return rf"(?: ++{key}={value})?+" if optional else rf" ++{key}={value}"


def _other_pairs(count: int, *taken: str) -> str:
    """Return a pattern for up to `count` pairs whose keys are not `taken`, nor each other's."""
    pattern = ""
    for position in reversed(range(count)):
        names = [*taken, *(f"(?P={taken[0]}_{number})" for number in range(position))]
        used = "|".join(f"{name}=" for name in names)
        pattern = rf"(?: ++(?!{used})(?P<{taken[0]}_{position}>{KEY})={_VALUE}{pattern})?+"
    return pattern


def parameters(values: Mapping[str, str]) -> str:
    """Return a pattern for an intent's parameters, each optional, in this order.

    `values` are the patterns of their values, by key.
    """
    return "".join(rf"(?:(?:(?<=\{{)|(?<!\{{),){key}={value})?+" for key, value in values.items())


def _block(tag: str, columns: str, *values: str) -> str:
    """Return a pattern for a columnar block and its rows; what follows it cannot be another row."""
    row = " ++".join(values)
    return rf"#{tag}\[{columns}\](?:\n{row}{_RID})++(?=\n#|\n---|\n?\Z)"


_STYLES = {
    "t": _WORD,
    "s": "[fctpe]",
    "l": "[0-9]",
    "m": '(?:[+\\-0]|!|"!")',
    "a": "[icp]",
    "u": "(?:lo|md|hi)",
    "fmt": "(?:par|bul|num)",
}
_RECORDS = (
    "#fact" + _pair(KEY, _VALUE),
    "#ref" + _pair(KEY, _REFERENCE),
    "#evid" + _pair("claim", SOMETHING) + _pair("src", _SOURCE) + _pair("conf", _SHARE),
    "#rule" + _pair(f"(?!max_){KEY}", _VALUE),
    "#cost" + _pair("val", ATOM) + _pair("cur", ATOM) + _other_pairs(2, "val", "cur"),
    "#quota" + _pair("type", ATOM) + _pair("total", ATOM) + _other_pairs(2, "type", "total"),
    "#call" + _pair("tool", SOMETHING) + _other_pairs(3, "tool"),
    "#ret" + _pair("call", SHORT_ID) + _pair("status", "(?:ok|err)") + _other_pairs(4, "call", "status"),
    "#think" + _pair("summary", SOMETHING),
    "#edit"
    + _pair("file", SOMETHING)
    + _pair("changes", "[1-9][0-9]{0,17}+")
    + _pair("summary", _VALUE, optional=True),
    f"#(?:{'|'.join(CARRIED_TURNS)})" + _pair("content", _VALUE) + _pair("mode", CONDENSED, optional=True),
    rf"#s ++{ATOM}",
    rf"(?:{'|'.join(INTENTS)})(?:\{{{parameters(_STYLES)}\}})?+",
)
_BLOCKS = (
    _block("evid", "claim,src,conf", SOMETHING, _SOURCE, _SHARE),
    _block("cost", "val,cur", ATOM, ATOM),
    _block("cost", "val,cur,(?:model|note)", ATOM, ATOM, _VALUE),
    _block("cost", "val,cur,model,note", ATOM, ATOM, _VALUE, _VALUE),
    _block("quota", "type,total", ATOM, ATOM),
    _block("quota", "type,total,(?:used|rem)", ATOM, ATOM, _VALUE),
    _block("quota", "type,total,used,rem", ATOM, ATOM, _VALUE, _VALUE),
)
_MARKER = "#[uas][0-9]{1,7}+"
_LINES = rf"(?:{'|'.join(_RECORDS)}){_RID}|{_MARKER}|{'|'.join(_BLOCKS)}"
_PLAIN = re.compile(rf"(?:(?:{_LINES})(?:\n|\Z))++(?:---\n?)?+").fullmatch

# What is searched for begins with a line feed: that is found quickly, and is never in a quoted value.
_find_rids = re.compile(r" @rid=([A-Za-z0-9]++)(?=\n|\Z)").findall
_find_chain = re.compile(r"\n#(?:call ([^\n]++)|ret ++call=([A-Za-z0-9]++))").findall
_find_turns = re.compile(r"\n#[uas]([0-9]++)").findall
_find_costs = re.compile(r"\n#cost ++val=([0-9]{1,12}+(?:\.[0-9]{1,12}+)?+) ++cur=([^ \n]++)").findall
_find_bare_sources = re.compile(rf"\n#evid ++claim={SOMETHING} ++src=({_BARE_NAME}) ").findall
CLAIM_ROWS = re.compile(r"\n#evid\[[^\n]++((?:\n[^#\n][^\n]*+)++)")
_find_sources_in_rows = re.compile(rf"\n{SOMETHING} ++({_BARE_NAME}) ").findall
_find_names = re.compile(rf"\n#ref ++({KEY})=").findall
_RID_TAG = " @rid="


def is_plain(message: Message, max_bytes: int, max_records: int) -> bool:
    """Say whether no rule about records would find anything in a message; False if that is not certain.

    `max_bytes` and `max_records` are the limits of the policy. A `#fact` may all the same have a key that
    SYN calls long: that is seen in the text.
    """
    if message.size > max_bytes or not has_plain_text(message):
        return False
    text, start = message.source, message.body_start - 1
    return (
        text.count("\n", start) < max_records
        and _are_different(plain_rids(message).split(" "))
        and _results_follow_calls(text, start)
        and _turns_ascend(text, start)
        and _sources_are_declared(text, start)
        and _is_within_budget(message)
    )


def has_plain_text(message: Message) -> bool:
    """Say whether each line by itself is one that no rule finds fault with; False if that is not certain."""
    if not message.is_whole:
        return False
    known = message.known_plainness
    if known is None:
        known = _PLAIN(message.source, message.body_start) is not None
        message.remember("plainness", known)
    return known


def plain_rids(message: Message) -> str:
    """Return the record ids of a message with plain text in lower case, with spaces between them."""
    known = message.known_rids
    if known is None:
        known = " ".join(_find_rids(message.source, message.body_start - 1)).lower()
        message.remember("rids", known)
    return known


def plain_costs(message: Message) -> dict[str, Decimal] | None:
    """Return the costs of a message with plain text, by unit; None if some of them cannot be told from it."""
    known = message.known_costs
    if known is None:
        text, start = message.source, message.body_start - 1
        costs = _find_costs(text, start)
        if len(costs) < text.count("\n#cost", start):
            return None
        known = sum_by_unit([(Decimal(amount), unit) for amount, unit in costs])
        message.remember("costs", known)
    return known


def _are_different(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)


def _results_follow_calls(text: str, start: int) -> bool:
    if text.find("\n#ret ", start) < 0:
        return True
    called: set[str] = set()
    for call, result in _find_chain(text, start):
        if call:
            called.add(call.rpartition(_RID_TAG)[2].lower())
        elif result.lower() not in called:
            return False
    return True


def _turns_ascend(text: str, start: int) -> bool:
    """Say whether turn numbers ascend, and there is one state token at most."""
    turns = _find_turns(text, start)
    if len(turns) > 1:
        numbers = list(map(int, turns))
        if not all(map(lt, numbers, numbers[1:])):
            return False
    return text.count("\n#s ", start) <= 1


def _sources_are_declared(text: str, start: int) -> bool:
    """Say whether each bare name that a claim gives as its source is that of a `#ref`."""
    names = _find_bare_sources(text, start) if text.find("\n#evid ", start) >= 0 else []
    if text.find("\n#evid[", start) >= 0:
        for rows in CLAIM_ROWS.findall(text, start):
            names += _find_sources_in_rows(rows)
    return not names or set(names).issubset(_find_names(text, start))


def _is_within_budget(message: Message) -> bool:
    """Say whether there is no `@budget`, or all costs are in its unit and do not exceed it."""
    if "budget" not in message.headers:
        return True
    budget = read_budget(message)
    costs = plain_costs(message)
    if budget is None or costs is None:
        return False
    return all(unit == budget.unit and amount <= budget.limit for unit, amount in costs.items())
