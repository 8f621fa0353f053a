"""The status of a result whose record says nothing: err where the text reports that the call failed."""

from __future__ import annotations

import pytest

from pairl.encode.history import Result
from pairl.encode.tools.exit_statuses import EXIT_FORMS, ExitForm
from pairl.encode.tools.failure_forms import FAILURE_FORMS, JSON_FAILURES, FailureForm, JsonFailure
from pairl.encode.tools.results import Reading, read_result


def read(text: str) -> Reading:
    return read_result(Result(1, text))


@pytest.mark.parametrize(
    "row", [*FAILURE_FORMS, *JSON_FAILURES, *EXIT_FORMS], ids=lambda row: str(row.example)
)
def test_each_row_of_the_tables_is_a_failure(row: FailureForm | JsonFailure | ExitForm) -> None:
    assert not read(row.example).is_ok


@pytest.mark.parametrize("form", EXIT_FORMS, ids=lambda form: str(form.name))
def test_each_form_of_an_exit_status_is_read(form: ExitForm) -> None:
    (status,) = read(form.example).exits
    assert status in form.example


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
        ("<tool_use_error>File was not read</tool_use_error>", False),
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


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Return code: 5", "5"),
        ("return code 5", "5"),
        ("(returned code 5)", "5"),
        ("returncode=5", "5"),
        ("exit code = 5", "5"),
        ("Exit code:5", "5"),
        ("**Exit code:** `5`", "5"),
        ("exit: 5", "5"),
        ("exit=5", "5"),
        ("rc=5", "5"),
        ("<exit_code>5</exit_code>", "5"),
        ("<exitcode>5</exitcode>", "5"),
        ("[Process completed with code 5]", "5"),
        ("[exited 5]", "5"),
        ("pump exited (5)", "5"),
        ("Process exited with code 5 (0x5)", "5"),
        ("Command 'pump' returned non-zero exit status 5.", "5"),
        ("killed by signal 9", "9"),
        ("pump failed with status 127", "127"),
        ("Command terminated by signal 15", "15"),
        ("pump terminated (signal 9)", "9"),
        ("Killed: 9", "9"),
        ("exit code (5)", "5"),
        ("| exit code | 5 |", "5"),
        ("the exit code was 5", "5"),
        ("finished with non-zero exit value 5", "5"),
        ("exited with error code 5", "5"),
        ("pump exited (code 5)", "5"),
        ("retcode: 5", "5"),
        ("[exit 5]", "5"),
        ('{"exit": 5}', "5"),
        ("\u7d42\u4e86\u30b3\u30fc\u30c9: 5", "5"),
        ("\u9000\u51fa\u7801\uff1a5", "5"),
        ("Beendet mit Exit-Code 5", "5"),
        ("Code de sortie\u00a0: 5", "5"),
        ("C\u00f3digo de salida: 5", "5"),
    ],
)
def test_an_exit_status_is_kept_wherever_it_stands_and_counts_in_the_last_line(
    line: str, status: str
) -> None:
    last = read(f"pumping\nquay\n{line}")
    assert last.exits == read(f"pumping\n{line}\nquay\nberth").exits == (status,)
    assert not last.is_ok
    assert read(f"pumping\nquay\n{line.replace(status, '0')}").is_ok


def test_the_head_that_a_tool_puts_over_an_output_decides() -> None:
    head = "Chunk: 4f\nWall time: 0.5 seconds\nProcess exited with code {}\nOutput:\nusage: pump\nmore\n"
    assert not read(head.format(2)).is_ok
    assert read(head.format(0)).is_ok


@pytest.mark.parametrize(
    "text", ["src=5", "$rc = 5.5", "exit: 5,000 rows", "1.0-rc: 5", "status code 404", "exited with 3.5 s"]
)
def test_other_numbers_are_no_exit_statuses(text: str) -> None:
    assert read(text).exits == ()


@pytest.mark.parametrize(
    "text",
    [
        "cc -c pump.c\nmake: *** [all] Error 2",
        "npm ERR! code 1",
        "npm error code ELIFECYCLE\nnpm error errno 1",
        "tests\n=== 1 failed, 3 passed in 0.2s ===",
        "out\nexit code 3",
        "out\nExit status: 3",
        "out\nexited with 3",
        "out\n(exit 3)",
        "HTTP 404 Not Found",
        "404 Not Found",
        '{"path": "/x", "status": 404}',
        '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601}}',
        "done\nbash: line 3: frob: command not found",
        "zsh: command not found: frob",
        "sh: 1: frob: not found",
        "'frob' is not recognized as an internal or external command,\noperable program or batch file.",
        "warning: x\nerror[E0308]: mismatched types\n --> src/pump.rs:3:5\n" + "  |\n" * 30,
        "   Compiling pump\nerror: aborting due to 2 previous errors",
        "pump.c: In function `main`:\npump.c:3:5: error: expected `;`\n" + "  3 | x\n" * 30,
        "src/pump.ts(3,5): error TS2345: no",
        "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/quay/pump.go:3",
        "--- FAIL: TestPump (0.00s)\nFAIL\nFAIL\tquay/pump\t0.01s",
        "/quay/pump.js:3\n  throw e\n  ^\n\nError: boom\n    at run (/quay/pump.js:3:5)\n\nNode.js v22.1.0",
        "To quay\n ! [rejected] main\nerror: failed to push some refs\nhint: fetch\nhint: first",
        "pump.py:3: error: bad\nFound 3 errors in 1 file (checked 2 source files)",
        "E501 pump.py\nFound 2 errors.",
        "\u2716 3 problems (1 error, 2 warnings)",
        "Tests:       1 failed, 3 passed, 4 total\nTime: 3 s",
        "Ran 3 tests in 0.1s\n\nFAILED (failures=1)",
        "3 examples, 1 failure",
        "  2 failing",
        "Request failed with status code 404",
        "Command timed out after 120s",
        "command timed out after 10000 milliseconds",
        'execution error: Io(Os { code: 2, kind: NotFound, message: "No such file or directory" })',
        'HTTP/2 404\ncontent-type: application/json\n\n{"berth": null}',
        "HTTP/1.1 503 Service Unavailable",
        "# quay/pump\n./main.go:9:2: undefined: pump",
        "./main.go:9:2: declared and not used: tide",
        (
            "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\n\nError: Cannot find module './tide'\n"
            "Require stack:\n- /quay/pump.js\n    at Module._load (node:internal:1:2)\n    at run (x:1:2) {\n"
            "  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/quay/pump.js' ]\n}\n\nNode.js v22.1.0"
        ),
        "Unable to find image 'tide:1' locally\ndocker: Error response from daemon: pull access denied.",
        "-- Configuring\nCMake Error at CMakeLists.txt:3 (find_package):\n  No tide\n" + "\nx" * 12,
        "Reading package lists...\nE: Unable to locate package tide",
        "Reading package lists...\nE: Package 'tide' has no installation candidate",
        (
            "pump.o: in function `main':\npump.c:(.text+0x15): undefined reference to `tide'\n"
            "collect2: error: ld returned 1 exit status"
        ),
        (
            "Auto-merging pump.py\nCONFLICT (content): Merge conflict in pump.py\n"
            "Automatic merge failed; fix conflicts and then commit the result."
        ),
        "To quay\n ! [rejected]        main -> main (fetch first)",
        'SET\nERROR:  relation "tides" does not exist\nLINE 1: select * from tides;\n        ^',
        'psql:tides.sql:3: ERROR:  relation "tides" does not exist',
        "Progress: resolved 1\n\u2009ERR_PNPM_NO_MATCHING_VERSION\u2009 No version of tide fits",
        "Get-Content : Cannot find path 'C:\\quay' because it does not exist.\nAt line:1 char:1\n+ x",
        "Fehler: kein Platz",
        "Collecting tide\nERROR: No matching distribution found for tide",
        "one\n[ERROR] Failed to execute goal tide\n[ERROR] -> [Help 1]",
        "permission denied: ./tide.sh",
        '  File "tide.py", line 1\n    x=\n     ^\nSyntaxError: invalid syntax',
        "one\nError: unknown flag: --tide",
        "one\nninja: build stopped: subcommand failed.",
        "Parse error: near line 1: no such table: tides",
        "usage: pump [-h]\npump: error: the following arguments are required: tide",
        "pump: invalid option -- 'y'\nTry 'pump --help' for more information.",
        "unknown flag: --tide",
        "stat tide: no such file or directory",
        "one\nTerminated",
        "one\ncp: error writing 'tide': No space left on device",
        "PHP Parse error: syntax error",
        "one\n** BUILD FAILED **",
        "ok 1 - fills\nnot ok 2 - drains\nok 3 - rests\n" + "# x\n" * 10,
        "unzip:  cannot find or open tide.zip",
        "quay/low tide.txt: No such file or directory",
        "upload failed: ./tide.csv to the quay",
        "\u2577\n\u2502 Error: Reference to undeclared resource\n\u2502\n" + "\u2502 x\n" * 12 + "\u2575",
        "cat: tide.txt: Datei oder Verzeichnis nicht gefunden",
        "eins\nbash: tide: Kommando nicht gefunden",
        "ok so far\nKilled",
        "thread 'main' panicked at src/main.rs:3:5:\nboom",
        "one\nTraceback (most recent call last):\n  File x\nKeyError: 'a'\n"
        + "fine\n" * 30
        + "Traceback (most recent call last):\n  File y\nBoom: 1",
    ],
)
def test_a_call_failed_where_the_text_reports_it(text: str) -> None:
    assert not read(text).is_ok


@pytest.mark.parametrize(
    "text",
    [
        "0 failed",
        "212 passed, 0 failed",
        "no errors found",
        "Found 0 errors",
        "Found 2 errors (2 fixed, 0 remaining).",
        "\u2716 3 problems (0 errors, 3 warnings)",
        "test result: ok. 3 passed; 0 failed; 0 ignored",
        "error_handling.py\nerrors.log",
        "ERROR=0",
        "Failed: 0",
        "failures: 0 errors: 0",
        "# Errors\n\nThe tool reports errors.",
        "src/pump.py:3:    raise ValueError('error')\nsrc/quay.py:9:except Error:",
        "class Error(Exception):\n    pass",
        "Exit code 1 means that nothing matched",
        "exit code 0",
        "HTTP/1.1 204 No Content",
        "404 rows",
        "HTTP/2 200\n\nok",
        # The Test Anything Protocol calls it so where a test may fail.
        "not ok 2 - drains # TODO later",
        "--colour: unknown options are passed on",
        "Terminated all jobs",
        '10.0.0.1 - "GET /tide HTTP/1.1" 404 12',
        "pump.go:9:2:func tide() error {",
        "0 fehlgeschlagen, 3 bestanden",
        "Fehlerbehandlung steht in Kapitel 3.",
        "The merge had a conflict (content), which was resolved.",
        "rc=0",
        "NAME: tide\nE: 3 m",
        '{"status": 200, "log": "ERROR: retried"}',
        '[{"error": "x"}]',
        "start\nERROR cannot connect, retrying\nconnected\nready\ndone",
        "start\nTraceback (most recent call last):\n  File x\nValueError: y\n" + "fine\n" * 30,
        "commit abc\n    Fix error: handle it",
        "The command failed yesterday, it says.",
    ],
)
def test_a_call_did_not_fail_because_a_text_speaks_of_errors(text: str) -> None:
    assert read(text).is_ok


def test_the_last_exit_status_of_the_call_decides_and_not_its_text() -> None:
    assert read("1 failed, 3 passed in 0.2s\n[exit code 0]").is_ok
    assert not read("[exit code 0]\nmore\n[exit code 4]").is_ok
    assert read("begin\na step exited with code 3, again\nall done").is_ok
