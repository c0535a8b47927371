"""What other extensions get from the server through the real `vscode` API."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from tests.tokenizer import oracle
from tests.vscode.e2e.workbench import Prompt, Window, eventually

CHAT = "<|im_start|>system\nSé breve. 🙂<|im_end|>\n<|im_start|>user\n¿Qué hora es?<|im_end|>\n"


def provide(window: Window, kind: str, *arguments: str) -> Any:
    """What `vscode.execute…Provider` answers for the active document, as JSON."""
    code = f"""const uri = vscode.window.activeTextEditor.document.uri;
               const answer = await vscode.commands.executeCommand(
                 "vscode.execute{kind}Provider", uri, {", ".join(arguments)});
               return JSON.parse(JSON.stringify(answer))"""
    return window.api(code)


def hints(window: Window, first: int, last: int) -> dict[int, int]:
    """The hints of the lines from `first` up to `last`, by the line's number from 1."""
    range_ = f"new vscode.Range({first - 1}, 0, {last}, 0)"
    found = provide(window, "InlayHint", range_)
    return {hint["position"]["line"] + 1: label_number(hint["label"]) for hint in found}


def label_number(label: str | list[dict[str, str]]) -> int:
    text = label if isinstance(label, str) else "".join(part["value"] for part in label)
    return int(re.sub(r"\D", "", text))


def check_hints_only_of_the_lines_asked_for(window: Window, prompt: Prompt) -> None:
    """Where a setting leaves them to VS Code; else the extension draws them, and answers none."""
    text = "".join(f"línea {i} con 漢字 🙂\n" for i in range(1, 2001))
    prompt(text)
    counts = oracle.line_counts(text)
    with window.settings({"editor.inlayHints.enabled": "onUnlessPressed"}):
        for first, last in ((1, 3), (1500, 1510)):
            expected = {line: counts[line] for line in range(first, last + 1)}
            eventually(partial(hints, window, first, last), expected)
    eventually(partial(hints, window, 1, 3), {})


def check_hovers_have_the_token_s_range(window: Window, prompt: Prompt) -> None:
    text = "🙂 招待状は金曜までに tokenization\n"
    prompt(text)
    pieces = oracle.ids(text)
    units = text.encode("utf-16-le")
    for at in (4, 8, 14):
        (hover,) = provide(window, "Hover", f"new vscode.Position(0, {at})")
        start, end = (2 * position["character"] for position in hover["range"])
        assert start <= 2 * at < end
        assert units[start:end].decode("utf-16-le") in [
            oracle.encoding().decode([p]) for p in pieces
        ]


def check_a_chat_s_messages_are_symbols(window: Window, prompt: Prompt) -> None:
    prompt(CHAT, ".chatml")

    def roles() -> list[str]:
        return [symbol["name"].split()[0] for symbol in provide(window, "DocumentSymbol")]

    eventually(roles, ["system", "user"])


def check_messages_have_code_lenses_with_their_tokens(window: Window, prompt: Prompt) -> None:
    prompt(CHAT, ".chatml")

    def shown() -> list[int]:
        return [
            label_number(lens["command"]["title"]) for lens in provide(window, "CodeLens", "10")
        ]

    eventually(shown, [oracle.count("Sé breve. 🙂"), oracle.count("¿Qué hora es?")])


def check_the_server_s_command_counts_ranges(window: Window, prompt: Prompt) -> None:
    prompt("one 🙂 three\nfour\n")
    counts = window.api(
        """const uri = vscode.window.activeTextEditor.document.uri.toString();
           const range = {start: {line: 0, character: 0}, end: {line: 0, character: 6}};
           return vscode.commands.executeCommand("promptls.countTokens", uri, [range])"""
    )
    assert counts["tokens"] == oracle.count("one 🙂 three\nfour\n")
    assert [each["tokens"] for each in counts["ranges"]] == [oracle.count("one 🙂")]


def check_messages_can_be_folded(window: Window, prompt: Prompt) -> None:
    prompt(CHAT.replace("<|im_end|>", "\nGracias.<|im_end|>"), ".chatml")
    eventually(lambda: len(provide(window, "FoldingRange")), 2)


def check_cells_of_a_notebook_are_counted(window: Window) -> None:
    text = "El niño juega en el jardín.\n漢字 🙂"
    code = """const cell = new vscode.NotebookCellData(
                vscode.NotebookCellKind.Code, args[0], "markdown");
              const data = new vscode.NotebookData([cell]), type = "jupyter-notebook";
              const notebook = await vscode.workspace.openNotebookDocument(type, data);
              await vscode.window.showNotebookDocument(notebook)"""
    window.api(code, text)
    cell = window.page.locator(".notebook-editor .cell .monaco-editor").first
    cell.wait_for()
    hint = cell.locator('span[class*="dyn-rule"]').filter(has_text=re.compile(r"\d"))
    counts = list(map(str, oracle.line_counts(text).values()))
    eventually(hint.all_inner_texts, counts)
