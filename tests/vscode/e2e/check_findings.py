"""Hovers, problems and their fixes, as one meets them in the window."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import tomllib
from tests.tokenizer import oracle
from tests.vscode.e2e.workbench import Prompt, Window, eventually

TRAILING = "trailing-space-in-prompt"
SPECIAL = "special-token"
SPACE = "unusual-space"
FAULTY = "Be brief. 🙂 <|endoftext|> Then say hello: "


def rules(window: Window) -> list[str]:
    return [each["rule"] for each in window.diagnostics()]


def check_hover_shows_the_token_under_the_cursor(window: Window, prompt: Prompt) -> None:
    """Its id and its text are tiktoken's, also behind characters of two UTF-16 units."""
    text = "🙂 日本 tokenization\n"
    prompt(text)
    tokens = oracle.ids(text)
    spans = oracle.encoding().decode_with_offsets(tokens)[1]
    at = text.index("token")
    token = tokens[max(i for i, start in enumerate(spans) if start <= at)]
    window.go_to(0, len(text[: at + 1].encode("utf-16-le")) // 2)
    eventually(lambda: str(token) in window.hover(), True)


def check_hover_shows_the_bytes_of_a_partial_character(window: Window, prompt: Prompt) -> None:
    prompt("𒀀\n")
    first = oracle.ids("𒀀\n")[0]
    window.go_to(0, 0)
    shown = (str(first), oracle.encoding().decode_single_token_bytes(first).hex(" "))
    eventually(lambda: all(part in window.hover().lower() for part in shown), True)


def check_problems_have_exact_places(window: Window, prompt: Prompt) -> None:
    """Columns are UTF-16 units: the emoji before the control token counts as two."""
    prompt(FAULTY)
    eventually(lambda: rules(window), [SPECIAL, TRAILING])
    special, trailing = window.diagnostics()
    start = FAULTY.index("<|") + 1
    assert special["range"] == [0, start, 0, start + len("<|endoftext|>")]
    assert trailing["range"][3] == len(FAULTY) + 1
    assert {special["source"], trailing["source"]} == {"promptls"}


def check_problems_stand_in_the_panel(window: Window, prompt: Prompt) -> None:
    prompt("Say hello: ")
    eventually(lambda: rules(window), [TRAILING])
    window.command("workbench.actions.view.problems")
    rows = window.page.locator(".markers-panel .monaco-list-row")
    eventually(lambda: any(TRAILING in row for row in rows.all_inner_texts()), True)
    window.command("workbench.action.closePanel")


def check_a_quick_fix_from_the_keyboard(window: Window, prompt: Prompt) -> None:
    prompt("Say hello: \t ")
    eventually(lambda: rules(window), [TRAILING])
    window.go_to(0, 11)
    window.quick_fix("")
    eventually(window.text, "Say hello:")
    eventually(lambda: rules(window), [])


def check_fix_all_at_once(window: Window, prompt: Prompt) -> None:
    """Only what is safe, and a second time there is nothing left to do."""
    prompt("Say\u00a0hello <|endoftext|> now\n")
    eventually(lambda: sorted(rules(window)), [SPECIAL, SPACE])
    window.palette("promptls: Fix All")
    eventually(lambda: rules(window), [SPECIAL])
    fixed = "Say hello <|endoftext|> now\n"
    assert window.text() == fixed
    window.command("promptls.fixAll")
    assert window.text() == fixed


def check_fixing_on_save(window: Window, prompt: Prompt) -> None:
    path = prompt("hello\u00a0you")
    window.type("Say ")
    eventually(window.text, "Say hello\u00a0you")
    eventually(lambda: rules(window), [SPACE])
    with window.settings({"editor.codeActionsOnSave": {"source.fixAll.promptls": "explicit"}}):
        window.press("Control+S")
        eventually(path.read_text, "Say hello you")


def check_a_rule_is_switched_off_for_the_workspace(window: Window, prompt: Prompt) -> None:
    prompt("Say hello: ")
    eventually(lambda: rules(window), [TRAILING])
    with window.settings({"promptls.rules": {TRAILING: "off"}}):
        eventually(lambda: rules(window), [])
    eventually(lambda: rules(window), [TRAILING])


SETTINGS_BEFORE = {"a new file": None, "a file with settings": 'encoding = "o200k_base"\n'}


@pytest.mark.parametrize("name", SETTINGS_BEFORE)
def check_a_control_token_is_allowed_in_the_settings(
    name: str, window: Window, workspace: Path
) -> None:
    """The fix writes the settings file; with that the finding goes away by itself."""
    # VS Code keeps a file that an extension has changed for minutes, so each has its own.
    folder, before = workspace / f"{name} {time.time_ns()}", SETTINGS_BEFORE[name]
    folder.mkdir()
    settings = (workspace if before is None else folder) / "promptls.toml"
    if before is not None:
        settings.write_text(before)
    path = folder / "prompt.txt"
    path.write_text("Explain what <|im_end|> does. 🙂\n")
    try:
        window.open(path)
        eventually(lambda: "<|im_end|>" in messages(window), True)
        window.go_to(0, 15)
        window.quick_fix("Allow <|im_end|>")
        eventually(lambda: messages(window), "")
        eventually(lambda: tomllib.loads(settings.read_text())["allowedTokens"], ["<|im_end|>"])
        assert (before or "") in settings.read_text()
        assert window.toasts() == []
    finally:
        settings.unlink(missing_ok=True)


def messages(window: Window) -> str:
    return "\n".join(each["message"] for each in window.diagnostics())
