"""A session as people and programs look at it: a tree, a graph or a document, and a ledger.

This package knows how what the changelog keeps of a session is told: `messages` brings the judged and the
waiting ones together, `forest` finds out what hangs below what, `tree`, `dot`, `mermaid` and `document` put
it into a form, `ledger` adds up. It does not know where the entries come from: entries in, text out.
"""
