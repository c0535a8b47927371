"""How sure a number is, and of which prompt it is, wherever the editor shows one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.lsp.expected import count
from tests.lsp.wire import EVERYTHING, Wire, span
from tests.server.reading.test_many_conditions import TWICE

MODEL = "claude-opus-5"
BODY = "Hola, señor.\n\nAdiós"
PROMPT = f"---\nmodel: {MODEL}\n---\n{BODY}"
TALKS = '{"messages": [{"role": "user", "content": "%s"}]}\n'


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        shown = {"budget": 100, "rules": {"over-budget": "warning"}}
        sums = {"hints": {"mode": "cumulative"}}
        wire.settings = lambda uri: sums if "/sums/" in uri else shown
        wire.start("vscode", initializationOptions={"statusNotifications": True})
        yield wire


def test_a_model_that_is_stood_in_for_is_about_everywhere(wire: Wire) -> None:
    uri = "file:///workspace/about/a.prompt"
    wire.open(uri, PROMPT)
    total = count(BODY)
    shown = wire.status(uri)
    assert (shown["tokens"], shown["exactness"], shown["exact"]) == (total, "about", False)
    assert (shown["models"], shown["chosen_by"]) == ([MODEL], "file")
    assert shown["tokens"] < shown["low"] < shown["high"]
    first, last = wire.ask_of(uri, "inlayHint", range=EVERYTHING)
    assert first["label"] == f"about {count('Hola, señor.' + chr(10) * 2)}"
    assert last["label"] == f"about {count('Adiós')}"
    tooltip = wire.request("inlayHint/resolve", first)["tooltip"]
    assert f"about {total} (" in tooltip
    assert f"(o200k_base, standing in for {MODEL})" in tooltip
    hover = wire.ask_of(uri, "hover", position={"line": 3, "character": 0})
    assert f"`o200k_base, standing in for {MODEL}`" in hover["contents"]["value"]
    lens, *_ = wire.ask_of(uri, "codeLens")
    assert lens["command"]["title"].startswith(f"user: about {total} (")
    symbol, *_ = wire.ask_of(uri, "documentSymbol")
    assert symbol["detail"].startswith(f"about {total} (")
    counted = wire.command("countTokens", uri, [span((3, 0), (3, 4))])
    assert (counted["exactness"], counted["exact"]) == ("about", False)
    assert {row["exactness"] for row in (*counted["messages"], *counted["ranges"])} == {"about"}
    compared = wire.command("compareEncodings", uri)
    assert (compared["exactness"], compared["models"]) == ("about", [MODEL])


def test_another_model_in_the_header_counts_anew(wire: Wire) -> None:
    uri = "file:///workspace/anew/a.prompt"
    wire.open(uri, PROMPT)
    assert wire.status(uri)["exactness"] == "about"
    place = span((1, 7), (1, 7 + len(MODEL)))
    wire.change(uri, 2, {"range": place, "text": "gpt-4"})
    shown = wire.status(uri, 2)
    expected = count(BODY, "cl100k_base")
    assert expected != count(BODY)
    assert (shown["tokens"], shown["exactness"], shown["encoding"]) == (
        *(expected, "exact", "cl100k_base"),
    )
    assert wire.command("setEncoding", uri, "gpt2")["encoding"] == "gpt2"
    counted = wire.command("countTokens", uri)
    assert (counted["encoding"], counted["chosen_by"]) == ("gpt2", "command")
    assert wire.command("setEncoding", uri, MODEL)["encoding"] == "o200k_base"
    counted = wire.command("countTokens", uri)
    assert (counted["exactness"], counted["chosen_by"]) == ("about", "command")
    assert counted["models"] == [MODEL]


def test_a_turn_that_waits_for_the_model_is_shown_as_no_message(wire: Wire) -> None:
    uri = "file:///workspace/waiting/a.chatml"
    wire.open(uri, "<|im_start|>user\nHola amigos<|im_end|>\n<|im_start|>assistant\n")
    [lens] = wire.ask_of(uri, "codeLens")
    assert lens["command"]["title"] == f"user: {count('Hola amigos')} tokens"
    assert [symbol["name"] for symbol in wire.ask_of(uri, "documentSymbol")] == ["user"]
    assert [row["role"] for row in wire.command("countTokens", uri)["messages"]] == ["user"]


def test_each_prompt_of_a_file_is_shown_and_has_the_budget(wire: Wire) -> None:
    uri = "file:///workspace/several/a.jsonl"
    short, long = "uno dos", "palabra " * 150
    wire.open(uri, TALKS % short + TALKS % long + TALKS % short)
    shown = wire.status(uri)
    least, most = count(short), count(long)
    assert shown["prompts"] == {
        "count": 3,
        "least": {"tokens": least, "exactness": "exact"},
        "most": {"tokens": most, "exactness": "exact"},
    }
    assert (shown["tokens"], shown["budget"]) == (2 * least + most, 100)
    titles = [lens["command"]["title"] for lens in wire.ask_of(uri, "codeLens")]
    assert [title for title in titles if title.startswith("line")] == [
        f"line {n}: {count} tokens" for n, count in ((1, least), (2, most), (3, least))
    ]
    symbols = wire.ask_of(uri, "documentSymbol")
    assert [symbol["name"] for symbol in symbols] == ["line 1", "line 2", "line 3"]
    assert [child["name"] for child in symbols[1]["children"]] == ["user"]
    report = wire.ask_of(uri, "diagnostic")
    [finding] = [each for each in report["items"] if each["code"] == "over-budget"]
    assert finding["message"].startswith(f"The prompt line 2 has {most} tokens")
    assert finding["range"]["start"]["line"] == 1
    _, _, last = wire.ask_of(uri, "inlayHint", range=EVERYTHING)
    tooltip = wire.request("inlayHint/resolve", last)["tooltip"]
    assert f"{least} up to its end in line 3, {2 * least + most} in all" in tooltip
    rows = wire.command("countTokens", uri)["prompts"]
    assert [row["label"] for row in rows] == ["line 1", "line 2", "line 3"]
    assert [row["tokens"] for row in rows] == [least, most, least]


def test_sums_of_lines_begin_anew_with_each_prompt(wire: Wire) -> None:
    uri = "file:///workspace/sums/prompts.txt"
    wire.open(uri, "uno\ndos\n---\ntres\ncuatro\n---\ncinco")
    labels = [hint["label"] for hint in wire.ask_of(uri, "inlayHint", range=EVERYTHING)]
    later = wire.ask_of(uri, "inlayHint", range=span((4, 0), (7, 0)))
    lines = [["uno\n", "dos"], ["tres\n", "cuatro"], ["cinco"]]
    expected = [
        f"{count(''.join(prompt[: n + 1])) - count(''.join(prompt[:n]))}"
        f" · {count(''.join(prompt[: n + 1]))}"
        for prompt in lines
        for n in range(len(prompt))
    ]
    assert labels == expected
    assert [hint["label"] for hint in later] == expected[3:]


def test_bounds_of_branches_are_about_everywhere(wire: Wire) -> None:
    uri = "file:///workspace/bounds/a.j2"
    wire.open(uri, TWICE)
    shown = wire.status(uri)
    assert (shown["exactness"], shown["exact"], shown["bounded"]) == ("about", False, True)
    assert shown["low"] < shown["high"] == shown["tokens"]
    hint, *_ = wire.ask_of(uri, "inlayHint", range=EVERYTHING)
    tooltip = wire.request("inlayHint/resolve", hint)["tooltip"]
    assert f"about {shown['low']} to {shown['high']} in all" in tooltip
    assert "more combinations than can be listed" in tooltip
    compared = wire.command("compareEncodings", uri)
    assert all(row["bounded"] for row in compared["rows"])
