"""Whether a call failed of which the record does not say whether it did (§7.2).

This module knows in which lines such a report stands, and takes nobody's word but the program's own: a log
that tells of errors was read without one. It does not know how reports read
(`pairl.encode.tools.failure_forms`), what an error line is (`pairl.encode.tools.error_lines`), or an exit
status.

A call failed where its result is an object of JSON that says so, or where an error line of it has one of the
forms, in the place where such a report stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from pairl.encode.tools.error_lines import ErrorLine
from pairl.encode.tools.failure_forms import ANY, FAILURE_FORMS, FIRST, JSON_FAILURES, LAST, TRACE
from pairl.encode.tools.lines import begin_of_last, first_line

_LAST_LINES = 8
_LAST_OF_TRACE = 20
_LONGEST_JSON = 1_000_000

_JSON_FORMS = {name: re.compile(row.pattern) for row in JSON_FAILURES for name in row.names}


def _form(*places: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form.pattern})" for form in FAILURE_FORMS if form.place in places))


# The first line may be one of the last, too.
_FIRST, _LAST, _ANY, _TRACE = _form(FIRST), _form(LAST), _form(ANY), _form(TRACE)
_STACK = re.compile(
    r"Traceback [^\n]*(?:\n[ \t][^\n]*|\n(?=\n))*+(?:\n[^\n]*)?+"
    r"|[^\n]*(?:\nRequire stack:(?:\n- [^\n]*)*+)?+(?:\n[ \t]+(?:at |\.\.\. )[^\n]*)++"
)


def reports_failure(text: str, errors: Sequence[ErrorLine]) -> bool:
    """Say whether a text, of which these are the error lines, reports that the call failed.

    Linear in the text.
    """
    if text.startswith("{") and len(text) <= _LONGEST_JSON:
        try:
            told = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            told = None
        if told is not None:
            return any(
                form.match(bytes(told[name]).decode()) is not None
                for name, form in _JSON_FORMS.items()
                if name in told
            )
    if not errors:
        return False
    first = first_line(text)
    if errors[0].first == first and (_FIRST.match(errors[0].kept) or _TRACE.match(errors[0].kept)):
        return True
    last, last_of_trace = begin_of_last(text, _LAST_LINES), begin_of_last(text, _LAST_OF_TRACE)
    for error in errors:
        if _ANY.match(error.kept) or (error.last >= last and _LAST.match(error.kept)):
            return True
        if _TRACE.match(error.kept) and text[error.last] not in " \t":
            stack = _STACK.match(text, error.last)
            if stack is not None and stack.end() >= last_of_trace:
                return True
    return False
