"""Words that turn what is said into its opposite, or restrict it, by language: nothing is cut around them.

This module knows words. It does not know where sentences begin and end (`pairl.encode.quoting.spans`).

What a negation governs cannot be told without understanding the sentence: `not on Friday, Saturday or at
night` goes over commas, `was, as we said on Friday, not shipped` goes backwards. So where one of these words
stands whoever cuts a text leaves all of the sentence whole, up to another main clause. A word that is one of
them in some language only costs room where it is none: `sin` is Spanish for without.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec


class Negations(msgspec.Struct, frozen=True):
    """The negations of a language: whole words in lower case, and pieces that stand within words."""

    language: str
    words: str = ""
    pieces: str = ""


NEGATIONS = (
    Negations(
        "English",
        "not no never none nobody nothing nowhere neither nor cannot cant dont wont without unless except"
        " hardly barely scarcely rarely seldom instead rather avoid refuse refused deny denied lacks false",
    ),
    Negations(
        "German",
        "nicht nichts nie niemals niemand niemandem niemanden nirgends nirgendwo kein keine keinem"
        " keinen keiner keines keinerlei ohne weder noch kaum außer ausser statt anstatt anstelle vermeide"
        " vermeiden",
    ),
    Negations("French", "ne pas jamais rien aucun aucune sans ni nulle sauf plutôt guère"),
    Negations(
        "Spanish", "no nunca jamás nada nadie ningún ninguno ninguna sin tampoco ni excepto salvo sino"
    ),
    Negations("Portuguese", "não nunca jamais nada ninguém nenhum nenhuma sem nem exceto"),
    Negations("Italian", "non mai niente nulla nessuno nessuna nessun senza né neanche neppure tranne"),
    Negations("Dutch", "niet niets nooit niemand geen nergens zonder noch behalve"),
    Negations(
        "Danish, Norwegian, Swedish", "ikke ikkje inte ingen inget intet inga aldrig aldri uden uten utan"
    ),
    Negations("Polish", "nie nigdy nikt nic żaden żadna żadne bez ani oprócz"),
    Negations("Russian, Ukrainian", "не нет ни ні нельзя никогда никто ничего без кроме немає ніколи"),
    Negations("Turkish", "değil yok hiç asla"),
    Negations("Arabic", "لا لم لن ليس ليست غير بدون دون إلا"),
    Negations("Hebrew", "לא אין אל בלי ללא אף"),
    Negations("Hindi", pieces="नहीं मत बिना"),
    Negations("Chinese", pieces="不 没 沒 無 无 别 別 勿 未 非 否 莫"),
    Negations("Japanese", pieces="ない なく なかっ ません ずに せず 無 不 未 非 禁止"),
    Negations("Korean", pieces="안 않 못 없 아니 말고 마세요 금지"),
)
"""Why: a quotation that lost its `not` is the opposite of what was said, and verifies all the same."""

_WORDS = frozenset(" ".join(row.words for row in NEGATIONS).split())
_PIECES = re.compile("|".join(" ".join(row.pieces for row in NEGATIONS).split()))
_WORD = re.compile(r"[^\W\d_]+")
_NO_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
_APOSTROPHES = ("'", "\u2019", "\u02bc")
_CONTRACTED = re.compile(r"n['\u2019\u02bc]t(?![^\W\d_])|(?<![^\W\d_])n['\u2019\u02bc](?=[^\W\d_])")
_UNEQUAL = ("!=", "\u2260")


def is_negated(text: str) -> bool:
    """Say whether a negation stands in `text`; linear."""
    lowered = text.lower()
    if lowered.isascii():
        return (
            not _WORDS.isdisjoint(lowered.translate(_NO_LETTERS).split())
            or "!=" in lowered
            or ("'" in lowered and _CONTRACTED.search(lowered) is not None)
        )
    lowered = unicodedata.normalize("NFC", lowered)
    words = _WORD.findall(lowered)
    if _PIECES.search(lowered):
        return True
    return (
        not _WORDS.isdisjoint(words)
        or any(sign in lowered for sign in _UNEQUAL)
        or (any(sign in lowered for sign in _APOSTROPHES) and _CONTRACTED.search(lowered) is not None)
    )
