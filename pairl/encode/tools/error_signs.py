"""What makes a line an error line, and what does not: tables of words and of forms of lines (§7.2).

This module knows how programs tell of errors, and how code, documents and reports without an error look that
use the same words. It does not know texts: what becomes of these rows is in `pairl.encode.tools.error_lines`.
"""

from __future__ import annotations

import msgspec


class Sign(msgspec.Struct, frozen=True):
    """What makes a line an error line: its name, an example, cues, and a regular expression.

    A cue is in lower case. Where one stands, the expression is matched, from its first character on.
    """

    name: str
    example: str
    cues: tuple[str, ...]
    pattern: str


class NoSign(msgspec.Struct, frozen=True):
    """What makes a sign none, or a line one without: its name, an example, and a regular expression."""

    name: str
    example: str
    pattern: str


class WordsBefore(msgspec.Struct, frozen=True):
    """Words in lower case that make a sign none, with at most so many words between them and it.

    `signs` are the beginnings of the signs of which this is so; all, if there are none.
    """

    name: str
    example: str
    words: tuple[str, ...]
    between: int
    signs: tuple[str, ...] = ("",)


_BARE = r"(?<![\w./\\-])"
_ALONE = r"(?!\w|\.\w|[/\\-])"
SIGNS = (
    Sign(
        "word for an error",
        "ERROR disk full",
        ("error", "errno", "exception", "traceback", "fatal"),
        rf"(?:{_BARE}(?i:errors?|errno|exception|traceback|fatal){_ALONE}|(?:Error|Exception)(?!\w|\.\w)|error>)",
    ),
    Sign(
        "word for a failure",
        "disk: write failed",
        ("fail", "denied", "invalid", "cannot", "refused"),
        r"(?:(?:(?<![^\n])|(?<=--- ))FAIL\b"
        rf"|{_BARE}(?i:failed|failures?|failing|denied|invalid|cannot|refused){_ALONE})",
    ),
    Sign(
        "words for what is not there",
        "x: No such file or directory",
        ("no such file", "not found", "not recognized as", "could", "unable to", "timed out"),
        r"(?i:no such file|not found|not recognized as|could not|couldn't|unable to|timed out)(?!\w)",
    ),
    Sign(
        "words for what a system or a command does not take",
        "cp: error writing: No space left on device",
        (
            "no space left on",
            "read-only file system",
            "unknown option",
            "unknown flag",
            "unknown command",
            "illegal option",
            "unrecognized option",
            "unrecognized argument",
            "can't locate",
        ),
        r"(?:(?i:(?<=: )no space left on device|(?<=: )read-only file system|can't locate )"
        r"|(?:(?<=: )|(?<![^\n]))(?i:unknown (?:option|flag|command)|illegal option"
        r"|unrecognized (?:option|argument)s?)\b)",
    ),
    Sign(
        "words in other languages",
        "Fehler: kein Platz",
        (
            "fehler",
            "fehlgeschlagen",
            "nicht gefunden",
            "verweigert",
            "keine berechtigung",
            "erreur",
            "introuvable",
            "aucun fichier ou",
            "no existe el",
            "no encontrad",
        ),
        rf"{_BARE}(?:(?i:fehler|erreur)(?=(?: \d+)? ?:| beim )|(?i:fehlgeschlagen|nicht gefunden|verweigert"
        r"|keine berechtigung|introuvables?|aucun fichier ou dossier|no existe el (?:fichero|archivo)"
        r"|no encontrad[oa]s?)(?!\w))",
    ),
    Sign("answer of a server", "HTTP/2 404", ("http/",), r"HTTP/[\d.]+ [45]\d\d\b"),
    Sign(
        "mark of a compiler or linker",
        "./main.go:9:2: undefined: pump",
        (".go:", "undefined ", "multiple definition of"),
        r"(?:\.go:\d+:\d+: (?=\S)|(?<=_test)\.go:\d+: (?=\S)|undefined reference to "
        r"|Undefined symbols? for |undefined symbol: |multiple definition of )",
    ),
    Sign(
        "mark of a test",
        "E       assert 3 == 4",
        ("e   ",),
        r"(?<![^\n])E   (?:    )?+[^\s+\-?]",
    ),
    Sign(
        "mark of a package manager",
        "E: Package 'pump' has no installation candidate",
        ("e: package ", "e: version ", "e: the ", "e: sub-process ", "e: dpkg ", "e: you ", "err_pnpm_"),
        r"(?:(?<![^\n])E: |ERR_PNPM_)",
    ),
    Sign(
        "mark of git",
        "CONFLICT (content): Merge conflict in pump.py",
        ("conflict (", "! ["),
        r"(?:CONFLICT \(|! \[(?:remote )?rejected\])",
    ),
    Sign(
        "state of a container",
        "pump-0   0/1   CrashLoopBackOff   7",
        ("crashloopbackoff", "imagepullbackoff", "errimagepull", "oomkilled"),
        r"(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled)\b",
    ),
    Sign(
        "words of a tool",
        "No replacement was performed",
        ("no replacement was",),
        r"No replacement was",
    ),
    Sign(
        "end of a program",
        "Segmentation fault (core dumped)",
        (
            "segmentation fault",
            "core dumped",
            "panic",
            "killed",
            "aborted",
            "terminated",
            "abort trap",
            "illegal ins",
        ),
        rf"(?:(?i:segmentation fault|core dumped|{_BARE}panic(?:ked at|:)|(?:killed|terminated) by signal \d)"
        r"|(?<![^\n])(?:Killed|Aborted|Terminated|Abort trap: 6|Illegal instruction)(?![^\n]))",
    ),
    Sign(
        "mark of a build tool",
        "make: *** [all] Error 2",
        ("npm err", "*** ", "not ok", "\u2716", "\u2717", "\u2718", "\u00d7 "),
        r"(?:npm (?:ERR!|error)|\*\*\* |(?<![^\s])(?:not ok \d|[\u2716\u2717\u2718\u00d7] ))",
    ),
)
"""What makes a line an error line, beside the codes of linters, as `E999` and `F821`."""

_IN_GENERAL = (
    "handle handles handled handling catch catches catching avoid avoiding prevent prevents preventing ignore"
    " ignores ignoring log logs if when whenever case should"
)
BEFORE_NO_SIGN = (
    WordsBefore(
        "count of nothing", "12 passed, 0 failed", ("no", "0", "zero", "without", "kein", "keine", "ohne"), 1
    ),
    WordsBefore(
        "errors in general",
        "Tells what to do if an error occurs",
        tuple(_IN_GENERAL.split()),
        2,
        ("error", "exception", "failure"),
    ),
)
"""Words before a sign that make it none."""

BEHIND_NO_SIGN = (
    NoSign(
        "count of nothing",
        "Failed tests: 0",
        r"(?<=[sd])(?: \w+)?+[\"']?\s?[:=]\s?[\"']?(?:0|none|null|\[\])(?![\w.%])"
        r"|[\"']?\s?[:=]\s?(?:(?:0|none|null|nil|false)(?![\w.%]| [a-z])|\"\"|'')",
    ),
    NoSign(
        "errors in general",
        "Error handling is explained below",
        r"[ -](?:handl\w+|codes|logs?|types?|pages?|rates?|recovery|bound\w+|class\w*|report\w*|tracking"
        r"|prone|free|cases?|checking|conditions?)\b(?!\s?[:=(]| \d)"
        r"|(?<=rror|rors) (?:are|is|can|may|should|will|must) (?:be )?\w",
    ),
)
"""Words behind a word of an error which tell of none."""

NO_ERROR_LINES = (
    NoSign(
        "Python",
        "raise ValueError(name)",
        r"(?:raise|assert) [\w.]+(?:\(|\Z| from | is | ==| in )|except\b[^\n]*:(?:\s*#|\Z)"
        r"|(?:async )?(?:def|class) \w+[^\n]*[:(]|from [\w.]+ import |import [\w., ]+\Z"
        r"|(?:if|elif|while|for|with|else|try)\b[^\n]*+(?<=:)|@[a-z_]\w*|self\.\w+[(.=]",
    ),
    NoSign(
        "languages with braces",
        'throw new Error("x");',
        r"throw (?:new )?\w|\}? ?catch ?[({]|(?:const|let|var|export|import|public|private|protected|static"
        r"|fn|func|function|pub|use|package|#include) [^\n]*[{};(,=]|return [^\n]*+(?<=[;()])"
        r"|(?:if|while|for|switch) ?\([^\n]*+(?<=[{;)])"
        r"|(?![\"'\[{])(?=[^\n]*+(?<=[;{]))"
        r"(?![^\n]*(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Ff]ailed|FAILED)\b[^\"'(\n]{0,12}: )",
    ),
    NoSign(
        "call, or name that is set",
        "error = parse(line)",
        r"(?!\w*(?:Error|Exception)\()[A-Za-z_$][\w.$]*+\([^\n]*+(?<=[),;])(?<!\w[,;])"
        r"|[A-Za-z_][\w.\[\]\"']* (?:=|:=|\+=) (?:new |await |f[\"']|[\w.]+[(\[])",
    ),
    NoSign("comment", "// an error", r"//|/\*|<!--|\"\"\"|'''"),
    NoSign("heading", "## Errors", r"#{1,6} (?![^\n]*: )"),
    NoSign(
        "test that passed",
        "test pump::invalid ... ok",
        r"ok \d|[\u2713\u2714\u221a] |--- PASS|PASS\b|\S++ PASSED\b|[^\n]*+(?<= \.\.\. ok)",
    ),
)
"""Lines that are no error lines whatever stands in them, also behind the file and line of a search."""
