"""What is kept of a result: its status, exit statuses, error lines and paths."""

from __future__ import annotations

import pytest

from pairl.encode.history import Result
from pairl.encode.tools.results import LONGEST_ERROR, Reading, is_path, paths_in, read_result


def read(text: str, is_error: bool | None = None, **details: str) -> Reading:
    return read_result(Result(1, text, is_error, details))


@pytest.mark.parametrize(
    ("text", "is_ok"),
    [
        ("", True),
        ("3 files changed", True),
        ("<returncode>0</returncode>\n<output>x</output>", True),
        ("<returncode>2</returncode>", False),
        ("all fine\n[The command completed with exit code 0.]", True),
        ("boom\n[Command finished with exit code 17]", False),
        ("Exit code 1\nmake: stopped", False),
        ('{"output": "x", "exit_code": 3}', False),
        ("Error: no such table", False),
        ("KeyError: 'port'", False),
        ("<tool_use_error>File was not read</tool_use_error>", True),
        ("<tool_use_error>Error: was not read</tool_use_error>", False),
        ("started\nTraceback (most recent call last):\n  File x", False),
        ("bash: frobnicate: command not found", False),
        ("cat: /etc/nothing: No such file or directory", False),
        ("fatal: not a git repository", False),
        ("The handbook says: exit code 1 means that nothing matched.", True),
        ("12 passed, 0 failed", True),
        ("Errors are explained in chapter 3", True),
        ("Error handling follows.", True),
        ("Errors: 0", True),
        ("Failed tests: 0", True),
        ("Failed tests: 3", False),
        ("Error", False),
        ("ls: cannot access jetty: No such file", False),
        ("/bin/sh: 1: frobnicate: not found", False),
        ("No replacement was performed, old_str `a` did not appear verbatim in /b.py.", False),
        ("String to replace not found in file.", False),
        ("Segmentation fault (core dumped)", False),
        ("exit status 2", False),
        ("the worker exited with code 3", False),
        ("the worker exited with code 0", True),
        ('{"error": "no berth"}', False),
        ('{"error": null, "berths": [1]}', True),
        ('{"error": ""}', True),
        ('{"success": false, "message": "full"}', False),
        ('{"isError": true}', False),
        ('{"status": "error"}', False),
        ("def fail():\n    raise ValueError(1)", True),
    ],
)
def test_a_status_that_no_record_gives_is_taken_from_known_forms(text: str, is_ok: bool) -> None:
    assert read(text).is_ok is is_ok


def test_what_the_record_says_of_success_counts() -> None:
    assert read("Error: no such table", is_error=False).is_ok
    assert not read("fine", is_error=True).is_ok
    assert not read("fine", exit="1").is_ok
    assert read("fine", exit="0").is_ok


def test_each_exit_status_is_kept_once() -> None:
    text = (
        "[Command finished with exit code 0]\n[The command completed with exit code 0.]\nexited with code -9"
    )
    assert read(text).exits == ("0", "-9")
    assert read("12\tprint('exit code 3')").exits == ()


def test_error_lines_are_kept_in_order_and_once() -> None:
    text = (
        "ERROR: disk full\nok\nERROR: disk full\n  - E999 unexpected indent\nOSError: [Errno 28]\nx: denied"
    )
    assert read(text).errors == (
        "ERROR: disk full",
        "- E999 unexpected indent",
        "OSError: [Errno 28]",
        "x: denied",
    )


@pytest.mark.parametrize(
    "line",
    [
        "    12→    raise ValueError('x')",
        "7\treturn error",
        "88:  except OSError:",
        "lib.es2022.error.d.ts",
        "see /docs/error/index.md",
        "the terror of it",
        "sha 4E928a11",
    ],
)
def test_source_lines_and_names_are_no_errors(line: str) -> None:
    assert read(line).errors == ()


def test_the_first_line_stands_for_an_error_that_no_line_tells() -> None:
    assert read("\n  Asked for leave to write.\nMore.", is_error=True).errors == (
        "Asked for leave to write.",
    )
    assert read("", is_error=True).errors == ()


def test_decision_9_an_error_line_loses_what_no_value_holds() -> None:
    assert read("\x1b[31mERROR\x1b[0m: a\x00b\ud83d").errors == ("ERROR: ab\ufffd",)


def test_of_a_long_error_line_the_beginning_is_kept() -> None:
    (line,) = read("error: " + "x" * 500).errors
    assert line == ("error: " + "x" * 500)[:LONGEST_ERROR]


def test_a_carriage_return_ends_a_line() -> None:
    assert read("10 %\r20 %\rfailed to write\r\n").errors == ("failed to write",)


def test_a_letter_that_grows_in_lower_case_moves_no_line() -> None:
    assert read("\u0130\u0130\u0130 x\nerror: y\nz").errors == ("error: y",)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("open /src/app.py, then ~/x or ./y and ../z.", ("/src/app.py", "~/x", "./y", "../z")),
        ("src/app.py:12 and docs/a.b.md", ("src/app.py", "docs/a.b.md")),
        ("C:\\temp\\log.txt and D:\\x\\", ("C:\\temp\\log.txt", "D:\\x")),
        ("C:\\temp\\log\ud800.txt D:\\x\x1b[0m", ("C:\\temp\\log", "D:\\x")),
        ("n/a, km/h, CI/CD, 1/2, and/or, America/Lima", ()),
        ("https://example.org/a/b.html", ()),
        ("<b>bold</b>", ()),
        ("@types/node", ()),
        ("'/a/b' \"/c\" (/d/e)", ("/a/b", "/c", "/d/e")),
        ("/a/b\n/a/b\n/a/b/c", ("/a/b", "/a/b/c")),
        ("data:image/jpeg;base64,/9j/" + "4AAQ" * 200, ()),
    ],
)
def test_paths(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    "path",
    [
        "/srv/quay/[id]/page.tsx",
        "app/[[...all]]/page.tsx",
        "app/(harbour)/layout.ts",
        "/data/day=2026-01-02/part-0.parquet",
        "C:/quay/berth.py",
        "$HOME/.quayrc",
        "${HOME}/berth.py",
        "/quay/%20berth.txt",
        "/quay/.berth.swp~",
        "/home/rene\u0301/berth.py",
    ],
)
def test_a_path_is_never_told_in_pieces(path: str) -> None:
    assert paths_in(f"{path}:12: moved ({path}), \x1b[32m{path}\x1b[0m, [{path}]") == (path,)


def test_what_is_set_to_a_path_is_no_part_of_it() -> None:
    assert paths_in("--log=/quay/log.txt PATH=/usr/bin:/bin src/berth.py=93") == (
        "/quay/log.txt",
        "/usr/bin",
        "/bin",
        "src/berth.py",
    )


def test_a_value_is_a_path_or_is_not() -> None:
    assert is_path("/src/app.py")
    assert not any(map(is_path, ["/src/app.py ", "cat /src/app.py", "", "a/b", 7, None]))


def test_lines_are_counted() -> None:
    assert [read(text).lines for text in ("a", "a\n", "a\nb", "a\r\nb\n")] == [1, 1, 2, 2]
