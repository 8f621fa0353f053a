"""Carrying out what processors decide: partitions, transactions, restarts, and their order.

This package knows time, tasks and faults. It does not know what any processor decides, and reaches
Kafka and Redis only through `workers.adapters`.
"""
