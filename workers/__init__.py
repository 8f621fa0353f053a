"""Everything that touches Kafka, Redis, the clock or the terminal.

Processors decide and are pure; adapters alone import the clients of Kafka and Redis; the runtime
puts the two together, once, for every worker.
"""
