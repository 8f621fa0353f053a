"""What the workers decide: records and a view of their sessions in, an outcome out.

Processors are pure and synchronous. They do not know Kafka, Redis, or the time of day; the runtime
carries out what they decide.
"""
