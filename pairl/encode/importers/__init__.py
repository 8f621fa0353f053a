"""Importers: recorded conversations of many formats, read into one form (`pairl.encode.history`).

This package knows what other programs record, and how a format is recognised. It does not know PAIRL.
"""
