"""Words that turn what is said into its opposite, or restrict it, by language: nothing is cut around them.

This module knows words. It does not know where sentences begin and end (`pairl.encode.quoting.spans`).

What a negation governs cannot be told without understanding the sentence: `not on Friday, Saturday or at
night` goes over commas, `was, as we said on Friday, not shipped` goes backwards. The same holds for a limit
(`delete it only if Ada agrees`) and for words that take back what they stand with (`the order was
cancelled`). So where one of these words stands whoever cuts a text leaves all of the sentence whole, up to
another main clause. A plain condition keeps what follows in its sentence, and the clause before it. A word
that is one of them in some language only costs room where it is none: `sin` is Spanish for without.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import msgspec


class Restrictions(msgspec.Struct, frozen=True):
    """The restricting words of a language, in lower case; `pieces` stand within words.

    `negations` deny, `limits` say up to when or unless what something holds, `reversals` forbid it or take it
    back; `conditions` say when it holds, and are as frequent as all others together.
    """

    language: str
    negations: str = ""
    limits: str = ""
    reversals: str = ""
    conditions: str = ""
    pieces: str = ""


RESTRICTIONS = (
    Restrictions(
        "English",
        "not no nope never none nobody nothing nowhere neither nor cannot cant dont wont without except"
        " hardly barely scarcely rarely seldom instead rather avoid refuse refuses refused deny denies denied"
        " denying doubt doubts unlikely unable impossible lacks false zero",
        "unless provided providing assuming otherwise pending",
        "stop cancel cancelled canceled against forbid forbidden prohibit prohibited ban banned"
        " revoke revoked withdraw withdrawn reject rejected abort exclude excluded excluding"
        " obsolete wrong incorrect untrue hoax mistake mistaken kidding joking postponed expired void"
        " invalid",
        "if once whether",
    ),
    Restrictions(
        "German",
        "nein nicht nichts nie niemals niemand niemandem niemanden nirgends nirgendwo kein keine keinem"
        " keinen keiner keines keinerlei ohne weder noch kaum außer ausser statt anstatt anstelle vermeide"
        " vermeiden keinesfalls keineswegs bestreitet bestreiten bezweifle bezweifelt unmöglich fraglich",
        "sofern solange vorausgesetzt sonst andernfalls",
        "stopp stoppen storniere stornieren storniert verbiete verbieten verboten untersagt widerrufen"
        " zurückgezogen abgelehnt ausgeschlossen abgesagt verschoben abgelaufen veraltet"
        " falsch unwahr ungültig irrtum irrtümlich",
        "wenn falls sobald sollte sollten",
    ),
    Restrictions(
        "French",
        "ne pas jamais rien aucun aucune sans ni nulle sauf plutôt guère",
        "pourvu",
        "contre interdit interdite annule annuler annulé annulée faux erroné",
        "si",
    ),
    Restrictions(
        "Spanish",
        "no nunca jamás nada nadie ningún ninguno ninguna sin tampoco ni excepto salvo sino",
        "",
        "contra prohibido prohibida cancela cancelar cancelado falso equivocado",
        "si",
    ),
    Restrictions(
        "Portuguese",
        "não nunca jamais nada ninguém nenhum nenhuma sem nem exceto",
        "",
        "contra proibido proibida cancelar cancelado falso errado",
        "se caso",
    ),
    Restrictions(
        "Italian",
        "non mai niente nulla nessuno nessuna nessun senza né neanche neppure tranne",
        "purché finché",
        "contro vietato vietata annulla annullare annullato falso sbagliato",
        "se",
    ),
    Restrictions(
        "Dutch",
        "nee niet niets nooit niemand geen nergens zonder noch behalve",
        "mits tenzij totdat",
        "tegen verboden geannuleerd onjuist",
        "als indien",
    ),
    Restrictions(
        "Danish, Norwegian, Swedish",
        "ikke ikkje inte ingen inget intet inga aldrig aldri uden uten utan",
        "såvida",
        "imot emot forbudt förbjudet aflyst avlyst inställt",
        "hvis om",
    ),
    Restrictions(
        "Polish",
        "nie nigdy nikt nic żaden żadna żadne bez ani oprócz",
        "dopóki",
        "przeciw",
        "jeśli jeżeli",
    ),
    Restrictions(
        "Russian, Ukrainian",
        "не нет ни ні нельзя никогда никто ничего без кроме немає ніколи",
        "пока поки",
        "против запрещено отменить отменено",
        "если якщо",
    ),
    Restrictions("Turkish", "değil yok hiç asla", conditions="eğer"),
    Restrictions("Arabic", "لا لم لن ليس ليست غير بدون دون إلا", conditions="إذا"),
    Restrictions("Hebrew", "לא אין אל בלי ללא אף", conditions="אם"),
    Restrictions("Hindi", pieces="नहीं मत बिना यदि अगर केवल"),
    Restrictions("Chinese", pieces="不 没 沒 無 无 别 別 勿 未 非 否 莫 如果 除非 只有 仅 僅 禁止 取消"),
    Restrictions(
        "Japanese", pieces="ない なく なかっ ません ずに せず 無 不 未 非 禁止 もし 場合 のみ だけ 中止"
    ),
    Restrictions("Korean", pieces="안 않 못 없 아니 말고 마세요 금지 만약 에만 취소"),
)
"""Why: a quotation that lost its `not` is the opposite of what was said, and verifies all the same."""

CONDITIONS = frozenset(" ".join(row.conditions for row in RESTRICTIONS).split())
"""Words that say when something holds."""

WORDS = frozenset(" ".join(f"{row.negations} {row.limits} {row.reversals}" for row in RESTRICTIONS).split())
"""All others of the table that are words of their own."""

_PIECES_OF_WORDS = " ".join(row.pieces for row in RESTRICTIONS).split()
# In a text that is decomposed the marks stand behind their letters.
_PIECES = re.compile(
    "|".join({form for piece in _PIECES_OF_WORDS for form in (piece, unicodedata.normalize("NFD", piece))})
)
_WORD = re.compile(r"[^\W\d_]+")
_CONTRACTED = re.compile(r"n['\u2019\u02bc]t(?![^\W\d_])|(?<![^\W\d_])n['\u2019\u02bc](?=[^\W\d_])")
_UNEQUAL = ("!=", "\u2260")
_OF_PAIRS = {
    "only": "if when after once with on for in from",
    "but": "only not",
    "long": "as",
    "called": "off",
    "save": "for",
    "yet": "to",
    "nur": "wenn falls nach sobald mit dann für",
    "erst": "wenn nach dann",
    "seulement": "si lorsque",
    "solo": "si cuando se",
    "alleen": "als",
    "tylko": "jeśli",
    "только": "если",
}
"""Words that restrict in pairs: the first, and those of which one has to follow."""

_PAIRS = frozenset((first, second) for first, rest in _OF_PAIRS.items() for second in rest.split())
FIRST_OF_PAIRS = frozenset(_OF_PAIRS)


def is_restricting(word: str) -> bool:
    """Say whether what stands between two blanks is, or holds, one of the words; linear."""
    lowered = word.lower()
    if not lowered.isascii():
        lowered = unicodedata.normalize("NFC", lowered)
    return (
        not WORDS.isdisjoint(_WORD.findall(lowered))
        or any(sign in lowered for sign in _UNEQUAL)
        or _CONTRACTED.search(lowered) is not None
        or (not lowered.isascii() and _PIECES.search(lowered) is not None)
    )


def is_pair(words: Sequence[str]) -> bool:
    """Say whether two words in a row, as `only if`, restrict what neither of them restricts."""
    return tuple(word.lower() for word in words) in _PAIRS


def restricting_pieces(text: str) -> Iterator[int]:
    """Yield where pieces of words stand that restrict: in scripts that put no blanks between words."""
    return (found.start() for found in _PIECES.finditer(text))
