"""The only modules that import the clients of Kafka and Redis."""
