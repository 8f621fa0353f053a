"""A session as people and programs look at it: a tree, a graph or a document, and a ledger.

This package knows how what the changelog keeps of a session is told: `messages` brings the judged and the
waiting ones together, `forest` finds out what hangs below what, `ledger` adds up; `tree`, `graph`, `document`
and `statement` put that into a form, with times and amounts as `amounts` writes them. It does not know where
the entries come from: entries in, text out.
"""
