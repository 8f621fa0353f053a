"""What must hold of any bytes whatever, in one function that a fuzzer can call.

Knows everything that the library can do with a message, and how long that may take. Refuses to know
where the bytes come from: `tests.fuzz.mutations` and `tests.fuzz.fuzz_protocol` make them.
"""

from __future__ import annotations

import time

import pairl
from pairl.model import Message

SECONDS = 0.3
"""What any text may take, however short: much more than one does, as the machine may be busy."""

SECONDS_PER_BYTE = 40e-6
"""What each byte may take on top: some twenty times of what it does."""

MANY = 10**6
"""A limit that no text here comes up to."""


def check(data: bytes) -> None:
    """Do with `data` all that can be done with a message; raise AssertionError if it is not as it must be.

    Whatever else is raised is a fault as well.
    """
    start = time.process_time()
    message = _read(data)
    _check_readings(data, message)
    _check_canonical_text(data, message)
    for form in pairl.Form:
        pairl.render(message, form)
    assert len(pairl.parse(data, max_records=3).records) <= 3
    assert not pairl.parse(data, max_bytes=len(data) - 1).records
    took = time.process_time() - start
    assert took < SECONDS + SECONDS_PER_BYTE * len(data), f"{len(data)} bytes took {took:.2f} s"


def _read(data: bytes) -> Message:
    return pairl.parse(data, max_bytes=MANY, max_records=MANY)


def _check_readings(data: bytes, message: Message) -> None:
    """The fast case and the rules agree, and loose mode accepts what strict mode accepts."""
    policies = [pairl.Policy(strict=strict, max_bytes=MANY, max_records=MANY) for strict in (True, False)]
    taken_apart = _read(data)
    _ = taken_apart.records
    valid = []
    for policy in policies:
        report = pairl.validate(message, policy=policy)
        assert report == pairl.validate(taken_apart, policy=policy), "the fast case says something else"
        assert all(str(found).isprintable() for found in report.diagnostics)
        valid.append(report.valid)
    assert valid[1] or not valid[0], "loose mode refuses what strict mode accepts"
    assert pairl.canonicalize(message) == pairl.canonicalize(taken_apart), "the fast case writes otherwise"


def _check_canonical_text(data: bytes, message: Message) -> None:
    """Canonical text is its own, says the same, and does not depend on line ends."""
    once = pairl.canonicalize(message)
    again = _read(once.encode("utf-8", "surrogatepass"))
    assert pairl.canonicalize(again) == once, "the canonical text is not its own"
    digest = pairl.compute_hash(message)
    assert digest == pairl.compute_hash(again)
    if b"\r" not in data:
        returned = _read(data.replace(b"\n", b"\r\n"))
        assert pairl.compute_hash(returned) == digest, "line ends change the hash"
