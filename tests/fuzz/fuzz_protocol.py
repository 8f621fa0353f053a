"""The long form of fuzzing: atheris, which looks for texts that lead the code where it has not been.

    python -m tests.fuzz.fuzz_protocol --minutes 20 [--longest 4096] [--corpus DIRECTORY]

Knows how atheris is started with our seeds and dictionary. Refuses to know what must hold:
`tests.fuzz.properties` says that. Needs `pip install atheris`, which no test needs. Exit status: 0 if all
held; otherwise a file `crash-…` with the input is left in the working directory, for
`tests.fuzz.test_mutations.FOUND`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["pairl"]):
    import pairl  # noqa: F401  # what is imported here is watched

from tests.fuzz.mutations import DICTIONARY, SEEDS
from tests.fuzz.properties import check

_SECONDS_OF_A_HANG = 20


def main() -> None:
    """Fuzz for as long as the command line says."""
    arguments = argparse.ArgumentParser(description="Fuzz the protocol library with atheris.")
    arguments.add_argument("--minutes", type=float, default=20.0)
    arguments.add_argument("--longest", type=int, default=4_096, help="bytes of the longest input")
    arguments.add_argument("--corpus", type=Path, help="where inputs are kept for the next time")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        seeds = Path(temporary, "seeds")
        seeds.mkdir()
        for number, seed in enumerate(SEEDS):
            Path(seeds, str(number)).write_bytes(seed)
        dictionary = Path(temporary, "dictionary")
        dictionary.write_text("".join([f'"{_escaped(piece)}"\n' for piece in DICTIONARY]))
        corpus = given.corpus or Path(temporary, "corpus")
        corpus.mkdir(parents=True, exist_ok=True)
        options = [
            f"-max_total_time={int(given.minutes * 60)}",
            f"-max_len={given.longest}",
            # Long inputs from the beginning: what grows too fast does not show in short ones.
            "-len_control=0",
            f"-dict={dictionary}",
            f"-timeout={_SECONDS_OF_A_HANG}",
            "-print_final_stats=1",
        ]
        atheris.Setup([sys.argv[0], *options, str(corpus), str(seeds)], check)
        atheris.Fuzz()


def _escaped(data: bytes) -> str:
    return "".join([f"\\x{byte:02x}" for byte in data])


if __name__ == "__main__":
    main()
