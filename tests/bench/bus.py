"""Ratio (b): messages through the validator against the bare copy loop, side by side in one run.

Both work on the same Apache Kafka broker, four partitions, the same messages, one process each. They
take turns; each turn reads fresh topics that were filled before it. Quoted are the ratio of each
pair of turns, and their median.

    python -m tests.bench.bus [--records 40000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.metadata
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
from aiokafka import AIOKafkaProducer

from schemas.topics import INBOUND
from tests.bench.traffic import conversations
from workers.adapters.kafka_admin import create_topics
from workers.settings import Settings, read_settings, variable

_ROOT = Path(__file__).resolve().parents[2]
_PARTITIONS = 4
_SECONDS = 300


def main() -> None:
    """Start a broker and a Redis, measure, and print a line for each turn and the ratios."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--records", type=int, default=40_000)
    arguments.add_argument("--rounds", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        kafka = json.loads(_deploy("start", "--dir", f"{directory}/kafka"))
        redis_socket = f"{directory}/redis.sock"
        redis = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", redis_socket, "--save", "", "--dir", directory],
            stdout=subprocess.DEVNULL,
        )
        try:
            environment = {
                **os.environ,
                variable("kafka_bootstrap_servers"): kafka["bootstrap"],
                variable("redis_url"): f"unix://{redis_socket}",
                variable("assignment"): "static:1/1",
                variable("partitions"): str(_PARTITIONS),
            }
            _measure(environment, options.records, options.rounds)
        finally:
            redis.terminate()
            redis.wait()
            _deploy("stop", "--dir", f"{directory}/kafka")


def _measure(environment: dict[str, str], records: int, rounds: int) -> None:
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("aiokafka", "msgspec", "redis")
    )
    print(f"Python {sys.version.split()[0]}, {versions}; {records:,} messages, {_PARTITIONS} partitions")
    ratios = []
    for number in range(rounds):
        # A turn's broker is warm from the turn before it, so who begins changes from round to round.
        turns = [("copy loop", _copy_loop), ("validator", _validator)]
        rates = {}
        for name, turn in turns if number % 2 == 0 else reversed(turns):
            prefix = f"bench{number}{name[0]}."
            settings = read_settings({**environment, variable("topic_prefix"): prefix})
            asyncio.run(_fill(settings, records))
            rates[name] = turn({**environment, variable("topic_prefix"): prefix}, records)
            print(f"round {number + 1}: {name:<10} {rates[name]:>9,.0f} messages/s", flush=True)
        ratios.append(rates["validator"] / rates["copy loop"])
    print(
        f"(b) validator / copy loop: median {statistics.median(ratios):.1%}, "
        f"{min(ratios):.1%} to {max(ratios):.1%}"
    )


async def _fill(settings: Settings, records: int) -> None:
    await create_topics(settings)
    producer = AIOKafkaProducer(
        bootstrap_servers=settings.kafka_bootstrap_servers, linger_ms=20, max_batch_size=500_000
    )
    async with producer:
        pending = [
            await producer.send(settings.topic(INBOUND), value, key=key)
            for key, value in conversations(records)
        ]
        await asyncio.gather(*pending)


def _copy_loop(environment: dict[str, str], records: int) -> float:
    command = [sys.executable, "-m", "tests.bench.copy_loop", str(records)]
    done = subprocess.run(
        command, cwd=_ROOT, env=environment, check=True, capture_output=True, timeout=_SECONDS
    )
    return float(done.stdout)


def _validator(environment: dict[str, str], records: int) -> float:
    """Return the rate between the worker's being ready and the end of its last batch."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "workers", "bus", "run", "validator"],
        cwd=_ROOT,
        env={**environment, variable("log_format"): "json"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert worker.stderr is not None
    done, began = 0, 0.0
    try:
        for line in worker.stderr:
            event = msgspec.json.decode(line)
            if event["event"] == "ready":
                began = time.perf_counter()
            elif event["event"] == "batch":
                done += event["accepted"]
                if event["rejected"]:
                    sys.exit("a message of the benchmark was rejected")
            if done >= records:
                return done / (time.perf_counter() - began)
    finally:
        worker.terminate()
        worker.wait()
    sys.exit("the validator ended before it was done")


def _deploy(*arguments: str) -> str:
    command = [str(_ROOT / "deploy" / "apache-kafka"), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
