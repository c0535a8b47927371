"""`promptls count`: the contract of its JSON, and its numbers against tiktoken's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.server.cli.running import run, run_process, write
from tests.tokenizer import oracle

from promptls.cli import parallel

TEXTS = {
    "es.txt": "Los tokenizadores son la parte más subestimada de un LLM.",
    "ja.txt": "漢字とかな。\r\n次の行\n",
    "hi.txt": "नमस्ते 👩‍🚀\n\n\nक्या हाल है?",
    "empty.txt": "",
    "blank.txt": "a\n\nb",
    "special.txt": "<|endoftext|> hola",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base", "gpt2"])
def test_the_tokens_are_tiktokens(here: Path, name: str, encoding: str) -> None:
    text = TEXTS[name]
    write(here, {name: text})
    result = run("count", "--json", "--lines", "--encoding", encoding, name)
    assert result.code == 0
    [row] = result.json["files"]
    expected = oracle.count(text, encoding)
    by_line = oracle.line_counts(text, encoding)
    assert row == {
        "path": name,
        "format": "plain",
        "encoding": encoding,
        "chosen_by": "command",
        "models": [],
        "tokens": expected,
        "exactness": "exact",
        "raw_tokens": expected,
        "characters": len(text),
        "bytes": len(text.encode()),
        "lines": len(row["line_tokens"]),
        "wrapper": None,
        "markers": None,
        "filled": None,
        "imports": None,
        "messages": [
            {"role": None, "tokens": expected, "exactness": "exact", "start": 0, "end": len(text)}
        ],
        "prompts": [],
        "placeholders": 0,
        "uncounted": [],
        "line_tokens": [by_line.get(n + 1, 0) for n in range(len(row["line_tokens"]))],
    }
    assert result.json["total"] == expected == sum(row["line_tokens"])


def test_known_values(here: Path) -> None:
    write(here, TEXTS)
    rows = run("count", "--json", "es.txt", "blank.txt").json
    assert [row["tokens"] for row in rows["files"]] == [15, 3]
    assert rows["total"] == 18
    control = run("count", "--json", "--model", "gpt-4", "--special-tokens=control", "special.txt")
    assert control.json["total"] == 3


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["es.txt", "ja.txt"], ["es.txt", "ja.txt"]),
        (["ja.txt", "es.txt", "ja.txt", "./es.txt"], ["ja.txt", "es.txt"]),
        (["."], sorted(TEXTS)),
        (["es.txt", "."], ["es.txt", *sorted(set(TEXTS) - {"es.txt"})]),
    ],
)
def test_each_file_counts_once_and_in_order(
    here: Path, arguments: list[str], names: list[str]
) -> None:
    write(here, TEXTS)
    rows = run("count", "--json", *arguments).json
    assert [row["path"] for row in rows["files"]] == names
    assert rows["total"] == sum(oracle.count(TEXTS[name]) for name in names)


def test_standard_input(here: Path) -> None:
    write(here, {"sub/promptls.toml": 'encoding = "gpt2"'})
    text = TEXTS["ja.txt"]
    [row] = run("count", "--json", "-", stdin=text.encode()).json["files"]
    assert (row["path"], row["encoding"]) == ("-", "o200k_base")
    name = "sub/unsaved.txt"
    [row] = run("count", "--json", "-", "--stdin-filename", name, stdin=text.encode()).json["files"]
    assert (row["path"], row["encoding"]) == (name, "gpt2")
    assert row["tokens"] == oracle.count(text, "gpt2")


def test_the_report_for_people(here: Path) -> None:
    write(here, {"a.txt": "hola\n\nadiós", "b.txt": "x"})
    assert run("count", "a.txt", "b.txt").text == (
        "     4  a.txt  plain · o200k_base\n     1  b.txt  plain · o200k_base\n     5  total\n"
    )
    assert run("count", "--lines", "a.txt").text == (
        "     2  hola\n        \n     2  adiós\n     4  a.txt  plain · o200k_base\n"
    )


def test_the_report_says_what_is_not_counted(here: Path) -> None:
    call = '{"role": "assistant", "content": null, "tool_calls": [{}]}'
    write(
        here,
        {
            "a.messages.json": f'{{"messages": [{call}], "tools": [{{}}, {{}}]}}',
            "b.j2": "{% include 'a' %}{% for d in ds %}{{ d }}{% endfor %}Hola",
        },
    )
    assert run("count", ".").text == (
        "     0  a.messages.json  openai-messages · o200k_base · + about 4 per message"
        " · 2 tools and 1 tool call not counted\n"
        "     1  b.j2  jinja · o200k_base · + 1 placeholder · 1 loop counted per item"
        " · 1 partial not counted\n"
        "     1  total\n"
    )
    [row, _] = run("count", "--json", ".").json["files"]
    assert [message["role"] for message in row["messages"]] == ["assistant"]
    assert row["uncounted"] == [{"what": "tool", "count": 2}, {"what": "tool call", "count": 1}]


def test_every_core_counts_the_same(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"{n}.txt": f"{TEXTS['hi.txt']} {n}\n" * (n % 7) for n in range(250)}
    write(here, {**texts, "bad.txt": b"caf\xe9"})
    count = partial(run, "count", "--json", "--lines", ".")
    alone = count()
    monkeypatch.setattr(parallel, "_cores", lambda: 3)
    monkeypatch.setattr(parallel, "_WORTH_FORKING", 0)
    monkeypatch.setattr(parallel, "_WORTH_SPAWNING", 0)
    monkeypatch.setattr(parallel, "_BATCH_FILES", 7)
    together = count()
    assert alone == together
    assert len(alone.json["files"]) == 250
    assert alone.json["total"] == sum(map(oracle.count, texts.values()))


def test_a_long_way_through_processes(here: Path) -> None:
    """Enough text that a real command starts its workers."""
    text = (TEXTS["hi.txt"] + TEXTS["es.txt"] + "\n") * 4000
    names = [f"{n}.txt" for n in range(8)]
    write(here, dict.fromkeys(names, text))
    result = run_process("count", "--json", *names)
    assert result.code == 0
    assert result.json["total"] == 8 * oracle.count(text)


CONFIGURATION = """\
prompts:
  - Hola {{x}}
  - file://prompts/*.txt
  - {id: file://chat.json, label: chat}
  - file://made.py
  - file://lost.txt
providers: [openai:gpt-4]
"""


def test_the_files_that_a_promptfoo_configuration_names_are_prompts(here: Path) -> None:
    chat = '[{"role": "system", "content": "Sé amable."}, {"role": "user", "content": "{{x}}"}]'
    texts = {"prompts/a.txt": "uno dos\n---\ntres", "prompts/b.txt": "cuatro", "chat.json": chat}
    write(here, {"promptfooconfig.yaml": CONFIGURATION, "made.py": "print()", **texts})
    [row] = run("count", "--json", "promptfooconfig.yaml").json["files"]
    expected = {
        "prompts/a.txt, prompt 1": "uno dos",
        "prompts/a.txt, prompt 2": "tres",
        "prompts/b.txt": "cuatro",
        "chat": "Sé amable.",
    }
    assert {each["label"]: each["tokens"] for each in row["prompts"]} == {
        label: oracle.count(text, "cl100k_base") for label, text in expected.items()
    }
    assert [each["file"] for each in row["prompts"]][2:] == ["prompts/b.txt", "chat.json"]
    assert row["tokens"] == oracle.count("Hola ", "cl100k_base")
    assert row["uncounted"] == [{"what": "prompt file", "count": 2}]
    named = [CONFIGURATION[each["start"] : each["end"]] for each in row["prompts"]]
    assert named == ["file://prompts/*.txt"] * 3 + ["{id: file://chat.json, label: chat}"]
    report = run("count", "promptfooconfig.yaml").text
    assert "4 prompts in 3 files · + 1 placeholder · 2 prompt files not counted" in report
    assert "prompts/b.txt" in report


def test_a_turn_that_waits_for_the_model_is_no_message(here: Path) -> None:
    said = "".join(f"<|im_start|>{role}\nHi<|im_end|>\n" for role in ("system", "user"))
    write(here, {"a.chatml": f"{said}<|im_start|>assistant\n"})
    write(here, {"b.chatml": f"{said}<|im_start|>assistant\nSo"})
    a, b = run("count", "--json", ".").json["files"]
    assert [row["role"] for row in a["messages"]] == ["system", "user"]
    assert [row["tokens"] for row in b["messages"]] == [1, 1, 1]
    assert "· 2 messages ·" in run("count", "a.chatml").text


def test_loops_around_messages_count_per_item(here: Path) -> None:
    inner = '{{#each b}}{{role "user"}}{{#each c}}x{{/each}}{{role "model"}}y{{/each}}'
    write(here, {"a.prompt": f"---\nmodel: gpt-4o\n---\n{{{{#each a}}}}{inner}{{{{/each}}}}"})
    assert run("count", "--json", "a.prompt").json["files"][0]["loops"] == 3
    assert "3 loops counted per item" in run("count", "a.prompt").text
