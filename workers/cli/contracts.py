"""`pairl bus schemas`: the contracts on the topics, for programs in other languages.

This module only prints; what the contracts are is in `schemas`.
"""

from __future__ import annotations

import json

from schemas.json_schema import json_schema
from workers.cli.console import write


def contracts() -> None:
    """Print the contracts on the topics as JSON Schema."""
    write(json.dumps(json_schema(), indent=2))
