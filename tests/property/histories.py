"""Strategies for conversations in the normal form, with texts that a body cannot simply hold.

Knows what could be mistaken for a record, or end one. Refuses to know what an encoder makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from pairl.encode.history import Call, History, Part, Result, Role, Said, Thought, Turn, Unknown

HOSTILE = st.sampled_from(
    [
        *[
            "",
            " ",
            "\n",
            "\r\n",
            "\\",
            "C:\\",
            '"',
            '\\"',
            'say "no"',
            "a\nb",
            "a\r\nb\r",
            "\t",
            "\x00",
            "\x1b[31mred\x1b[0m",
        ],
        *[
            "\n---\n",
            "---",
            "\n>>> ls\n<<<\n",
            ">>>",
            "<<<",
            " [...] ",
            "[...]",
            "a [...] b",
            " [...]",
            "[...] ",
        ],
        *[
            "#u1",
            "\n#u9\n",
            "\n#call tool=rm @rid=c1\n",
            "#ret call=c1 status=ok",
            "@rid=c1",
            "@m=u1",
            "\n@id m2\n",
            "#s done",
        ],
        *["\n#msg t1 r=x parent=-\n", "#fact[a,b]\n1 2\n", "wrn{t=x}", "mode=cond", 'x" mode=cond @rid=c1'],
        *[
            "\u2028",
            "\u2029",
            "\x85",
            "\x0b",
            "\x0c",
            "\ufeff",
            "\ud800",
            "\udfff!",
            "a\ud83db",
            "\U0001f469\u200d\U0001f4bb",
            "\u202eabc",
        ],
        *[
            "\u05e9\u05dc\u05d5\u05dd",
            "\u65e5\u672c\u8a9e\u3002",
            "e\u0301",
            "\x9b",
            "\x7f",
            "\u0130stanbul ERROR: x",
            "iVBORw0KGgo/AAAN+SUhEUg==" * 8,
        ],
        *[
            "/src/app.py",
            "./x/y.ts:12",
            "~/notes.md",
            "C:\\temp\\a.txt",
            "see /a/b, /c/d.",
            "https://x.org/a/b.py",
            '"/a b/c d.txt"',
            "\\\\host\\share\\x.txt",
            "wait\u2026",
            "\u2026\u2026",
        ],
        *[
            "error: no such file",
            "ValueError: x",
            "Traceback (most recent call last):\n  x\n",
            "12\traise ValueError(1)",
            "Exit code 2",
        ],
        *[
            "exit code 1",
            "<returncode>3</returncode>",
            "It is not ready. Do not ship 12 kg before 2026-05-01!",
            "x" * 300,
        ],
    ]
)
TEXTS = st.one_of(
    HOSTILE,
    st.lists(
        st.one_of(HOSTILE, st.text(max_size=8), st.sampled_from([" ", ". ", "\n", "we ", "did not "])),
        max_size=8,
    ).map("".join),
)
NAMES = st.one_of(
    st.sampled_from(
        [
            "",
            "tool",
            "paths",
            "filePath",
            "file_path",
            "-i",
            "a__b",
            "x__a",
            "_",
            "9",
            "\0z",
            "é",
            "x" * 70,
            "call",
            "rid",
        ]
    ),
    TEXTS,
)
JSON = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(), st.floats()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)


def nested(depth: int) -> object:
    """Return a list in a list, and so on."""
    value: object = "/deep/down.py"
    for _ in range(depth):
        value = [value]
    return value


ARGUMENTS = st.one_of(
    st.dictionaries(NAMES, JSON, max_size=3),
    st.fixed_dictionaries(
        {"file_path": st.sampled_from(["/a.py", "b c\n.py", "\\"])}, optional={"edits": JSON}
    ),
    st.just({"deep": nested(60)}),
)
TOOLS = st.one_of(st.sampled_from(["Edit", "MultiEdit", "Bash", "Read"]), TEXTS)
DETAILS = st.dictionaries(
    st.one_of(st.sampled_from(["exit", "lines", "files", "status", "call"]), NAMES), TEXTS, max_size=2
)


@st.composite
def _parts(draw: st.DrawFn, first: int) -> tuple[Part, ...]:
    """Return parts of a turn; its calls are numbered from `first`."""
    parts: list[Part] = []
    number = first
    for kind in draw(st.lists(st.sampled_from("stcceru"), max_size=7)):
        if kind == "s":
            parts.append(Said(draw(TEXTS), draw(st.booleans()) and draw(st.booleans())))
        elif kind == "t":
            parts.append(Thought(draw(TEXTS)))
        elif kind == "u":
            parts.append(Unknown(draw(TEXTS), draw(TEXTS)))
        elif kind == "e":
            file = draw(st.sampled_from(["/a.py", "/b.py"]))
            parts += [Call(number, "Edit", {"file_path": file}), Result(number, "done")]
            number += 1
        elif kind == "c":
            parts.append(Call(number, draw(TOOLS), draw(ARGUMENTS), draw(TEXTS)))
            number += 1
        else:
            call = draw(st.sampled_from([*range(first, number), None, 999]))
            parts.append(Result(call, draw(TEXTS), draw(st.sampled_from([None, True, False])), draw(DETAILS)))
    return tuple(parts)


ROLES: st.SearchStrategy[Role] = st.sampled_from(["user", "assistant", "assistant", "system"])


@st.composite
def _histories(draw: st.DrawFn, *, linear: bool) -> History:
    turns: list[Turn] = []
    calls = 1
    for index in range(draw(st.integers(0, 6))):
        parts = draw(_parts(calls))
        calls += sum(isinstance(part, Call) for part in parts)
        role = draw(ROLES)
        if linear:
            turns.append(Turn(role, parts, None, index - 1 if index else None))
            continue
        speaker = draw(
            st.one_of(st.none(), st.sampled_from(["u", "Anna K.", "anna_k", "assistant", "x" * 40]), TEXTS)
        )
        answers = draw(st.one_of(st.none(), st.just(index - 1), st.integers(-3, 9)))
        turns.append(Turn(role, parts, speaker, answers))
    return History("drawn", tuple(turns))


HISTORIES = st.one_of(_histories(linear=True), _histories(linear=False))


def cut(history: History, turns: int) -> History:
    """Return the beginning of a conversation."""
    return History(history.format, history.turns[:turns])


def texts_of(parts: Sequence[Part]) -> list[str]:
    """Return what is said in parts of a turn."""
    return [part.text for part in parts if isinstance(part, Said)]
