"""Paths in texts: taken whole as they stand there, and nothing else that has a slash."""

from __future__ import annotations

import pytest

from pairl.encode.tools.paths import is_path, paths_in


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


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("at quay.Pump.start(Pump.java:14)\nat quay.Main.main(Main.java:3)", ("Pump.java", "Main.java")),
        ("main.c:3:5: warning: unused", ("main.c",)),
        ("x.java:3: warning", ("x.java",)),
        ("Dockerfile:5\nMakefile:7: recipe failed", ("Dockerfile", "Makefile")),
        ("    pump_test.go:17: got 3, want 4", ("pump_test.go",)),
        ("/quay/main.c:3 main.c:4", ("/quay/main.c", "main.c")),
        ("src/main.c:3 C:\\quay\\main.c:4", ("src/main.c", "C:\\quay\\main.c")),
        ("12:30:05 localhost:8080 quay.org:443 tide.v1:2 at:3 0.5:1", ()),
        ("https://quay.org/a.md:3 ssh://quay.rs:22", ()),
        ("main.c: 3 of main.c", ()),
    ],
)
def test_a_bare_name_is_a_path_where_a_line_of_it_is_named(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("cc -I/usr/include/quay -L/usr/lib -Isrc/quay.h", ("/usr/include/quay", "/usr/lib", "-Isrc/quay.h")),
        ("-n/-u -L/-l -m/no", ()),
        ("/srv/quay-a/b /srv/-a/b", ("/srv/quay-a/b", "/srv/-a/b")),
        ("/srv/a,b/c.txt", ("/srv/a,b/c.txt",)),
        (
            "/srv/a.py,b/c.py /srv/x,/srv/y src/a.py,src/b.py",
            ("/srv/a.py", "b/c.py", "/srv/x", "/srv/y", "src/a.py", "src/b.py"),
        ),
        ("~root/x.txt and ~mara/x.py, not ~5/10 or ~km/h", ("~root/x.txt", "~mara/x.py")),
        ("Pump.cs(14,9): error [C:\\quay\\Pump.csproj]", ("C:\\quay\\Pump.csproj",)),
    ],
)
def test_what_stands_around_a_path_and_in_it(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


def test_a_long_path_has_a_root_and_parts_as_names_are() -> None:
    long = "/srv/" + "/".join(["low-tide"] * 60) + "/a.txt"
    assert paths_in(f"see {long}:3") == (long,)
    assert is_path(long)
    assert paths_in("/var/" + "/".join(["3f9a" * 16] * 5)) != ()
    assert paths_in("/srv/" + "x" * 300) == paths_in(long[1:]) == paths_in(long * 3) == ()
    assert paths_in("/9j/" + ("4AAQSkZJRgABAQEASABIAAD" * 4 + "/") * 5) == ()


def test_a_value_is_a_path_or_is_not() -> None:
    assert is_path("/src/app.py")
    assert not any(map(is_path, ["/src/app.py ", "cat /src/app.py", "", "a/b", 7, None]))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('open "/home/pump house/log 1.txt" now', ("/home/pump house/log 1.txt",)),
        ("at '/opt/My Tools/bin' and `~/My Notes/a.md`", ("/opt/My Tools/bin", "~/My Notes/a.md")),
        ('File "/quay/berth log/x.py", line 3', ("/quay/berth log/x.py",)),
        ('"C:\\Program Files\\quay\\b.txt"', ("C:\\Program Files\\quay\\b.txt",)),
        ('{"f": "C:\\\\Program Files\\\\b.txt"}', ("C:\\\\Program Files\\\\b.txt",)),
        ("cat /quay/berth\\ log/x.txt | wc", ("/quay/berth\\ log/x.txt",)),
        ("\\\\harbour\\quay$\\b.txt is gone", ("\\\\harbour\\quay$\\b.txt",)),
    ],
)
def test_a_path_with_spaces_is_quoted_or_escapes_them(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('"/bin/cat berth.py"', ("/bin/cat",)),
        ('"/quay/run.sh berth.py"', ("/quay/run.sh",)),
        ('"/quay and /berth"', ("/quay", "/berth")),
        ("'/quay' and '/berth'", ("/quay", "/berth")),
        ('"/api/berths returns 200"', ("/api/berths",)),
        ("C:\\quay\\ x", ("C:\\quay",)),
    ],
)
def test_what_is_quoted_may_be_more_than_a_path(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("--- a/src/run\n+++ b/src/run", ("a/src/run", "b/src/run")),
        ("diff --git a/run b/run", ("a/run", "b/run")),
        ("rename from quay/berth\nrename to quay/jetty", ("quay/berth", "quay/jetty")),
        ("--- and/or\n- a/b", ()),
    ],
)
def test_the_header_of_a_difference_names_files(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('{"f": "\\/quay\\/a.txt"}', ("/quay/a.txt",)),
        ('{"u": "https:\\/\\/x.org\\/a.txt"}', ()),
        ('"one\\n/quay/a\\tsrc/b.py\\nend"', ("/quay/a", "src/b.py")),
        ("C:\\new\\tide.txt", ("C:\\new\\tide.txt",)),
        ("s/\\/quay\\/a/x/", ()),
    ],
)
def test_escapes_in_strings_are_no_part_of_a_path(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("[tides](docs/tides.md)", ("docs/tides.md",)),
        ("src/Makefile, docs/.env and quay/LICENSE", ("src/Makefile", "docs/.env", "quay/LICENSE")),
        ("file:///quay/a.txt file:///C:/quay/b", ("/quay/a.txt", "C:/quay/b")),
        ("/gr\u00fc\u00dfe/ma\u00df.txt", ("/gr\u00fc\u00dfe/ma\u00df.txt",)),
        ("/\u6e2f/\u6f6e\u6c50.csv\u3092\u958b\u304f", ("/\u6e2f/\u6f6e\u6c50.csv",)),
        ("docs/rene\u0301.md /\u30cf\u3099/a", ("docs/rene\u0301.md", "/\u30cf\u3099/a")),
        ("src/app/[id]/page.tsx:12:5: moved", ("src/app/[id]/page.tsx",)),
    ],
)
def test_more_forms_of_paths(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize(
    "text",
    [
        "12/05/2026",
        "http://localhost:8080/api/berths.json",
        "text/html; application/vnd.oasis.opendocument.text",
        "/^[0-9]+$/",
        "</div> <br/>",
        "// a comment /* and one */",
        "9/10 of 1/2",
    ],
)
def test_much_that_has_a_slash_is_no_path(text: str) -> None:
    assert paths_in(text) == ()


@pytest.mark.parametrize("value", ["/quay/berth log/x.txt", "C:\\Program Files\\quay", "~/My Notes/"])
def test_a_value_with_spaces_may_be_a_path(value: str) -> None:
    assert is_path(value)
    assert not is_path(f"cat {value}")
    assert not is_path(value.replace(" ", "  "))
