"""The settings, read from `PAIRL_*` variables: one Struct, which is also the table of them.

This module knows each setting's name, type, default and meaning, and checks all of them before any
is used. It does not read files and does not connect to anything.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta

from pairl.encode.encoding import Options
from pairl.parser import MAX_BYTES, MAX_RECORDS
from pairl.rules import Policy
from schemas.rendering import Profile
from schemas.topics import Topic
from workers.faults import WrongSettings
from workers.processors.conversation import Patience
from workers.setting_checks import AUTO, CHECKS, encoding_budget

PREFIX = "PAIRL_"

_NAME = r"^[A-Za-z0-9._-]+$"
_NEARLY_A_SETTING = 0.85
_SECRET = {"redis_url"}
_PATIENCE = Patience()


class Settings(msgspec.Struct, frozen=True):
    """What every worker and every `bus` command reads from the environment."""

    kafka_bootstrap_servers: Annotated[
        str, Meta(min_length=1, description="brokers to ask first, as `host:port,host:port`")
    ] = "127.0.0.1:9092"
    redis_url: Annotated[
        str,
        Meta(pattern=r"^(rediss?|unix)://", description="where Redis is: `redis://host:port/database`"),
    ] = "redis://127.0.0.1:6379/0"
    topic_prefix: Annotated[
        str, Meta(pattern=r"^[A-Za-z0-9._-]*$", max_length=100, description="put before every topic's name")
    ] = "pairl."
    group: Annotated[
        str,
        Meta(
            pattern=_NAME,
            max_length=100,
            description="names the bus to Kafka: consumer groups and transactions begin with it",
        ),
    ] = "pairl"
    partitions: Annotated[
        int, Meta(ge=1, le=10_000, description="partitions of each topic that `bus topics` creates")
    ] = 4
    replication_factor: Annotated[
        int, Meta(ge=1, le=100, description="replicas of each topic that `bus topics` creates")
    ] = 1
    mode: Annotated[
        Literal["strict", "loose"],
        Meta(description="how messages are judged: `strict` for production, `loose` to let much pass"),
    ] = "strict"
    max_message_bytes: Annotated[
        int, Meta(ge=1024, le=4 * 1024 * 1024, description="a larger message is rejected")
    ] = MAX_BYTES
    max_message_records: Annotated[
        int, Meta(ge=1, le=1_000_000, description="a message with more records is rejected")
    ] = MAX_RECORDS
    profiles: Annotated[
        Literal["human", "model", "human,model"],
        Meta(description="for whom the renderer renders: `human` (Markdown), `model` (a text that grows)"),
    ] = "human"
    encode_budget: Annotated[
        str,
        Meta(
            description="what the encoder carries of a conversation: a share of each text (`50%`), so many "
            "characters of the first transcript (`2000c`), or what suits it (`auto`)",
        ),
    ] = AUTO
    encode_window: Annotated[
        int, Meta(ge=0, le=10_000, description="tool calls at the end that the encoder leaves for later")
    ] = 0
    assignment: Annotated[
        str,
        Meta(
            pattern=r"^(group|static:[1-9][0-9]{0,3}/[1-9][0-9]{0,3})$",
            description="how a worker gets its partitions: `group`, or `static:1/2` for the first of two",
        ),
    ] = "group"
    batch_records: Annotated[
        int, Meta(ge=1, le=100_000, description="most records that one transaction takes in")
    ] = 1_000
    wait_seconds: Annotated[
        float,
        Meta(
            ge=0,
            le=86_400,
            description="how long a message waits for a parent that has not come; 0 judges it at once",
        ),
    ] = _PATIENCE.milliseconds / 1000
    wait_messages: Annotated[
        int, Meta(ge=0, le=10_000, description="most messages of a session that wait at a time")
    ] = _PATIENCE.messages
    wait_bytes: Annotated[
        int, Meta(ge=0, le=1 << 30, description="most bytes of a session's messages that wait at a time")
    ] = _PATIENCE.bytes
    session_idle_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=10 * 366 * 86_400,
            description="a session in which nothing happens is forgotten after this",
        ),
    ] = 7 * 86_400
    cached_messages: Annotated[
        int,
        Meta(
            ge=1,
            le=100_000_000,
            description="messages of which a partition keeps what it knows in memory, beside Redis",
        ),
    ] = 50_000
    give_up_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=86_400,
            description="how long a worker waits for Kafka and Redis, and a command once it is connected",
        ),
    ] = 60
    log_format: Annotated[
        Literal["auto", "json", "pretty"],
        Meta(description="`auto` is `pretty` on a terminal and `json` elsewhere"),
    ] = "auto"

    def topic(self, topic: Topic) -> str:
        """Return the topic's full name."""
        return self.topic_prefix + topic.name

    def consumer_group(self, worker: str) -> str:
        """Return the consumer group of a worker, under which its offsets are committed."""
        return f"{self.group}.{worker}"

    def policy(self) -> Policy:
        """Return the policy under which messages are judged."""
        return Policy(
            strict=self.mode == "strict",
            max_bytes=self.max_message_bytes,
            max_records=self.max_message_records,
        )

    def patience(self) -> Patience:
        """Return how long messages wait for parents, and how many of a session may."""
        return Patience(round(1000 * self.wait_seconds), self.wait_messages, self.wait_bytes)

    def encoding(self) -> Options:
        """Return how transcripts are encoded. Their conversations go on."""
        return Options(encoding_budget(self.encode_budget), self.encode_window, is_open=True)

    def rendered_for(self) -> list[Profile]:
        """Return for whom messages are rendered."""
        return [Profile(name) for name in self.profiles.split(",")]

    def share(self) -> tuple[int, int] | None:
        """Return (n, m) where this worker is the n-th of m with a fixed share of partitions, else None."""
        if self.assignment == "group":
            return None
        position, _, workers = self.assignment.removeprefix("static:").partition("/")
        return int(position), int(workers)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that `PAIRL_*` variables give; what is not given has its default.

    Raises:
        WrongSettings: with a line for each wrong one, and for each variable that is almost a setting.

    """
    types = get_type_hints(Settings, include_extras=True)
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name in Settings.__struct_fields__:
        text = environment.get(variable(name))
        if text is None:
            continue
        try:
            values[name] = msgspec.convert(text.strip(), types[name], strict=False)
        except msgspec.ValidationError as fault:
            problems.append(f"{variable(name)}: {_reason(name, text, types[name], fault)}")
    problems += [
        f"{variable(name)}: {_shown(name, values[name])} cannot be used; it is {_description(types[name])}"
        for name, is_right in CHECKS.items()
        if name in values and not is_right(values[name])
    ]
    assignment = values.get("assignment", "group")
    share = Settings(assignment=assignment).share()
    if share is not None and share[0] > share[1]:
        problems.append(f"{variable('assignment')}: `{assignment}` is number {share[0]} of {share[1]}")
    defaults = Settings()
    wait = values.get("wait_seconds", defaults.wait_seconds)
    if values.get("session_idle_seconds", defaults.session_idle_seconds) <= wait:
        problems.append(
            f"{variable('session_idle_seconds')}: a session cannot be forgotten while its messages may wait, "
            f"which is {wait:g} s ({variable('wait_seconds')})"
        )
    known = [variable(name) for name in Settings.__struct_fields__]
    for given in environment:
        if given.startswith(PREFIX) and given not in known:
            near = difflib.get_close_matches(given, known, 1, _NEARLY_A_SETTING)
            if near:
                problems.append(f"{given}: there is no such setting; did you mean {near[0]}?")
    if problems:
        raise WrongSettings(problems)
    return Settings(**values)


def variable(name: str) -> str:
    """Return the environment variable that gives the setting `name`."""
    return PREFIX + name.upper()


def describe() -> list[tuple[str, str, str]]:
    """Return a row for each setting: variable, default, meaning."""
    types = get_type_hints(Settings, include_extras=True)
    defaults = Settings()
    return [
        (variable(name), str(getattr(defaults, name)), _description(types[name]))
        for name in Settings.__struct_fields__
    ]


def _description(kind: Any) -> str:  # noqa: ANN401  # an Annotated type has no type of its own
    return str(kind.__metadata__[0].description)


def _shown(name: str, text: str) -> str:
    return "the value" if name in _SECRET else f"`{text}`"


def _reason(name: str, text: str, kind: type, fault: msgspec.ValidationError) -> str:
    shown = _shown(name, text)
    description = _description(kind)
    reason = str(fault).replace("Expected `", "expected `").replace("Invalid enum value", "not a choice")
    return f"{shown} cannot be used ({reason}); it is {description}"
