"""A chat in a model's own markers, told by its beginning: ChatML, Harmony, Llama, Mistral, Gemma,
Phi, GLM, DeepSeek, Granite and Command R. A last turn that is open is where the model answers.

Only the beginning counts, so that the format stays what it is while the rest is typed.

Sources: the tokens are those of subword's `special_tokens.json`, where each names its source; how
turns are made of them is in llama.cpp, src/llama-chat.cpp, and for Llama 2 in meta-llama/llama,
llama/generation.py.
"""

from __future__ import annotations

import re

from ..prompt import Prompt
from ..syntax.turns import TurnMarkers, parse_turns, role_of
from . import Format, chatml, harmony

_ROLES = frozenset(
    ("system", "developer", "user", "assistant", "model", "tool", "function", "ipython", "chatbot")
)
_EOL = r"(?:\r\n|\r|\n)"


def _turns(
    family: str, marker: str, *closers: str, start: str = "", must_close: bool = True
) -> TurnMarkers:
    """The turns of a family whose opener stands at a line's start or behind a closer.

    `marker` is the opener's regular expression, with the role in it; its first token is what
    begins a turn. `start` is what can stand before the first turn.
    """
    behind = "".join(rf"|(?<={re.escape(closer)})" for closer in closers)
    opener = re.compile(rf"(?:(?<![^\r\n\ufeff]){behind})(?:{start})?{marker}")
    return TurnMarkers(family, opener, closers, must_close)


_LLAMA_3 = rf"<\|start_header_id\|>(?P<role>\w+)<\|end_header_id\|>{_EOL}{{0,2}}"
_LLAMA_4 = rf"<\|header_start\|>(?P<role>\w+)<\|header_end\|>{_EOL}{{0,2}}"
_COMMAND_R = r"<\|START_OF_TURN_TOKEN\|><\|(?P<role>SYSTEM|USER|CHATBOT)_TOKEN\|>"
_GRANITE = r"<\|start_of_role\|>(?P<role>\w+)<\|end_of_role\|>"
_ROLE_TOKEN = rf"<\|(?P<role>system|user|assistant|observation|tool)\|>{_EOL}?"

# Here an answer begins where the instruction ends, in the middle of a line.
_LLAMA_2 = re.compile(
    rf"(?P<system>(?:<s>\s?)?\[INST\]\s?<<SYS>>{_EOL}?|(?:<s>)?\[SYSTEM_PROMPT\] ?)"
    rf"|(?P<user>{_EOL}?<</SYS>>{_EOL}{{0,2}}|(?:<s>\s?)?\[INST\] ?)"
    r"|(?P<assistant> ?\[/INST\] ?)"
)
_DEEPSEEK = re.compile(
    r"(?P<system><｜begin▁of▁sentence｜>(?!<｜User｜>))"
    r"|(?P<user>(?:<｜begin▁of▁sentence｜>)?<｜User｜>)"
    r"|(?P<assistant><｜Assistant｜>)"
)

FAMILIES = (
    chatml.MARKERS,
    harmony.MARKERS,
    _turns(
        "Llama 3",
        _LLAMA_3,
        *("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>"),
        start=r"<\|begin_of_text\|>\s?",
    ),
    _turns("Llama 4", _LLAMA_4, "<|eot|>", "<|eom|>", start=r"<\|begin_of_text\|>"),
    _turns("Gemma", rf"<start_of_turn>(?P<role>\w+)(?:{_EOL}|\Z)", "<end_of_turn>", start="<bos>"),
    _turns("Gemma 4", rf"<\|turn>(?P<role>\w+)(?:{_EOL}|\Z)", "<turn|>", start="<bos>"),
    _turns("Granite", _GRANITE, "<|end_of_text|>"),
    _turns("Command R", _COMMAND_R, "<|END_OF_TURN_TOKEN|>", start="<BOS_TOKEN>"),
    # Phi-3 closers, then those of Zephyr and TinyLlama; GLM-4 has none.
    _turns(
        "Phi-3",
        _ROLE_TOKEN,
        *("<|end|>", "</s>", "<|endoftext|>"),
        start=r"<s>|\[gMASK\](?:<sop>)?",
        must_close=False,
    ),
    TurnMarkers("Llama 2", _LLAMA_2, (" </s>", "</s>", "[/SYSTEM_PROMPT]"), must_close=False),
    TurnMarkers("DeepSeek", _DEEPSEEK, ("<｜end▁of▁sentence｜>",), must_close=False),
)


_BLANK_LINES = re.compile(r"\ufeff?(?:\s{0,1000}[\r\n])?")
_LONGEST_OPENER = 256


def family_of(text: str) -> TurnMarkers | None:
    """The family in whose markers a text begins, with a role that is one."""
    blank = _BLANK_LINES.match(text)
    at = blank.end() if blank else 0
    # An opener that is still being typed is none yet: the text never seems to end within one.
    beginning = text[at : at + _LONGEST_OPENER] + "\0"
    for markers in FAMILIES:
        opener = markers.opener.match(beginning)
        if opener and role_of(opener).lower() in _ROLES:
            return markers
    return None


def parse(text: str) -> Prompt:
    return parse_turns(text, family_of(text) or chatml.MARKERS)


FORMAT = Format(
    name="raw-chat",
    parse=parse,
    patterns=("*.txt", "*.md", "*.markdown", "*.prompt"),
    language_ids=("plaintext", "markdown"),
    accepts=lambda text: family_of(text) is not None,
    precedence=4,
)
