"""Which session a message from a file is sent to."""

from __future__ import annotations

from workers.cli.files import Piece
from workers.cli.outgoing import outgoing


def _piece(file: str, name: str, parent: str = "", session: str = "") -> Piece:
    headers = [f"@p {parent}\n"] if parent else []
    headers += [f"@sid {session}\n"] if session else []
    text = f"@v 1\n@id {name}\n@ts 2026-05-04T10:00:00Z\n{''.join(headers)}\nack\n"
    return Piece(file, text.encode(), 1)


def _sessions(*pieces: Piece, given: str | None = None) -> list[str | None]:
    return [message.session for message in outgoing(pieces, given)]


def test_an_answer_is_in_the_session_of_what_it_answers() -> None:
    assert _sessions(_piece("a", "m1", session="S"), _piece("a", "m2", "m1")) == ["S", "S"]


def test_an_answer_may_stand_before_what_it_answers() -> None:
    backwards = [_piece("a", "m3", "m2"), _piece("a", "m2", "m1"), _piece("a", "m1", session="S")]
    assert _sessions(*backwards) == ["S", "S", "S"]
    mixed = [_piece("a", "m2", "m1"), _piece("a", "m3", "m2"), _piece("a", "m1", session="S")]
    assert _sessions(*mixed) == ["S", "S", "S"]


def test_the_same_file_comes_before_others_and_the_nearest_before_comes_first() -> None:
    pieces = [
        _piece("a", "m1", session="A"),
        _piece("b", "m1", session="B1"),
        _piece("b", "m2", "m1"),
        _piece("b", "m1", session="B2"),
        _piece("b", "m3", "m1"),
        _piece("a", "m2", "m1"),
        _piece("c", "m2", "m1"),
    ]
    assert _sessions(*pieces) == ["A", "B1", "B1", "B2", "B2", "A", "B2"]


def test_what_belongs_to_none_is_in_the_session_that_is_given() -> None:
    pieces = [_piece("a", "m1", session="S"), _piece("a", "m9", "m8"), _piece("a", "m10", "m9")]
    assert _sessions(*pieces) == ["S", None, None]
    assert _sessions(*pieces, given="G") == ["S", "G", "G"]
