"""Diagnostics as people and programs read them. Text in, text out; no terminal is touched here."""

from pairl.show.located import Located
from pairl.show.outputs import COLORED_TEXT, OUTPUTS, Output
from pairl.show.terminal import show_diagnostic, show_rule

__all__ = ["COLORED_TEXT", "OUTPUTS", "Located", "Output", "show_diagnostic", "show_rule"]
