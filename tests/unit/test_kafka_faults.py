"""What the client's exceptions become: faults of the environment, or none of Kafka's."""

from __future__ import annotations

import pytest
from aiokafka import errors

from workers.adapters.kafka_clients import stop
from workers.adapters.kafka_faults import reaching_kafka
from workers.faults import Fenced, Unreachable

CLOSED = RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed")


@pytest.mark.parametrize(
    ("fault", "becomes"),
    [
        (errors.ProducerFenced(), Fenced),
        (errors.KafkaConnectionError(), Unreachable),
        (ConnectionResetError(), Unreachable),
        (CLOSED, Unreachable),
        (RuntimeError("something else"), RuntimeError),
    ],
)
async def test_a_fault_of_the_client_is_told_in_our_words(fault: Exception, becomes: type[Exception]) -> None:
    with pytest.raises(becomes) as caught:
        async with reaching_kafka("answer"):
            raise fault
    assert type(caught.value) is becomes


async def test_a_client_that_cannot_be_stopped_is_let_go() -> None:
    class Client:
        async def stop(self) -> None:
            raise CLOSED

    await stop(Client())
