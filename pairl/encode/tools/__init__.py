"""Tools: what is told of calls and of what they returned (§7).

This package knows how results are read, how calls become records, and what need not be told again. It does
not know turns, or how much room there is.
"""
