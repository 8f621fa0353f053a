"""What is kept of a result: what decides its status, and what becomes of its text before it is read."""

from __future__ import annotations

from pairl.encode.history import Result
from pairl.encode.tools.results import Reading, read_result


def read(text: str, is_error: bool | None = None, **details: str) -> Reading:
    return read_result(Result(1, text, is_error, details))


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


def test_the_first_line_stands_for_an_error_that_no_line_tells() -> None:
    assert read("\n  Asked for leave to write.\nMore.", is_error=True).errors == (
        "Asked for leave to write.",
    )
    assert read("", is_error=True).errors == ()


def test_the_head_over_an_output_is_not_its_first_line() -> None:
    head = "Chunk ID: 4f\nWall time: 0.5 seconds\nProcess exited with code 2\nOutput:\n"
    assert read(head + "\nusage: pump TIDE\n").errors == ("usage: pump TIDE",)
    assert read(head).errors == ("Chunk ID: 4f",)


def test_decision_9_an_error_line_loses_what_no_value_holds() -> None:
    assert read("\x1b[31mERROR\x1b[0m: a\x00b\ud83d").errors == ("ERROR: ab\ufffd",)


def test_a_carriage_return_ends_a_line() -> None:
    assert read("10 %\r20 %\rfailed to write\r\n").errors == ("failed to write",)


def test_a_letter_that_grows_in_lower_case_moves_no_line() -> None:
    assert read("\u0130\u0130\u0130 x\nerror: y\nz").errors == ("error: y",)


def test_lines_are_counted() -> None:
    assert [read(text).lines for text in ("a", "a\n", "a\nb", "a\r\nb\n")] == [1, 1, 2, 2]
