"""`train`, `explain` and `study`, and the encodings that settings take from files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tests.server.cli.running import check_refused, on_a_terminal, run, run_process, write

from subword import get_encoding
from subword.cli.study import MEASURES
from subword.cli.train import TRAINERS
from subword.load import load_encoding
from subword.models.bpe import BPE

TEXTS: dict[str, str | bytes] = {
    "corpus/en.txt": "All human beings are born free and equal in dignity and rights. " * 20,
    "corpus/es.txt": "Todos los seres humanos nacen libres e iguales en dignidad y derechos. " * 20,
    "corpus/hi.txt": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। " * 20,
}


@pytest.fixture
def corpus(here: Path) -> Path:
    write(here, TEXTS)
    return here


SIZES = {"word-bpe": ["--merges", "500"], "patches": []}


@pytest.mark.parametrize("algorithm", TRAINERS)
def test_every_algorithm_trains(algorithm: str, corpus: Path) -> None:
    size = SIZES.get(algorithm, ["--vocab-size", "500"])
    result = run("train", algorithm, "corpus", "-o", "m.json", *size, "--json")
    assert result.code == 0, result.err
    report = result.json
    assert report == json.loads((corpus / "m.report.json").read_text("utf-8"))
    assert report["algorithm"] == algorithm
    assert report["files"] == 3
    assert report["corpus_bytes"] == sum(len(str(text).encode()) for text in TEXTS.values())
    assert report["bytes_per_token"] > 0
    tokens = (corpus / "m.vocab.txt").read_text("utf-8").split("\n")[:-1]
    assert len(tokens) == report["vocabulary_size"]
    if algorithm != "patches":
        assert load_encoding("m.json").n_vocab == report["vocabulary_size"]
        assert run("train", algorithm, "corpus", "-o", "n.json", *size).code == 0
        assert (corpus / "m.json").read_bytes() == (corpus / "n.json").read_bytes()


def test_the_model_is_that_of_the_engine(corpus: Path) -> None:
    options = ["--vocab-size", "400", "--pattern", "gpt2", "--min-count", "1", "--special", "<s>"]
    assert run("train", "bpe", "corpus", "-o", "tokenizer.json", *options).code == 0
    model = BPE("gpt2")
    model.train(map(str, TEXTS.values()), 400)
    reference = tokenizers.Tokenizer.from_file("tokenizer.json")
    text = str(TEXTS["corpus/hi.txt"])
    assert reference.encode(text).ids == model.encode(text)
    assert reference.token_to_id("<s>") == len(model.vocab)


def test_training_on_a_cluster_gives_the_same_model(corpus: Path) -> None:
    pytest.importorskip("distributed")
    options = ["bpe", "corpus", "--vocab-size", "400", "-o"]
    assert run("train", *options, "alone.json").code == 0
    # In a process of its own, as the workers are started from its main module.
    assert run_process("train", *options, "together.json", "--cluster").code == 0
    assert (corpus / "alone.json").read_bytes() == (corpus / "together.json").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bpe", "absent", "-o", "m.json"], "no such file"),
        (["bpe", "corpus", "-o", "no/m.json"], "no such folder"),
        (["bpe", "corpus", "-o", "m.json", "--pattern", "("], "not a regular expression"),
        (["bpe", "corpus", "-o", "m.json", "--vocab-size", "100"], "at least 256"),
        (["unigram", "corpus", "-o", "m.json", "--vocab-size", "10"], "room for its alphabet"),
        (["bpe", "corpus", "-o", "m.json", "--cluster", "nonsense://x"], "scheduler"),
        (["bpe", "corpus", "-o", "m.model", "--byte-order", "gpt2"], "minbpe"),
        (["nonsense", "corpus", "-o", "m.json"], "invalid choice"),
        (["bpe", "corpus", "-o", "m.json", "--pattern", "a*"], "does not match every text"),
        (["super-bpe", "corpus", "-o", "m.json", "--pattern", "[a-z]+"], "does not match every"),
        (["unigram", "corpus", "-o", "m.json", "--merges", "3"], "does not apply to unigram"),
        (["patches", "corpus", "-o", "m.json", "--ties", "first"], "whose options are --patch"),
        (["patches", "corpus", "-o", "m.json", "--patch-bytes", "0"], "not a number above 0"),
        (["patches", "corpus", "-o", "m.json", "--patch-bytes", "nan"], "not a number above 0"),
        (["unigram", "corpus", "-o", "m.json", "--character-coverage", "2"], "above 0 and at most"),
        (["bpe", "binary", "-o", "m.json"], "binary: is a binary file, not text"),
        (["words", "latin-1", "-o", "m.json"], "latin-1: isn't UTF-8: byte 0xf1 at byte offset 2"),
        (["bpe", "empty", "-o", "m.json"], "the corpus is empty"),
    ],
)
def test_what_cannot_be_trained(arguments: list[str], message: str, corpus: Path) -> None:
    faulty: dict[str, str | bytes] = {"binary": b"a\0b", "latin-1": b"a\r\xf1", "empty": b""}
    write(corpus, faulty)
    check_refused(run("train", *arguments), message)
    assert not list(corpus.glob("m.*"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bpe", "--vocab-size", "9999"], "of the 9,999 tokens asked for: no other pair occurs 2"),
        (
            ["bpe", "--vocab-size", "9999", "--min-count", "1"],
            "asked for: no pair is left to merge",
        ),
        (["super-bpe", "--vocab-size", "9999", "--transition", "300"], "no other pair occurs 2"),
        (["word-bpe"], "of the 8,192 merges asked for: no other pair occurs 2 times (--min-count)"),
        (["wordpiece"], "of the 8,192 tokens asked for: every word is a token"),
        (["unigram"], "of the 8,192 tokens asked for: no other piece is repeated and used"),
        (["character-bpe"], "of the 8,192 tokens asked for: no pair is left to merge"),
        (["words"], "of the 8,192 tokens asked for: the corpus has no more of them"),
        (["bpe", "--vocab-size", "300"], ""),
        (["patches"], ""),
    ],
)
def test_fewer_tokens_than_asked_for(arguments: list[str], said: str, corpus: Path) -> None:
    result = run("train", arguments[0], "corpus", "-o", "m.json", *arguments[1:])
    assert result.code == 0, result.err
    assert ("asked for" in result.text) is bool(said)
    assert said in result.text
    report = json.loads((corpus / "m.report.json").read_text("utf-8"))
    assert report["shortfall"] in result.text and said in report["shortfall"]
    if said and arguments[0] != "word-bpe":
        assert report["shortfall"].startswith(f"{report['vocabulary_size']:,} of the ")


def test_help_shows_what_holds_without_an_option() -> None:
    shown = " ".join(run("train", "--help").text.split())
    for text in ("learn (default: 8192)", "frequent (default: 2)", "expression (default: o200k)"):
        assert text in shown


def test_patches_cannot_be_counted_with(corpus: Path) -> None:
    assert run("train", "patches", "corpus", "-o", "m.json").code == 0
    write(corpus, {"promptls.toml": 'encodings.m.path = "m.json"\n'})
    refused = run("count", "corpus/en.txt", "--encoding", "m")
    check_refused(refused, "patches have no ids, so there is nothing to count with")


def test_the_corpus_is_not_written_over(corpus: Path) -> None:
    output = ["-o", "corpus/../corpus/en.txt"]
    check_refused(run("train", "bpe", "corpus", *output), "is in the corpus")
    assert (corpus / "corpus/en.txt").read_text("utf-8") == TEXTS["corpus/en.txt"]


def test_ctrl_c_leaves_the_model_that_was_there(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("train", "bpe", "corpus", "-o", "m.json", "--vocab-size", "300")
    before = (corpus / "m.json").read_bytes()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("subword.models.bpe.learn_merges", interrupt)
    assert run("train", "bpe", "corpus", "-o", "m.json", "--vocab-size", "400").code == 130
    assert (corpus / "m.json").read_bytes() == before
    names = [file.name for file in corpus.iterdir() if file.is_file()]
    assert sorted(names) == ["m.json", "m.report.json", "m.vocab.txt"]


def test_a_trained_model_is_an_encoding(corpus: Path) -> None:
    run("train", "bpe", "corpus", "-o", "ours.json", "--vocab-size", "400")
    run("train", "bpe", "corpus", "-o", "ours.tiktoken", "--vocab-size", "400")
    write(
        corpus,
        {
            "promptls.toml": """\
encoding = "ours"
encodings.ours.path = "ours.json"
encodings.ranks.path = "ours.tiktoken"
encodings.ranks.pattern = "o200k"
encodings.gone.path = "gone.json"
encodings.broken.path = "promptls.toml"
""",
            "a.txt": TEXTS["corpus/es.txt"],
        },
    )
    counted = run("count", "a.txt", "--json").json["files"][0]
    expected = load_encoding("ours.json").count(str(TEXTS["corpus/es.txt"]))
    assert (counted["encoding"], counted["tokens"]) == ("ours", expected)
    rows = run("compare", "a.txt", "--encodings", "ours,ranks,gpt2", "--json").json["rows"]
    assert [row["tokens"] for row in rows][:2] == [expected, expected]
    for name, message in {"gone": "no file gone.json", "broken": "SentencePiece"}.items():
        check_refused(run("count", "a.txt", "--encoding", name), message)
    # A model that is trained again is read again.
    run("train", "bpe", "corpus", "-o", "ours.json", "--vocab-size", "300")
    assert run("count", "a.txt", "--json").json["files"][0]["tokens"] > expected


def test_explain() -> None:
    result = run("explain", "don't 漢", "--encoding", "cl100k_base", "--json").json
    pieces = result["pieces"]
    assert [piece["text"] for piece in pieces] == ["don", "'t", " 漢"]
    ids = [id for piece in pieces for id in piece["ids"]]
    assert ids == get_encoding("cl100k_base").encode("don't 漢")
    assert pieces[1]["rule"] == "the ending of a contraction"
    text = run("explain", "don't 漢", "--encoding", "cl100k_base").text
    assert "“d” + “on”   “don”" in text
    assert "└─ “on” 263" in text
    assert "“␣\\xe6” | “\\xbc”: “␣\\xe6\\xbc” is not in the vocabulary" in text
    assert text.endswith("tokens in cl100k_base\n")


def test_explain_standard_input_and_limits() -> None:
    assert run("explain", "-", "--json", stdin="é".encode()).json["pieces"][0]["text"] == "é"
    assert "at most 20,000" in run("explain", "a b" * 10_000).err
    assert "too long to explain" in run("explain", "a" * 3000).err


@pytest.mark.parametrize("algorithm", ["unigram", "wordpiece"])
def test_explain_models_that_choose(algorithm: str, corpus: Path) -> None:
    run("train", algorithm, "corpus", "-o", "m.json", "--vocab-size", "150")
    write(corpus, {"promptls.toml": 'encodings.m.path = "m.json"\n'})
    rows = run("explain", "born free", "--encoding", "m", "--json").json["pieces"]
    if algorithm == "unigram":
        assert [row["text"] for row in rows] == ["▁born", "▁free"]
        scores = [way["log_probability"] for way in rows[0]["ways"]]
        assert scores == sorted(scores, reverse=True)
        assert all("".join(way["pieces"]) == "▁born" for way in rows[0]["ways"])
    else:
        assert "".join(row["text"] for row in rows) == "bornfree"
    assert run("explain", "born free", "--encoding", "m").code == 0


def test_explain_a_foreign_model(corpus: Path) -> None:
    """Which merges a library makes is its secret; the tokens and their places are not."""
    run("train", "bpe", "corpus", "-o", "tokenizer.json", "--vocab-size", "400")
    write(corpus, {"promptls.toml": 'encodings.hf.path = "tokenizer.json"\n'})
    rows = run("explain", "born free", "--encoding", "hf", "--json").json["pieces"]
    assert "".join(row["text"] for row in rows) == "born free"
    assert [row["id"] for row in rows] == BPE.load("tokenizer.json").encode("born free")


STUDIES: dict[str, list[str]] = {
    "compression": ["corpus"],
    "curve": ["corpus", "--sizes", "256,300"],
    "languages": ["English=corpus/en.txt", "हिन्दी=corpus/hi.txt"],
    "words": ["corpus"],
    "unknown": ["corpus", "--sizes", "5,100"],
    "vocabulary": ["--longest", "3"],
    "digits": ["--encoding", "gpt2"],
    "indentation": [],
    "parameters": ["--width", "768", "--layers", "12"],
    "length": ["--tokens", "10,20"],
}


def study(measure: str, *options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = run("study", measure, *STUDIES[measure], *options, "--json").json[
        "rows"
    ]
    return rows


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure(measure: str, corpus: Path) -> None:
    rows = study(measure)
    assert rows
    result = run("study", measure, *STUDIES[measure])
    assert result.code == 0
    assert result.text.count("\n") == len(rows) + 1


def test_measures_say_what_they_found(corpus: Path) -> None:
    rows = study("languages", "--encoding", "cl100k_base")
    encoding = get_encoding("cl100k_base")
    assert rows[0]["tokens"] == encoding.count(str(TEXTS["corpus/en.txt"]))
    assert rows[1]["premium"] == round(rows[1]["tokens"] / rows[0]["tokens"], 4)
    assert study("digits")[3]["groups"] == ["12", "34"]
    assert [row["rate"] for row in study("unknown")] == [1.0, 0.0]
    tokens = study("compression")[0]["tokens"]
    assert tokens == sum(get_encoding("o200k_base").count(str(text)) for text in TEXTS.values())


def test_pictures(corpus: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.png"):
        assert run("study", "languages", *STUDIES["languages"], "--plot", name).code == 0
        assert (corpus / name).stat().st_size > 5000
    assert "हिन्दी" in (corpus / "one.svg").read_text("utf-8")
    refused = run("study", "languages", *STUDIES["languages"], "--plot", "three.gif")
    check_refused(refused, ".svg or .png")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["words", "absent"], "no such file"),
        (["words", "corpus/tiny.txt"], "too few words"),
        (["languages", "nonsense"], "is not LANGUAGE=PATH"),
        (["unknown", "corpus", "--sizes", "a,b"], "not a list of numbers"),
        (["digits", "--encoding", "nonsense"], "unknown encoding"),
    ],
)
def test_what_cannot_be_measured(arguments: list[str], message: str, corpus: Path) -> None:
    write(corpus, {"corpus/tiny.txt": "one"})
    check_refused(run("study", *arguments), message)


def test_a_terminal_shows_progress(corpus: Path) -> None:
    shown = on_a_terminal("train", "bpe", "corpus", "-o", "m.json")
    assert re.search(r"reading.*100%", shown)
    assert "learning" in shown and "bytes per token" in shown
