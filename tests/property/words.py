"""A second reading of a line, written without regard to the first.

What does a line say, apart from its layout? This knows only that quoted text is one word, that spaces and
commas separate, and that the parameters of an intent have no order. Two lines with different words must not
share a canonical text. It refuses to know which lines are valid.
"""

from __future__ import annotations


def as_words(text: str) -> list[list[str]]:
    """Return the words of each line, with what may be written in two ways written in one."""
    if text.startswith("#think["):
        text = text.partition("\n")[2]
        return [_row(line) for line in text.split("\n")]
    return [_line(line) for line in text.split("\n") if line.strip(" \t")]


def _line(line: str) -> list[str]:
    name, brace, parameters = line.strip(" \t").partition("{")
    if line.lstrip(" \t").startswith("#") or not brace:
        words, rest = _split(line, " ,")
    else:
        words, rest = _split(parameters, " ,}")
        more, _ = _split(rest, " ")
        words = [name.strip(), *sorted(words[:-1]), *more]
    tags = sorted(word for word in words[1:] if word.startswith(("@m=", "@rid=")))
    return [word for word in words if word not in tags] + tags


def _row(line: str) -> list[str]:
    words, _ = _split(line, " ")
    tags = sorted(word for word in words if word.startswith(("@m=", "@rid=")))
    return ["#think", *(f"summary={word}" for word in words if word not in tags), *tags]


def _split(line: str, separators: str) -> tuple[list[str], str]:
    """Split outside quotation marks, leaving them out; stop behind a `}` if that is a separator."""
    words: list[str] = []
    word = ""
    position = 0
    while position < len(line):
        character = line[position]
        position += 1
        if character == '"' and (word == "" or (word[-1] == "=" and word.count("=") == 1)):
            while position < len(line) and line[position] != '"':
                position += line.startswith('\\"', position)
                word += line[position]
                position += 1
            position += 1
        elif character not in separators:
            word += character
        else:
            words += [word] if word else []
            word = ""
            if character == "}":
                return [*words, "}"], line[position:]
    return words + ([word] if word else []), ""
