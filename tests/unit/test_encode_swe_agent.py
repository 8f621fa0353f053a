"""Runs of SWE-agent and mini-swe-agent in three generations, read into histories.

Knows where commands stand and what answers them. All samples are made up.
"""

from __future__ import annotations

import pytest

from pairl.encode.importers.format import NotATranscript
from pairl.encode.importers.swe_agent import FORMAT
from pairl.encode.importers.swe_agent_actions import last_action, only_action
from tests.unit.outlines import calls, notices, outline

Json = dict[str, object]


def message(role: str, content: object, **more: object) -> Json:
    return {"role": role, "content": content, "agent": "main", **more}


def called(words: str, tool: str, arguments: str, call_id: str) -> Json:
    call = {"type": "function", "id": call_id, "function": {"name": tool, "arguments": arguments}}
    return message("assistant", words, thought=words, action="…", tool_calls=[call], message_type="action")


def written(words: str, action: str) -> Json:
    return message("assistant", f"{words}\n```\n{action}\n```", thought=f"{words}\n", action=f"{action}\n")


def mini(*texts: str) -> list[Json]:
    roles = ("system", "user", *["assistant", "user"] * len(texts))
    return [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]


def step(command: str, language: str = "mswea_bash_command") -> str:
    return f"THOUGHT: next.\n\n```{language}\n{command}\n```"


def test_actions_that_are_calls() -> None:
    history = FORMAT.read(
        {
            "environment": "main",
            "trajectory": [{"action": "…"}, {"action": "…"}],
            "history": [
                message("system", "You repair boats.", message_type="system_prompt"),
                message("user", "The pump fails.", message_type="observation"),
                called("Look first.", "open", '{"path": "pump.c", "line": 7}', "call_a"),
                message("tool", "7:run();\r\n(Open file: /b/pump.c)", tool_call_ids=["call_a"]),
                called("", "bash", "{broken", "call_a"),
                message("tool", [{"type": "text", "text": "ok"}], tool_call_ids=["call_a"]),
            ],
        }
    )
    assert outline(history) == [
        ("system", "You repair boats."),
        ("user", "The pump fails."),
        ("assistant", "Look first.", "1:open", "1=7:run();\r\n(Open file: /b/pump.c)"),
        ("assistant", "2:bash", "2=ok"),
    ]
    assert [call.arguments for call in calls(history)] == [{"path": "pump.c", "line": 7}, {"": "{broken"}]
    assert not history.notices


def test_actions_in_the_text_with_the_thought_apart() -> None:
    history = FORMAT.read(
        {
            "trajectory": [{}, {}, {}, {}],
            "history": [
                message("system", "Only one command."),
                message("user", "Find the leak."),
                written("First the hull.", "open hull.py 12"),
                message("user", "12:x = 1\n(Current directory: /h)"),
                message(
                    "assistant", "\n```\nedit 1:1\nx = 2\nend_of_edit\n```", thought="\n", action="edit 1:1…"
                ),
                message("user", "edited"),
                written("Run it.", "python hull.py"),
            ],
        }
    )
    assert outline(history)[2:] == [
        ("assistant", "First the hull.\n", "1:open", "1=12:x = 1\n(Current directory: /h)"),
        ("assistant", "\n```\nedit 1:1\nx = 2\nend_of_edit\n```", "2:edit", "2=edited"),
        ("assistant", "Run it.\n", "3:bash"),
    ]
    assert [call.arguments for call in calls(history)] == [
        {"arguments": "hull.py 12"},
        {"arguments": "1:1…"},
        {"command": "python hull.py"},
    ]
    assert notices(history) == {"step of the trajectory that is not in its history": (1, 0)}


def test_an_action_without_fences_and_one_without_a_command() -> None:
    history = FORMAT.read(
        {
            "history": [
                message("assistant", "ls -a", action="ls -a"),
                message("user", "."),
                message("assistant", "I do not know.", action="", thought="I do not know."),
                message("user", "Give one command."),
                message("assistant", "submit", action="submit"),
                message("assistant", None, thought="Only a thought.", action=""),
            ]
        }
    )
    assert outline(history) == [
        ("assistant", "1:bash", "1=."),
        ("assistant", "I do not know."),
        ("user", "Give one command."),
        ("assistant", "2:submit"),
        ("assistant", "Only a thought."),
    ]
    assert calls(history)[1].arguments == {}


def test_an_observation_answers_the_action_before_it_even_if_an_earlier_one_was_never_answered() -> None:
    history = FORMAT.read(
        {
            "history": [
                written("a", "ls"),
                written("b", "pwd"),
                message("user", "/h"),
                message("user", "Go on."),
            ]
        }
    )
    assert outline(history) == [
        ("assistant", "a\n", "1:bash"),
        ("assistant", "b\n", "2:bash", "2=/h"),
        ("user", "Go on."),
    ]


def test_the_exit_code_of_an_observation() -> None:
    said = "<returncode>{}</returncode>\n<output>\nx\n</output>"
    messages = mini(
        "S", "Fix.", step("make"), said.format(2), step("true", "bash"), said.format(0), step("x"), ""
    )
    for value in (messages, {"trajectory_format": "mini-swe-agent-1", "messages": messages, "info": {}}):
        assert FORMAT.recognise(value)
        assert outline(FORMAT.read(value)) == [
            ("system", "S"),
            ("user", "Fix."),
            ("assistant", "THOUGHT: next.\n\n", "1:bash", f"1={said.format(2)}![exit=2]"),
            ("assistant", "THOUGHT: next.\n\n", "2:bash", f"2={said.format(0)}.[exit=0]"),
            ("assistant", "THOUGHT: next.\n\n", "3:bash", "3="),
        ]


def test_two_commands_are_none() -> None:
    both = f"{step('ls')}\n{step('pwd')}"
    history = FORMAT.read(mini("S", "Fix.", both, "Only one command, please."))
    assert outline(history)[2:] == [("assistant", both), ("user", "Only one command, please.")]


def test_a_command_with_fences_in_it_is_found_by_the_action() -> None:
    command = "cat > a.md <<E\n```\ncode\n```\nE"
    found = last_action(f"Why.\n```\n{command}\n```\nThen.", "code")
    assert found is not None
    assert found.command == "code"
    assert last_action(f"```\n{command}\n```", "something else") is None
    assert last_action("```\nnever closed") is None
    assert last_action("```\na\n```\nand\n```python\nb\n```") is not None
    assert only_action("```python\nb\n```") is None


def test_thoughts_and_parts_that_are_no_text() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    content = [
        {"type": "text", "text": "See."},
        {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
    ]
    history = FORMAT.read(
        {
            "history": [
                {**called("Go.", "look", "{}", "k"), "thinking_blocks": [thought]},
                message("tool", content, tool_call_ids=["k"]),
                message("user", content),
                message("exit", "over"),
            ]
        }
    )
    assert outline(history) == [
        ("assistant", "(Hm.)", "Go.", "1:look", "1=See."),
        ("user", "See.", "?message without a known role"),
    ]
    assert set(notices(history)) == {
        "signature of a thought",
        "part of a message that is no text",
        "attached image",
        "item of unknown kind `message without a known role`",
    }


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "text",
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "```bash\nls\n```"}],
        {"history": [{"role": "user", "content": "a"}]},
        {"messages": [{"role": "user", "content": "a"}]},
        {"history": 3},
    ],
)
def test_what_is_not_recognised(value: object) -> None:
    assert not FORMAT.recognise(value)


@pytest.mark.parametrize("value", [None, [], [3], "text", {"history": {}}, {"messages": []}])
def test_what_holds_no_messages_is_refused(value: object) -> None:
    with pytest.raises(NotATranscript, match="no history of messages"):
        FORMAT.read(value)
