"""Makes texts that are messages only nearly, from the sample and from PAIRL's own words.

Knows where a fuzzer begins: the messages of the sample, and a dictionary made of the tables of
`pairl.vocabulary`. Refuses to know what must hold of the texts: `tests.fuzz.properties` says that.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from pairl import split_messages
from pairl.vocabulary import CANONICAL_HEADERS, INTENT_PARAMETERS, INTENTS, RECORD_TYPES

_SAMPLE = Path(__file__).resolve().parents[2] / "workers" / "sample"
_HEADERS = b"@v 1\n@id m1\n@ts 2026-01-01T00:00:00Z\n\n"
_LONGEST_REPETITION = 64

_BODIES = (
    b'#u1\n#fact a=1 b="two words" @m=u1 @rid=f1\n#a2\nack{t=x,m=!} @m=a2',
    b"#msg t1 r=u parent=-\n#s exec:2/4 @rid=s1\norg.acme.note{a=1,b=2}\nthx",
    b'#cost[val,cur,note]\n0.10 EUR "a b"\n0.20 EUR ""\n\n#quota type=calls total=9 used=1 rem=8',
    b'#evid[claim,src,conf]\n"it holds" @m0#a1 0.5 @rid=e1\n\n#ref spec=ref:url:x?y=z#w\nreq{s=f}',
    b"#call tool=x @rid=c1\n#ret call=c1 status=ok\n>>> run\noutput\n<<<\n#think[summary]\nx\n---",
)
SEEDS = tuple(
    [message for path in sorted(_SAMPLE.glob("*.pairl")) for message in split_messages(path.read_bytes())]
    + [_HEADERS + body + b"\n" for body in _BODIES]
)
"""Messages to begin with."""

_PIECES = (
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "  ",
        '"',
        '""',
        "\\",
        '\\"',
        "=",
        ",",
        "{",
        "}",
        "{}",
        "[",
        "]",
    ),
    *("#", "@", "!", "---\n", ">>>\n", "<<<\n", "@m=u1", "@rid=a1", " @rid=", "@m0#a1", "ref:a:b?c=d#e"),
    *("\ufeff", "\x00", "\x0b", "\x7f", "\x85", "\u00a0", "\u2028", "\u202e", "\u00e9", "\U0001f600"),
    *("#u1\n", "#a2\n", "#msg t1 r=u parent=-\n", "#s x\n", "#marker[a]\nx", "0.5", "1e9", "9" * 40),
    *("sha256:", "[...]", "mode=cond", "true", "max_cost=1EUR", "#cost[val,cur]\n1 EUR"),
)
DICTIONARY = tuple(
    [piece.encode() for piece in _PIECES]
    + [b"\xff", b"\xed\xa0\x80", b"\xf4\x90", b"\xc3"]
    + [f"@{name} ".encode() for name in (*CANONICAL_HEADERS, "hash", "mid")]
    + [f"#{tag} ".encode() for tag in RECORD_TYPES]
    + [f"{name}{{".encode() for name in INTENTS]
    + [f"{key}=".encode() for key in INTENT_PARAMETERS]
)
"""What is put into a message, as its bytes."""


def mutate(random: Random, data: bytes) -> bytes:
    """Return `data` with one to five changes: something put in, taken out, repeated, moved or altered."""
    for _ in range(random.randint(1, 5)):
        start = random.randint(0, len(data))
        end = min(len(data), start + random.choice((0, 1, 1, 2, 8, 40)))
        piece = data[start:end]
        new = random.choice(
            (
                random.choice(DICTIONARY),
                random.choice(DICTIONARY),
                random.choice(DICTIONARY) * random.randint(1, _LONGEST_REPETITION),
                b"",
                piece * random.randint(2, _LONGEST_REPETITION),
                random.randbytes(1),
                _line(random, random.choice(SEEDS)),
            )
        )
        data = data[:start] + new + data[end:]
    return data


def _line(random: Random, data: bytes) -> bytes:
    return b"\n" + random.choice(data.split(b"\n"))
