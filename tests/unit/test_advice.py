"""Advice: what to write instead of text that is not PAIRL."""

from __future__ import annotations

import pytest

from pairl import parse
from tests.unit.messages import with_body


@pytest.mark.parametrize(
    ("line", "helps"),
    [
        ("#fact rows=1@rid=f1", ["put a space before `@rid=`"]),
        ('#fact rows="1"@m=u1', ["put a space before `@m=`"]),
        ("#fact name=\u2018x\u2019", ['strings take `"`: `name="…"`']),
        ("#fact share=50%", ['write `share="50%"`']),
        ("#fact desc=orders of yesterday", ['write `desc="orders of yesterday"`']),
        ("#fact desc=a b c = d", ['write `desc="a b"`', "write `key=value` without spaces"]),
        ("#fact table=raw.orders, rows=12", ["one space separates two pairs: leave the comma out"]),
        ("#fact amount=1,000", ["put quotation marks around a value that has a comma in it"]),
        ("upd {t=x}", ["put no space before `{`: `upd{t=x}`"]),
        ("upd(t=x)", ["parameters stand between braces: `upd{t=x}`"]),
        ("// later", ['PAIRL has no comments: leave the line out, or write `#fact note="…"`']),
        ("@id m1", ["the headers ended at the first empty line: put a header above it"]),
        ("please look", ['carry text as data: `#fact note="…"`']),
    ],
)
def test_what_is_advised(line: str, helps: list[str]) -> None:
    assert [found.help for found in parse(with_body(line)).findings] == helps


def test_words_behind_a_value_are_one_finding_and_read_once() -> None:
    [found] = parse(with_body("#fact a=b" + " word" * 50_000)).findings
    assert found.code == "SYN/bare-token"
