"""The settings: defaults, what is read, and what is refused with a line for each problem."""

from __future__ import annotations

import pytest

from pairl.encode.budget import Budget
from pairl.encode.encoding import Options
from schemas.topics import VALIDATED
from workers.faults import WrongSettings
from workers.processors.conversation import Patience
from workers.settings import Settings, describe, read_settings, variable


def _problems(environment: dict[str, str]) -> list[str]:
    with pytest.raises(WrongSettings) as caught:
        read_settings(environment)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return caught.value.problems


def test_without_variables_everything_has_its_default() -> None:
    assert read_settings({}) == Settings()
    assert read_settings({"PATH": "/bin", "PAIR": "x"}) == Settings()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("kafka_bootstrap_servers", "a:9092,b:9093", "a:9092,b:9093"),
        ("kafka_bootstrap_servers", "broker", "broker"),
        ("kafka_bootstrap_servers", "[::1]:9092, [fe80::1]:9093", "[::1]:9092, [fe80::1]:9093"),
        ("redis_url", "rediss://user:p%40ss@host:6380/3?socket_timeout=1", None),
        ("redis_url", "redis://host", None),
        ("redis_url", "unix:///run/redis.sock?db=2", None),
        ("topic_prefix", "", ""),
        ("topic_prefix", "team-a.pairl_", "team-a.pairl_"),
        ("partitions", " 12 ", 12),
        ("mode", "loose", "loose"),
        ("assignment", "static:2/3", "static:2/3"),
        ("max_message_bytes", "4194304", 4_194_304),
        ("wait_seconds", "0", 0.0),
        ("wait_seconds", "0.25", 0.25),
        ("wait_seconds", "86400", 86_400.0),
        ("wait_messages", "0", 0),
        ("wait_bytes", "1073741824", 1 << 30),
        ("session_idle_seconds", "11", 11),
        ("cached_messages", "1", 1),
        ("encode_budget", "auto", "auto"),
        ("encode_budget", " 12.5% ", "12.5%"),
        ("encode_budget", "2000c", "2000c"),
        ("encode_window", "3", 3),
        ("log_format", "json", "json"),
    ],
)
def test_a_variable_gives_its_setting(name: str, text: str, value: object) -> None:
    settings = read_settings({variable(name): text})
    assert getattr(settings, name) == (text if value is None else value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kafka_bootstrap_servers", ""),
        ("kafka_bootstrap_servers", ","),
        ("kafka_bootstrap_servers", "a:9092,"),
        ("kafka_bootstrap_servers", "host:port"),
        ("kafka_bootstrap_servers", "host:99999"),
        ("kafka_bootstrap_servers", "kafka://host:9092"),
        ("kafka_bootstrap_servers", "[::1"),
        ("redis_url", "host:6379"),
        ("redis_url", "http://host:6379"),
        ("redis_url", "redis://host:port/0"),
        ("redis_url", "redis://host:6379/zero"),
        ("redis_url", "redis://"),
        ("topic_prefix", "with space."),
        ("topic_prefix", "ä."),
        ("topic_prefix", "x" * 101),
        ("group", ""),
        ("group", "a/b"),
        ("partitions", "0"),
        ("partitions", "many"),
        ("partitions", "4.5"),
        ("replication_factor", "-1"),
        ("encode_budget", ""),
        ("encode_budget", "0%"),
        ("encode_budget", "101%"),
        ("encode_budget", "1.2.3%"),
        ("encode_budget", "50"),
        ("encode_budget", "0c"),
        ("encode_budget", "800t"),
        ("encode_window", "-1"),
        ("mode", "STRICT"),
        ("mode", ""),
        ("max_message_bytes", "1023"),
        ("max_message_bytes", "4194305"),
        ("max_message_records", "0"),
        ("assignment", "static"),
        ("assignment", "static:0/1"),
        ("assignment", "static:3/2"),
        ("assignment", "static:1/2/3"),
        ("batch_records", "0"),
        ("wait_seconds", "-1"),
        ("wait_seconds", "86401"),
        ("wait_seconds", "nan"),
        ("wait_seconds", "inf"),
        ("wait_seconds", "10 s"),
        ("wait_messages", "-1"),
        ("wait_messages", "10001"),
        ("wait_bytes", "1073741825"),
        ("session_idle_seconds", "0"),
        ("session_idle_seconds", "0.5"),
        ("cached_messages", "0"),
        ("give_up_seconds", "0"),
        ("log_format", "xml"),
    ],
)
def test_a_wrong_value_is_refused_under_the_name_of_its_variable(name: str, text: str) -> None:
    (problem,) = _problems({variable(name): text})
    assert problem.startswith(f"{variable(name)}: ")
    assert "\n" not in problem


def test_all_problems_are_told_at_once() -> None:
    problems = _problems(
        {
            "PAIRL_MODE": "lax",
            "PAIRL_PARTITIONS": "0",
            "PAIRL_ASSIGNMENT": "static:3/2",
            "PAIRL_REDIS_ULR": "redis://host",
        }
    )
    assert [problem.partition(":")[0] for problem in problems] == [
        "PAIRL_PARTITIONS",
        "PAIRL_MODE",
        "PAIRL_ASSIGNMENT",
        "PAIRL_REDIS_ULR",
    ]
    assert problems[-1].endswith("did you mean PAIRL_REDIS_URL?")


def test_a_password_is_never_shown() -> None:
    for url in ("http://me:open-sesame@host", "redis://me:open-sesame@host:port"):
        (problem,) = _problems({"PAIRL_REDIS_URL": url})
        assert "open-sesame" not in problem


def test_a_variable_of_somebody_else_is_left_alone() -> None:
    assert read_settings({"PAIRL_SPEC_DIR": "x", "PAIRL_TESTS_REQUIRE_APACHE": "1"}) == Settings()


@pytest.mark.parametrize(("assignment", "share"), [("group", None), ("static:2/3", (2, 3))])
def test_the_share_of_a_worker(assignment: str, share: tuple[int, int] | None) -> None:
    assert Settings(assignment=assignment).share() == share


def test_settings_say_how_to_judge_and_where() -> None:
    settings = Settings(topic_prefix="t.", mode="loose", max_message_bytes=2_000, max_message_records=3)
    policy = settings.policy()
    assert (policy.strict, policy.max_bytes, policy.max_records) == (False, 2_000, 3)
    assert Settings().policy().strict
    assert settings.topic(VALIDATED) == "t.validated"


def test_settings_say_how_long_messages_wait_and_how_many() -> None:
    settings = read_settings(
        {"PAIRL_WAIT_SECONDS": "1.5", "PAIRL_WAIT_MESSAGES": "7", "PAIRL_WAIT_BYTES": "8"}
    )
    assert settings.patience() == Patience(milliseconds=1_500, messages=7, bytes=8)
    assert Settings().patience() == Patience(10_000, 1_000, 8 * 1024 * 1024)
    assert Settings().session_idle_seconds == 604_800


def test_every_setting_is_described() -> None:
    rows = describe()
    assert [name for name, _, _ in rows] == [variable(field) for field in Settings.__struct_fields__]
    assert all(meaning for _, _, meaning in rows)
    assert read_settings({name: default for name, default, _ in rows}) == Settings()


def test_a_session_is_not_forgotten_while_its_messages_may_wait() -> None:
    wrong = {"PAIRL_WAIT_SECONDS": "30", "PAIRL_SESSION_IDLE_SECONDS": "30"}
    with pytest.raises(WrongSettings) as caught:
        read_settings(wrong)
    assert [problem.partition(":")[0] for problem in caught.value.problems] == ["PAIRL_SESSION_IDLE_SECONDS"]
    assert read_settings(wrong | {"PAIRL_SESSION_IDLE_SECONDS": "31"}).session_idle_seconds == 31


def test_settings_say_how_transcripts_are_encoded() -> None:
    assert Settings().encoding() == Options(None, 0, is_open=True)
    settings = read_settings({"PAIRL_ENCODE_BUDGET": "50%", "PAIRL_ENCODE_WINDOW": "3"})
    assert settings.encoding() == Options(Budget(share=0.5), 3, is_open=True)


def test_a_budget_in_tokens_is_refused_with_what_can_be_given() -> None:
    (problem,) = _problems({"PAIRL_ENCODE_BUDGET": "800t"})
    assert "`50%`" in problem
    assert "`2000c`" in problem
