"""Reads the lines with which nothing is wrong: nearly all of them, so this has to be quick.

This module knows how a match of `pairl.grammar` becomes a record. It does not look at a line twice
and gives no diagnostics: of a line that is odd in any way it returns None, and `pairl.lines` reads
it with words.
"""

from __future__ import annotations

import re

from pairl import grammar
from pairl.model import Record
from pairl.vocabulary import RECORD_TYPES, RESERVED_TAGS

_type_of_tag = {tag: tag for tag in RECORD_TYPES}.get
_SPECIAL_TAG = re.compile(rf"s|msg|{'|'.join(sorted(RESERVED_TAGS))}|[uas][0-9]+")

_find_further_pairs = grammar.FURTHER_PAIR.findall
_find_parameters = grammar.PARAMETER.findall
_match_marker = grammar.MARKER.fullmatch
_match_long_marker = grammar.LONG_MARKER.fullmatch
_match_state = grammar.STATE.fullmatch

Parts = tuple[str, str, str, str, str, str, str, str, str, str]
"""A line as `find_lines` gives it: what `grammar.LINE` says, the line itself last if it is odd."""


def is_record_tag(tag: str) -> bool:
    """Say whether `tag` can be a record type: no marker, no state token and no reserved name."""
    return tag in RECORD_TYPES or not _SPECIAL_TAG.fullmatch(tag)


def find_lines(text: str) -> list[Parts]:
    """Return the parts of each line of `text`."""
    return grammar.LINE.findall(text)


def read_well_formed(parts: Parts, line: int) -> Record | None:
    """Return the record, turn marker or intent that a line's parts are; None if it is anything else."""
    text, tag, key, value, further, intent, parameters, m, rid, _ = parts
    if key:
        kind = _type_of_tag(tag)
        if kind is None:
            if _SPECIAL_TAG.fullmatch(tag):
                return None
            kind = tag
        kv = {key: value[1:-1].replace('\\"', '"') if value[0] == '"' else value}
        if further:
            pairs = _find_further_pairs(further)
            for key, value in pairs:
                kv[key] = value[1:-1].replace('\\"', '"') if value[0] == '"' else value
            if len(kv) <= len(pairs):
                return None
        return Record(kind, kind, kv, rid or None, m or None, text, line)
    if tag:
        if _match_marker(text):
            return Record("marker", tag, raw=text, line=line, role=tag[0])
        return None
    if intent:
        pairs = _find_parameters(parameters)
        kv = {key: atom or quoted.replace('\\"', '"') for key, atom, quoted in pairs}
        if len(kv) < len(pairs):
            return None
        return Record("intent", intent, kv, rid or None, m or None, text, line)
    return None


def read_special(text: str, line: int) -> Record | None:
    """Return the state token or the long turn marker that a line is, else None."""
    match = _match_state(text)
    if match is not None:
        return Record("s", "s", raw=text, line=line, arg=match[1])
    match = _match_long_marker(text)
    if match is not None:
        name, role, parent = match.groups()
        return Record("marker", name, raw=text, line=line, role=role, parent=parent)
    return None
