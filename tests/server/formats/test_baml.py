"""BAML: the models of the clients that a function names."""

from __future__ import annotations

import pytest

from promptls.reading.reading import read

CLIENTS = """
client<llm> Fast {
  provider openai
  options {
    model gpt-4
    api_key env.KEY
  }
}
client<llm> Slow { provider anthropic
  options { model "claude-opus-4-7" }
}
client<llm> Both {
  provider fallback
  options { strategy [Fast, "openai/gpt-4o"] }
}
client<llm> Round {
  options { strategy [Round] }
}
client<llm> Env {
  options { model env.MODEL }
}
"""


@pytest.mark.parametrize(
    ("client", "models", "encoding", "exactness"),
    [
        ('"openai/gpt-4"', ("gpt-4",), "cl100k_base", "exact"),
        ("Fast", ("gpt-4",), "cl100k_base", "exact"),
        ("Slow", ("claude-opus-4-7",), "o200k_base", "about"),
        ("Both", ("gpt-4", "gpt-4o"), "cl100k_base", "about"),
        ("Round", (), "o200k_base", "exact"),
        ("Env", (), "o200k_base", "exact"),
        ("Elsewhere", (), "o200k_base", "exact"),
    ],
)
def test_a_functions_client_names_the_model(
    client: str, models: tuple[str, ...], encoding: str, exactness: str
) -> None:
    prompt = '  prompt #"\n    client "openai/o1" is text\n  "#\n}\n'
    text = f"{CLIENTS}function A() -> string {{\n  client {client}\n{prompt}"
    reading = read(text, "a.baml")
    assert reading.prompt.models == models
    assert (reading.choice.encoding.name, reading.choice.exactness) == (encoding, exactness)
