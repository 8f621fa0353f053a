"""Makes messages to measure with: conversations of a given size, like those of agents at work.

The same number makes the same messages, so that two runs measure the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator

MESSAGES_IN_A_SESSION = 25


def conversations(count: int, first_session: int = 0) -> Iterator[tuple[bytes, bytes]]:
    """Yield `count` messages of about 500 bytes, each with its session as the key, valid in strict mode."""
    for number in range(count):
        session, position = divmod(number, MESSAGES_IN_A_SESSION)
        yield f"s{first_session + session}".encode(), _message(number, position).encode()


def _message(number: int, position: int) -> str:
    parent = f"@p m{position - 1}\n" if position else ""
    return (
        f"@v 1\n@id m{position}\n@ts 2026-04-07T08:{number % 60:02d}:{position:02d}.{number % 1000:03d}Z\n"
        f"{parent}@budget 9.00EUR\n\n"
        "upd{t=batch_import,s=t,l=1,m=+,a=i} @rid=a1\n"
        f"#fact rows_read={number * 17} @rid=f1\n"
        f'#fact state="importing, no errors so far" @rid=f2\n'
        f'#call tool=Count path="/imports/batch {number}.csv" @rid=c1\n'
        f"#ret call=c1 status=ok rows=1 took=00{number % 10}ms @rid=r1\n"
        f'#evid claim="batch {number} is complete" src=@m{position}#r1 conf=0.9{number % 10} @rid=e1\n'
        f"#cost val=0.0{number % 9 + 1} cur=EUR model=heron-small @rid=k1\n"
        "#quota type=tokens total=50000 used=1200 @rid=q1\n"
    )
