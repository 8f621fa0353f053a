"""What a type cannot say of a setting: whether those who get it can read it.

This module knows how addresses and budgets are written. It does not know whether anything answers there.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from pairl.encode.budget import Budget, NotABudget, read_budget

AUTO = "auto"
"""No budget: how much is carried of a conversation follows from the conversation."""


def encoding_budget(text: str) -> Budget | None:
    """Return the budget that `text` gives.

    Raises:
        NotABudget: it gives none.

    """
    return None if text == AUTO else read_budget(text)


def _are_brokers(text: str) -> bool:
    return "/" not in text and all(_is_address(f"//{broker.strip()}") for broker in text.split(","))


def _is_redis(text: str) -> bool:
    scheme, _, rest = text.partition(":")
    database = rest.partition("?")[0].removeprefix("//").partition("/")[2]
    return scheme == "unix" or (_is_address(rest) and (not database or database.isdecimal()))


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_budget(text: str) -> bool:
    try:
        budget = encoding_budget(text)
    except NotABudget:
        return False
    # The bus counts no tokens.
    return budget is None or budget.tokens is None


CHECKS: dict[str, Callable[[str], bool]] = {
    "kafka_bootstrap_servers": _are_brokers,
    "redis_url": _is_redis,
    "encode_budget": _is_budget,
}
"""Whether the text of a setting, by its name, can be read."""
