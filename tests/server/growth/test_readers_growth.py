"""What reads a text beside the formats and rules takes time that grows as the text does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from promptls.formats import detect
from promptls.lsp.features import hover, semantic_tokens
from promptls.reading.estimates import count_filled
from promptls.reading.outline import outline
from promptls.reading.reader import Reader, difference
from promptls.reading.reading import read
from promptls.reports.diff import unified_diff
from promptls.reports.located import locate
from promptls.reports.text import frame
from promptls.rules.checking import check
from promptls.settings import Settings
from promptls.settings_files.files import settings_in
from promptls.sources import claude_imports as imports
from promptls.syntax import format_strings
from promptls.syntax.json_document import read_json
from promptls.syntax.markdown import fences, sections
from promptls.syntax.nodes import Scalar, entries
from promptls.syntax.yaml_document import read_yaml
from promptls.text import Text
from promptls.wording import visible
from subword import get_encoding

from .pumps import Many, Pump, Work, check_growth, pump, pumps_in

ENCODING = get_encoding("o200k_base")
FENCES, JSON, YAML = (
    tuple(pumps_in(Path(__file__).with_name(f"{name}.growth")))
    for name in ("fences", "json", "yaml")
)
MARKDOWN = (
    *FENCES,
    pump(Many("# a\n")),
    pump(Many("#")),
    pump("# ", Many(" #"), "x"),
    pump("# a ", Many("#"), "x"),
    pump(Many("###### a\n# b\n")),
    pump(Many("<a>\n")),
    pump(Many("<a>\n"), Many("</a>\n")),
    pump(Many("<a>\n</a>\n")),
    pump(Many("<a ")),
    pump(Many("</a")),
    pump(Many("\r")),
)
CHAT = (pump(Many("<|im_start|>user\nSay {{a}}.<|im_end|>\n")), pump(Many("a")), pump(Many("\n")))


def counts(text: str, path: str = "a.chatml") -> Any:
    return read(text, path, SETTINGS)


SETTINGS = Settings(samples={"a": "b"})


def _filled(text: str) -> object:
    prompt = read(text, "a.chatml").prompt
    return count_filled(prompt, ENCODING, SETTINGS)


def _lines(text: str) -> object:
    return read(text, "a.chatml").line_tokens


def _coloured(text: str) -> object:
    whole = Text(text)
    return list(semantic_tokens._spans(counts(text), whole, 0, len(whole)))


def _edited(text: str) -> object:
    reader = Reader("a.chatml", "", Settings())
    return reader.read(Text(text + "a"), reader.read(Text(text))).total


def _placed(text: str) -> object:
    whole = Text(text)
    offsets = list(range(len(whole)))
    return whole.positions_at(offsets, "utf-16"), whole.lines(0, whole.line_count)


def _compared(text: str) -> object:
    return unified_diff(text, text.replace("ab", "a"), "a.md"), difference(text, text + "a" + text)


def _compared_lines(text: str) -> object:
    """Patches between texts with as many different lines as the text has characters."""
    lines = [f"{number} {character}\n" for number, character in enumerate(text)]
    some = [line.replace("a", "ab") for line in lines]
    fewer = [line for line in lines if not line.endswith(" c\n")]
    more = [line.replace("a", "a\n") for line in lines]
    texts = ("".join(each) for each in (some, fewer, more, lines[::-1]))
    return [unified_diff("".join(lines), each, "a.md") for each in texts]


def _passages(text: str) -> object:
    """The place of each character of each value at the top of a YAML file."""
    values = [value for root in read_yaml(text).roots for _, value in entries(root)]
    return [value.passage for value in values if isinstance(value, Scalar)]


def _reported(text: str) -> object:
    located = locate(check(read(text, "a.md")), "a.md")
    return [list(frame(finding)) for finding in located]


READERS: dict[str, tuple[Work, tuple[Pump, ...]]] = {
    "sections": (sections, MARKDOWN),
    "fences": (lambda text: list(fences(text)), FENCES),
    "outline": (lambda text: outline(counts(text, "a.md")), MARKDOWN),
    "outline of a chat": (lambda text: outline(counts(text)), CHAT),
    "imports": (
        lambda text: list(imports.paths(text)),
        (
            *FENCES,
            pump(Many("`")),
            pump("a ", Many("`"), Many("a")),
            pump(Many("``a`")),
            pump(Many("`a``b```c")),
            pump(Many("@a")),
            pump(Many("@ ")),
            pump("@", Many("a.")),
            pump("@a", Many(".")),
            pump(Many("a ` b `` c\n")),
        ),
    ),
    "yaml": (_passages, YAML),
    "json": (read_json, JSON),
    "format strings": (
        format_strings.scan,
        (pump(Many("{")), pump(Many("{a{b}")), pump("{a", Many("{b}")), pump(Many("}"))),
    ),
    "the format": (
        lambda text: [
            detect(f"a{suffix}", text) for suffix in (".prompt", ".yaml", ".json", ".md")
        ],
        (
            pump(Many("\n"), "x"),
            pump(Many(" "), "x"),
            pump(Many("{")),
            pump('{"content"', Many('"role" ')),
            pump(Many("{{ ")),
            pump("---\n", Many("a: b\n")),
            pump("template", Many("\n"), "x"),
        ),
    ),
    "lines": (_lines, CHAT),
    "samples": (_filled, CHAT),
    "token colours": (_coloured, (*CHAT, pump(Many("a b\n")))),
    "an edit": (_edited, CHAT),
    "positions": (_placed, (pump(Many("a")), pump(Many("é\n")), pump(Many("😀\r\n")))),
    "a patch": (
        _compared,
        (pump(Many("ab\n")), pump(Many("ab\nb\n")), pump(Many("ab")), pump(Many("a\nab\nc\n"))),
    ),
    "a patch of different lines": (
        _compared_lines,
        (
            pump(Many("a")),
            pump(Many("ab")),
            pump(Many("acb")),
            pump(Many("c")),
            pump(Many("bbbac")),
        ),
    ),
    "a report": (
        _reported,
        (
            pump(Many("e\u0301\n")),
            # So many that they are said at once: a few more can be more work than many.
            pump("<|im_end|>" * 101, Many("<|im_end|>")),
            pump(Many("\u200b")),
            pump(Many("a\u200b")),
        ),
    ),
    "a hover": (hover.code, (pump(Many("`")), pump(Many("`a``")))),
    "visible text": (visible, (pump(Many("\x1b")), pump(Many("a\t")))),
    "special tokens": (
        lambda text: (
            ENCODING.encode(text, special="control"),
            ENCODING.split(text, special="control"),
            ENCODING.token_starts(text),
        ),
        (
            pump(Many("<|endoftext|>")),
            pump(Many("<|endof")),
            pump(Many("<|")),
            pump(Many("\ud83d\ude00")),
            pump(Many("\ud800")),
        ),
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_reading_is_linear(name: str) -> None:
    work, texts = READERS[name]
    for parts in texts:
        check_growth(work, parts)


SETTINGS_FILES = (
    pump(Many("a = 1\n")),
    pump('encoding = "', Many("a"), '"'),
    pump("allowedTokens = [", Many('"a", '), "]"),
    pump("budget = {", Many("a = 1, "), "b = 2}"),
    pump("[rules]\n", Many("x = 'off'\n")),
    pump("[perFileIgnores]\n", Many("'*a' = ['b']\n")),
    pump(Many("[[a]]\n")),
    pump("a = ", Many("[")),
    pump("a = '''", Many("'")),
    pump(Many("#")),
    pump(Many(" "), "x"),
)


@pytest.mark.parametrize("parts", SETTINGS_FILES, ids=repr)
def test_settings_are_read_in_linear_time(parts: Pump, tmp_path: Path) -> None:
    def read(text: str) -> object:
        (tmp_path / "promptls.toml").write_text(text, encoding="utf-8")
        return settings_in(tmp_path)

    check_growth(read, parts)
