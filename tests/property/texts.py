"""Strategies for texts: well-formed messages, and texts that are messages only nearly.

Knows the alphabet of PAIRL, so that what is drawn comes near the grammar. Refuses to know what is valid.
"""

from __future__ import annotations

from hypothesis import strategies as st

KEYS = st.sampled_from(["a", "b", "key", "t", "s", "val", "mode", "k_2"])
ATOMS = st.text("abzAZ09:._/@+-", min_size=1, max_size=8)
FREE_TEXT = st.text(
    st.one_of(st.sampled_from('ab "\\=,{}@#-[]\t'), st.characters(exclude_categories=["Cs", "Cc"])),
    max_size=12,
)
QUOTED = FREE_TEXT.filter(lambda text: not text.endswith("\\")).map(
    lambda text: '"' + text.replace('"', '\\"') + '"'
)
VALUES = st.one_of(ATOMS, QUOTED)
TAGS = st.sampled_from(["", "", " @rid=x1", " @m=u1", " @m=u1 @rid=x2", " @rid=F1"])


def pairs(separator: str) -> st.SearchStrategy[str]:
    """Return one or more pairs with different keys."""
    items = st.dictionaries(KEYS, VALUES, min_size=1, max_size=3)
    return items.map(lambda kv: separator.join(f"{key}={value}" for key, value in kv.items()))


TYPES = st.sampled_from(["fact", "cost", "memo", "req", "call", "x1"])
RECORDS = st.builds("#{} {}{}".format, TYPES, pairs(" "), TAGS)
INTENTS = st.builds("{}{{{}}}{}".format, st.sampled_from(["ack", "upd", "org.x"]), pairs(","), TAGS)
OTHER_LINES = st.sampled_from(["#u1", "#a2", "#msg t1 r=u parent=-", "#s done", "ack", "thx @rid=q1", ""])
WELL_FORMED_LINES = st.one_of(RECORDS, INTENTS, OTHER_LINES)


def in_message(lines: list[str]) -> str:
    """Return a message with these lines as its body."""
    return "@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n#fact first=1\n" + "\n".join(lines)


WELL_FORMED = st.lists(WELL_FORMED_LINES, max_size=6).map(in_message)

FRAGMENTS = st.sampled_from(
    [
        *[
            "#fact",
            "#evid[claim,src,conf]",
            "#cost[val,cur]",
            "#s",
            "#u1",
            "#msg",
            "#intent",
            "#",
            "ack",
            "org.x.y",
        ],
        *[" ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "\x00", "\x0b", "\u2028", "\ufeff", "é", "\ud800"],
        *[
            '"',
            '\\"',
            "\\",
            "=",
            ",",
            "{",
            "}",
            "@",
            "@rid=",
            "@m=",
            "@rid=a1",
            "[",
            "]",
            "a=",
            "a=b",
            'a="b c"',
        ],
        *[
            "---",
            ">>>",
            "<<<",
            "@v 1\n",
            "@id m1\n",
            "@p m1\n",
            "@deps m1,m2\n",
            "@root m1\n",
            "@hash x\n",
            "ref:a:b",
        ],
        *["@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n", "@budget 1USD\n", "val=1 cur=USD", "1 USD"],
    ]
)
NEARLY = st.lists(st.one_of(FRAGMENTS, FREE_TEXT), max_size=25).map("".join)
TEXTS = st.one_of(NEARLY, WELL_FORMED, st.text(max_size=60))
