"""Adding an item to a settings file by one insertion, checked by reading the file again."""

from __future__ import annotations

from pathlib import Path

import pytest

from promptls.settings_files import adding, settings_in

TOKEN = "<|im_end|>"


def check(folder: Path, token: str = TOKEN) -> str:
    """Add a token as an editor would; the file's new text. Other settings must not change."""
    before, _ = settings_in(folder)
    addition = adding(folder, folder, "allowedTokens", token)
    assert addition is not None
    assert addition.is_new == (not addition.path.exists())
    lines = [""] if addition.is_new else addition.path.read_text(encoding="utf-8").split("\n")
    line = lines[addition.line]
    lines[addition.line] = line[: addition.column] + addition.text + line[addition.column :]
    addition.path.write_text("\n".join(lines), encoding="utf-8", newline="")
    after, bad = settings_in(folder)
    assert not bad
    assert set(after.allowed_tokens) == {*before.allowed_tokens, token}
    assert (after.encoding, after.rules) == (before.encoding, before.rules)
    return addition.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("token", [TOKEN, "<｜end▁of▁sentence｜>", 'a"b\\c', "[INST]"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("promptls.toml", None),
        ("promptls.toml", ""),
        ("promptls.toml", '# ours\nencoding = "gpt2"\n\n[rules]\nnot-nfc = "off"\n'),
        ("promptls.toml", 'allowedTokens = []\nencoding = "gpt2"\n'),
        ("promptls.toml", 'encoding = "gpt2"\r\nallowedTokens = ["<s>"]\r\n[rules]\r\n'),
        ("promptls.toml", 'allowedTokens = [\n  # why\n  "<s>",\n]\n[rules]\nnot-nfc = "off"\n'),
        ("pyproject.toml", '[project]\nname = "x"\n\n[tool.promptls]\nencoding = "gpt2"\n'),
        ("pyproject.toml", '[tool.promptls]\nallowedTokens = ["<s>"]\n[tool.promptls.rules]\n'),
        ("pyproject.toml", '[tool.other]\nallowedTokens = []\n[tool.promptls]\nencoding = "gpt2"'),
    ],
)
def test_an_item_is_added(tmp_path: Path, name: str, text: str | None, token: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    check(tmp_path, token)
    check(tmp_path, "<|second|>")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("promptls.toml", "encoding = ["),
        ("promptls.toml", 'allowedTokens = "<s>"\n'),
        ("pyproject.toml", "tool = {promptls = {allowedTokens = []}}\n"),
    ],
)
def test_what_one_insertion_cannot_change_is_left_alone(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert adding(tmp_path, tmp_path, "allowedTokens", TOKEN) is None
