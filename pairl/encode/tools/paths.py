r"""Paths in what tools were given and what they returned (§7.2).

This module knows how paths are written: on Unix, on Windows, in shells, in quotation marks, in JSON, in the
headers of differences. It does not know whether there is such a file.

| taken | |
|---|---|
| `/srv/app`, `~/x`, `./run`, `$HOME/x`, `C:\temp`, `C:/temp`, `\\host\share\x` | these have a root |
| `src/app.py`, `docs/.env`, `src/Makefile` | an extension, or a name that files have |
| `a/run` in the header of a difference | what stands there is a path |
| `/a/b.txt` of `file:///a/b.txt` | other addresses are none: `https://x.org/a.html` |
| `"/home/a b/c.txt"`, `"C:\Program Files\x"`, `/a/b\ c.txt` | spaces are quoted, or escaped |
| `/a/b` of `"\/a\/b"` | slashes may be escaped in JSON |
| `/usr/include` of `-I/usr/include` | options of one capital letter are no part of a path |
| `Pump.java` of `Pump.java:14`, `Dockerfile:5` | a bare name, if a line of it is named |

Bare names follow on the others.

    >>> paths_in('see "/home/a b/c.txt" or docs/a.md:7, not https://x.org/a.md')
    ('/home/a b/c.txt', 'docs/a.md')
"""

from __future__ import annotations

import re

from pairl.encode.carried import without_colours

_LONGEST_PATH = 256
"""What is longer is no path, but most often base64, if it has no root and no parts as paths have."""

_LONGEST_WITH_ROOT = 1_000
_LONGEST_PART = 255

_NAMES_OF_FILES = (
    "BUILD CODEOWNERS Dockerfile Gemfile Jenkinsfile Justfile LICENSE Makefile NOTICE Pipfile Podfile"
    " Procfile README Rakefile Vagrantfile WORKSPACE justfile makefile"
)
NAMES_OF_FILES = frozenset(_NAMES_OF_FILES.split())
"""Names without an extension that make a relative path one."""

_EXTENSIONS = (
    "astro bash bat bzl c cc cfg cjs clj cmake cpp cs css csv cxx dart ex exs erl fs gd go gradle graphql"
    " groovy h hcl hpp hs htm html hxx ini ipynb java jl js json jsonc jsx kt kts less lock log lua m md mdx"
    " mjs mk ml mm mts nix php pl pm proto py pyi pyx r rb rs rst sass scala scss sh sol sql svelte swift"
    " tex tf toml ts tsv tsx txt v vb vhd vue xml yaml yml zig"
)
"""Extensions of files that compilers, tests and searches name with a line."""

# While paths are looked for, a space that belongs to one is the first, an escaped space the second.
_SPACE, _ESCAPED_SPACE = "\x1a", "\x19"

_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u3099\u309a"
)
"""Marks that are put on letters and are no letters: names of files from macOS are written with them."""

_LETTERS = rf"\w.@+\-{_SPACE}{_ESCAPED_SPACE}"
_WINDOWS = r"[^\s\"'<>|*?:;,()`\0-\x19\x1b-\x1f\x7f-\x9f\ud800-\udfff]++"
_OF_WINDOWS = rf"|(?<!\w)[A-Za-z]:\\{_WINDOWS}|(?<![\w\\])\\\\[\w.\-]{{2,}}+\\{{1,2}}[\w.\-$]{{2}}{_WINDOWS}"


def _form(*, is_ascii: bool, has_backslashes: bool) -> re.Pattern[str]:
    """Return the form of paths in texts that may have no other letters than ASCII's, and no backslashes."""
    letters = _LETTERS if is_ascii else _LETTERS + _MARKS
    # Parts as `[id]`, `[[...all]]`, `(group)`, `day=1` and `a,b` are only those of a path that goes on. What
    # a comma follows on and has an extension, is a path of a list.
    part = (
        rf"(?:[{letters}~%]++(?:=[\w.@+\-%]++(?=/))?+"
        r"|\[{1,2}[\w.\-]++\]{1,2}(?=/)|\([\w.\-]++\)(?=/))"
    )
    commas = r"(?:,(?<!\.\w,)(?<!\.\w\w,)(?<!\.\w{3},)(?<!\.\w{4},)[\w+\-%]++(?=/))*+"
    return re.compile(
        rf"(?<![<~/\\{letters}])"
        rf"(?:(?:~(?:[a-z_][\w\-]*+)?+|\.{{1,2}}|\$\w++|\$\{{\w++\}}|[A-Za-z]:)?+(?:/{part}{commas})++/?+"
        rf"|[{letters}]++/(?:{part}/)*+{part})" + (_OF_WINDOWS if has_backslashes else ""),
        re.ASCII if is_ascii else re.NOFLAG,
    )


_FORMS = {
    (is_ascii, has_backslashes): _form(is_ascii=is_ascii, has_backslashes=has_backslashes)
    for is_ascii in (False, True)
    for has_backslashes in (False, True)
}
_ROOTS = ("/", "~/", "./", "../", "$", "\\\\")
_HAS_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_HAS_EXTENSION = re.compile(r"[^.]\.(?:[A-Za-z][A-Za-z0-9]{0,9}|7z)\Z")
_MEDIA_TYPE = re.compile(r"(?:application|audio|font|image|model|text|video)/(?:vnd|prs|x)[.\-]")
_ADDRESS = re.compile(r"://[^\s\"'<>`|)\]]*+")
_FILE_ADDRESS = re.compile(r"\bfile://(?:localhost)?+(?:/(?=[A-Za-z]:[\\/]))?+(?=[/A-Za-z])")
_ESCAPED = re.compile(r"\"[^\"\\\n]*+(?:\\[^\n][^\"\\\n]*+)++\"")
_WHITE_SPACE = re.compile(r"\\[nrt](?=[/~.])")
_OPTION = re.compile(r"-(?<![\w./\-]-)[A-Z](?=/\w)")
_NUMBER_BEHIND = re.compile(r":(?<=[A-Za-z]:)[0-9]")
_BARE_NAME = re.compile(
    rf"(?<![\w./\\@:%+~$\-])(?:[\w@+\-][\w.@+\-]{{0,120}}\.(?:{'|'.join(_EXTENSIONS.split())})"
    rf"|{'|'.join(_NAMES_OF_FILES.split())})\Z"
)
_MOST_OF_NAME = 130
_ENCODED = re.compile(r"(?=[A-Za-z]*+[0-9+])(?=[0-9a-z+]*+[A-Z])[A-Za-z0-9+]{48}")
_HEADER = re.compile(
    r"^(?:diff --git |(?:---|\+\+\+) (?=[abciow]/)|(?:rename|copy) (?:from|to) )[^\n]{1,600}", re.MULTILINE
)
_SIGNS_OF_HEADERS = ("diff --git ", "--- ", "+++ ", "rename ", "copy ")
_BEHIND_LATIN = re.compile(r"(\.[A-Za-z0-9]{1,8})[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+\Z")

_NAME = r"[\w.@+~%&()\[\]=,#!$\-]++(?: [\w.@+~%&(\[=#!$][\w.@+~%&()\[\]=,#!$\-]*+){0,5}+"
_QUOTED = re.compile(
    rf"[\"'`](?:(?:~|\.{{1,2}})?+(?:/{_NAME})++/?+|(?:[A-Za-z]:|\\\\{_NAME})(?:[\\/]{{1,2}}{_NAME})++)[\"'`]"
)
_IS_COMMAND = re.compile(r"[^ ]*/s?bin/|[^ ]*\.(?:sh|py|js|exe) ")


def paths_in(text: str) -> tuple[str, ...]:
    """Return the distinct paths of a text, in order, each as it stands there. Linear in the text."""
    bare = _bare_names(text)
    has_backslashes = "\\" in text
    if "/" not in text and not has_backslashes:
        return bare
    # Most lines of most texts hold no path, and many of those that do stand there again and again.
    lines = dict.fromkeys(
        [line for line in text.split("\n") if "/" in line or (has_backslashes and "\\" in line)]
    )
    text = without_colours("\n".join(lines))
    if _SPACE in text or _ESCAPED_SPACE in text:
        text = text.replace(_SPACE, " ").replace(_ESCAPED_SPACE, " ")
    form = _FORMS[text.isascii(), has_backslashes]
    named: frozenset[str] = frozenset()
    if " " in text:
        if '"' in text or "'" in text or "`" in text:
            text = _QUOTED.sub(_kept_together, text)
        text = text.replace("\\ ", _ESCAPED_SPACE)
        if any(sign in text for sign in _SIGNS_OF_HEADERS):
            named = frozenset(path for line in _HEADER.findall(text) for path in form.findall(line))
    if has_backslashes:
        text = _without_escapes(text)
    if "://" in text:
        text = _ADDRESS.sub(" ", _FILE_ADDRESS.sub(" ", text))
    words = dict.fromkeys([word for word in text.split() if "/" in word or "\\" in word])
    text_of_words = _OPTION.sub(" ", " ".join(words))
    found = dict.fromkeys([_without_end(path) for path in dict.fromkeys(form.findall(text_of_words))])
    if not text.isascii():
        found = dict.fromkeys(_BEHIND_LATIN.sub(r"\1", path) for path in found)
    paths = [path for path in found if _is_taken(path) or path in named]
    if _SPACE in text or _ESCAPED_SPACE in text:
        paths = [path.replace(_SPACE, " ").replace(_ESCAPED_SPACE, "\\ ") for path in paths]
    return tuple(dict.fromkeys([*paths, *bare]))


def _bare_names(text: str) -> tuple[str, ...]:
    """Return the distinct names of files without a folder of which a line is named, in order."""
    ends = [found.start() for found in _NUMBER_BEHIND.finditer(text)]
    if not ends:
        return ()
    words = dict.fromkeys([text[max(0, end - _MOST_OF_NAME) : end].rsplit(None, 1)[-1] for end in ends])
    names = [found[0] for found in map(_BARE_NAME.search, words) if found is not None]
    return tuple(dict.fromkeys(names))


def is_path(value: object) -> bool:
    """Say whether a value of JSON is one path and nothing else."""
    if (
        not isinstance(value, str)
        or len(value) > _LONGEST_WITH_ROOT
        or ("/" not in value and "\\" not in value)
    ):
        return False
    return paths_in(f'"{value}"' if " " in value else value) == (value,)


def _is_taken(text: str) -> bool:
    """Say whether what has the form of a path has a root, an extension, or a name that files have."""
    if len(text) > _LONGEST_PATH:
        return _is_long_path(text)
    if len(text) < 2:  # a slash alone
        return False
    if text.startswith(_ROOTS) or (text[1] == ":" and _HAS_DRIVE.match(text)):
        return True
    if _HAS_EXTENSION.search(text) is not None:
        return _MEDIA_TYPE.match(text) is None
    return text[text.rfind("/") + 1 :] in NAMES_OF_FILES


def _is_long_path(text: str) -> bool:
    """Say whether what is longer than most paths has a root, and parts that names are and no base64."""
    has_root = text.startswith(_ROOTS) or _HAS_DRIVE.match(text) is not None
    return (
        has_root
        and len(text) <= _LONGEST_WITH_ROOT
        and _ENCODED.search(text) is None
        and max(map(len, re.split(r"[/\\]", text))) <= _LONGEST_PART
    )


def _without_end(path: str) -> str:
    """Return a path without what ends a sentence, or a bracket that does not begin in it."""
    path = path.rstrip(".,:\\")
    return path.rstrip("]") if path.endswith("]") and "[" not in path else path


def _kept_together(quoted: re.Match[str]) -> str:
    """Return a quoted path with spaces as one word."""
    path = quoted[0]
    if " " not in path or len(path) > _LONGEST_PATH or _IS_COMMAND.match(path):
        return path
    ends_in_file = "/" in path[path.rfind(" ") :] or _HAS_EXTENSION.search(path[:-1])
    return path.replace(" ", _SPACE) if ends_in_file or path[1:2] not in "~./" else path


def _without_escapes(text: str) -> str:
    """Return a text with what strings of programs escape as it is meant: slashes, line ends, tabs."""
    if "\\/" in text:
        text = _ESCAPED.sub(_with_slashes, text)
    if ":\\" in text or "\\\\" in text:
        # `C:\new` has no line end in it.
        return _WHITE_SPACE.sub(" ", text)
    return text.replace("\\n", " ").replace("\\t", " ").replace("\\r", " ")


def _with_slashes(quoted: re.Match[str]) -> str:
    return quoted[0].replace("\\/", "/")
