"""What can be wrong with the text of a message: the checks of HDR (headers) and SYN (records).

This module is two tables. The parser reports these codes while it reads; the rules
`hdr_headers` and `syn_syntax` add what can only be seen in the whole message, and explain the families.
"""

from __future__ import annotations

from pairl.diagnostics import Severity, error, strict_error, warning

HDR_CHECKS = (
    error("missing-header", "`@v`, `@ts` or the message's id is not given"),
    error("duplicate-header", "a header is given twice"),
    error("malformed-header", "a line of the header block is not `@name value`"),
    error("no-headers", "the message does not begin with a header block"),
    error("no-blank-line", "no empty line separates headers and body"),
    error("no-body", "there are headers but no record"),
    error("two-ids", "both `@id` and `@mid` are given"),
    error("unsupported-version", "`@v` names a major version other than 1"),
    strict_error("version-form", "`@v` is not the bare major version"),
    error("malformed-id", "`@id` or `@mid` cannot be used as an id"),
    warning("id-form", "`@id` is not 1 to 8 characters of `[a-z0-9]`"),
    warning("sid-form", "`@sid` is not a ULID"),
    strict_error("timestamp", "`@ts` is not an ISO 8601 time with an offset"),
    strict_error("limit-form", "`@limit` is not a whole number and a unit"),
    warning("unknown-header", "a header is not one of the specification's"),
)

SYN_CHECKS = (
    error("not-utf8", "the bytes are not UTF-8"),
    error("surrogate", "the text holds half of a surrogate pair"),
    warning("byte-order-mark", "the text begins with a byte order mark"),
    strict_error("control-character", "a control character stands in the text"),
    error("too-large", "the message has more bytes than the configured limit"),
    error("too-many-records", "the message has more records than the configured limit"),
    warning("own-limit", "the message exceeds a limit that it set itself with `#rule`"),
    strict_error("content-after-end", "text follows the `---` that ends the message"),
    strict_error("tool-output", "a `>>>` block stands in the body"),
    strict_error("comment", "a line begins with `# `"),
    strict_error("free-text", "a line is neither a record nor an intent"),
    strict_error("malformed-record", "a `#` line is not `#type key=value`"),
    strict_error("reserved-tag", "`#marker`, `#intent` or `#unknown` is used as a record type"),
    strict_error("empty-record", "a record carries no `key=value`"),
    strict_error("malformed-intent", "an intent is not `name{key=value,…}`"),
    strict_error("text-after-intent", "something other than a tag follows an intent"),
    strict_error("bare-token", "a word stands where `key=value` is expected"),
    strict_error("spaces-around-equals", "there are spaces beside `=`"),
    strict_error("bad-key", "a key is not `[a-z][a-z0-9_]*` of at most 64 characters"),
    strict_error("duplicate-key", "a key occurs twice in one record"),
    strict_error("empty-value", "a value is neither written nor quoted"),
    strict_error("comma", "a comma is not followed by `key=`"),
    strict_error("unterminated-quote", "a quotation mark is still open at the end of the line"),
    strict_error("text-after-quote", "text is glued to a closing quotation mark"),
    strict_error("trailing-backslash", "an unquoted value ends in a backslash"),
    strict_error("state-payload", "`#s` carries more than one word"),
    strict_error("tag-not-last", "something follows `@m=` or `@rid=`"),
    strict_error("duplicate-tag", "`@m=` or `@rid=` occurs twice in one record"),
    strict_error("empty-tag", "`@m=` or `@rid=` has no value"),
    strict_error("malformed-tag", "the value of `@m=` or `@rid=` holds a quotation mark, a comma or `=`"),
    strict_error("glued-tag", "a tag is glued to what stands before it"),
    warning("tag-form", "a tag's value is not 1 to 8 letters and digits"),
    warning("long-key", "the key of a `#fact` has more than 32 characters"),
    warning("unquoted-value", "an unquoted value has characters that call for quotation marks"),
    warning("spaces-in-braces", "there are spaces between `{` and `}`"),
    warning("unknown-record", "a record type is not one of the specification's"),
    warning("unknown-intent", "an intent is not one of the specification's"),
    strict_error("unknown-mode", "`mode=` of a `#req` or `#rpt` is not `cond`"),
)

WARNINGS = frozenset(
    f"{family}/{check.slug}"
    for family, checks in (("HDR", HDR_CHECKS), ("SYN", SYN_CHECKS))
    for check in checks
    if check.strict is Severity.WARNING
)
"""Codes that never make a message invalid."""

CARRIED = WARNINGS | {"V12/unquoted-field"}
"""Codes of what the fields of a record can carry, so that the record need not stand for its text."""
