"""Recorded conversations as PAIRL: no model is asked, and every quoted character can be verified.

`import_history` reads a record into a `History`, whatever format it is in. `encode` makes a body of it, or
what a body that was made before lacks. `as_messages` puts headers above, and `reread` reads a body back.

    >>> history = import_history("user: Is the quay lit?\\nassistant: From 21:00 on, until 6 June.\\n")
    >>> print(encode(history).body, end="")
    #u1
    #req content="Is the quay lit?"
    #a2
    #rpt content="From 21:00 on, until 6 June."

| package | what it knows |
|---|---|
| `importers` | what other programs record |
| `quoting` | what of a text is worth keeping, and how it is cut |
| `tools` | what is told of calls and of what they returned |
"""

from __future__ import annotations

from pairl.encode.budget import Budget, read_budget
from pairl.encode.encoding import BodyState, Encoded, Options, encode
from pairl.encode.history import History
from pairl.encode.history_changed import HistoryChanged
from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.formats import FORMATS, import_history
from pairl.encode.messages import as_messages
from pairl.encode.quoting.heuristics import HEURISTICS, Heuristic
from pairl.encode.quoting.quote import Quoting
from pairl.encode.reread import reread

__all__ = [
    "FORMATS",
    "HEURISTICS",
    "BodyState",
    "Budget",
    "Encoded",
    "Heuristic",
    "History",
    "HistoryChanged",
    "NotATranscript",
    "Options",
    "Quoting",
    "as_messages",
    "encode",
    "import_history",
    "read_budget",
    "reread",
]
