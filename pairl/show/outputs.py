"""The forms in which diagnostics can be shown: one table, from which the command line chooses.

This module knows how the single diagnostics of a form are put together. It does not write anything.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pairl.show import sarif
from pairl.show.github import show_as_github_command
from pairl.show.json_lines import show_as_json
from pairl.show.located import Located
from pairl.show.terminal import show_diagnostic


class Output(msgspec.Struct, frozen=True):
    """A form: how one diagnostic is shown, and what stands before, between and behind all of them.

    `for_people` says that a summary may stand in the same place.
    """

    show: Callable[[Located], str]
    begin: Callable[[], str] = str
    between: str = ""
    end: str = ""
    for_people: bool = False


def _text(located: Located, *, color: bool) -> str:
    drawn = show_diagnostic(
        located.diagnostic, located.source, located.file, first_line=located.first_line, color=color
    )
    return f"{drawn}\n\n"


TEXT = Output(lambda located: _text(located, color=False), for_people=True)
COLORED_TEXT = Output(lambda located: _text(located, color=True), for_people=True)

OUTPUTS = {
    "text": TEXT,
    "json": Output(lambda located: f"{show_as_json(located)}\n"),
    "github": Output(lambda located: f"{show_as_github_command(located)}\n"),
    "sarif": Output(sarif.show_as_sarif, sarif.log_begin, ",\n", sarif.LOG_END),
}
"""By the name that `--output` takes."""
