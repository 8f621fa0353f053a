"""Quoting: what of a text is worth keeping word for word, and how it is cut.

This package knows texts and what is of value in them. It does not know whose texts they are, or how much room
there is.
"""
