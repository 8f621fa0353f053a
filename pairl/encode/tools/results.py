"""What of a tool's result is kept when its text is not: status, exit statuses, error lines and paths (§7.2).

This module knows how results look that programs print. It does not know tools, or what a body holds already.

A result failed if its record says so. Where the record says nothing, it failed if an exit status other than
0 is given in one of the forms in which tools report it (`<returncode>1</returncode>`, `[… exit code 1 …]`,
`Exit code 1` or `… exited with code 1` in the first line, `"exit_code": 1`), if a line begins a traceback, or
if its first line begins as errors do, in words or as JSON. Otherwise its status is `ok`: nothing is known to
have gone wrong.

Lines of numbered source text are not read: the errors in there are somebody's code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from pairl.encode.carried import line_carried, without_colours
from pairl.encode.history import Result

LONGEST_ERROR = 160
"""So many characters of an error line are kept."""

_LONGEST_PATH = 256
"""What is longer is no path, but most often base64."""

_ERROR_CUES = (
    "error",
    "exception",
    "errno",
    "traceback",
    "failed",
    "failure",
    "fatal",
    "no such file",
    "not found",
    "denied",
    "invalid",
    "cannot",
)
"""Words without which no line is an error line, but for those with the code of a linter."""

_ERROR = re.compile(
    r"(?<![\w/\\-])\w*(?:Error|Exception)(?!\w|\.\w)"
    r"|(?<![\w./\\-])(?i:errors?|errno|exception|traceback|failed|failures?|fatal|denied|invalid|cannot)"
    r"(?!\w|\.\w|[/\\-])"
    r"|(?i:no such file|not found)(?!\w)"
    r"|(?<![\w./\\-])[EF][0-9]{3}(?![\w-])"
)
# What is in front is looked at last, so that the letter is what is searched for.
_CODE = re.compile(r"[EF](?<![\w./\\-].)[0-9]{3}(?![\w-])")
_NUMBERED = re.compile(r"[ \t]*+[0-9]++(?:→|\t|[ \t]*+\||:(?![0-9]))")
_TRACEBACK = "Traceback (most recent call last)"
_BEGINS_AS_ERRORS_DO = re.compile(
    r"(?:<[a-z_]*error>)?+"
    r"(?:[\w.]*(?:Error|Exception)\b|(?i:errors?|fatal(?: error)?|failed|failure)\b)"
    r"(?! = |(?: \w+)?: ?0\b"
    r"| (?:are|is|as|and|or|can|may|will|should|handl\w+|messages?|codes?|logs?|types?|pages?|rates?)\b)"
    r"|(?:<[a-z_]*error>)?+"
    r"(?:(?:Invalid|Cannot|Could not|Couldn't|Unable to|Failed to|Permission denied|No such file)\b"
    r"|Ran into |Your proposed edit has introduced |InputValidation"
    r"|No replacement was performed|String to replace not found|Segmentation fault|panic: "
    r"|[\w./-]+: (?:[^:\n]{1,80}: ){0,2}"
    r"(?i:command not found|not found\Z|no such file or directory|permission denied|cannot ))"
    r"|\{\s?\"(?i:error\"\s?:\s?(?:\"(?!\")|\{|true)|(?:success|ok)\"\s?:\s?false"
    r"|is_?error\"\s?:\s?true|status\"\s?:\s?\"(?:error|failed|failure)\")"
)
_EXIT = re.compile(
    r"(?i)<returncode>\s*+(-?[0-9]{1,10})\s*+</returncode>"
    r"|\bexit(?:ed)?+(?: with)?+(?: exit)?+ (?:code|status):? (-?[0-9]{1,10})\b"
    r"|\bexit_?+(?:code|status)[\"']?+\s?+[:=]\s?+[\"']?+(-?[0-9]{1,10})\b"
)
_EXIT_STATUS = re.compile(r"-?[0-9]{1,10}")
_REPORTED_EXIT = re.compile(
    r"(?i)<returncode>\s*+(-?[0-9]{1,10})\s*+</returncode>"
    r"|\[[^\]\[\n]{0,120}?\bexit code (-?[0-9]{1,10})\b"
    r"|\A\s*+exit (?:code|status):? (-?[0-9]{1,10})\b"
    r"|\A[^\n]{0,120}?\bexited with (?:exit )?(?:code|status):? (-?[0-9]{1,10})\b"
    r"|\"exit_?+(?:code|status)\"\s?+:\s?+\"?+(-?[0-9]{1,10})\b"
)
# Parts as `[id]`, `[[...all]]`, `(group)` and `day=1` are only those of a path that goes on.
_PART = (
    r"(?:[\w.@+\-~%\u0300-\u036f]++(?:=[\w.@+\-%]++(?=/))?+"
    r"|\[{1,2}[\w.\-]++\]{1,2}(?=/)|\([\w.\-]++\)(?=/))"
)
_PATH = re.compile(
    r"(?<![\w<./~@+\-\u0300-\u036f])"
    rf"(?:(?:~|\.{{1,2}}|\$\w++|\$\{{\w++\}}|[A-Za-z]:)?+(?:/{_PART})++/?+"
    rf"|[\w.@+\-]++/(?:{_PART}/)*+{_PART})"
    r"|(?<!\w)[A-Za-z]:\\[^\s\"'<>|*?:;,()\0-\x1f\x7f-\x9f\ud800-\udfff]++"
)
_IS_ROOTED = re.compile(r"[~.]{0,2}/|[A-Za-z]:[\\/]|\$")
_HAS_EXTENSION = re.compile(r"\w\.[A-Za-z][A-Za-z0-9]{0,9}\Z")


class Reading(msgspec.Struct, frozen=True):
    """What was read of a result: distinct exit statuses, error lines and paths, in the text's order."""

    is_ok: bool
    exits: tuple[str, ...]
    errors: tuple[str, ...]
    paths: tuple[str, ...]
    lines: int


def read_result(result: Result) -> Reading:
    """Return what is kept of a result, whatever else becomes of it. Linear in its text."""
    text = result.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lowered = _lowered(text)
    exits = dict.fromkeys(_recorded_exit(result))
    if "exit" in lowered or "<returncode>" in lowered:
        exits |= dict.fromkeys(_exits(text))
    is_ok = not result.is_error if result.is_error is not None else _seems_ok(text, lowered, result)
    errors = tuple(_errors(text, lowered))
    if not is_ok and not errors:
        errors = tuple(_first_line(text))
    return Reading(is_ok, tuple(exits), errors, paths_in(text), text.count("\n", 0, len(text) - 1) + 1)


def paths_in(text: str) -> tuple[str, ...]:
    r"""Return the distinct paths of a text: absolute ones, `~/…`, `./…`, `../…`, `C:\…`, and `a/b.c`.

    A relative path has a slash, and a last part with an extension: `n/a` and `km/h` are none.
    """
    if "/" not in text and "\\" not in text:
        return ()
    text = without_colours(text)
    words = dict.fromkeys([word for word in text.split() if "/" in word])
    if ":\\" in text:
        words |= dict.fromkeys([word for word in text.split() if ":\\" in word])
    found = dict.fromkeys(path.rstrip(".,:\\") for path in dict.fromkeys(_PATH.findall(" ".join(words))))
    return tuple(path for path in found if _is_path(path))


def is_path(value: object) -> bool:
    """Say whether a value of JSON is one path and nothing else."""
    if not isinstance(value, str) or len(value) > _LONGEST_PATH or " " in value:
        return False
    return paths_in(value) == (value,)


def _is_path(text: str) -> bool:
    if not 1 < len(text) <= _LONGEST_PATH:
        return False
    return _IS_ROOTED.match(text) is not None or _HAS_EXTENSION.search(text) is not None


def _lowered(text: str) -> str:
    """Return a text in lower case, each character in its place."""
    lowered = text.lower()
    # The one letter that becomes two.
    return lowered if len(lowered) == len(text) else text.replace("\u0130", "I").lower()


def _exits(text: str) -> Iterator[str]:
    for found in _EXIT.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        if not _NUMBERED.match(text, start, found.start()):
            yield found[found.lastindex or 0]


def _recorded_exit(result: Result) -> list[str]:
    """Return the exit status that the record itself gives, if it is a number."""
    status = result.details.get("exit", "").strip()
    return [status] if _EXIT_STATUS.fullmatch(status) else []


def _seems_ok(text: str, lowered: str, result: Result) -> bool:
    """Say whether nothing tells that a result failed of which the record does not say whether it did."""
    reported = _recorded_exit(result)
    if not reported and ("exit" in lowered or "<returncode>" in lowered):
        reported = [found[found.lastindex or 0] for found in _REPORTED_EXIT.finditer(text)]
    if reported:
        return int(reported[-1]) == 0
    begins_traceback = text.startswith(_TRACEBACK) or f"\n{_TRACEBACK}" in text
    first = next(_first_line(text), "")
    return not begins_traceback and not _BEGINS_AS_ERRORS_DO.match(first)


def _first_line(text: str) -> Iterator[str]:
    """Yield the first line that is not empty, if there is one."""
    begun = text.lstrip()
    line = line_carried(begun[: LONGEST_ERROR * 4].partition("\n")[0], LONGEST_ERROR)
    if line:
        yield line


def _errors(text: str, lowered: str) -> Iterator[str]:
    """Yield the error lines, each once."""
    places = [at for cue in _ERROR_CUES for at in _lines_with(cue, lowered)]
    places += [text.rfind("\n", 0, code.start()) + 1 for code in _CODE.finditer(text)]
    known: set[str] = set()
    for start in sorted(set(places)):
        if _NUMBERED.match(text, start):
            continue
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if not _ERROR.search(text, start, end):
            continue
        line = line_carried(text[start : min(end, start + LONGEST_ERROR * 8)], LONGEST_ERROR)
        if line and line not in known:
            known.add(line)
            yield line


def _lines_with(cue: str, text: str) -> Iterator[int]:
    """Yield where the lines begin that hold a word."""
    at = text.find(cue)
    while at >= 0:
        yield text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        at = text.find(cue, end) if end >= 0 else -1
