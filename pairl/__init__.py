"""PAIRL 1.6: parse, validate, write, hash and render messages between agents.

    >>> import pairl
    >>> message = pairl.parse("@v 1\\n@id m1\\n@ts 2026-01-01T00:00:00Z\\n\\n#fact answer=42\\n")
    >>> pairl.validate(message, strict=True).valid
    True

Bytes in, values out: nothing in this package reads a file, a clock or a socket.

Where to look: `pairl.parser` reads messages, `pairl.writer` and `pairl.compact` write them;
`pairl.validator` judges by `pairl.rules`, and `pairl.edits` mends; `pairl.canonical` has the form that is
hashed; `pairl.render` and `pairl.show` are for people. Who puts bodies before a model finds what explains
them in `pairl.legend`, bodies that only grow in `pairl.session` and `pairl.increment`, and quotations in
`pairl.quotation`.
"""

from pairl.canonical import canonicalize, compute_hash, hash_ref, serialize_record
from pairl.compact_form import compact
from pairl.diagnostics import Diagnostic, Severity
from pairl.json_form import NoJsonForm, from_json, to_json
from pairl.legend import FullSpecification, Legend, make_legend
from pairl.model import ColumnarBlock, Message, Record
from pairl.parser import parse, split_messages
from pairl.partial_reading import Partial, Unreadable, partial
from pairl.quotation import SourceText, SourceTurn
from pairl.render import Form, render
from pairl.rules import Policy
from pairl.session import Refusal, Session
from pairl.thread import Status
from pairl.thread_memory import Thread
from pairl.validator import Report, validate
from pairl.values import CannotWrite
from pairl.vocabulary import SPEC_VERSION
from pairl.writer import MessageBuilder

__all__ = [
    "SPEC_VERSION",
    "CannotWrite",
    "ColumnarBlock",
    "Diagnostic",
    "Form",
    "FullSpecification",
    "Legend",
    "Message",
    "MessageBuilder",
    "NoJsonForm",
    "Partial",
    "Policy",
    "Record",
    "Refusal",
    "Report",
    "Result",
    "Session",
    "Severity",
    "SourceText",
    "SourceTurn",
    "Status",
    "Thread",
    "Unreadable",
    "canonicalize",
    "compact",
    "compute_hash",
    "from_json",
    "hash_ref",
    "make_legend",
    "parse",
    "partial",
    "render",
    "serialize_record",
    "split_messages",
    "to_json",
    "validate",
]

Result = Report
"""The name that the published package has for a report."""
