"""What recorded conversations take as bodies, in tokens, and what of them is kept.

    python -m tests.bench.tokens DIRECTORY [--window 0] [--budget 50%]

For each file a line; sizes are in tokens of o200k_base and, behind the bar, of cl100k_base. `same` is plain
text that tells no more than the body does: what a body takes beyond it is the price of the format. Shares are
of what was said (numbers, dates, names) and of what tools were given and returned (paths, exit statuses,
error lines), found as the encoder finds them. What stays beside a body counts nowhere.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from pairl.encode.budget import Budget, read_budget
from pairl.encode.encoding import Options, encode
from pairl.encode.history import Call
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.formats import import_history
from pairl.encode.kept import ERRORS, EXITS, PATHS, Kept, Share
from pairl.encode.messages import as_messages, judged
from pairl.encode.quoting.quote import Quoting
from workers.cli.encoding_refusals import INSTALL_TOKENS
from workers.cli.encoding_report import aligned
from workers.cli.measuring import BODY, JSON, LEGEND, PLAIN, SAME, Measured, measured
from workers.cli.tokens import BUDGETED, ENCODINGS, counter

_TIME = datetime(2026, 1, 1, tzinfo=UTC)
_SIZES = {JSON: "JSON", PLAIN: "plain", SAME: "same", BODY: "body"}
_SAID = ("numbers", "dates", "names")
_TOOLS = (PATHS, EXITS, ERRORS)


class Row(msgspec.Struct, frozen=True):
    """What was measured of a file, and whether a tool is called in it."""

    name: str
    found: Measured
    has_calls: bool

    def ratio(self, text: str, of: str, encoding: str = ENCODINGS[0]) -> float:
        """Return the size of one text as a share of another's, in tokens."""
        return self.found.sizes[text][encoding] / max(1, self.found.sizes[of][encoding])


def main() -> None:
    """Measure the files of a directory, and print a line for each and what they come to together."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("directory", type=Path)
    arguments.add_argument("--window", type=int, default=0)
    arguments.add_argument("--budget", type=read_budget)
    chosen = arguments.parse_args()
    if counter(BUDGETED) is None:
        sys.exit(f"no tokenizer is installed: {INSTALL_TOKENS}")
    rows: list[Row] = []
    left_out: list[str] = []
    for path in sorted(path for path in chosen.directory.rglob("*") if path.is_file()):
        name = str(path.relative_to(chosen.directory))
        try:
            rows.append(row(name, path.read_bytes(), chosen.budget, chosen.window))
        except NotATranscript as fault:
            left_out.append(f"not measured: {name}: {fault}")
    for line in [*table(rows), "", *summary(rows), *left_out]:
        print(line)


def row(name: str, data: bytes, budget: Budget | None, window: int) -> Row:
    """Return what was measured of a file; raise `NotATranscript` if it is none."""
    history = import_history(data)
    count = counter(BUDGETED) if budget is not None and budget.tokens is not None else None
    encoded = encode(history, Options(budget, window), quoting=Quoting(count or len))
    messages = as_messages(encoded, id="m1", ts=_TIME)
    reports = judged(messages, encoded.source)
    has_calls = any(isinstance(part, Call) for turn in history.turns for part in turn.parts)
    return Row(name, measured(history, encoded, reports), has_calls)


def table(rows: Sequence[Row]) -> list[str]:
    """Return a line for each file, below one with the names of the columns."""
    head = ["file", *_SIZES.values(), "body+legend", "body/plain", "body/same", *_SAID, *_TOOLS, "V15"]
    return aligned(head, map(_cells, rows))


def _cells(one: Row) -> list[str]:
    sizes = one.found.sizes
    in_all = [str(sizes[BODY][name] + sizes[LEGEND][name]) for name in ENCODINGS]
    return [
        one.name,
        *(
            "|".join(str(sizes[text][name]) for name in ENCODINGS) if text in sizes else "-"
            for text in _SIZES
        ),
        "|".join(in_all),
        *("|".join(f"{one.ratio(BODY, of, name):.0%}" for name in ENCODINGS) for of in (PLAIN, SAME)),
        *(_fraction(one.found.kept.said.get(kind)) for kind in _SAID),
        *(_fraction(one.found.kept.tools.get(kind)) for kind in _TOOLS),
        _fraction(Share(one.found.verified, one.found.quotations)),
    ]


def _fraction(share: Share | None) -> str:
    return "-" if share is None or not share.of else f"{share.kept}/{share.of}"


def summary(rows: Sequence[Row]) -> list[str]:
    """Return the median and the worst of each column, and sums over files with and without calls."""
    if not rows:
        return ["nothing was measured"]
    lines = [f"{f'in {BUDGETED}':<38} {'median':>7} {'worst':>7}  {'files':>5}"]
    for of, name in ((PLAIN, "plain text"), (SAME, "same information as plain text")):
        ratios = [one.ratio(BODY, of) for one in rows]
        lines.append(_line(f"body of {name}", ratios, max))
    for part, kinds in (("said", _SAID), ("tools", _TOOLS)):
        for kind in kinds:
            shares = [share for one in rows if (share := _of(one.found.kept, part).get(kind)) is not None]
            lines.append(_line(f"kept, {part}: {kind}", [share.kept / share.of for share in shares], min))
    verified = [one.found.verified / one.found.quotations for one in rows if one.found.quotations]
    lines.append(_line("quotations that V15 verifies", verified, min))
    for name, group in (
        ("with calls", [one for one in rows if one.has_calls]),
        ("without calls", [one for one in rows if not one.has_calls]),
    ):
        if group:
            sums = {
                text: sum(one.found.sizes[text][BUDGETED] for one in group) for text in (BODY, PLAIN, SAME)
            }
            lines.append(
                f"files {name}, together: {sums[BODY]:,} tokens of {sums[PLAIN]:,} as plain text"
                f" ({sums[BODY] / sums[PLAIN]:.1%}), of {sums[SAME]:,} with the same information"
                f" ({sums[BODY] / sums[SAME]:.1%})"
            )
    return lines


def _of(kept: Kept, part: str) -> dict[str, Share]:
    return kept.said if part == "said" else kept.tools


def _line(name: str, values: Sequence[float], worst: Callable[[Iterable[float]], float]) -> str:
    if not values:
        return f"{name:<38} {'-':>7} {'-':>7}  {0:>5}"
    return f"{name:<38} {statistics.median(values):>7.1%} {worst(values):>7.1%}  {len(values):>5}"


if __name__ == "__main__":
    main()
