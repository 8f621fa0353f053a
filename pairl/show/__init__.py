"""Diagnostics as people read them. Text in, text out; no terminal is touched here."""

from pairl.show.terminal import show_diagnostic, show_rule

__all__ = ["show_diagnostic", "show_rule"]
