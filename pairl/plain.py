"""Recognises the bodies with which nothing is wrong, without taking them apart: the fast case.

This module knows two sufficient conditions, each one regular expression over the whole body: that no
rule about records would find anything (`is_plain`), and that the body is its own canonical text
(`canonical_body`). It judges nothing: of whatever it does not recognise it says so, and the rules and
the serialiser, which alone define what is right, look at every record. A property test holds the two
against each other.

Only a message whose records nobody has been handed is recognised by its text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Context, Decimal
from operator import lt

from pairl.grammar import ATOM, ATOM_CHARACTERS, BUDGET, FURTHER_PAIR, KEY, NOT_ATOM, QUOTED_TEXT, REFERENCE
from pairl.model import Message
from pairl.vocabulary import INTENT_PARAMETERS, INTENTS, RECORD_TYPES

_RID = r"(?: ++@rid=[A-Za-z0-9]{1,8}+)?+"
_FACT_KEY = r"[a-z][a-z0-9_]{0,31}+"
_VALUE = rf'(?:{ATOM}|"{QUOTED_TEXT}")'
_SOMETHING = rf'(?:{ATOM}|"(?!"){QUOTED_TEXT}")'
_LOCAL = r"@[A-Za-z0-9]{1,8}+(?:#[A-Za-z0-9_\-]{1,8}+)?+"
_REFERENCE = rf'(?:ref:[A-Za-z0-9_\-]++:{ATOM}|{_LOCAL}|"{_LOCAL}")'
_SHARE = r"(?:0(?:\.[0-9]{1,40}+)?+|1(?:\.0{1,40}+)?+)"
# Words without digits and without a run that could be a hash: nothing in them that V1 would find.
_WORD = r"(?![A-Za-z_\-]*[A-Fa-f]{12})[A-Za-z_\-]{1,64}+"


def _pairs(key: str, value: str, *, optional: bool = False) -> str:
    return rf"(?: ++{key}={value})?+" if optional else rf" ++{key}={value}"


def _other_pairs(count: int, *taken: str) -> str:
    """Return a pattern for up to `count` pairs whose keys are not `taken`, nor each other's."""
    pattern = ""
    for position in reversed(range(count)):
        names = [*taken, *(f"(?P={taken[0]}_{number})" for number in range(position))]
        used = "|".join(f"{name}=" for name in names)
        pattern = rf"(?: ++(?!{used})(?P<{taken[0]}_{position}>{KEY})={_VALUE}{pattern})?+"
    return pattern


def _parameters(values: Mapping[str, str]) -> str:
    """Return a pattern for an intent's parameters, each optional, in this order."""
    return "".join(rf"(?:(?:(?<=\{{)|(?<!\{{),){key}={value})?+" for key, value in values.items())


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
    "#fact" + _pairs(_FACT_KEY, _VALUE),
    "#ref" + _pairs(KEY, _REFERENCE),
    "#evid" + _pairs("claim", _SOMETHING) + _pairs("src", _REFERENCE) + _pairs("conf", _SHARE),
    "#rule" + _pairs(f"(?!max_){KEY}", _VALUE),
    "#cost" + _pairs("val", ATOM) + _pairs("cur", ATOM) + _other_pairs(2, "val", "cur"),
    "#quota" + _pairs("type", ATOM) + _pairs("total", ATOM) + _other_pairs(2, "type", "total"),
    "#call" + _pairs("tool", _SOMETHING) + _other_pairs(3, "tool"),
    "#ret"
    + _pairs("call", "[A-Za-z0-9]{1,8}+")
    + _pairs("status", "(?:ok|err)")
    + _other_pairs(4, "call", "status"),
    "#think" + _pairs("summary", _SOMETHING),
    "#edit"
    + _pairs("file", _SOMETHING)
    + _pairs("changes", "[1-9][0-9]{0,17}+")
    + _pairs("summary", _VALUE, optional=True),
    "#(?:req|rpt)" + _pairs("content", _VALUE) + _pairs("mode", "cond", optional=True),
    rf"#s ++{ATOM}",
    rf"(?:{'|'.join(INTENTS)})(?:\{{{_parameters(_STYLES)}\}})?+",
)
_MARKER = "#[uas][0-9]{1,7}+"
_PLAIN = re.compile(rf"(?:(?:(?:{'|'.join(_RECORDS)}){_RID}|{_MARKER})(?:\n|\Z))++(?:---\n?)?+").fullmatch

_COST = re.compile(r"#cost ++val=([0-9]{1,12}+(?:\.[0-9]{1,12}+)?+) ++cur=([^ \n]++)").match
_RESULT = re.compile(r"#ret ++call=([A-Za-z0-9]++)").match
_RID_TAG = " @rid="
_EXACT = Context(prec=400)


def is_plain(message: Message, max_bytes: int, max_records: int) -> bool:
    """Say whether no rule about records would find anything in a message; False if that is not certain."""
    if not _is_all_there(message) or message.size > max_bytes:
        return False
    if _PLAIN(message.source, message.body_start) is None:
        return False
    lines = message.source[message.body_start :].split("\n")
    return (
        len(lines) < max_records
        and _are_distinct([rid.lower() for line in lines if (rid := _rid(line))])
        and _results_follow_calls(lines, message)
        and _turns_ascend(lines, message)
        and _is_within_budget(lines, message)
    )


def _rid(line: str) -> str:
    """Return the record id in a line that is known to be plain, or nothing."""
    rid = line[line.rfind(_RID_TAG) + len(_RID_TAG) :] if _RID_TAG in line else ""
    # If it is not the end of the line it is inside a quoted value, and the quotation mark is behind it.
    return rid if rid.isalnum() else ""


def _are_distinct(rids: list[str]) -> bool:
    return len(set(rids)) == len(rids)


def _results_follow_calls(lines: list[str], message: Message) -> bool:
    if "\n#ret " not in message.source:
        return True
    called: set[str] = set()
    for line in lines:
        if line.startswith("#call "):
            called.add(_rid(line).lower())
        elif (result := _RESULT(line)) and result[1].lower() not in called:
            return False
    return True


def _turns_ascend(lines: list[str], message: Message) -> bool:
    """Say whether turn numbers ascend, and there is one state token at most."""
    source = message.source
    if "\n#u" not in source and "\n#a" not in source and "\n#s" not in source:
        return True
    turns = [int(line[2:]) for line in lines if line[2:].isdigit() and line[1] in "uas"]
    states = sum(line.startswith("#s ") for line in lines)
    return states <= 1 and all(map(lt, turns, turns[1:]))


def _is_within_budget(lines: list[str], message: Message) -> bool:
    budget = message.headers.get("budget")
    if budget is None:
        return True
    given = BUDGET.fullmatch(budget)
    if given is None:
        return False
    total = Decimal(0)
    for line in lines:
        if line.startswith("#cost "):
            cost = _COST(line)
            if cost is None or cost[2] != given[2]:
                return False
            total = _EXACT.add(total, Decimal(cost[1]))
    return total <= Decimal(given[1])


# What is between quotation marks has a character that calls for them, or there is nothing between them.
_CANONICAL_VALUE = (
    rf'(?:{ATOM}|"(?:[{ATOM_CHARACTERS}]*+(?:[^{ATOM_CHARACTERS}"\\\n]|\\"?+){QUOTED_TEXT})?+")'
)
_UNTIDY_VALUE = rf'(?:{REFERENCE.pattern}|{ATOM}|"{QUOTED_TEXT}")'


def _body_of(value: str, parameter: str, space: str) -> re.Pattern[str]:
    """Return a pattern for bodies of known records with such values, and `space` between their parts."""
    tags = rf"(?:{space}@m=[A-Za-z0-9]{{1,8}}+)?+(?:{space}@rid=[A-Za-z0-9]{{1,8}}+)?+"
    lines = (
        rf"#(?:{'|'.join(RECORD_TYPES)})(?:{space}{KEY}={value})++{tags}",
        _MARKER,
        rf"#s {ATOM}{tags}",
        rf"[a-z0-9]{{2,4}}+\{{{_parameters(dict.fromkeys(INTENT_PARAMETERS, parameter))}\}}{tags}",
    )
    return re.compile(rf"(?:(?:{'|'.join(lines)})(?:\n|\Z))++")


_is_canonical = _body_of(_CANONICAL_VALUE, _CANONICAL_VALUE, " ").fullmatch
_is_untidy = _body_of(_UNTIDY_VALUE, f"(?:!|{_UNTIDY_VALUE})", " ++").fullmatch
# All that tells an untidy body from the canonical one. Quoted values are passed over as wholes.
_find_untidy = re.compile(rf'"({ATOM})"|"{QUOTED_TEXT}"|  ++|(?<==)({REFERENCE.pattern})|(?<==)!').sub


def canonical_body(message: Message) -> str | None:
    """Return the canonical text of the body if it can be told from its source; None if that is not certain.

    That is so where each line is a record, an intent, a marker or a state token that has no more wrong
    with it than needless or missing quotation marks, and spaces.
    """
    if not _is_all_there(message):
        return None
    text, start = message.source, message.body_start
    if _is_canonical(text, start) is not None:
        body = text[start:]
    elif _is_untidy(text, start) is not None and not _has_key_twice(text[start:]):
        body = _find_untidy(_tidied, text[start:])
    else:
        return None
    return body if body.endswith("\n") else f"{body}\n"


def _has_key_twice(body: str) -> bool:
    """Say whether a record of the body has a key twice: such a line is malformed, and stands as it is."""
    for line in body.split("\n"):
        keys = [key for key, _ in FURTHER_PAIR.findall(line)]
        if len(set(keys)) < len(keys):
            return True
    return False


def _tidied(match: re.Match[str]) -> str:
    atom, reference = match.groups()
    found = match[0]
    if atom:
        return str(atom)
    if reference:
        return f'"{reference}"' if NOT_ATOM.search(reference) else str(reference)
    if found == "!":
        return '"!"'
    return " " if found[0] == " " else found


def _is_all_there(message: Message) -> bool:
    """Say whether the source is the message: nobody has its records, nothing was odd, or too long to read."""
    return (
        message.is_as_read
        and not message.is_odd
        and message.source.count("\n", message.body_start) < message.most_records
    )
