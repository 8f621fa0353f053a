"""A Kafka-protocol broker and a Redis server as child processes, for a bus that needs no installation.

This package knows servers and refuses to know the bus: `stack` puts two together, `processes` starts,
watches and ends them, `programs` says what they are.
"""

from workers.embedded.stack import EmbeddedStack
from workers.faults import EmbeddedError

__all__ = ["EmbeddedError", "EmbeddedStack"]
