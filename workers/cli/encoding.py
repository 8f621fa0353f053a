"""A recorded conversation on its way from a file to a body: read, encoded, checked, written.

This module knows the order in which that is done: a state is written behind what is printed, so that a run
that was interrupted can be repeated. It does not know how a conversation is encoded.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import typer

from pairl.diagnostics import Severity, printable
from pairl.encode.budget import Budget, Measure, NotABudget, read_budget, write_budget
from pairl.encode.encoding import BodyState, Encoded, Options, encode
from pairl.encode.history import History
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.formats import import_history
from pairl.encode.importers.json_text import write_json
from pairl.encode.messages import as_messages, judged
from pairl.encode.quoting.quote import Quoting
from pairl.encode.speakers import first_turn
from pairl.encode.window import DEFAULT_WINDOW
from pairl.model import Message
from pairl.validator import Report
from pairl.values import CannotWrite
from workers.cli.console import complain, give_up, write_bytes
from workers.cli.encoding_refusals import FAULT, Refusal, refuse
from workers.cli.encoding_report import lines_of, lines_of_missing, lines_of_notices, over_budget
from workers.cli.encoding_state import begin_with, put_state, state_in
from workers.cli.files import BETWEEN_MESSAGES, Source, foreign
from workers.cli.measuring import measured
from workers.cli.progress import Bar
from workers.cli.replacing import put_contents
from workers.cli.tokens import BUDGETED, counter
from workers.exit_codes import ExitCode

DEFAULT_ID = "m1"
_STANDARD_OUTPUT = Path("-")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the options of `pairl encode` ask for, by their names; None where one is not given.

    `form` is the name of a format.
    """

    form: str | None = None
    budget: str | None = None
    window: int | None = None
    recent: Path | None = None
    state: Path | None = None
    end: bool = False
    id: str | None = None
    ts: str | None = None
    report: bool = False


def encode_conversation(source: Source, data: bytes, wanted: Wanted) -> None:
    """Print a conversation as messages or, with a state, what is to be appended to its body.

    Raises:
        typer.Exit: it cannot be read, encoded or written as the options say; why was shown.

    """
    _refuse_files(source, wanted)
    before = None if wanted.state is None else begin_with(wanted.state)
    options = _options(wanted, before)
    given_time = None if wanted.ts is None else _time(wanted.ts)
    with Bar(0, "encoding", "turns") as bar:
        history = _history(source, data, wanted.form)
        bar.step(0, more=len(history.turns))
        try:
            quoting = Quoting(_measure(options.budget))
            encoded = encode(history, options, before=before, quoting=quoting, progress=_stepping(bar))
        except HistoryChanged as fault:
            words = {"name": source.name, "reason": fault.reason, "causes": fault.causes}
            refuse(Refusal.HISTORY_CHANGED, state=wanted.state, **words)
    messages = _messages(encoded, wanted.id or DEFAULT_ID, given_time or _beginning(history))
    reports = judged(messages, encoded.source)
    _check(source, reports)
    if wanted.state is not None and state_in(wanted.state) != before:
        refuse(Refusal.STATE_CHANGED, name=wanted.state)
    _write(source, history, encoded, messages, wanted)
    if wanted.report:
        with Bar(0, "measuring", "texts") as bar:
            found = measured(history, encoded, reports, before=before, progress=bar.step)
        typer.echo("\n".join(lines_of(printable(source.name), found)), err=True)
    else:
        _tell(source, history, encoded, wanted, is_first=before is None)


def _refuse_files(source: Source, wanted: Wanted) -> None:
    """Refuse files to write that are no files, or other ones than somebody may have meant."""
    for option, path in (("--state", wanted.state), ("--recent", wanted.recent)):
        if path == _STANDARD_OUTPUT:
            refuse(Refusal.STANDARD_OUTPUT, option=option)
    if wanted.recent and source.path and wanted.recent.absolute() == source.path.absolute():
        refuse(Refusal.RECENT_IS_READ, name=wanted.recent)
    if wanted.state and wanted.recent and wanted.state.absolute() == wanted.recent.absolute():
        refuse(Refusal.SAME_FILE, name=wanted.state)


def _tell(source: Source, history: History, encoded: Encoded, wanted: Wanted, *, is_first: bool) -> None:
    """Say on standard error what nobody can see in what was printed."""
    name = printable(source.name)
    if encoded.report.over:
        complain(f"{name}: {over_budget(encoded)}")
    waiting = None if wanted.state is None else history.turns
    missing = lines_of_missing(
        encoded, is_first=is_first, is_recent_kept=wanted.recent is not None, turns=waiting
    )
    if missing:
        complain(f"{name}: not in what is printed:", *missing)
    noticed = lines_of_notices(encoded, is_first=is_first)
    if noticed:
        complain(f"{name}: noticed in the record:", *noticed)


def _options(wanted: Wanted, before: BodyState | None) -> Options:
    budget = None if wanted.budget is None else _budget(wanted.budget)
    if before is not None:
        if wanted.budget is not None and budget != before.options.budget:
            begun = before.options.budget
            refuse(Refusal.OTHER_BUDGET, text=wanted.budget, begun=write_budget(begun) if begun else "none")
        budget = before.options.budget
    window = wanted.window
    if wanted.end:
        if wanted.state is None:
            refuse(Refusal.NOTHING_TO_END)
        if window:
            refuse(Refusal.WINDOW_AT_END, window=window)
        window = 0
    if window is None:
        window = DEFAULT_WINDOW if before is None else before.options.window
    if wanted.state is not None and (wanted.id or wanted.ts) is not None:
        refuse(Refusal.NO_HEADERS, option="--ts" if wanted.id is None else "--id")
    return Options(budget, window, is_open=wanted.state is not None and not wanted.end)


def _budget(text: str) -> Budget:
    try:
        return read_budget(text)
    except NotABudget as fault:
        refuse(Refusal.UNREADABLE_BUDGET, text=text, reason=fault.reason, advice=fault.advice)


def _measure(budget: Budget | None) -> Measure:
    """Return how sizes are measured: in tokens where the budget is in tokens."""
    if budget is None or budget.tokens is None:
        return len
    count = counter(BUDGETED)
    if count is None:
        refuse(Refusal.NO_TOKENIZER)
    return count


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        refuse(Refusal.UNREADABLE_TIME, text=text)
    if time.tzinfo is None:
        refuse(Refusal.UNREADABLE_TIME, text=text)
    return time


def _beginning(history: History) -> datetime:
    """Return when a conversation began; now, if its record does not say."""
    if history.began_at is None:
        return datetime.now(UTC).replace(microsecond=0)
    return datetime.fromisoformat(history.began_at)


def _history(source: Source, data: bytes, form: str | None) -> History:
    try:
        return import_history(data, form)
    except NotATranscript as fault:
        if foreign(data) is not None:
            refuse(Refusal.NO_TEXT, name=source.name)
        refuse(Refusal.NOT_A_TRANSCRIPT, name=source.name, reason=fault.reason, advice=fault.advice)


def _stepping(bar: Bar) -> Callable[[int], None]:
    """Return what moves a bar to the number that it is called with."""
    done = 0

    def step(number: int) -> None:
        nonlocal done
        bar.step(number - done)
        done = number

    return step


def _messages(encoded: Encoded, own_id: str, ts: datetime) -> list[Message]:
    try:
        return as_messages(encoded, id=own_id, ts=ts)
    except CannotWrite as fault:
        refuse(Refusal.UNWRITABLE_HEADER, reason=fault)


def _check(source: Source, reports: list[tuple[Message, Report]]) -> None:
    """Let nothing go out that is not valid."""
    found = {
        diagnostic.code
        for _, report in reports
        for diagnostic in report.diagnostics
        if diagnostic.severity is Severity.ERROR
    }
    if found:
        codes = ", ".join(sorted(found))
        give_up(ExitCode.INTERNAL, *(text.format(name=printable(source.name), codes=codes) for text in FAULT))


def _write(
    source: Source, history: History, encoded: Encoded, messages: list[Message], wanted: Wanted
) -> None:
    if wanted.recent is not None:
        items = ",\n".join(f"  {write_json(item)}" for item in encoded.recent)
        text = f"[\n{items}\n]\n" if items else "[]\n"
        # Halves of surrogate pairs become the escapes that JSON has for them.
        fault = put_contents(wanted.recent, text.encode("utf-8", "backslashreplace"))
        if fault is not None:
            refuse(Refusal.UNWRITABLE_RECENT, name=fault.name, reason=fault.reason)
    if wanted.state is not None:
        write_bytes(encoded.body.encode())
        put_state(wanted.state, encoded.state)
    elif messages:
        write_bytes(BETWEEN_MESSAGES.join(message.source for message in messages).encode())
    elif first_turn(history.turns) == len(history.turns):
        refuse(Refusal.NO_TURNS, name=source.name)
    else:
        refuse(Refusal.NOTHING_IN_BODY, name=source.name, window=encoded.state.options.window)
