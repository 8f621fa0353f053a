"""Verdicts as the `bus` commands print them: what is said of rules that were not evaluated."""

from __future__ import annotations

import pytest

from pairl.rules import Needs
from schemas.verdict import Accepted
from tests.unit.messages import needing
from workers.cli.verdicts import show_answer


@pytest.mark.parametrize("session", ["s1", None])
def test_rules_that_need_what_never_travels_on_the_bus_are_not_named(
    session: str | None, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    missing = (Needs.LEGEND, Needs.SOURCE) if session else (Needs.THREAD, Needs.LEGEND, Needs.SOURCE)
    verdict = Accepted("0" * 64, "m1", "strict", "0", session, not_evaluated=needing(*missing))
    show_answer(verdict, "m1", None)
    shown = capfdbinary.readouterr().out.decode()
    told = "not evaluated: V4, SES (the message belongs to no session: give it `@sid`)"
    assert (told in shown) == (session is None)
    assert "V15" not in shown
