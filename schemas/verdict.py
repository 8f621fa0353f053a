"""The verdict on a message: accepted or rejected, with everything needed to understand it.

This module knows the shape of the JSON in the `pairl-verdict` header. It does not know how a
verdict is reached. Every verdict names the policy and rule set that gave it by a digest.
"""

from __future__ import annotations

import msgspec

from pairl.diagnostics import Diagnostic


class Accepted(msgspec.Struct, frozen=True, tag_field="verdict", tag="accepted", omit_defaults=True):
    """The message is valid under the policy; `diagnostics` are warnings.

    `hash` is the SHA-256 of the canonical text; `session` is absent where the message stands alone.
    `not_evaluated` lists rules whose evidence was not there, such as V4 without a thread. `waited_ms` is
    for how long the message waited for its parents, where it did.
    """

    hash: str
    id: str
    mode: str
    policy: str
    session: str | None = None
    diagnostics: list[Diagnostic] = []
    not_evaluated: tuple[str, ...] = ()
    waited_ms: int | None = None


class Rejected(msgspec.Struct, frozen=True, tag_field="verdict", tag="rejected", omit_defaults=True):
    """The message is not valid; `codes` are the rules it breaks, `diagnostics` say where and how.

    `source` is the place of the record, as `topic/partition/offset`. `id` and `session` are absent
    where the message was too broken to have them. `waited_ms` is for how long it waited for its parents.
    """

    codes: tuple[str, ...]
    source: str
    mode: str
    policy: str
    id: str | None = None
    session: str | None = None
    diagnostics: list[Diagnostic] = []
    not_evaluated: tuple[str, ...] = ()
    waited_ms: int | None = None


Verdict = Accepted | Rejected

_decoder = msgspec.json.Decoder(Verdict)
encode = msgspec.json.Encoder().encode


def decode(data: bytes) -> Accepted | Rejected:
    """Return the verdict that a `pairl-verdict` header holds.

    Raises:
        msgspec.DecodeError: the bytes are not the JSON of a verdict.

    """
    return _decoder.decode(data)
