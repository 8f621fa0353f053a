"""What travels on the topics and lies in Redis: one module a contract.

This package knows names, shapes and sizes. It does not know how anything is sent, stored or
decided. Structs only ever gain fields, and readers pass over fields they do not know.
"""
