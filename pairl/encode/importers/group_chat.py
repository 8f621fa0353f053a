"""Conversations of several speakers with names: AutoGen's of both generations, CrewAI's and ShareGPT's.

This module knows the fields in which frameworks write who speaks and what is said. It does not know who of
them is a person, unless the name or the kind of the message says so: a name alone is an assistant's.
"""

from __future__ import annotations

from pairl.encode.history import History, Role
from pairl.encode.importers.chat_messages import is_message, read_message
from pairl.encode.importers.content_parts import text_of
from pairl.encode.importers.format import Format, NotATranscript, joined
from pairl.encode.importers.history_builder import HistoryBuilder
from pairl.encode.importers.json_text import read_arguments, write_json
from pairl.encode.importers.json_values import as_flag, as_list, as_object, as_text
from pairl.encode.importers.message_content import read_content
from pairl.encode.importers.metadata import METADATA, known_fields, note_fields, note_others
from pairl.encode.importers.roles import RESULT_ROLES, role_of

NAME = "group_chat"

SPEAKERS = ("source", "speaker", "sender", "from", "author", "agent", "name")
"""Fields that name who speaks; the first that holds a text is read."""

TEXTS = ("content", "text", "message", "value", "raw", "result", "output")
"""Fields that hold what is said; the first that is there is read."""

LISTS = (
    *("message_thread", "messages", "chat_history", "conversations", "conversation", "transcript"),
    *("tasks_output", "history", "items", "log"),
)
"""Fields that hold the messages of a conversation, the best first."""

_CERTAIN = frozenset({"source", "speaker", "sender", "from", "role", "raw"})
"""Fields that only messages have; where none of them is, somebody has to speak twice."""

_PEOPLE = frozenset({"admin", "userproxy", "userproxyagent", "humanproxy"})
"""Names of agents that speak for a person, without what is neither letter nor digit."""

_ROLES_OF_KINDS: dict[str, Role] = {"SystemMessage": "system", "UserMessage": "user"}
"""Kinds of messages of AutoGen that tell a role; the others are an assistant's."""

_REPEATED = {
    "ModelClientStreamingChunkEvent": "piece of a text that follows whole",
    "UserInputRequestedEvent": "request for a person's input",
}
"""Kinds of messages of AutoGen that say nothing themselves, and what a notice calls them."""

_FIELDS = known_fields(*SPEAKERS, *TEXTS, "role", "thought", "type", "description")
_FIELDS_OF_PARTS = known_fields("call_id", "content", "is_error", "name", "arguments")
_MOST_OBJECTS = 1_000
"""In how many objects around it a list of messages is looked for."""


def _recognise(value: object) -> bool:
    """Say whether a value is or holds a list of which most messages name who speaks."""
    found = _conversations(value)
    return bool(found) and all(map(_take_turns, found))


def _read(value: object) -> History:
    """Return the conversation that a value records; raise `NotATranscript` if no list in it is one."""
    found = _conversations(value)
    if not found:
        raise NotATranscript(
            "there is no list of messages in it that name who speaks",
            f"each has one of the fields {', '.join(SPEAKERS)} and one of {', '.join(TEXTS)}",
        )
    history = HistoryBuilder(NAME)
    _note_records(history, joined(value))
    for messages in found:
        history.restart()
        _read_conversation(history, messages)
    return history.history()


def _note_records(history: HistoryBuilder, value: object) -> None:
    """Take notice of what a record holds beside the messages that are read."""
    records = value if isinstance(value, list) and not _are_named(value) else [value]
    note_others(history, records, _messages)
    for record in records:
        read = _messages(record)
        for key, field in as_object(record).items():
            if read is not None and _messages(field) is not read:
                note_fields(history, {key: field}, METADATA)


def _read_conversation(history: HistoryBuilder, messages: list[object]) -> None:
    roles = _Roles()
    for message in messages:
        form = as_object(message)
        told = role_of(form.get("role"))
        if told is not None:
            name = _name(form)
            read_message(history, message, speaker=_other_than_role(name), spoken_as=roles.of(name, told))
        elif as_text(form.get("role")).lower() in RESULT_ROLES:
            read_message(history, message)
        else:
            history.item(message)
            _read_named(history, message, roles)


class _Roles:
    """Tells the roles of speakers by their names, as far as the messages so far allow.

    What a record of AutoGen says is the view of one agent: its own messages are the assistant's, and those of
    all others a user's. Where somebody speaks for a person, all others are assistants.
    """

    def __init__(self) -> None:
        """Start where nobody has spoken."""
        self._has_person = False

    def of(self, name: str | None, told: Role) -> Role:
        """Return the role of who has this name, and by the record the role `told`."""
        is_person = "".join(filter(str.isalnum, (name or "").lower())) in _PEOPLE
        known = "user" if is_person else role_of(name)
        if told == "system" or (known is None and not self._has_person):
            return told
        self._has_person = self._has_person or known == "user"
        return known or "assistant"


def _conversations(value: object) -> list[list[object]]:
    """Return the messages of a value: itself, or those in the objects or lists that it mostly consists of."""
    value = joined(value)
    if not isinstance(value, list) or _are_named(value):
        value = [value]
    elif sum(map(is_message, value)) * 2 > len(value):
        return []
    found = [messages for item in value if (messages := _messages(item)) is not None]
    return found if len(found) * 2 > len(value) else []


def _messages(value: object) -> list[object] | None:
    """Return the messages of a list, or of the best list in the objects that an object consists of."""
    if isinstance(value, list):
        return value if _are_named(value) else None
    waiting = [as_object(value)]
    found: list[tuple[int, int, list[object]]] = []
    for form in waiting:
        for place, key in enumerate(LISTS):
            if key in form and _are_named(form[key]):
                found.append((place, len(found), as_list(form[key])))
        if len(waiting) < _MOST_OBJECTS:
            waiting.extend(inner for inner in form.values() if isinstance(inner, dict))
    return min(found)[2] if found else None


def _are_named(value: object) -> bool:
    spoken = [form for form in map(as_object, as_list(value)) if not _is_of_no_speaker(form)]
    return bool(spoken) and sum(map(_is_named, spoken)) * 2 > len(spoken)


def _take_turns(messages: list[object]) -> bool:
    """Say whether a list is of messages, and not of things that have a name and a content, as files do."""
    forms = [form for form in map(as_object, messages) if _is_named(form)]
    if any(_CERTAIN.intersection(form) for form in forms):
        return True
    return len({_name(form) for form in forms}) < len(forms)


def _is_of_no_speaker(form: dict[str, object]) -> bool:
    role = as_text(form.get("role")).lower()
    return role in RESULT_ROLES or role_of(role) == "system" or form.get("type") == "SystemMessage"


def _is_named(form: dict[str, object]) -> bool:
    if form.keys().isdisjoint(SPEAKERS):
        return False
    return bool(_name(form)) and not form.keys().isdisjoint((*TEXTS, "tool_calls"))


def _name(form: dict[str, object]) -> str | None:
    return next((name for key in SPEAKERS if (name := as_text(form.get(key)).strip())), None)


def _other_than_role(name: str | None) -> str | None:
    return name if role_of(name) is None else None


def _read_named(history: HistoryBuilder, message: object, roles: _Roles) -> None:
    form = as_object(message)
    name, kind = _name(form), as_text(form.get("type"))
    if not form:
        history.leave_out("message that is no object", size=len(write_json(message)))
        return
    if kind in _REPEATED:
        history.notice(_REPEATED[kind], size=len(write_json(message)))
        return
    content = next((form[key] for key in TEXTS if form.get(key) is not None), None)
    if (name or "").lower() in RESULT_ROLES:
        history.result("", text_of(content, history))
        return
    if isinstance(form.get("raw"), str) and isinstance(form.get("description"), str):
        history.turn("user")
        history.say(text_of(form["description"]))
    results = [item for item in map(as_object, as_list(content)) if "call_id" in item]
    if not results or len(results) < len(as_list(content)):
        told = _ROLES_OF_KINDS.get(kind, "assistant")
        speaker = None if name == "function_call" else _other_than_role(name)
        history.turn(roles.of(name, told), speaker=speaker)
        history.think(text_of(form.get("thought")))
    if kind == "ThoughtEvent":
        history.think(text_of(content))
    elif (name or "").lower() == "function_call":
        _read_part(history, read_arguments(content))
    else:
        for part in content if isinstance(content, list) else [content]:
            _read_part(history, part)
    note_fields(history, form, _FIELDS)


def _read_part(history: HistoryBuilder, part: object) -> None:
    form = as_object(part)
    if "call_id" in form:
        note_fields(history, form, _FIELDS_OF_PARTS)
        is_error = as_flag(form.get("is_error"))
        history.result(text_of(form["call_id"]), text_of(form.get("content"), history), is_error=is_error)
    elif as_text(form.get("name")) and "arguments" in form:
        note_fields(history, form, _FIELDS_OF_PARTS)
        history.call(as_text(form["name"]), read_arguments(form["arguments"]), text_of(form.get("id")))
    elif isinstance(form.get("data"), str) and "text" not in form:
        history.leave_out("image", size=len(as_text(form["data"])))
    else:
        read_content(history, [part])


FORMAT = Format(
    NAME,
    "messages that name who speaks (`name`, `source`, `speaker`, `from`): AutoGen, CrewAI, ShareGPT, others",
    _recognise,
    _read,
)
