"""V12 columnar-blocks: a row gives each column one value.

Checks that a block's header has its form and its type a fixed set of keys, that columns are named
once, that there are rows, that each has as many fields as there are columns, and that quotation marks
are closed and fields with special characters quoted.

Why: in a row a value means what its position says. One field too few, and every value behind it
means something else.

Example:
    #cost[val,cur,note]
    0.02 USD embeddings only

Instead:
    #cost[val,cur,note]
    0.02 USD "embeddings only"

Specification: §3.4, §11 V12
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pairl.diagnostics import Finding, error, excerpt, strict_error, warning
from pairl.rules.evidence import Evidence, Rule
from pairl.vocabulary import RECORD_TYPES


def evaluate(evidence: Evidence) -> Iterator[Finding]:
    """Yield what is wrong with the headers of blocks; the parser has looked at the rows."""
    for block in evidence.message.body.blocks:
        record_type = RECORD_TYPES.get(block.rtype)
        if record_type is None or not record_type.columnar:
            reason = "its key is data" if record_type is not None else "it has no fixed set of keys"
            yield evidence.finding(
                "V12/not-columnar",
                f"columnar form is not allowed for #{excerpt(block.rtype, 40)}: {reason}",
                block.line,
                advice="write each record on a line of its own, `#type key=value`",
            )
        if len(set(block.columns)) < len(block.columns):
            doubled = next(column for column, count in Counter(block.columns).items() if count > 1)
            yield evidence.finding(
                "V12/duplicate-column",
                f"column `{excerpt(doubled, 40)}` is declared more than once",
                block.line,
                advice="name each column once",
            )
        if not block.rows:
            yield evidence.finding("V12/empty-block", "the block has no rows", block.line)


RULE = Rule(
    "V12",
    "columnar-blocks",
    "§3.4, §11 V12",
    (
        error("malformed-block", "a block's header is not `#type[key,key]`"),
        error("not-columnar", "the record type cannot be written as a block"),
        error("duplicate-column", "a column is declared twice"),
        error("field-count", "a row has more or fewer fields than there are columns"),
        error("open-quote", "a quotation mark is still open at the end of a row"),
        strict_error("unquoted-field", "a field with special characters is not quoted"),
        warning("empty-block", "a block has no rows"),
    ),
    evaluate,
)
