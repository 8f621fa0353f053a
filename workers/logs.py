"""Logging: one line an event, JSON for machines, colours for people.

This module sets up structlog and quiets the clients' own loggers. It does not know what is logged;
the rule for everyone is that the content of a message never is.
"""

from __future__ import annotations

import logging
import sys

import structlog
from structlog.typing import FilteringBoundLogger, Processor

# The clients report each failed attempt; the workers do that themselves, once, with what to do.
_TALKATIVE = {"aiokafka": logging.CRITICAL, "asyncio": logging.ERROR}


def set_up_logs(log_format: str, *, warnings_only: bool = False) -> None:
    """Send log lines to standard error, as `json`, `pretty`, or by what standard error is (`auto`)."""
    pretty = log_format == "pretty" or (log_format == "auto" and sys.stderr.isatty())
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        if pretty
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.WARNING if warnings_only else logging.INFO
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    for name, level in _TALKATIVE.items():
        logging.getLogger(name).setLevel(level)


def get_log(**context: object) -> FilteringBoundLogger:
    """Return a logger whose lines carry `context`."""
    log: FilteringBoundLogger = structlog.get_logger().bind(**context)
    return log
