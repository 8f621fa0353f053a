"""How programs and tools report that they failed: tables of forms of lines, and of names in JSON (§7.2).

This module knows the forms, and for each the place where it tells of the program itself. It does not know
texts: what becomes of these rows is in `pairl.encode.tools.failures`.
"""

from __future__ import annotations

import msgspec

FIRST, LAST, ANY, TRACE = "the first line", "the last lines", "any line", "the lines above the last"
"""Where a report stands: first of what is not empty, in the last eight lines, anywhere, down to the last."""


class FailureForm(msgspec.Struct, frozen=True):
    """A form in which a program reports that it failed: name, example, place, and a regular expression.

    The expression is matched from the first character of the line on that is no white space.
    """

    name: str
    example: str
    place: str
    pattern: str


_REFUSALS = (
    "Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Conflict|Gone|Too Many Requests"
    "|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out"
)
_NO_NAMES = "The|This|That|It|If|When|Why|How|No|None|Nothing|Each|Some|All|Any|An?|What|Which"
_COMMAND = r"[\w./-]+ ?: +(?:(?:line )?\d+: )?"

FAILURE_FORMS = (
    FailureForm(
        "error by its name",
        "KeyError: 'port'",
        FIRST,
        r"(?:<\w*error>)?(?:Uncaught |Unhandled )?[\w.]*(?:Error|Exception)(?: \[\w+\])?(?::|\Z)",
    ),
    FailureForm(
        "word for an error",
        "error: no such table",
        FIRST,
        r"(?:<\w*error>)?(?:[\w./-]+: )?"
        r"(?:(?i:(?:php )?(?:fatal|parse|runtime|execution|rsync) error(?: near line)?"
        r"|errors?|fatal|failed|failure|fehler|erreur)(?: \w+){0,2}"
        r"(?: ?:|[.!]?\Z)"
        r"|\[?(?:ERROR|FATAL|FAILED)\b|\[(?:error|fatal)\]|(?:MCP|HTTP|API) (?i:error)\b)",
    ),
    FailureForm("tag", "<tool_use_error>File was not read", FIRST, r"<(?:tool_use_)?error>"),
    FailureForm(
        "error while something was done",
        "Error executing tool read_file",
        FIRST,
        r"(?i:an )?(?i:error)s? (?:while|when|during|occurred|in|at|from|code|\d|\(|(?:execut|runn|call|invok"
        r"|read|writ|open|load|pars|process|fetch|creat|connect|access|compil|perform)ing)",
    ),
    FailureForm(
        "what could not be done",
        "Cannot find module 'x'",
        FIRST,
        r"(?:Invalid|Cannot|Can't|Could not|Couldn't|Unable to|Failed to|(?i:permission|access) denied"
        r"|No such file|(?:File|Path|Module|Command) not found)\b|InputValidationError",
    ),
    FailureForm(
        "edit or command that was refused",
        "String to replace not found in file.",
        FIRST,
        r"No replacement was performed|String to replace not found|Ran into "
        r"|Your proposed edit has introduced ",
    ),
    FailureForm(
        "something that failed",
        "Command failed with exit code 3: npm test",
        FIRST,
        rf"(?!(?:{_NO_NAMES})\b)[A-Z][\w-]*(?: [\w-]+){{0,3}} (?:failed|timed out|refused|denied)"
        r"(?:[:.!,]|\Z| (?:with|to|after|due|because|for|on|at)\b)"
        r"|(?:upload|download|copy|move|delete) failed: "
        r"|(?i:command|process|operation|request|tool|connection) timed out(?: after\b|[.!:]?\Z)",
    ),
    FailureForm(
        "answer of a server",
        "HTTP/1.1 500 Internal Server Error",
        FIRST,
        rf"HTTP(?:/[\d.]+)?(?: (?i:error|status))?:? [45]\d\d\b|[45]\d\d (?:{_REFUSALS})\b",
    ),
    FailureForm(
        "complaint of a command",
        "ls: cannot access 'x': No such file or directory",
        FIRST,
        _COMMAND + r"(?:[^:\n]{1,80}: ){0,2}(?i:no such file or directory"
        r"|(?:invalid|illegal|unknown|unrecognized) option"
        r"|permission denied|cannot |can't open"
        r"|could not |unable to |not found\Z|keine berechtigung"
        r"|datei oder verzeichnis nicht gefunden|aucun fichier ou dossier|no existe el "
        r"|is a directory|connection refused|operation not permitted"
        r"|\(\d+\) )|[^:\n]{1,120}: (?i:no such file or directory)\Z|(?i:unknown (?:option|flag|command)\b)",
    ),
    FailureForm(
        "command that is not there",
        "bash: frobnicate: command not found",
        LAST,
        _COMMAND + r"(?:(?:[^:\n]{1,80}: )?(?:command not found|not found\Z"
        r"|(?:Kommando|Befehl) nicht gefunden)|Unknown command)"
        r"|[^\n]{1,80} is not recognized as (?:an internal|the name)|Command '[^'\n]{1,80}' not found",
    ),
    FailureForm(
        "end by the system",
        "Segmentation fault (core dumped)",
        LAST,
        r"[^\n]{0,120}(?:Segmentation fault|core dumped)|(?:Killed|Aborted)\b"
        r"|(?:Terminated|Abort trap: 6|Illegal instruction)\Z"
        r"|[^\n]{0,160}: (?:No space left on device|Read-only file system)\Z",
    ),
    FailureForm("make", "make: *** [all] Error 2", LAST, r"\S{1,80} \*\*\* "),
    FailureForm("npm", "npm ERR! code ELIFECYCLE", LAST, r"npm (?:ERR!|error)"),
    FailureForm(
        "git, cargo and others",
        "fatal: not a git repository",
        LAST,
        r"(?:fatal|error|schwerwiegend): |Error: (?=\w)|[\w./+-]{1,80}: error: "
        r"|! \[(?:remote )?rejected\]|Automatic merge failed",
    ),
    FailureForm(
        "merge that stopped", "CONFLICT (content): Merge conflict in pump.py", ANY, r"CONFLICT \([\w/ ]+\): "
    ),
    FailureForm(
        "package manager",
        "E: Unable to locate package pump",
        LAST,
        r"E: [A-Z]|ERROR: (?:No matching distribution|Could not |Failed )|\[ERROR\] Failed to execute goal "
        r"|\W{0,4}(?:ERR_PNPM_|ELIFECYCLE\b)|error (?:Command failed|An unexpected error)",
    ),
    FailureForm(
        "container",
        "docker: Error response from daemon: no such image",
        LAST,
        r"(?:docker: )?Error response from daemon|Error from server \(",
    ),
    FailureForm(
        "database",
        "psql:tides.sql:3: ERROR:  no such relation",
        LAST,
        r"(?:psql:[^\n:]{1,80}(?::\d+)?: )?(?:ERROR|FATAL):  |ERROR \d{4} \(\w{5}\)",
    ),
    FailureForm(
        "PowerShell",
        "Get-Content : Cannot find path 'C:\\x' because it does not exist.",
        LAST,
        r"[A-Z]\w+-[A-Z]\w+ ?: (?i:cannot|could not|unable|access|the term)\b",
    ),
    FailureForm(
        "tests that failed",
        "1 failed, 3 passed in 0.2s",
        LAST,
        r"[^\n]{0,200}?(?<![\w.,\-])[1-9]\d{0,8} (?:tests? )?(?:failed|failing|failures?|errors?)\b"
        r"(?:[^\n]{0,80}(?: in [\d.]+ ?m?s|(?i:passed|total|skipped|warnings?\b))|\Z)",
    ),
    FailureForm(
        "count of tests that failed",
        "test result: FAILED. 1 passed; 1 failed",
        LAST,
        r"test result: FAILED|(?:--- )?FAIL(?:ED|URES!)?(?:\s|:|\Z)|FAILED \((?:failures|errors)="
        r"|(?i:tests?|test suites?|test files|failed tests?|failed|failures|errors):? +[1-9]\d{0,8}\b(?! ?%)"
        r"|[^\n]{0,200}\bpassed[,;:|][^\n]{0,60}\b[1-9]\d{0,8} failed",
    ),
    FailureForm(
        "count of what was found",
        "Found 3 errors in 2 files",
        LAST,
        r"Found [1-9]\d{0,8} errors?\b(?! \(\d+ fixed, 0 remaining)"
        r"|[\u2716\u00d7] [1-9]\d{0,8} problems?+(?! \(0 errors)",
    ),
    FailureForm(
        "build",
        "BUILD FAILED in 3s",
        LAST,
        r"ninja: build stopped"
        r"|(?:\[\w+\] |\*\* )?(?i:(?:build|compilation|compile|task|job|deployment) (?:failed|failure))\b",
    ),
    FailureForm(
        "compiler",
        "pump.c:3:5: error: expected ';'",
        ANY,
        r"error(?:\[E\d{4}\]| TS\d+): |CMake Error\b|\u2502 Error: |(?:vet: )?[^\s:]{1,120}\.go:\d+:\d+: "
        r"|(?:[^\s:]{1,80}/)?(?:collect2|ld)(?:\.\w+)?: error: "
        r"|[^\s:][^:\n]{0,120}:\d+(?::\d+)?: (?:fatal )?error: "
        r"|[^\s(][^(\n]{0,120}\(\d+,\d+\): error TS\d+: |[^\s:]{1,120}:\d+:\d+ - error TS\d+: ",
    ),
    FailureForm(
        "panic", "panic: runtime error", ANY, r"panic: |thread '[^'\n]{1,80}'(?: \(\d+\))? panicked at"
    ),
    FailureForm("end of a Java program", 'Exception in thread "main" x.Y', ANY, r"Exception in thread \""),
    FailureForm(
        "end of a program in Ruby",
        "pump.rb:3:in `run': no tide (NoMethodError)",
        ANY,
        r"[^\s:]{1,120}\.rb:\d+:in [^\n]{1,160}\(\w*Error\)\Z",
    ),
    FailureForm("TAP", "not ok 3 - drains", ANY, r"not ok \d+\b(?![^\n]*# (?i:todo|skip))"),
    FailureForm("parser", "SyntaxError: invalid syntax", LAST, r"(?:Syntax|Indentation|Tab)Error: "),
    FailureForm(
        "trace",
        "Traceback (most recent call last):",
        TRACE,
        r"Traceback \(most recent call last\)|(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?(?:: |\Z)",
    ),
)
"""Forms of reports, each with the place where it says that the call failed."""


class JsonFailure(msgspec.Struct, frozen=True):
    """Names in an object of JSON that tell that the call failed: if what is behind one begins so."""

    names: tuple[str, ...]
    example: str
    pattern: str


JSON_FAILURES = (
    JsonFailure(
        ("error", "errors"), '{"error": "no berth"}', r"(?!null|false|\"\"|\{\s*\}|\[\s*\]|0(?![.\d]))"
    ),
    JsonFailure(("success", "ok"), '{"success": false}', "false"),
    JsonFailure(("isError", "is_error"), '{"isError": true}', "true"),
    JsonFailure(("status",), '{"status": "error"}', r"\"(?:error|fail(?:ed|ure)?)\"|[45]\d\d\Z"),
    JsonFailure(("statusCode", "status_code"), '{"statusCode": 503}', r"[45]\d\d\Z"),
)
"""What objects of JSON report. Only their own names are read, not those of objects in them."""
