"""The compose file: its settings are settings of ours, and nothing starts before what it needs.

Knows the file as YAML. No container is run here; whether the images do what the file asks of them is
not shown.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from workers.settings import PREFIX, Settings, read_settings, variable

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
WORKERS = ("encoder", "validator", "renderer")
BUS = ("topics", *WORKERS)
_FROM_THE_HOST = re.compile(r"\$\{[A-Z_]+:-([^}]*)\}")


def _environment(service: str) -> dict[str, str]:
    """Return a service's variables as they are where the host sets none of them."""
    given = SERVICES[service]["environment"]
    return {name: _FROM_THE_HOST.sub(r"\1", str(value)) for name, value in given.items()}


@pytest.mark.parametrize("service", BUS)
def test_every_variable_is_a_setting_with_a_valid_value(service: str) -> None:
    environment = _environment(service)
    known = {variable(name) for name in Settings.__struct_fields__}
    assert {name for name in environment if name.startswith(PREFIX)} <= known
    read_settings(environment)


def test_all_services_of_the_bus_have_the_same_settings() -> None:
    topics, encoder, validator, renderer = map(_environment, BUS)
    assert topics == validator
    # Nobody else asks how much is carried of a conversation.
    assert encoder == validator | {variable("encode_budget"): Settings().encode_budget}
    # Nobody else asks for whom messages are rendered.
    assert renderer == validator | {variable("profiles"): Settings().profiles}


def test_the_settings_point_at_the_services() -> None:
    settings = read_settings(_environment("validator"))
    listeners = dict(
        listener.split("://") for listener in _environment("kafka")["KAFKA_ADVERTISED_LISTENERS"].split(",")
    )
    assert settings.kafka_bootstrap_servers == listeners["INTERNAL"]
    assert settings.redis_url.startswith("redis://redis:")
    # From outside the defaults are right: the host listener is published where they look.
    assert listeners["HOST"].removeprefix("localhost") in Settings().kafka_bootstrap_servers
    assert "127.0.0.1:9092:9092" in SERVICES["kafka"]["ports"]


def test_one_broker_can_hold_what_is_asked_of_it() -> None:
    kafka = _environment("kafka")
    for name, value in kafka.items():
        if name.endswith(("_REPLICATION_FACTOR", "_MIN_ISR", "_INSYNC_REPLICAS")):
            assert value == "1", name
    assert read_settings(_environment("topics")).replication_factor == 1
    assert kafka["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"


def test_every_listener_has_a_protocol_and_is_used() -> None:
    kafka = _environment("kafka")
    listeners = {listener.split("://")[0] for listener in kafka["KAFKA_LISTENERS"].split(",")}
    mapped = dict(pair.split(":") for pair in kafka["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"].split(","))
    assert set(mapped) == listeners
    assert {kafka["KAFKA_INTER_BROKER_LISTENER_NAME"], kafka["KAFKA_CONTROLLER_LISTENER_NAMES"]} < listeners


@pytest.mark.parametrize("service", WORKERS)
def test_workers_wait_for_health_and_topics_and_are_started_again(service: str) -> None:
    worker = SERVICES[service]
    assert {name: need["condition"] for name, need in worker["depends_on"].items()} == {
        "kafka": "service_healthy",
        "redis": "service_healthy",
        "topics": "service_completed_successfully",
    }
    assert worker["restart"] == "unless-stopped"
    assert worker["command"] == ["bus", "run", service]
    assert worker["stop_grace_period"] == "30s"


def test_the_topics_wait_for_kafka_and_run_once() -> None:
    topics = SERVICES["topics"]
    assert topics["depends_on"] == {"kafka": {"condition": "service_healthy"}}
    assert (topics["restart"], topics["command"]) == ("no", ["bus", "topics"])


@pytest.mark.parametrize("service", ["kafka", "redis"])
def test_servers_say_whether_they_are_healthy_and_keep_their_data(service: str) -> None:
    server = SERVICES[service]
    assert server["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
    [volume] = server["volumes"]
    assert volume.partition(":")[0] in COMPOSE["volumes"]


def test_redis_refuses_writes_rather_than_forget() -> None:
    command = SERVICES["redis"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"


def test_the_image_is_built_from_our_dockerfile() -> None:
    for service in BUS:
        assert (ROOT / SERVICES[service]["build"]["dockerfile"]).is_file()
