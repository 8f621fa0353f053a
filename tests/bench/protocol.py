"""How fast a message is read, judged and hashed, against the published package `pairl` 1.6.2.

Both do the same work on the same bytes: decode, parse, validate in strict mode, hash. They run in processes
of their own, turn by turn, so that a busy machine slows both; what counts is the ratio within a round. A
turn's figure is processor time, and that of its fastest tenth of passes, for the same reason.

    python -m tests.bench.protocol [--published PYTHON] [--rounds N]

`--published` names a Python that has `pairl` 1.6.2; without it, a virtual environment with that package is
made once and kept in the user's cache. Where `PAIRL_SPEC_DIR` points at a checkout of the specification its
examples are read, otherwise the messages of the sample conversation.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from tests.published import PUBLISHED_VERSION, ROOT, environment, published_interpreter

SECONDS_A_TURN = 0.5

# Runs under either interpreter, so it uses only what both packages have.
TURN = """
import base64, json, sys, time
import pairl
wants_bytes = hasattr(pairl, "split_messages")
task = json.load(sys.stdin)
messages = [base64.b64decode(text) for text in task["messages"]]
def work():
    for data in messages:
        message = pairl.parse(data if wants_bytes else data.decode())
        pairl.validate(message, strict=True)
        pairl.compute_hash(message)
work()
times = []
end = time.perf_counter() + task["seconds"]
while time.perf_counter() < end:
    start = time.process_time()
    work()
    times.append((time.process_time() - start) / len(messages))
times.sort()
print(json.dumps({"microseconds": times[len(times) // 10] * 1e6, "python": sys.version.split()[0]}))
"""


def main() -> None:
    """Measure both in turns, and print what came out."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--published", metavar="PYTHON", type=Path)
    arguments.add_argument("--rounds", metavar="N", type=int, default=9)
    chosen = arguments.parse_args()
    published = chosen.published or published_interpreter()
    name, messages = corpus()
    size = sum(map(len, messages)) / len(messages)
    print(f"{len(messages)} messages of {size:.0f} bytes on average: {name}")
    ours: list[float] = []
    theirs: list[float] = []
    for number in range(chosen.rounds):
        sides = [("ours", Path(sys.executable)), ("theirs", published)]
        for side, python in sides if number % 2 else reversed(sides):
            result = turn(python, messages, with_our_package=side == "ours")
            (ours if side == "ours" else theirs).append(result["microseconds"])
            if number == 0:
                version = "this checkout" if side == "ours" else f"pairl {PUBLISHED_VERSION}"
                print(f"{side}: {version}, Python {result['python']}")
    ratios = [slow / quick for slow, quick in zip(theirs, ours, strict=True)]
    print(f"ours    {summary(ours)} µs a message")
    print(f"theirs  {summary(theirs)} µs a message")
    print(f"ratio   {summary(ratios)}")


def corpus() -> tuple[str, list[bytes]]:
    """Return what the messages are, and the messages."""
    specification = os.environ.get("PAIRL_SPEC_DIR")
    if specification:
        paths = sorted((Path(specification) / "examples").glob("*.pairl"))
        return "the examples of the specification", [path.read_bytes() for path in paths]
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "workers" / "sample").glob("*.pairl"))]
    return "the sample conversation", [piece.encode() for text in texts for piece in text.split("\n---\n")]


def turn(python: Path, messages: list[bytes], *, with_our_package: bool) -> dict[str, float]:
    """Return what one process measured."""
    task = {"messages": [base64.b64encode(data).decode() for data in messages], "seconds": SECONDS_A_TURN}
    done = subprocess.run(
        [str(python), "-P", "-c", TURN],
        input=json.dumps(task),
        env=environment(with_our_package=with_our_package),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{python} failed:\n{done.stderr}")
    result: dict[str, float] = json.loads(done.stdout)
    return result


def summary(values: list[float]) -> str:
    """Return the median, and the least and greatest value."""
    return f"{statistics.median(values):7.2f} ({min(values):.2f} … {max(values):.2f})"


if __name__ == "__main__":
    main()
