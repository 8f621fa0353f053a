"""Reads one line that is not well-formed, and says what is odd about it.

This module knows the kinds of line: a record, a marker, a state token, an intent, or text that is
none of them. Its words are `pairl.scanner`'s, its pairs `pairl.pairs`', rows are `pairl.columnar`'s,
and what a record means is for the rules. `pairl.body` asks only for lines that `pairl.grammar` does
not match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pairl import advice, grammar
from pairl.diagnostics import Findings, excerpt
from pairl.model import Record
from pairl.pairs import read_pairs
from pairl.scanner import Scanner, is_tag
from pairl.vocabulary import RESERVED_TAGS

_TAG = re.compile(r"#([a-z][a-z0-9_]*+)")
_INTENT_NAME = re.compile(grammar.INTENT_NAME)
_INTENT_LIKE = re.compile(r"[A-Za-z0-9_.\-]++\{")
_MARKER_LIKE = re.compile(r"[uas][0-9]++")


def read_line(text: str, line: int, indent: int, findings: Findings) -> Record:
    """Return the record that `text`, a line without white space around it, can be read as.

    `line` is its number and `indent` how many characters stood before it; findings are added to
    `findings`.
    """
    scanner = Scanner(text, line, indent, findings)
    return _hash_line(scanner) if text.startswith("#") else _intent_line(scanner)


def _hash_line(scanner: Scanner) -> Record:
    """Read a line that begins with `#`."""
    text = scanner.text
    match = _TAG.match(text)
    if match is None:
        if text == "#" or text.startswith("# "):
            scanner.report(
                "SYN/comment",
                "PAIRL has no comments",
                0,
                len(text),
                'leave the line out, or carry it as data: `#fact note="…"`',
            )
        else:
            scanner.report(
                "SYN/malformed-record",
                f"`{excerpt(text, 24)}` is not a record type",
                0,
                len(text),
                "a record type is `#` and a lower-case name: `#fact key=value`",
            )
        return scanner.record("unknown", None)
    tag = match[1]
    scanner.position = match.end()
    if _MARKER_LIKE.fullmatch(tag):
        return _broken_marker(scanner, tag)
    if tag == "msg":
        scanner.report(
            "V11/malformed-marker",
            "`#msg` is not `#msg id r=role parent=id` with nothing after it",
            0,
            len(text),
            "the id has 1 to 8 letters and digits; `parent=-` is the first turn; markers take no tags",
        )
        return scanner.record("unknown", None)
    if scanner.position < len(text) and text[scanner.position] != " ":
        _glued_to_tag(scanner, tag)
        return scanner.record("unknown", None)
    if tag == "s":
        return _state_token(scanner)
    if tag in RESERVED_TAGS:
        scanner.report(
            "SYN/reserved-tag",
            f"`#{tag}` is reserved",
            0,
            scanner.position,
            "choose another name for the record type",
        )
        return scanner.record("unknown", tag)
    kv = read_pairs(scanner, in_braces=False)
    if not kv and not scanner.malformed:
        scanner.report(
            "SYN/empty-record",
            f"`#{tag}` carries no `key=value`",
            0,
            len(text),
            f"write what the record is about: `#{tag} key=value`",
        )
    return scanner.record(tag, tag, kv)


def _broken_marker(scanner: Scanner, tag: str) -> Record:
    """Read a line that begins like a turn marker but is more than one."""
    rest = scanner.text[scanner.position :].lstrip(" ")
    if grammar.MARKER.fullmatch(f"#{tag}") and is_tag(rest):
        scanner.report(
            "V11/tag-on-marker",
            f"turn marker `#{tag}` carries a tag",
            scanner.position,
            len(scanner.text),
            "a marker stands alone on its line",
        )
    else:
        scanner.report(
            "V11/malformed-marker",
            f"`{excerpt(scanner.text, 40)}` is not a turn marker",
            0,
            len(scanner.text),
            "a marker is `#`, one of `u a s`, 1 to 7 digits, and nothing else on the line",
        )
    return Record(kind="marker", name=tag, role=tag[0], raw=scanner.text, line=scanner.line, malformed=True)


def _glued_to_tag(scanner: Scanner, tag: str) -> None:
    """Report what is wrong with a character that follows a record type without a space."""
    if scanner.text[scanner.position] == "[":
        scanner.report(
            "V12/malformed-block",
            f"`{excerpt(scanner.text, 40)}` is not a columnar block's header",
            0,
            len(scanner.text),
            f"write the keys once, without spaces: `#{tag}[key,key]`",
        )
    else:
        scanner.report(
            "SYN/malformed-record",
            f"`{excerpt(scanner.text, 24)}` is not a record type followed by a space",
            0,
            len(scanner.text),
            f"write `#{tag} key=value`",
        )


def _state_token(scanner: Scanner) -> Record:
    """Read the payload of `#s`: one word, then tags."""
    words: list[str] = []
    payload_start = scanner.position + 1
    for start, word in _words(scanner):
        if is_tag(word):
            scanner.tag(start, word)
        else:
            words.append(word)
            scanner.after_tag(start, scanner.position)
    payload = " ".join(words) or None
    if len(words) > 1:
        scanner.report(
            "SYN/state-payload",
            f"`#s` carries {len(words)} words",
            payload_start,
            len(scanner.text),
            "write the phase and its progress as one word: `#s exec:2/4`",
        )
    elif payload and "\t" in payload:
        scanner.report_tab(payload_start, len(scanner.text))
    elif payload and grammar.NOT_ATOM.search(payload):
        scanner.report("SYN/unquoted-value", "the state is not an atom", payload_start, len(scanner.text))
    return scanner.record("s", "s", arg=payload)


def _intent_line(scanner: Scanner) -> Record:
    """Read a line that does not begin with `#`: an intent, or free text."""
    text = scanner.text
    match = _INTENT_NAME.match(text)
    name = match[0] if match else ""
    after = text[len(name) :]
    if not name or (after and after[0] not in " {@"):
        if _INTENT_LIKE.match(text):
            scanner.report(
                "SYN/malformed-intent",
                f"`{excerpt(text.partition('{')[0], 40)}` is not an intent's name",
                0,
                text.index("{"),
                "a name has 2 to 4 lower-case letters or digits, or is dotted: `org.acme.name`",
            )
            return scanner.record("unknown", None)
        return _free_text(scanner)
    scanner.position = len(name)
    kv: dict[str, str] = {}
    if after.startswith("{"):
        scanner.position += 1
        kv = read_pairs(scanner, in_braces=True)
        if scanner.gave_up:
            return scanner.record("intent", name, kv)
        if scanner.at_end:
            scanner.report(
                "SYN/malformed-intent",
                "the intent's `{` is not closed",
                len(name),
                len(text),
                "close the parameters with `}` on the same line",
            )
            return scanner.record("intent", name, kv)
        scanner.position += 1
    elif after and not is_tag(after.lstrip(" ")):
        return _free_text(scanner)
    _tags_after_intent(scanner)
    return scanner.record("intent", name, kv)


def _free_text(scanner: Scanner) -> Record:
    text = scanner.text
    scanner.report(
        "SYN/free-text",
        f"`{excerpt(text, 40)}` is neither a record nor an intent",
        0,
        len(text),
        advice.free_text(text),
        None if text.endswith("\\") else scanner.edit(0, len(text), f'#fact note="{grammar.quote(text)}"'),
    )
    return scanner.record("unknown", None)


def _tags_after_intent(scanner: Scanner) -> None:
    """Read the tags behind an intent; anything else there is a fault."""
    text = scanner.text
    if text.startswith("@", scanner.position):
        scanner.report(
            "SYN/glued-tag",
            "a tag is glued to the intent",
            scanner.position,
            len(text),
            "put one space before `@m=` and `@rid=`",
            scanner.edit(scanner.position, scanner.position, " ", safe=True),
        )
    for start, word in _words(scanner):
        if is_tag(word):
            scanner.tag(start, word)
        else:
            scanner.report(
                "SYN/text-after-intent",
                f"`{excerpt(text[start:], 40)}` follows the intent on its line",
                start,
                len(text),
                "one record a line: put it on a line of its own",
            )
            return


def _words(scanner: Scanner) -> Iterator[tuple[int, str]]:
    """Yield the words from here to the end of the line, each with where it starts."""
    scanner.skip_spaces()
    while not scanner.at_end:
        yield scanner.word()
        scanner.skip_spaces()
