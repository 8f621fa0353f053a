"""The renderer shows everything that a message says, in words, and adds nothing."""

from __future__ import annotations

from textwrap import dedent

import pytest

import pairl
from pairl.render import Form, render

HEAD = "@v 1\n@id m3\n@ts 2026-05-04T08:00:00Z\n\n"


def body(records: str, head: str = HEAD) -> str:
    """Return what a message with these records renders to, without its heading and headers."""
    document = render(pairl.parse(head + dedent(records).strip("\n") + "\n"))
    return document.split("\n\n", 2)[2]


def test_a_form_may_be_given_as_text_and_one_that_there_is_not_raises() -> None:
    message = pairl.parse(f"{HEAD}ack\n")
    assert render(message, "html") == render(message, Form.HTML)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'pdf' is not a valid Form"):
        render(message, "pdf")  # type: ignore[arg-type]


# --- what each record says ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("#fact crew_size=4 @rid=f1", "- **crew_size:** 4 `#f1`"),
        ('#fact note="tea, then work"', "- **note:** tea, then work"),
        ("#fact a=1 b=2", "- **a:** 1; **b:** 2"),
        ('#fact gone=""', "- **gone:** *empty*"),
        ("#ref plan=ref:doc:store:77 @rid=r1", "- Reference *plan:* `ref:doc:store:77` `#r1`"),
        ("#ref earlier=@m1#f2", "- Reference *earlier:* `@m1#f2`"),
        ("#rule no_new_facts=true", "- Rule *no_new_facts:* true"),
        (
            '#evid claim="the valve was open" src=ref:log:valve conf=0.70 @rid=e1',
            "- According to `ref:log:valve`: the valve was open (*confidence:* 0.70 (70%)) `#e1`",
        ),
        ('#evid claim="no source"', "- According to *not given*: no source"),
        ("#cost val=0.02 cur=USD", "- Cost: $0.02"),
        (
            '#cost val=1.5 cur=EUR model=tern-2 note="two runs" per=day @rid=k1',
            "- Cost: €1.5 (*model:* tern-2; *note:* two runs; *per:* day) `#k1`",
        ),
        ("#quota type=tokens total=100000 used=5000", "- Token usage: 5,000 / 100,000 (5%)"),
        (
            "#quota type=api_calls total=1000 used=42 rem=958 @rid=q1",
            "- Api calls usage: 42 / 1,000 (4.2%), 958 left `#q1`",
        ),
        (
            '#call tool=Bash cmd="ls -l `pwd`" dir=/srv @rid=c1',
            "- Called **Bash** (*cmd:* `` ls -l `pwd` ``; *dir:* `/srv`) `#c1`",
        ),
        ("#ret call=c1 status=ok", "- Result of `#c1`: ok"),
        (
            '#ret call=c1 status=err err="no such file" @rid=r1',
            "- Result of `#c1`: error (*err:* no such file) `#r1`",
        ),
        ('#think summary="the lock, not the clock" @rid=t1', "- Thought: the lock, not the clock `#t1`"),
        (
            '#edit file=src/a.py changes=3 summary="tidied up" @rid=d1',
            "- Edited `src/a.py`: tidied up (*changes:* 3) `#d1`",
        ),
        ("#edit file=src/a.py changes=1", "- Edited `src/a.py` (*changes:* 1)"),
        ("#s exec:2/4", "- State: `exec:2/4`"),
        ("#s", "- State: *not given*"),
        ("#weather sky=grey wind=5 @rid=w1", "- Record `#weather` (*sky:* grey; *wind:* 5) `#w1`"),
        ("#fact a=1 @m=u1", "- **a:** 1 `@m=u1`"),
        ("free text", "- Line not understood: `free text`"),
        ("#fact a=1 a=2 @rid=f1", "- Line not understood: `#fact a=1 a=2 @rid=f1`"),
    ],
)
def test_each_record_is_one_item_with_all_its_keys(record: str, expected: str) -> None:
    assert body(record) == expected + "\n"


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            "wrn{t=low_tide,s=f,l=0,m=!,a=p,u=hi} @rid=a1",
            "**Warns:** low tide — *formal, very short, urgent, for the public, high uncertainty* `#a1`",
        ),
        ("ack", "**Acknowledges**"),
        ("lst{fmt=num}", "**Lists** — *in a numbered list*"),
        ("qst{m=odd,x=7}", "**Asks a question** (*mood:* odd; *x:* 7)"),
        ("org.acme.tow{t=tug_2}", "**Intent `org.acme.tow`:** tug 2"),
        ("rpt{t=leak}", "**Reports (unconfirmed):** leak"),
    ],
)
def test_an_intent_is_a_phrase_and_drops_no_parameter(record: str, expected: str) -> None:
    assert body(record) == expected + "\n"


def test_columnar_rows_read_like_the_records_they_stand_for() -> None:
    written_out = body("#cost val=1 cur=EUR @rid=k1\n#cost val=2 cur=EUR")
    assert body("#cost[val,cur]\n1 EUR @rid=k1\n2 EUR") == written_out


def test_a_row_that_fits_no_columns_is_shown_as_it_came() -> None:
    assert body("#cost[val,cur]\n1 EUR 3") == "- Line of `#cost` not understood: `1 EUR 3`\n"


@pytest.mark.parametrize("reserved", ["marker", "intent", "s", "msg"])
def test_a_block_cannot_pass_its_rows_off_as_something_else(reserved: str) -> None:
    document = body(f"#{reserved}[who]\nmallory")
    assert document == f"- Line of `#{reserved}` not understood: `mallory`\n"


# --- the whole document --------------------------------------------------------------------------


def test_a_message_is_a_heading_its_headers_and_a_list() -> None:
    source = """
        @v 1
        @id m3
        @sid ref:sess:harbour
        @ts 2026-05-04T08:00:00Z
        @p m1
        @deps m2
        @budget 1250.50USD
        @limit 5000t
        @berth 7
        @hash ref:hash:sha256:00ff

        inc{t=fog_bank}
        #fact visibility_m=80 @rid=f1
        #s explore:1/2
        """
    expected = """
        # Message m3

        *Session:* ref:sess:harbour · *Time:* 2026-05-04T08:00:00Z · *Reply to:* m1 · *Depends on:* m2 · \
*Budget:* $1,250.50 · *Limit:* 5,000 tokens · *@berth:* 7 · *Hash:* `ref:hash:sha256:00ff`

        **Reports an incident:** fog bank

        - **visibility_m:** 80 `#f1`
        - State: `explore:1/2`
        """
    assert render(pairl.parse(dedent(source).lstrip("\n"))) == dedent(expected).lstrip("\n")


def test_records_go_to_their_turns_in_document_order() -> None:
    source = """
        #fact before=any_turn
        #u1
        #req content="Two tickets, please."
        #fact late=1 @m=a2
        #a2
        #fact own=2
        #msg v3 r=harbour_master parent=a2
        #rpt content="No."
        #fact seats=2 @m=u1
        #fact lost=3 @m=x9
        """
    expected = """
        - **before:** any_turn

        ## User (u1)

        **User** asked:

        > Two tickets, please.

        - **seats:** 2

        ## Assistant (a2)

        - **late:** 1
        - **own:** 2

        ## harbour_master (v3, after a2)

        **harbour_master** said:

        > No.

        ## Unknown speaker (x9)

        - **lost:** 3
        """
    assert body(source) == dedent(expected).lstrip("\n")


def test_without_markers_requests_are_the_users_and_reports_the_assistants() -> None:
    assert body('#req content="Go." @rid=q1\n#rpt lang=en content="Gone."') == (
        "**User** asked: `#q1`\n\n> Go.\n\n**Assistant** said (*lang:* en):\n\n> Gone.\n"
    )


def test_an_omission_shows_as_one_and_a_summary_is_no_quotation() -> None:
    assert body('#rpt content="First. [...] Last. [sic]"') == (
        "**Assistant** said:\n\n> First. *[...]* Last. \\[sic]\n"
    )
    assert body('#a2\n#rpt content="Agrees." mode=cond @rid=q1') == (
        "## Assistant (a2)\n\n**Summary of what Assistant said, not a quotation:** Agrees. `#q1`\n"
    )
    assert "\n> " in body('#rpt content="Agrees." mode=gist')
    assert "*mode:* gist" in body('#rpt content="Agrees." mode=gist')


def test_nobody_is_quoted_when_the_marker_cannot_be_read() -> None:
    document = body('#u1\n#msg v2 r=Bob parent=u1\n#rpt content="I did it."')
    assert document.endswith("\n**Unknown speaker** said:\n\n> I did it.\n")
    assert "`#msg v2 r=Bob parent=u1`" in document


def test_header_lines_that_were_not_read_are_shown() -> None:
    document = render(pairl.parse("@v 1\n@id m3\n@id m4\n@broken\n@ts soon\n\nack\n---\n"))
    assert "- Header line not understood: `@id m4`\n- Header line not understood: `@broken`\n" in document
    assert "---" not in document


def test_a_version_or_a_second_id_that_is_unusual_is_shown() -> None:
    document = render(pairl.parse("@v 1.6\n@id m3\n@mid ref:msg:LONG\n\nack\n"))
    assert "*Version:* 1.6 · *Long id:* ref:msg:LONG" in document
    assert render(pairl.parse("@v 1\n@mid ref:msg:LONG\n\nack\n")).startswith(
        "# Message ref:msg:LONG\n\n**Ack"
    )


def test_what_was_not_read_is_said() -> None:
    text = HEAD + "ack\n" * 9
    assert "*Not everything was read: the message has 62 bytes" in render(
        pairl.parse(text[:62], max_bytes=50)
    )
    assert "*Not everything was read: there are more than 3 records" in render(
        pairl.parse(text, max_records=3)
    )


# --- money and quotas ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ("val=0.0213 cur=USD", "Cost: $0.0213"),
        ("val=1234567.5 cur=GBP", "Cost: £1,234,567.5"),
        ("val=300 cur=JPY", "Cost: ¥300"),
        ("val=-2.50 cur=EUR", "Cost: -€2.50"),
        ("val=5000 cur=tokens", "Cost: 5,000 tokens"),
        ("val=0.10 cur=CHF", "Cost: 0.10 CHF"),
        ("val=0.02 cur=usd", "Cost: 0.02 usd"),
        ("val=1e-3 cur=USD", "Cost: 1e-3 USD"),
        ("val=dear cur=USD", "Cost: dear USD"),
        ("val=007 cur=USD", "Cost: 007 USD"),
        ("val=3", "Cost: 3"),
        ("cur=USD", "Cost: *not given* USD"),
        ('val=2 cur=""', "Cost: 2 *empty*"),
        (f"val={'9' * 31} cur=USD", f"Cost: {'9' * 31} USD"),
    ],
)
def test_amounts_are_never_rounded(pairs: str, expected: str) -> None:
    assert body(f"#cost {pairs}") == f"- {expected}\n"


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ("type=tokens total=25000", "Token quota: 25,000"),
        ("type=tokens total=0 used=0", "Token usage: 0 / 0"),
        ("type=tokens total=-5 used=1", "Token usage: 1 / -5"),
        ("type=tokens used=5", "Token usage: 5 / *not given*"),
        ("type=seconds total=3600 used=lots", "Seconds usage: lots / 3,600"),
        ("type=seconds total=3 used=1", "Seconds usage: 1 / 3 (33.3%)"),
        ("type=seconds total=0.3 used=0.1 rem=0.2", "Seconds usage: 0.1 / 0.3 (33.3%), 0.2 left"),
        ("type=seconds total=10 used=25", "Seconds usage: 25 / 10 (250%)"),
        ("type=bytes total=1000000 used=1", "Bytes usage: 1 / 1,000,000 (under 0.1%)"),
        ("total=8 used=2", "*Unnamed* usage: 2 / 8 (25%)"),
        ('type="# x" total=8', "\\# x quota: 8"),
    ],
)
def test_a_quota_is_used_of_total(pairs: str, expected: str) -> None:
    assert body(f"#quota {pairs}") == f"- {expected}\n"


def test_digits_beyond_measure_are_shown_and_not_computed() -> None:
    digits = "7" * 100_000
    assert body(f"#quota type=tokens total={digits} used={digits}") == f"- Token usage: {digits} / {digits}\n"


def test_a_fact_cannot_pose_as_another_record() -> None:
    document = body('#fact a="1 **b:** 2 `#f9`"\n#cost val=1 cur=EUR note="x; *model:* tern"')
    assert document == ("- **a:** 1 \\*\\*b:\\*\\* 2 \\`#f9\\`\n- Cost: €1 (*note:* x; \\*model:\\* tern)\n")
