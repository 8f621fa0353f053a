"""Messages drawn at random from a seed: well-formed ones, and ones with a fault or two.

Knows every production of the format and each header, so that the two packages meet everything that they can
meet. Refuses to know what is valid, and which hash is right.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

ATOMS = ("7", "0.25", "north-slope", "tide_table", "a/b.c", "m+1", "40", "x")
TEXTS = ("two words", 'so "called"', "", "5,000", "100%", "été 林檎", "a\\b", "m=!", "it's", "{x}", "a\tb")
TYPES = ("fact", "rule", "memo", "req", "rpt", "weather2")
INTENTS = ("ack", "upd", "pln", "org.acme.tow", "qst")
PARAMETERS = ("t", "s", "l", "m", "a", "u", "fmt", "zone", "aa")
IDS = ("m1", "m2", "b17", "Q9")
COLUMNS = {
    "evid": (("claim", "src", "conf"), '"wind {0}, gusts" s1 0.{0}'),
    "cost": (("val", "cur", "note"), '0.{0} EUR "leg {0}"'),
    "call": (("tool", "cmd"), 'Bash "ls {0}"'),
    "think": (("summary",), '"thought {0}"'),
}


def well_formed(chance: Random) -> str:
    """Return a message whose lines are all well-formed; now and then it breaks a rule."""
    lines = [_line(chance, number) for number in range(chance.randint(1, 7))]
    return "\n".join([*_headers(chance), "", *lines]) + chance.choice(("\n", "", "\n\n"))


def damaged(chance: Random) -> str:
    """Return a message in which a few places have been changed."""
    text = well_formed(chance)
    for _ in range(chance.randint(1, 2)):
        text = chance.choice(DAMAGES)(text, chance)
    return text


def _headers(chance: Random) -> list[str]:
    headers = ["@v 1", f"@{chance.choice(('id', 'id', 'mid'))} m7", "@ts 2026-05-04T08:00:00Z"]
    if chance.random() < 0.5:
        headers.append(f"@{chance.choice(('p', 'p', 'parent'))} {chance.choice(IDS)}")
    if chance.random() < 0.3:
        headers.append(f"@root {chance.choice(IDS)}")
    if chance.random() < 0.3:
        entries = [chance.choice(("", "", "@")) + name for name in chance.sample(IDS, chance.randint(1, 3))]
        headers.append(f"@deps {chance.choice((',', ', ')).join(entries)}")
    if chance.random() < 0.4:
        headers.append(f"@budget {chance.choice(('1.50', '0.3', '0.3', '20'))}EUR")
    if chance.random() < 0.2:
        headers.append("@weather clear, 4 degrees")
    if chance.random() < 0.2:
        headers.append("@sid ref:sess:01JQ9A0B1C2D3E4F5G6H7J8K9M")
    if chance.random() < 0.5:
        chance.shuffle(headers)
    return headers


def _line(chance: Random, number: int) -> str:
    return chance.choice(LINES)(chance, number)


def _pairs(chance: Random, separator: str, keys: tuple[str, ...]) -> str:
    chosen = chance.sample(keys, chance.randint(1, 3))
    return separator.join(f"{key}={_value(chance)}" for key in chosen)


def _value(chance: Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(ATOMS)
    text = chance.choice(TEXTS + ATOMS).replace('"', '\\"')
    return f'"{text}"'


def _tags(chance: Random, number: int) -> str:
    return chance.choice(("", f" @rid=r{number}", f" @rid=R{number} ", "  @m=u1", f" @m=u1 @rid=r{number}"))


def _record(chance: Random, number: int) -> str:
    pairs = _pairs(chance, chance.choice((" ", "  ")), ("a", "key", "val_2", "mood"))
    return f"#{chance.choice(TYPES)} {pairs}{_tags(chance, number)}"


def _intent(chance: Random, number: int) -> str:
    parameters = f"{{{_pairs(chance, ',', PARAMETERS)}}}" if chance.random() < 0.8 else ""
    return f"{chance.choice(INTENTS)}{parameters}{_tags(chance, number)}"


def _quotation(chance: Random, number: int) -> str:
    return f'#{chance.choice(("req", "rpt"))} content="Is it {number}? [...] Yes." @rid=q{number}'


def _tool(chance: Random, number: int) -> str:
    return f'#call tool=Bash cmd="ls {chance.choice(ATOMS)}" @rid=c{number}\n#ret call=c{number} status=ok'


def _edit(chance: Random, number: int) -> str:
    return f'#edit file=src/{number}.py changes={chance.randint(1, 9)} summary="tidied"'


def _cost(chance: Random, number: int) -> str:
    value, unit = chance.choice(("0.1", "0.2", "1", "30")), chance.choice(("EUR", "EUR", "USD"))
    return f"#cost val={value} cur={unit} note=leg_{number}"


def _evidence(chance: Random, number: int) -> str:
    source = chance.choice(("s1", "ref:log:mast", "@m1#f2"))
    return f'#evid claim="fog {number}" src={source} conf={chance.choice(("0.9", "1", "0"))}'


def _reference(chance: Random, number: int) -> str:
    return f"#ref k{number}={chance.choice(('ref:doc:store:77', '@m1', '@b17#a1'))}"


def _block(chance: Random, number: int) -> str:
    tag = chance.choice(tuple(COLUMNS))
    columns, row = COLUMNS[tag]
    rows = [row.format(number * 10 + index) for index in range(chance.randint(1, 3))]
    return "\n".join([f"#{tag}[{','.join(columns)}]", *rows, ""])


def _turn(chance: Random, number: int) -> str:
    return chance.choice((f"#u1{number}", f"#a2{number}", f"#msg t{number} r=pilot parent=-"))


def _state(chance: Random, number: int) -> str:
    return f"#s dock:{number}/9{chance.choice(('', ' @rid=s1'))}"


LINES: tuple[Callable[[Random, int], str], ...] = (
    *[_record, _record, _intent, _intent, _quotation, _tool, _edit, _cost, _evidence, _reference, _block],
    *[_turn, _state],
)


def _insert(text: str, chance: Random, noise: str) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + noise + text[place:]


def _noise(text: str, chance: Random) -> str:
    return _insert(text, chance, chance.choice(NOISE))


def _cut(text: str, chance: Random) -> str:
    place = chance.randrange(len(text))
    return text[:place] + text[place + chance.randint(1, 8) :]


def _swap(text: str, chance: Random) -> str:
    old, new = chance.choice(SWAPS)
    return text.replace(old, new, 1)


def _add(text: str, chance: Random) -> str:
    return f"{text.rstrip()}\n{chance.choice(FAULTY_LINES)}\n"


NOISE = ('"', "=", ",", " ", "  ", "{", "}", "@rid=r1", " @m=u9", "\\", "---", "\n", "\n\n", "#", "\t", "é")
SWAPS = (
    ("@v 1", "@v 2"),
    ("@v 1", "@v 1.6"),
    ("@ts ", "@ts about "),
    ("m7", "a name with spaces"),
    ("EUR\n", " euros\n"),
    ("@deps ", "@deps ,"),
    ("@deps ", "@deps longer_than_eight,"),
    ("@p ", "@p ref:"),
    ("conf=0.9", "conf=9e-1"),
    ("conf=0.9", "conf=nan"),
    ("conf=0.9", "conf=1.5"),
    ("conf=1", "conf=sure"),
    ("changes=", "changes=0"),
    ("changes=", "changes=x"),
    ("status=ok", "status=done"),
    ("call=c", "call=z"),
    ("cost ", "cost[val,val]\n"),
    ("ref:doc", "doc"),
    ("[claim,", "[ claim,"),
    ("src=s1", 'src=""'),
    (" [...] ", "[...]"),
    ("\n\n", "\n"),
    ("\n\n", "\n  \n"),
    ("\n", "\r\n"),
)
FAULTY_LINES = (
    "free text",
    "# a comment",
    "#fact",
    "#fact a=1 a=2",
    "#fact a=1,000",
    "#fact a = 1",
    '#fact a="open',
    '#fact a="1"2',
    "#fact a=1 @rid=r1 b=2",
    "#fact a=1 @rid=r1 @rid=r2",
    '#rpt content="see @rid=r1"',
    '#u1\n#rpt content="see @m=u9"',
    "#cost val=0.1 cur=EUR\n#cost val=0.2 cur=EUR",
    "#ref a=@longer_than_eight",
    "#fact A=1",
    "#fact a=",
    "#u1 @rid=r1",
    "#u1\n#u1",
    "#msg v1 r=pilot",
    "#msg v1 r=pilot parent=v9",
    "#fact[key]\n7",
    "#evid[claim,src,conf]\n7",
    "#evid[claim,claim]\n7 8",
    "#cost[]\n7",
    "#cost[val,cur]\nack",
    "#s",
    "#s a:1\n#s a:2",
    '#rpt content="x" mode=gist',
    '#rpt content=""',
    "#marker a=1",
    "#intent a=1",
    "#call cmd=x",
    "#ret status=ok",
    "#ret call=c1",
    "#think tool=x",
    "#edit changes=1",
    "#evid claim=x",
    "#ref a=b",
    "#rule no_new_facts=true\nack{t=7}",
    "#cost val=-5 cur=EUR",
    "#cost val=1e3 cur=EUR",
    "bid{t=tow}\n#cost val=99 cur=EUR",
    "ref{reason=budget_exceeded}\n#cost val=99 cur=EUR",
    "ack{t=a,t=b}",
    "ack{ t=a }",
    "ack{t=a}x",
    ">>> out\n<<<",
    "---\n#fact late=1",
)
DAMAGES = (_noise, _cut, _swap, _swap, _add, _add)
