"""Error lines: none is lost that tells what went wrong, and few are kept that do not."""

from __future__ import annotations

import pytest

from pairl.encode.history import Result
from pairl.encode.tools.error_lines import LONGEST_ERROR
from pairl.encode.tools.error_signs import (
    BEFORE_NO_SIGN,
    BEHIND_NO_SIGN,
    NO_ERROR_LINES,
    SIGNS,
    NoSign,
    Sign,
    WordsBefore,
)
from pairl.encode.tools.results import Reading, read_result


def read(text: str) -> Reading:
    return read_result(Result(1, text, is_error=False))


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: str(sign.name))
def test_each_sign_makes_an_error_line(sign: Sign) -> None:
    assert read(f"ok\n{sign.example}\nok").errors == (sign.example,)


@pytest.mark.parametrize(
    "row", [*BEFORE_NO_SIGN, *BEHIND_NO_SIGN, *NO_ERROR_LINES], ids=lambda row: str(row.example)
)
def test_each_exception_makes_none(row: NoSign | WordsBefore) -> None:
    assert read(f"ok\n{row.example}\nok").errors == ()


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


def test_of_a_long_error_line_the_beginning_is_kept() -> None:
    (line,) = read("error: " + "x" * 500).errors
    assert line == ("error: " + "x" * 500)[:LONGEST_ERROR] + "…"


@pytest.mark.parametrize(
    "line",
    [
        "HTTP 404 Not Found",
        "=== 1 failed, 3 passed in 0.2s ===",
        "0 passed, 2 failed",
        "Errors: 3, Warnings: 0",
        "Error: 0 bytes were written",
        "error: no such table",
        "error: expected `;` before `}` token {",
        "src/pump.ts(3,5): error TS2345: Type `string` is no type {",
        "src/pump.py:3: error: Name `x` is not defined  [name-defined]",
        '"error": {',
        'level=error msg="disk full"',
        "2026-01-02 03:04:05,678 ERROR [main] pump - stopped",
        "* connect to ::1 port 80 failed: Connection refused",
        "E       ValueError: no port",
        "# ERROR: no pump",
        "Error code: 401 - {'error': {'message': 'no key'}}",
        "ValueError('no port')",
        "not ok 3 - adds",
        "FAILED (failures=1, errors=0)",
        "The request failed because the server returned an error.",
        "pump_test.go:17: got 3, want 4",
        "./main.go:9:2: undefined: pump",
        "E       assert 3 == 4",
        "E   assert 3 == 4",
        "pump.c:(.text+0x15): undefined reference to `tide'",
        "CONFLICT (content): Merge conflict in pump.py",
        "! [rejected]        main -> main (fetch first)",
        "pump-0   0/1   CrashLoopBackOff   7 (2m ago)   9m",
        "HTTP/2 404",
        "< HTTP/1.1 503 Service Unavailable",
        "E: Package 'tide' has no installation candidate",
        "ERR_PNPM_NO_MATCHING_VERSION No version of tide fits",
        "Fehler: kein Platz",
        "Fehler beim Lesen von tide.txt",
        "Kompilierung fehlgeschlagen",
        "bash: tide: Kommando nicht gefunden",
        "Erreur : pas de place",
        "cat: tide.txt: Aucun fichier ou dossier de ce type",
        "terminated by signal 9",
    ],
)
def test_what_tells_of_an_error_is_kept(line: str) -> None:
    assert read(f"ok\n{line}\nok").errors == (line,)


@pytest.mark.parametrize(
    "line",
    [
        "12 passed, 0 failed",
        "Finished without errors",
        "ERROR=0",
        '"errors": [],',
        '"error": null,',
        "We handle errors in chapter 3.",
        "Error handling follows.",
        "Errors are explained in chapter 3",
        "src/pump.py:12:    raise NotFoundError(name)",
        "src/pump.py-12-    except KeyError:",
        "+    raise ValueError('x')",
        "} catch (error) {",
        'logger.error("failed to open %s", path)',
        'const error = new Error("x");',
        "import errors",
        "from errors import NotFound",
        "# Errors",
        "tests/test_pump.py::TestError::test_it PASSED [ 10%]",
        "\u2713 throws an error on invalid input",
        "ok 3 - handles an exception",
        "main.go:9:2:func tide() int {",
        "pump_test.go:17:\tt.Log(tide)",
        "NAME   READY",
        "E        +  where 3 = total()",
        "Fehlerbehandlung steht in Kapitel 3.",
        "0 fehlgeschlagen, 3 bestanden",
        "keine Fehler: alles gut",
        '"GET /tide HTTP/1.1" 404 12',
        "x is undefined here",
    ],
)
def test_what_speaks_of_errors_is_left_out(line: str) -> None:
    assert read(f"ok\n{line}\nok").errors == ()


def test_long_prose_with_an_error_in_it_is_no_error_line() -> None:
    prose = "The pump was built in 1931. " + "It has run since then, but for two days in May. " * 3
    assert read(prose + "A `ValueError` tells that no port was given.").errors == ()
    assert len(read(prose + "ERROR no port was given.").errors) == 1


def test_of_an_error_line_with_many_colours_the_mark_tells_that_it_was_cut() -> None:
    (line,) = read("error: " + "\x00" * 5_000 + "end").errors
    assert line == "error: …"
