"""`split`, `compare`, `encodings` and `rules`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.cli.running import run, write
from tests.tokenizer import oracle

from promptls.rules import all_rules


def test_split_shows_bytes_of_partial_characters(here: Path) -> None:
    write(here, {"a.txt": "漢字"})
    result = run("split", "--json", "--encoding", "gpt2", "a.txt").json
    tokens = [(t["text"], t["bytes"], t["start"], t["end"]) for t in result["tokens"]]
    assert result["encoding"] == "gpt2"
    assert tokens == [
        (None, "e6", 0, 1),
        (None, "bc", 0, 1),
        (None, "a2", 0, 1),
        (None, "e5ad", 1, 2),
        (None, "97", 1, 2),
    ]
    assert run("split", "--encoding", "gpt2", "a.txt").text.split("\n")[3].endswith("bytes e5ad")


def test_split_says_the_ids(here: Path) -> None:
    write(here, {"a.txt": "<|endoftext|> hola\t\\\n"})
    ids = ["--encoding", "cl100k_base", "--special-tokens", "control", "a.txt"]
    rows = run("split", "--json", *ids).json["tokens"]
    assert [row["id"] for row in rows][:3] == [100257, 305, 8083]
    lines = run("split", *ids).text.strip("\n").split("\n")
    assert lines[0] == ' 100257  0–13          "<|endoftext|>"'
    assert [line.split()[2] for line in lines[-2:]] == ['"⇥"', '"\\⏎"']


def test_compare(here: Path) -> None:
    text = "El niño juega en el jardín."
    write(here, {"a.txt": text})
    rows = run("compare", "--json", "a.txt", "--encodings", "gpt2,cl100k_base,o200k_base").json[
        "rows"
    ]
    assert [(row["encoding"], row["tokens"]) for row in rows] == [
        ("gpt2", 12),
        ("cl100k_base", 11),
        ("o200k_base", 7),
    ]
    assert rows[2] == {
        "encoding": "o200k_base",
        "tokens": oracle.count(text),
        "characters_per_token": round(27 / 7, 4),
        "bytes_per_token": round(29 / 7, 4),
        "tokens_per_word": round(7 / 6, 4),
    }
    report = run("compare", "a.txt").text.split("\n")
    assert report[0].split() == [
        "encoding",
        "tokens",
        "characters/token",
        "bytes/token",
        "tokens/word",
    ]
    assert len({len(line) for line in report if line}) == 1


@pytest.mark.parametrize("text", ["", "\n", "漢"])
def test_compare_of_next_to_nothing(here: Path, text: str) -> None:
    write(here, {"a.txt": text})
    for row in run("compare", "--json", "--encodings", "o200k_base,gpt2", "a.txt").json["rows"]:
        assert row["tokens"] == oracle.count(text, row["encoding"])


def test_the_settings_choose_what_is_compared(here: Path) -> None:
    write(here, {"a.txt": "hola", "promptls.toml": 'compareEncodings = ["gpt2", "gpt2"]'})
    assert [row["encoding"] for row in run("compare", "--json", "a.txt").json["rows"]] == ["gpt2"]


def test_encodings(here: Path) -> None:
    rows = {row["name"]: row for row in run("encodings", "--json").json["encodings"]}
    assert "o200k_base" in rows
    for name, row in rows.items():
        assert row["vocabulary_size"] == oracle.encoding(name).n_vocab
    assert "gpt-4o" in rows["o200k_base"]["models"]
    assert "gpt-oss-*" in rows["o200k_harmony"]["models"]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_encodings_are_shown_with_all_their_models(
    here: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = run("encodings").text
    assert max(map(len, shown.split("\n"))) <= max(width, 60)
    words = iter(shown.replace(",", "").split())
    for row in run("encodings", "--json").json["encodings"]:
        expected = [row["name"], str(row["vocabulary_size"]), *row["models"]]
        assert [next(words) for _ in expected] == expected
    assert next(words, None) is None


def test_rules(here: Path) -> None:
    rows = run("rules", "--json").json
    assert [row["name"] for row in rows] == [rule.name for rule in all_rules()]
    for row in rows:
        page = run("rules", row["name"]).text
        assert page.startswith(f"# {row['name']}\n\n*By default: {row['severity']}. Fix: ")
        assert row["documentation"].strip() in page and f"Since {row['since']}." in page
        assert all(f"\n- `{option}`: " in page for option in row["options"])
        assert run("rules", row["name"], "--json").json == [row]


def test_compare_several_files(here: Path) -> None:
    write(here, {"a.txt": "hola", "sub/b.txt": "नमस्ते " * 3, "sub/total": "", "bad.txt": b"\xff"})
    encodings = ["--encodings", "gpt2,o200k_base"]
    alone = [run("compare", "--json", name, *encodings).json for name in ("a.txt", "sub/b.txt")]
    both = run("compare", "--json", "a.txt", "sub", *encodings).json
    assert set(both) == {"rows", "files"}
    assert both["files"] == [{"path": "a.txt", **alone[0]}, {"path": "sub/b.txt", **alone[1]}]
    for row, *parts in zip(both["rows"], *(each["rows"] for each in alone), strict=True):
        assert row["tokens"] == sum(part["tokens"] for part in parts)
        characters = len("hola") + 3 * len("नमस्ते ")
        assert row["characters_per_token"] == round(characters / row["tokens"], 4)
    report = run("compare", "a.txt", "sub", *encodings).text.split("\n")
    assert [line.split()[-1] for line in report[:4]] == ["file", "a.txt", "sub/b.txt", "total"]
    totals = [str(row["tokens"]) for row in both["rows"]]
    assert report[3].split()[:2] == totals
    assert [line.split()[:2] for line in report[6:8]] == [
        ["gpt2", totals[0]],
        ["o200k_base", totals[1]],
    ]
    with_a_bad_one = run("compare", "--json", "a.txt", "bad.txt", *encodings)
    assert (with_a_bad_one.code, with_a_bad_one.json) == (2, alone[0])


def test_compare_takes_the_encodings_of_all_settings(here: Path) -> None:
    write(here, {"a/x.txt": "hola", "b/x.txt": "hola"})
    write(here, {"a/promptls.toml": 'compareEncodings = ["gpt2"]'})
    write(here, {"b/promptls.toml": 'compareEncodings = ["gpt2", "p50k_base"]'})
    rows = run("compare", "--json", "a", "b").json["rows"]
    assert [row["encoding"] for row in rows] == ["gpt2", "p50k_base"]
