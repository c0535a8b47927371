"""Which encoding counts a file, who decides it, and how sure the number is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.cli.running import run, write
from tests.tokenizer import oracle

from promptls.reading.amounts import Amount, sum_of
from promptls.reading.encodings import EncodingUnavailable
from promptls.reading.families import family_of
from promptls.reading.models import choose
from promptls.reading.reading import read
from promptls.settings import Settings

CLAUDE, NEW_CLAUDE = "claude-3-haiku-20240307", "claude-opus-5"


@pytest.mark.parametrize(
    ("name", "text", "models"),
    [
        ("a.prompty", "---\nmodel: gpt-4\n---\nuser:\nHi", ["gpt-4"]),
        ("a.prompty", "---\nmodel:\n  id: gpt-4\n---\nuser:\nHi", ["gpt-4"]),
        (
            "a.prompty",
            "---\nmodel:\n  api: chat\n  configuration:\n    type: azure_openai\n"
            "    azure_deployment: gpt-4\n---\nuser:\nHi",
            ["gpt-4"],
        ),
        ("a.prompt", "---\nmodel: openai/gpt-4\n---\nHi", ["openai/gpt-4"]),
        ("a.prompt", "---\nmodel: gpt-4\n---\n<User>\nHi\n</User>", ["gpt-4"]),
        ("a.prompt", '<User>\nHi\n</User>\n<Request model="gpt-4" />\n', ["gpt-4"]),
        ("a.prompt.md", "---\nmodel: GPT-4 (copilot)\n---\nHi", ["GPT-4 (copilot)"]),
        ("a.agent.md", "---\nmodel: [gpt-4, gpt-3.5-turbo]\n---\nHi", ["gpt-4", "gpt-3.5-turbo"]),
        ("a.prompt.yml", "model: openai/gpt-4\nmessages:\n- role: user\n  content: Hi", None),
        ("a.json", '{"model": "gpt-4", "messages": [{"role": "user", "content": "Hi"}]}', None),
        ("a.json", '{"model": "gpt-4", "instructions": "Be kind.", "input": "Hi"}', None),
        ("a.jsonl", '{"body": {"model": "gpt-4", "input": "Hi"}}', None),
        ("a.yaml", "name: a\ntemplate: Hi\nexecution_settings:\n  x:\n    model_id: gpt-4", None),
        ("promptfooconfig.yaml", "prompts: [Hi]\nproviders: [openai:chat:gpt-4]", None),
        ("promptfooconfig.yaml", "prompts: [Hi]\nproviders:\n- id: openai:gpt-4", None),
        ("promptfooconfig.yaml", "prompts: [Hi]\nproviders:\n- openai:gpt-4: {config: {}}", None),
    ],
)
def test_a_files_own_model_decides(name: str, text: str, models: list[str] | None) -> None:
    choice = read(text, name).choice
    assert (choice.encoding.name, choice.origin, choice.exactness) == (
        *("cl100k_base", "file", "exact"),
    )
    assert models is None or choice.models == models
    for settings in (Settings(encoding="gpt2"), Settings(model="gpt-2")):
        chosen = read(text, name, settings).choice
        assert (chosen.encoding.name, chosen.origin) == ("gpt2", "settings")


@pytest.mark.parametrize(
    ("models", "encoding", "exactness", "shown"),
    [
        ((), "o200k_base", "exact", "o200k_base"),
        (("gpt-4",), "cl100k_base", "exact", "cl100k_base (gpt-4)"),
        ((CLAUDE,), "o200k_base", "about", f"o200k_base, standing in for {CLAUDE}"),
        (("nobody-7",), "o200k_base", "about", "o200k_base, standing in for nobody-7"),
        (("gpt-4o", "gpt-4o-mini"), "o200k_base", "exact", "o200k_base (gpt-4o, gpt-4o-mini)"),
        (
            ("gemini-2.5-pro", "gpt-4"),
            *("cl100k_base", "about", "cl100k_base (gpt-4), standing in for gemini-2.5-pro"),
        ),
        (
            ("gpt-4", "gpt-4o"),
            "cl100k_base",
            "about",
            "cl100k_base (gpt-4), standing in for gpt-4o",
        ),
    ],
)
def test_a_stand_in_is_named(
    models: tuple[str, ...], encoding: str, exactness: str, shown: str
) -> None:
    choice = choose(Settings(), models)
    assert (choice.encoding.name, choice.exactness, str(choice)) == (encoding, exactness, shown)


def test_a_known_model_in_the_settings_has_a_stand_in_and_an_unknown_one_is_refused() -> None:
    choice = choose(Settings(model=CLAUDE, is_commanded=True))
    assert (choice.exactness, choice.origin, choice.model) == ("about", "command", CLAUDE)
    with pytest.raises(EncodingUnavailable, match="unknown model 'gpt-4oo'"):
        choose(Settings(model="gpt-4oo"))


@pytest.mark.parametrize(
    ("model", "low"),
    [
        ("claude-3-opus-20240229", 1.06),
        ("claude-sonnet-4-20250514", 1.06),
        ("claude-sonnet-4-5-20250929", 1.06),
        ("us.anthropic.claude-3-haiku-20240307-v1:0", 1.06),
        ("Claude Sonnet 4", 1.06),
        ("claude-opus-4-6", 1.06),
        ("claude-opus-4-7", 1.17),
        ("claude-opus-4.7", 1.17),
        ("anthropic/claude-fable-5-1", 1.17),
        ("claude-2.1", None),
        ("gemini-2.5-pro", None),
        ("meta/Llama-3.3-70B-Instruct", None),
    ],
)
def test_what_is_measured_of_a_family(model: str, low: float | None) -> None:
    family = family_of(model)
    assert family
    assert (family.ratio.low if family.ratio else None) == low


def test_names_that_are_none() -> None:
    for name in ("auto", "${env:MODEL}", "{{model}}", "x" * 101):
        assert read(f"---\nmodel: {name!r}\n---\nHi", "a.prompt").choice.origin == "default"


@pytest.mark.parametrize(
    ("amount", "full", "brief"),
    [
        (Amount(1), "1 token", "1"),
        (Amount(18, low=11, high=18), "11 to 18 tokens", "11 to 18"),
        (Amount(174, "about"), "about 174 tokens", "about 174"),
        (Amount(18, "about", 11, 18), "about 11 to 18 tokens", "about 11 to 18"),
        (Amount(174, "about", 204, 360), "about 174 (204 to 360) tokens", "about 174"),
    ],
)
def test_a_number_says_how_sure_it_is(amount: Amount, full: str, brief: str) -> None:
    assert (amount.counted(), amount.brief) == (full, brief)


def test_a_sum_is_as_sure_as_its_least_sure_part() -> None:
    assert sum_of([Amount(1), Amount(2, low=1, high=2)]) == Amount(3, low=2, high=3)
    assert sum_of([Amount(1), Amount(2, "about")]) == Amount(3, "about")
    assert sum_of([Amount(2, "about", 3, 4), Amount(1)]) == Amount(3, "about", 4, 5)
    assert sum_of([Amount(2, "about", 3, 4), Amount(1, "about")]) == Amount(3, "about")
    assert sum_of([]) == Amount(0)


def test_every_row_says_it(here: Path) -> None:
    write(
        here,
        {
            "a.prompt": f"---\nmodel: {NEW_CLAUDE}\n---\n" + "word " * 100,
            "b.jsonl": '{"input": "Hi there", "model": "llama3"}\n' * 2,
        },
    )
    result = run("count", "--json", ".").json
    a, b = result["files"]
    assert result["exactness"] == a["exactness"] == b["exactness"] == "about"
    assert (a["chosen_by"], a["models"], a["encoding"]) == ("file", [NEW_CLAUDE], "o200k_base")
    assert a["tokens"] < a["low"] < a["high"]
    assert {row["exactness"] for row in (*a["messages"], *b["messages"], *b["prompts"])} == {
        "about"
    }
    assert "low" not in b
    assert f"o200k_base, standing in for {NEW_CLAUDE}" in run("count", "a.prompt").text
    assert run("count", "--encoding", "gpt2", "a.prompt").text.count("about") == 0
    assert a["wrapper"] is None, "OpenAI's wrapper is not that of another model"


def test_a_budget_for_a_model_that_is_stood_in_for(here: Path) -> None:
    body = "word " * 99 + "word"
    write(here, {"a.prompt": f"---\nmodel: {NEW_CLAUDE}\n---\n{body}", "b.txt": body})
    tokens = len(oracle.encoding("o200k_base").encode_ordinary(body))
    assert tokens == 100
    found = run("check", "--budget", "110", ".").text
    assert "a.prompt:4:" in found
    assert f"has about 100 (117 to 207) tokens (o200k_base, standing in for {NEW_CLAUDE})" in found
    assert "b.txt" not in found
    assert "more than its budget of 110" in found and "can be" not in found
    assert "which can be more than its budget of 206" in (run("check", "--budget", "206", ".").text)
    assert run("check", "--budget", "207", ".").code == 0


def test_a_range_of_branches_is_no_measured_one(here: Path) -> None:
    body = "word {% if x %}more {% endif %}words"
    write(here, {"a.prompty": f"---\nname: a\nmodel: llama3\n---\n{body}"})
    write(here, {"b.j2": body})
    assert "about 2 to 3  a.prompty" in run("count", "a.prompty").text
    assert "has 2 to 3 tokens, up to 1 over its budget of 2" in (
        run("check", "--budget", "2", "b.j2").text
    )


def test_a_tokenizer_of_ones_own_counts_for_the_model_that_it_is_named_after(here: Path) -> None:
    vocabulary = Path(__file__).parents[1] / "nothing.tiktoken"
    settings = f'encodings.{CLAUDE}.path = "{vocabulary.name}"\nencodings.{CLAUDE}.pattern = "gpt2"'
    ranks = "".join(f"{_base64(bytes([n]))} {n}\n" for n in range(256))
    write(here, {"promptls.toml": settings, vocabulary.name: ranks})
    write(here, {"a.prompt": f"---\nmodel: {CLAUDE}\n---\nHi"})
    [row] = run("count", "--json", "a.prompt").json["files"]
    assert (row["tokens"], row["exactness"], row["encoding"]) == (2, "exact", CLAUDE)


def _base64(data: bytes) -> str:
    from base64 import b64encode

    return b64encode(data).decode()


def test_a_comparison_says_whose_count_no_row_is(here: Path) -> None:
    write(here, {"a.prompt": f"---\nmodel: {CLAUDE}\n---\nHi", "b.txt": "Hi"})
    assert f"The file is for {CLAUDE}: no row" in run("compare", "a.prompt").text
    assert "The file is for" not in run("compare", "b.txt").text
    result = run("compare", "--json", "a.prompt").json
    assert (result["exactness"], result["models"]) == ("about", [CLAUDE])


def test_the_lines_of_a_number_that_is_about_are_about(here: Path) -> None:
    write(here, {"a.prompt": "---\nmodel: llama3\n---\none two\n\nthree"})
    assert run("count", "--lines", "a.prompt").text.split("\n")[3:6] == [
        "about 3  one two",
        " " * len("about 3  "),
        "about 1  three",
    ]
