"""Chat messages in JSON and YAML: the requests of the vendors' interfaces, and lists of messages.

Understood are, by the types of their own libraries:
- OpenAI's chat completions, completions and responses, and lines of its batches and fine-tuning
  (openai-python, `types/chat/completion_create_params.py`, `types/responses/` with
  `response_input_param.py` and `response_create_params.py`): `messages`, `prompt`, `input` with
  `instructions`;
- Anthropic's `system` beside `messages`, and a line of its batches under `params`
  (anthropic-sdk-python, `types/message_create_params.py`, `types/messages/batch_create_params.py`);
- Gemini's `contents` with their `parts` and `systemInstruction`, and a line of its batches under
  `request` (python-genai, `google/genai/types.py`: Content, Part, GenerateContentConfig).

How images, files, tools and tool calls become tokens is not documented, so they count nothing;
`uncounted` says what there is of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from subword.encodings import UnknownModelError, encoding_name_for_model

from ..passages import Passage, PassageBuilder, joined
from ..prompt import Problem
from .conversations import Conversation, Turn
from .models import as_list, named_models
from .nodes import Mapping, Node, Scalar, Sequence, entries, get, items, string, text_scalar

_WRAPPERS = ("body", "request", "params")
_SYSTEM = ("system", "instructions", "systemInstruction", "system_instruction")
_LISTS = ("messages", "contents", "input", "prompt", "completion")
_PLACES = ("role", "type", *_SYSTEM, *_LISTS)
_TOOLS = ("tools", "functions")
_DECLARATIONS = ("functionDeclarations", "function_declarations")
_SCHEMAS = (
    ("response_format", "json_schema"),
    ("text", "format", "schema"),
    ("jsonSchema",),
    ("generationConfig", "responseSchema"),
    ("generationConfig", "responseJsonSchema"),
    ("config", "response_schema"),
    ("output_format", "schema"),
)
# The types of messages and of their parts which are not, or not only, a text.
_KINDS = {
    "function_call": "tool call",
    "tool_use": "tool call",
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "input_audio": "audio clip",
    "document": "file",
    "file": "file",
    "input_file": "file",
}
_TEXT_PARTS = ("text", "input_text", "output_text", "tool_result")
# Gemini's parts have no type; what they hold is named by its key.
_GEMINI_PARTS = {
    "inlineData": "file",
    "inline_data": "file",
    "fileData": "file",
    "file_data": "file",
    "functionCall": "tool call",
    "function_call": "tool call",
    "functionResponse": "tool result",
    "function_response": "tool result",
    "executableCode": "part",
    "codeExecutionResult": "part",
}
_KNOWN_ROLES = frozenset(
    ("system", "user", "assistant", "developer", "tool", "function", "model", "ipython")
)
# Items of OpenAI's responses that name no role.
_ROLES = {"function_call": "assistant", "function_call_output": "tool"}


def conversations(node: Node | None) -> list[Conversation]:
    """The conversations of a value: one, or those of a list of requests or of lists."""
    if isinstance(node, Sequence) and node.items and all(map(_is_conversation, node.items)):
        return [each for item in node.items for each in conversations(item)]
    if node is None:
        return []
    return [
        Conversation(
            node.start, node.end, list(turns(node)), "", tuple(uncounted(node)), models(node)
        )
    ]


def is_bare(node: Node | None) -> bool:
    """Whether a value is a single message of a conversation that others go on with."""
    return string(get(node, "role")) is not None and _request(node) is node


def holds_messages(node: Node | None) -> bool:
    """Whether a value has the shape of messages, or of a request that has some."""
    if isinstance(node, Sequence):
        return any(_is_message(item) or _is_conversation(item) for item in node.items[:10])
    request = _request(node)
    return _is_message(request) or _is_conversation(request)


def turns(node: Node | None) -> Iterator[Turn]:
    """The messages of a value, in the order of the file."""
    request = _request(node)
    found = chain(_texts(request), *map(_turn, _messages(request)))
    yield from sorted(found, key=lambda turn: turn.passage.start)


def uncounted(node: Node | None) -> Iterator[str]:
    """What a value gives the model beside the texts of its messages, one noun for each."""
    request = _request(node)
    yield from definitions(request)
    if string(get(request, "prompt", "id")):
        yield "stored prompt"
    for message in _messages(request):
        yield from _uncounted_in(message)


def definitions(node: Node | None) -> Iterator[str]:
    """The tools and the response's schema among the parameters of a request."""
    for tool in chain(*(items(get(node, key)) for key in _TOOLS)):
        declared = next(filter(None, (items(get(tool, key)) for key in _DECLARATIONS)), [])
        yield from ["tool"] * (len(declared) or 1)
    if any(get(node, *keys) for keys in _SCHEMAS):
        yield "response schema"


def models(node: Node | None, *path: str) -> tuple[str, ...]:
    """The model that a value names at its `model`, or at another path; none if it is no name."""
    return named_models(string(get(_request(node), *(path or ("model",)))))


def is_continued(node: Node | None) -> bool:
    """Whether the model goes on with a last assistant message; OpenAI's models answer anew."""
    model = string(get(_request(node), "model"))
    try:
        return not (model and encoding_name_for_model(model))
    except UnknownModelError:
        return True


def no_messages(node: Node | None) -> Iterator[Problem]:
    """That a value, if it holds anything, has no place for messages."""
    request = _request(node)
    places = request.items if isinstance(request, Sequence) else [request]
    is_empty = isinstance(request, Mapping) and not request.entries
    if node and node.start < node.end and places and not (is_empty or any(map(_has_place, places))):
        what = "no messages were found here: they are an array, or stand in `messages` or `input`"
        yield Problem(node.start, node.start + 1, what, "empty")


def _has_place(node: Node | None) -> bool:
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, Sequence):
            left += node.items
        elif any(get(_request(node), key) for key in _PLACES):
            return True
    return False


def _is_conversation(node: Node | None) -> bool:
    """Whether a value has messages of its own: a request, or a list of messages."""
    if isinstance(node, Sequence):
        return bool(node.items) and all(map(_is_message, node.items))
    request = _request(node)
    if not isinstance(request, Mapping) or get(request, "role") is not None:
        return False
    if any(_is_message(item) for key in _LISTS for item in items(get(request, key))):
        return True
    if any(_gemini_text(item) for item in as_list(get(request, "contents"))):
        return True
    instructs = any(get(request, key) is not None for key in ("instructions", "model"))
    return instructs and any(text_scalar(get(request, key)) for key in ("input", "prompt"))


def _is_message(node: Node | None) -> bool:
    if string(get(node, "role")) in _KNOWN_ROLES:
        return any(get(node, key) is not None for key in ("content", "parts", "tool_calls"))
    return string(get(node, "type")) in _ROLES


def _request(node: Node | None) -> Node | None:
    """What a line of a batch sends; everything else is what it is."""
    if get(node, "role") is not None:
        return node
    inner = (get(node, key) for key in _WRAPPERS)
    request = next((each for each in inner if isinstance(each, Mapping)), node)
    # A pair of answers to choose from (OpenAI's preference tuning) has the request as its input.
    within = get(request, "input")
    return within if get(within, "messages") is not None else request


def _messages(node: Node | None) -> list[Node]:
    if isinstance(node, Sequence):
        return node.items
    if node is None or get(node, "role") is not None:
        return [node] if node else []
    return [item for key in _LISTS for item in items(get(node, key))]


def _texts(node: Node | None) -> Iterator[Turn]:
    """The messages that a request gives as texts, beside its list of messages."""
    if get(node, "role") is not None:
        return
    for key in _SYSTEM:
        passage = _content(get(node, key)) or _parts(get(node, key))
        if passage:
            yield Turn("system", passage)
    config = get(node, "config")
    for key in _SYSTEM[2:]:
        if passage := _content(get(config, key)) or _parts(get(config, key)):
            yield Turn("system", passage)
    for key in ("input", "prompt", "contents"):
        value = get(node, key)
        if passage := _text(value) or (_parts(value) if isinstance(value, Mapping) else None):
            yield Turn("user", passage)


def _turn(node: Node) -> Iterator[Turn]:
    """A message; one that holds only what isn't counted has no text."""
    if scalar := text_scalar(node):
        # Gemini takes texts among its contents, and OpenAI several prompts at a time.
        yield Turn("user", scalar.passage)
        return
    passage = _content(get(node, "content")) or _text(get(node, "output")) or _parts(node)
    if passage is None and any(_uncounted_in(node)):
        passage = PassageBuilder("").passage(node.start, node.end)
    if passage:
        role = string(get(node, "role")) or _ROLES.get(string(get(node, "type")) or "")
        role = role or ("user" if get(node, "parts") else None)
        parts = items(get(node, "content")) or items(get(node, "parts"))
        goes_on = bool(parts) and _part(parts[-1]) is None
        yield Turn(role, passage, string(get(node, "name")), goes_on)


def _uncounted_in(message: Node) -> Iterator[str]:
    """What a message holds beside its text."""
    yield from ["tool call"] * len(items(get(message, "tool_calls")))
    if entries(get(message, "function_call")):
        yield "tool call"
    if noun := _KINDS.get(string(get(message, "type")) or ""):
        yield noun
    for part in items(get(message, "content")):
        for each in (part, *items(get(part, "content"))):
            kind = string(get(each, "type"))
            if kind and kind not in _TEXT_PARTS:
                yield _KINDS.get(kind, "part")
    for part in items(get(message, "parts")):
        yield from (noun for key, noun in _GEMINI_PARTS.items() if get(part, key) is not None)


def _content(node: Node | None) -> Passage | None:
    if isinstance(node, Sequence):
        return _joined(map(_part, node.items))
    return _text(node)


def _part(node: Node) -> Passage | None:
    if isinstance(node, Scalar):
        return _text(node)
    if string(get(node, "type")) == "tool_result":
        result = get(node, "content")
        return _text(result) or _joined(_text(get(part, "text")) for part in items(result))
    return _text(get(node, "text"))


def _parts(node: Node | None) -> Passage | None:
    """The text of one of Gemini's contents; of a part alone, its own."""
    parts = get(node, "parts")
    if parts is None:
        return _text(get(node, "text")) if get(node, "type") is None else None
    return _text(parts) or _joined(map(_part, as_list(parts)))


def _gemini_text(node: Node) -> bool:
    return text_scalar(node) is not None or get(node, "parts") is not None


def _joined(passages: Iterable[Passage | None]) -> Passage | None:
    parts = [passage for passage in passages if passage]
    return joined(parts) if parts else None


def _text(node: Node | None) -> Passage | None:
    scalar = text_scalar(node)
    return scalar.passage if scalar else None
