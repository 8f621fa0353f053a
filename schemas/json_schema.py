"""The contracts as JSON Schema, for readers that are not written in Python.

This module knows which Structs are contracts. The schemas follow from the Structs; nothing is
written twice.
"""

from __future__ import annotations

from typing import Any

import msgspec

from schemas.audit import AuditBlock
from schemas.rendering import Rendering
from schemas.session_encoding import SessionEncoding
from schemas.session_legend import SessionLegend
from schemas.session_state import SessionNode, WaitingMessage
from schemas.verdict import Accepted, Rejected

CONTRACTS: tuple[type[msgspec.Struct], ...] = (
    Accepted,
    Rejected,
    Rendering,
    AuditBlock,
    SessionNode,
    WaitingMessage,
    SessionLegend,
    SessionEncoding,
)


def json_schema() -> dict[str, Any]:
    """Return one JSON Schema (2020-12) document with a definition for every contract."""
    _, components = msgspec.json.schema_components(CONTRACTS, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pairl-bus contracts",
        "anyOf": [{"$ref": f"#/$defs/{contract.__name__}"} for contract in CONTRACTS],
        "$defs": components,
    }
