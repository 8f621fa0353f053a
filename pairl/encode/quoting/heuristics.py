"""Kinds of words that are worth quoting: a table of patterns, each with its reason and its weight.

This module knows how words look. It does not know texts: how words stand together is for
`pairl.encode.quoting.weights`. Nothing in it understands what is said; whoever knows better gives another
table.

A pattern is matched against a whole word without the punctuation around it, and against the punctuation
behind it. The first row that matches counts.
"""

from __future__ import annotations

import msgspec


class Heuristic(msgspec.Struct, frozen=True):
    """A kind of words: its name, why it is worth quoting, a regular expression, and how much it weighs.

    `is_value` says that such a word is citable (§5): a reader may ask for exactly this one.
    """

    name: str
    why: str
    pattern: str
    weight: float
    is_value: bool = False


_CAPITALS = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĖĘĚĞĢĪĮİĶĹĽŁŃŅŇŌŐŒŘŚŞŠŢŤŪŮŰŲŸŹŻŽȘȚ\u0391-\u03a9\u0400-\u042f"
_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun"
    "|Jul|Aug|Sept?|Oct|Nov|Dec|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Okt|Dez"
)
_DAYS = (
    "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonnabend"
    "|Sonntag"
)

HEURISTICS = (
    Heuristic(
        "address",
        "a link or a mail address is useless if a character of it is lost",
        r"[a-z][a-z0-9+.\-]{1,10}+://.+|www\..+|[^@]++@[^@]+\.[A-Za-z]{2,}",
        4,
        is_value=True,
    ),
    Heuristic(
        "date",
        "when something was, or has to be",
        rf"[0-9]{{4}}-[0-9]{{2}}(?:-[0-9]{{2}}(?:T[0-9:.+\-]+Z?)?)?|[0-9]{{1,2}}[./][0-9]{{1,2}}[./](?:[0-9]{{4}}|[0-9]{{2}})?"
        rf"|(?:19|20)[0-9]{{2}}(?:s|er)?|Q[1-4]|[0-9]{{1,2}}(?:st|nd|rd|th)|{_MONTHS}|{_DAYS}",
        5,
        is_value=True,
    ),
    Heuristic(
        "time",
        "an hour is a fact as a day is",
        r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:am|pm|Z)?|[0-9]{1,2}(?:am|pm|h[0-9]{0,2})|noon|midnight",
        5,
        is_value=True,
    ),
    Heuristic(
        "money",
        "an amount is what an agreement is about",
        r"[+\-]?[$€£¥₹][0-9].*|[0-9][0-9.,']*[kKmMbB]?[$€£¥₹]",
        5,
        is_value=True,
    ),
    Heuristic("percentage", "a share", r"[+\-~<>≤≥±]*[0-9][0-9.,]*%", 5, is_value=True),
    Heuristic(
        "hash",
        "a hash or an identifier names one thing exactly",
        r"(?=[0-9a-fA-F\-]*[0-9])(?=[0-9a-fA-F\-]*[a-fA-F])[0-9a-fA-F]{7,64}(?:-[0-9a-fA-F]{4,12})*"
        r"|[a-z0-9]{1,10}:[0-9a-f]{12,128}",
        4,
        is_value=True,
    ),
    Heuristic(
        "version",
        "which of several it was",
        r"[vV][0-9]+(?:\.[0-9A-Za-z]+)*(?:[+\-][0-9A-Za-z.]+)?|[0-9]+\.[0-9]+\.[0-9A-Za-z.+\-]+|[<>=~^!]{1,2}[0-9]+\.[0-9A-Za-z.]+",
        4,
        is_value=True,
    ),
    Heuristic(
        "number",
        "a number cannot be guessed; with its unit, where there is one",
        r"[+\-~<>≤≥±#]*[0-9][0-9.,:'\u2019_x\u00d7/+\-\u2013]*[A-Za-zµ°²³Ωé]{0,5}[0-9]?",
        5,
        is_value=True,
    ),
    Heuristic(
        "path",
        "a file is found by its path only",
        r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^/\\].*|[\w.@\-]++(?:[/\\][\w.@*\-]+)+\.[A-Za-z][A-Za-z0-9]{0,9}"
        r"|[\w.@\-]++(?:/[\w.@*\-]++){2,}/?|(?=[\w\-]*[A-Za-z_])[\w\-]++\.(?:[a-z]{1,3}|html|json|yaml|toml|java|scss|lock)",
        4,
        is_value=True,
    ),
    Heuristic(
        "error",
        "what went wrong, by the name it goes by",
        r"(?:[A-Za-z_]\w*+\.)*[A-Z]\w*(?:Error|Exception|Warning|Fault)|E[A-Z]{3,}|SIG[A-Z]{3,}",
        4,
        is_value=True,
    ),
    Heuristic(
        "identifier",
        "a name out of a program or a system: one letter less, and it is another",
        r"--?[a-zA-Z][\w\-]*(?:=.*)?|[@#$]\w[\w\-]*|\w*[A-Z_.]\w*\(.*|\w+\(\)|[A-Za-z]\w*+(?:(?:\.|::|->)[A-Za-z_]\w*+)+"
        r"|\w*[^\W_]_+[^\W_]\w*|_+\w*[^\W_]|__\w+__|[a-z]++[0-9]*+[A-Z]\w*|[A-Z][a-z0-9]++(?:[A-Z][a-z0-9]*+)+|[A-Za-z]++[0-9]\w*"
        r"|(?=[A-Z0-9\-]*[A-Z])[A-Z0-9]{2,}(?:[\-/][A-Z0-9]+)*s?",
        3,
        is_value=True,
    ),
    Heuristic("question", "what is asked for is what the answer is about", r".*\?.*", 3),
    Heuristic(
        "decision",
        "what was settled, or has to be done",
        "(?i:decid(?:e[ds]?|ing)|decisions?|agreed?|chosen?|choose|will|must|shall|should|required?|requires"
        "|ensure|always|approved?|final|recommend(?:ed)?|entschieden|entscheidung|beschlossen|vereinbart|muss"
        "|müssen|sollen?|wird|werden|immer)",
        2,
    ),
    Heuristic(
        "cause",
        "why: a decision without its reason is soon made again",
        "(?i:because|since|due|therefore|hence|thus|causes?|caused|reasons?|why|unless|despite|so|weil|denn"
        "|daher|deshalb|wegen|grund|ursache|obwohl|damit)",
        2,
    ),
    Heuristic(
        "failure",
        "what went wrong",
        "(?i:errors?|fail(?:s|ed|ures?)?|crash(?:es|ed)?|exceptions?|timeouts?|broken|bugs?|wrong|missing|invalid"
        "|denied|warnings?|fehler(?:haft)?|fehlt|fehlgeschlagen|kaputt|defekt|falsch|ungültig)",
        2,
    ),
    Heuristic(
        "request",
        "what somebody wants",
        "(?i:please|can|could|would|want(?:ed)?|needs?|help|asap|urgent|bitte|kannst|könn(?:en|ten|test)|brauchen?"
        "|will|möchten?|dringend)",
        1.5,
    ),
    Heuristic(
        "number word",
        "a number all the same",
        "(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand"
        "|million|dozen|half|twice|first|second|third|last|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn"
        "|zwölf|hundert|tausend|halb|erste[nrs]?|zweite[nrs]?|letzte[nrs]?)",
        1.5,
    ),
    Heuristic(
        "name",
        "who or what it is about: a capital letter where no sentence begins, or foreign words in Japanese",
        rf"[{_CAPITALS}]['\u2019]?[^\W\d_](?:['\u2019\-]?[^\W\d_])*"
        r"|[ァ-ヺー]{3,}",
        4,
        is_value=True,
    ),
)
"""In this order of precedence."""

NOUN = Heuristic("noun", "in German every noun has a capital letter, be it a name or not", "", 1)
"""What a single word with a capital letter is there."""

ITEM_NUMBER = Heuristic("item number", "that there is such an item in a list", "", 3, is_value=True)
"""What a number is that counts nothing but the item of a list that it begins."""

GERMAN = frozenset(
    ("der", "die", "das", "und", "ist", "nicht", "mit", "ein", "eine", "wir", "ich", "zu", "den")
)
"""Words by whose share a text is taken for German."""

BEFORE_PLACES = ("in", "aus", "nach", "von", "bei", "über", "bis", "ab")
"""Words behind which a single German word with a capital letter is taken for a name all the same."""

_UNITS = (
    "ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month"
    " months year years am pm kb mb gb tb kib mib gib bytes bits mm cm m km ft miles mg g kg t lb lbs"
    " ml l litres liters w kw mw kwh v hz khz mhz ghz °c °f eur usd gbp chf jpy euro euros dollars cents"
    " percent pp x times people persons users files lines rows tokens characters items requests errors"
    " tests points steps million billion thousand sekunden minuten stunden tage tagen wochen monate"
    " jahre jahren uhr prozent personen dateien zeilen stück millionen mio mrd"
)
UNITS = frozenset(_UNITS.split())
"""Words that belong to the number before them."""

_COMMON = (
    "a an the this that these those i i'm i'll i've i'd we you he she it they my our your his her its"
    " their and or but if when while where what which who why how in on at by for from to of with as is"
    " are was were be been do does did have has had not no yes so then there here some any all each"
    " every one use also after before once let let's dear hi hello please however both der die das ein"
    " eine und oder aber wenn wir ich sie er es im am auf mit von zu für ist sind war nicht kein auch"
    " dann"
)
COMMON = frozenset(_COMMON.split())
"""Words that are capitalised where a sentence begins, and are no part of the name that follows."""
