"""What the extension shows beside the text: comparison, inspector, colours, the status bar."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.tokenizer import oracle
from tests.vscode.e2e.check_live import expect_total, number
from tests.vscode.e2e.workbench import Prompt, Window, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Frame

COMPARED = ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"]
TEXT = "El niño juega en el jardín.\n\n漢字とかな 🙂\n"
MANY = "Los tokenizadores son la parte más subestimada de un LLM."


# The status bar.


def check_the_selection_is_counted(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_total(window)
    window.select((0, 3), (0, 7))
    eventually(lambda: number(window.status()), oracle.count("niño"))
    window.go_to(0, 0)
    expect_total(window)


def check_several_selections_are_counted_together(window: Window, prompt: Prompt) -> None:
    prompt("one two three\nfour five six\n")
    expect_total(window)
    window.select((0, 0), (0, 7), (1, 0), (1, 9))
    eventually(lambda: number(window.status()), oracle.count("one two") + oracle.count("four five"))


def check_the_budget_stands_beside_the_total(window: Window, prompt: Prompt) -> None:
    prompt(MANY)
    total = oracle.count(MANY)
    with window.settings({"promptls.budget": 2 * total}):
        eventually(lambda: "50%" in window.status(), True)
    eventually(lambda: "%" in window.status(), False)


def check_the_total_is_read_aloud_as_text(window: Window, prompt: Prompt) -> None:
    """Not as the table in Markdown that its tooltip is made of."""
    prompt(MANY)
    label = f"promptls: {oracle.count(MANY)} tokens · {oracle.DEFAULT}"
    eventually(window.status_label, label)


def check_several_prompts_are_not_added_up(window: Window, prompt: Prompt) -> None:
    """The status bar says how many tokens each has, the least and the most."""
    turns = ["Hi", "¿Qué tal? El niño juega en el jardín."]
    rows = [json.dumps({"messages": [{"role": "user", "content": turn}]}) for turn in turns]
    prompt("".join(f"{row}\n" for row in rows), ".messages.jsonl")
    least, most = map(oracle.count, turns)
    eventually(lambda: f"2 prompts of {least}–{most} tokens" in window.status(), True)


def check_a_count_that_branches_decide_is_a_range(window: Window, prompt: Prompt) -> None:
    prompt("Hi{% if formal %} there, dear customer of ours{% endif %}", ".j2")
    least, most = oracle.count("Hi"), oracle.count("Hi there, dear customer of ours")
    eventually(lambda: f"{least}–{most} tokens" in window.status(), True)


def check_the_status_bar_opens_the_menu(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    expect_total(window)
    window.click_status("tokens")
    eventually(lambda: any("Inspect Tokens" in row for row in window.picks()), True)
    window.pick("Copy Token Ids")
    expected = oracle.ids(TEXT)
    eventually(lambda: json.loads(clipboard(window)), expected)


def clipboard(window: Window) -> str:
    return str(window.api("return vscode.env.clipboard.readText()"))


# The comparison.


def compare(window: Window) -> Frame:
    window.palette("promptls: Compare Encodings")
    return window.webview("compare")


def rows(view: Frame) -> dict[str, list[str]]:
    """The cells of each row of the comparison, by encoding, in the order on the screen."""
    table = view.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )
    return {cells[0]: cells[1:] for cells in table}


def tokens(view: Frame) -> dict[str, int | None]:
    return {name: number(cells[0]) for name, cells in rows(view).items()}


def counts(text: str) -> dict[str, int]:
    return {name: oracle.count(text, name) for name in COMPARED}


def check_comparison_of_a_file_and_its_edits(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = compare(window)
    eventually(lambda: tokens(view), counts(TEXT))
    window.focus_editor()
    window.go_to(0, 0)
    window.type("¡Hola! ")
    eventually(lambda: tokens(view), counts("¡Hola! " + TEXT))


def check_comparison_of_a_selection(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = compare(window)
    window.select((0, 0), (0, 27))
    eventually(lambda: tokens(view), counts("El niño juega en el jardín."))


def check_comparison_is_sorted_by_a_header(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = compare(window)
    eventually(lambda: tokens(view), counts(TEXT))
    assert list(tokens(view).values()) == sorted(counts(TEXT).values())
    view.locator("thead button").first.focus()
    window.press("Enter")
    eventually(lambda: list(rows(view)), sorted(rows(view)))
    window.press("Enter")
    eventually(lambda: list(rows(view)), sorted(rows(view), reverse=True))


def check_comparison_is_copied_as_markdown(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = compare(window)
    eventually(lambda: tokens(view), counts(TEXT))
    window.palette("promptls: Copy Comparison as Markdown")
    row = f"| r50k_base | {oracle.count(TEXT, 'r50k_base')} |"
    eventually(lambda: row in clipboard(window), True)


# The Token Inspector.


def inspect(window: Window) -> Frame:
    window.palette("promptls: Inspect Tokens")
    return window.webview("inspector")


def ids(view: Frame) -> list[int]:
    return [int(text) for text in view.locator("main button small").all_text_contents()]


def check_inspector_shows_every_token_and_follows(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = inspect(window)
    eventually(lambda: ids(view), oracle.ids(TEXT))
    window.focus_editor()
    window.go_to(0, 0)
    window.type("¡Hola! ")
    eventually(lambda: ids(view), oracle.ids("¡Hola! " + TEXT))


def check_inspector_shows_control_tokens_and_whitespace(window: Window, prompt: Prompt) -> None:
    prompt("one  two\t<|endoftext|>\n")
    with window.settings({"promptls.specialTokens": "control"}):
        view = inspect(window)
        eventually(lambda: view.locator("main .control small").all_inner_texts(), ["199999"])
        text = "".join(view.locator("main button span").all_inner_texts())
        assert text == "one··two→<|endoftext|>⏎"


def check_inspector_and_editor_share_the_selection(window: Window, prompt: Prompt) -> None:
    prompt(TEXT)
    view = inspect(window)
    eventually(lambda: len(ids(view)), oracle.count(TEXT))
    window.focus_editor()
    window.select((0, 3), (0, 7))
    eventually(lambda: view.locator(".selected span").all_inner_texts(), ["·niño"])
    view.locator("main button").nth(0).click()
    selection = """const {start, end} = vscode.window.visibleTextEditors[0].selection;
                   return [start.line, start.character, end.line, end.character]"""
    eventually(lambda: window.api(selection), [0, 0, 0, 2])


def check_inspector_opens_at_the_top(window: Window, prompt: Prompt) -> None:
    """The first token can be seen below the title, and a token that gets the focus too."""
    prompt(LONG)
    view = inspect(window)
    eventually(lambda: ids(view)[:20], oracle.ids(LONG)[:20])
    buttons = view.locator("main button")
    assert is_below_title(view, 0)
    view.locator("main").evaluate("main => main.scrollTo(0, 700)")
    first = int(view.evaluate(FIRST_IN_VIEW))
    assert first > 0
    buttons.nth(first).focus()
    window.press(*["ArrowLeft"] * 3)
    eventually(
        lambda: view.evaluate(
            "[...document.querySelectorAll('main button')].indexOf(document.activeElement)"
        ),
        first - 3,
    )
    assert is_below_title(view, first - 3)


LONG = "".join(f"línea {i}: 漢字 y palabras 🙂\n" for i in range(120))
FIRST_IN_VIEW = """() => {
  const end = document.querySelector("h1").getBoundingClientRect().bottom;
  return [...document.querySelectorAll("main button")]
    .findIndex(button => button.getBoundingClientRect().top >= end);
}"""


def is_below_title(view: Frame, index: int) -> bool:
    """Whether the token at an index lies wholly between the title and the end of the page."""
    return bool(
        view.evaluate(
            """index => {
              const box = document.querySelectorAll("main button")[index].getBoundingClientRect();
              return box.top >= document.querySelector("h1").getBoundingClientRect().bottom - 1
                && box.bottom <= innerHeight + 1;
            }""",
            index,
        )
    )


def check_the_status_bar_goes_on_while_inspecting(window: Window, prompt: Prompt) -> None:
    """With the focus in the inspector, its document's total stays, and the menu is about it."""
    prompt(TEXT)
    view = inspect(window)
    eventually(lambda: len(ids(view)), oracle.count(TEXT))
    view.locator("main button").first.click()
    eventually(lambda: window.api("return vscode.window.activeTextEditor ?? null"), None)
    eventually(lambda: f"{oracle.count('El')} of {oracle.count(TEXT)}" in window.status(), True)
    window.palette("promptls: Copy Token Ids")
    eventually(lambda: json.loads(clipboard(window)), oracle.ids("El"))


# Colours.


def coloured(window: Window) -> int:
    """The pieces of text on the screen with a background or border of a token colour."""
    return int(
        window.editor.first.evaluate(
            """editor => [...editor.querySelectorAll('.view-overlays .cdr[class*="ced-"]')]
                 .filter(piece => getComputedStyle(piece).borderStyle === "solid").length"""
        )
    )


def check_token_colours_are_toggled(window: Window, prompt: Prompt) -> None:
    """One coloured piece for each token of a line, and none when they are off."""
    prompt(MANY)
    window.command("promptls.toggleTokenColours")
    try:
        eventually(lambda: coloured(window), oracle.count(MANY))
        window.go_to(0, len(MANY))
        window.type(" ¡Sí!")
        eventually(lambda: coloured(window), oracle.count(MANY + " ¡Sí!"))
    finally:
        window.command("promptls.toggleTokenColours")
    eventually(lambda: coloured(window), 0)
