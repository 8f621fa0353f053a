"""What `pairl encode` refuses, and what it tells people then: one table of sentences.

This module knows words and exit codes. It does not know when something is refused.
"""

from __future__ import annotations

from enum import Enum
from typing import NoReturn

from pairl.diagnostics import printable
from workers.cli.console import give_up
from workers.exit_codes import ExitCode

INSTALL_TOKENS = "pip install 'pairl-bus[tokens]'"
"""What installs the tokenizers."""


class Refusal(Enum):
    """Why there is no output: what is wrong and, behind that, what to do. Braces are filled in."""

    NOT_A_TRANSCRIPT = ("{name}: {reason}", "{advice}")
    UNKNOWN_FORMAT = ("--format {text}: there is no such format", "{advice}")
    NO_TEXT = (
        "{name}: this is no text, and so no recorded conversation",
        "give the JSON, the JSON lines or the text that the conversation was exported as",
    )
    UNREADABLE_BUDGET = ("--budget {text}: {reason}", "{advice}")
    NO_TOKENIZER = (
        "a budget in tokens needs a tokenizer, and none is installed",
        f"install one with `{INSTALL_TOKENS}`, or give the budget in characters, as in 2000c, or as a share",
    )
    UNREADABLE_TIME = (
        "--ts {text}: this is no time with an offset from UTC",
        "write it as in 2026-05-04T10:00:00Z or 2026-05-04T12:00:00+02:00",
    )
    UNWRITABLE_HEADER = (
        "a header of the message cannot be written so: {reason}",
        "give another --id or --ts",
    )
    IS_A_DIRECTORY = (
        "{name}: this is a directory, and a body carries one conversation",
        "name a file; encode one after the other, each into a file of its own",
    )
    ONE_AT_A_TIME = (
        "{count} files are given, and a body carries one conversation",
        "encode one after the other, each into a file of its own",
    )
    ALREADY_PAIRL = (
        "{option}: what is read are messages in PAIRL already, of which nothing is left out",
        "leave the option out, or name the format of a recorded conversation with --format",
    )
    NO_HEADERS = (
        "{option}: what is appended to a body has no headers",
        "leave out {option}, or --state",
    )
    NOTHING_TO_END = (
        "--end: without --state there is no body that goes on, and so none that ends",
        "leave --end out: --window 0 alone puts everything into the body",
    )
    WINDOW_AT_END = (
        "--window {window}: --end puts everything into the body, and leaves nothing beside it",
        "leave out --window, or --end",
    )
    NOTHING_IN_BODY = (
        "{name}: nothing is in the body: all of it is within the last {window} calls and what follows them",
        "put all of it into the body with --window 0; what stays beside it is written by --recent FILE",
    )
    NO_TURNS = (
        "{name}: nothing is in the body: only a system prompt was recorded, which stays beside it",
        "encode the conversation once somebody has said something",
    )
    HISTORY_CHANGED = (
        "{name}: {reason}",
        "{causes}; {state} stays as it is: begin a new body with a new state file",
    )
    UNREADABLE_STATE = (
        "--state {name}: this is no state that this version of `pairl encode` wrote: {reason}",
        "name a file that is not there yet to begin a body, or the file that was written when it began",
    )
    STATE_CHANGED = (
        "--state {name}: another run has written it meanwhile, and what goes on from there is not known",
        "nothing was printed; let one run follow the other, and run this one again",
    )
    RECENT_IS_READ = (
        "--recent {name}: this is the file that is read, and it would be replaced",
        "name another file for --recent",
    )
    SAME_FILE = (
        "--state and --recent {name}: this is one file, and it would hold only one of them",
        "name another file for --recent",
    )
    OTHER_BUDGET = (
        "--budget {text}: the body was begun with {begun}, and keeps it",
        "leave --budget out, or begin a new body with a new state file",
    )
    NO_PLACE_FOR_STATE = ("--state {name}: {reason}", "nothing was printed; name a file that can be written")
    STANDARD_OUTPUT = (
        "{option} -: what is printed goes to standard output, and this has to go to a file",
        "name a file for {option}",
    )
    UNWRITABLE_RECENT = ("--recent {name}: {reason}", "nothing was printed; name another file")
    UNWRITABLE_STATE = (
        "--state {name}: {reason}",
        "what was printed is not remembered, and is printed again the next time: do not append it twice",
    )

    def __init__(self, what: str, advice: str) -> None:
        """Take the two sentences."""
        self.what = what
        self.advice = advice


FAULT = (
    "{name}: what was encoded is not valid ({codes}), and is not printed",
    "this is a fault of `pairl` itself, whatever the conversation holds",
)
"""What is said where the encoder wrote what it never should."""


def refuse(refusal: Refusal, **words: object) -> NoReturn:
    """Say on standard error what is refused and what to do, and end."""
    shown = {name: printable(str(word)) for name, word in words.items()}
    give_up(ExitCode.USAGE, refusal.what.format(**shown), refusal.advice.format(**shown))
