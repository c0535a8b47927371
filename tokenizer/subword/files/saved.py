"""Model files at rest: read with a limit on size, written whole or not at all, and one error.

Our own format is JSON with one entry a line, so that a person can read and compare it; it holds
data only, and nothing in it is ever run.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..regular import read_regular, size

FORMAT = "subword"
VERSION = 1

# The largest published tokenizer.json is 33 MB; this leaves room and keeps a hostile file out.
MAX_BYTES = 128 * 1024 * 1024
# No published vocabulary is larger; ids above it are taken for damage.
MAX_ID = 16_000_000
# The longest published token has 256 bytes. A few merges that double could fill the memory.
MAX_TOKEN = 65_536


class ModelError(ValueError):
    """A model file is missing, damaged, too large or not of the kind it was taken for."""


def read_bytes(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """The content of a regular file of at most `limit` bytes. Raises `ModelError` otherwise.

    A device or a pipe, which can be endless or never answer, is not even read from.
    """
    name = Path(path).name
    try:
        return read_regular(path, limit)
    except FileNotFoundError:
        raise ModelError(f"{name}: no such file") from None
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise ModelError(f"{name}: larger than {size(limit)}; not a model") from None
        raise ModelError(f"{name}: cannot be read ({error.strerror})") from None
    except ValueError:
        raise ModelError(f"{name!r}: not the name of a file") from None


def parse_json(data: bytes, name: str) -> dict[str, Any]:
    """The JSON object in the content of a file. Raises `ModelError`, also for endless nesting."""
    try:
        value = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ModelError(f"{name}: not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ModelError(f"{name}: not JSON ({error.msg} at character {error.pos})") from None
    except RecursionError:
        raise ModelError(f"{name}: not JSON (nested too deeply)") from None
    except ValueError as error:
        raise ModelError(f"{name}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise ModelError(f"{name}: a JSON object was expected")
    return value


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what reading a damaged file's content raises into `ModelError`."""
    try:
        yield
    except ModelError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise ModelError(f"{Path(path).name}: damaged ({error})") from None


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file. Raises `ModelError`."""
    return parse_json(read_bytes(path), Path(path).name)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or, when anything fails or interrupts, leave what was there."""
    file = Path(path)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def save_model(path: str | os.PathLike[str], algorithm: str, fields: Mapping[str, object]) -> None:
    """Write a trained model; each list and mapping among the fields gets a line per entry."""
    head = {"format": FORMAT, "version": VERSION, "algorithm": algorithm}
    rows = ",\n".join(
        f"{_line(key)}: {_block(value)}" for key, value in (head | dict(fields)).items()
    )
    write_bytes(path, f"{{\n{rows}\n}}\n".encode())


def load_model(path: str | os.PathLike[str], algorithm: str) -> dict[str, Any]:
    """The fields of a model that `save_model` wrote. Raises `ModelError`."""
    fields = read_json(path)
    name = Path(path).name
    if fields.get("format") != FORMAT:
        raise ModelError(f"{name}: not a subword model")
    if fields.get("version") != VERSION:
        raise ModelError(f"{name}: version {fields.get('version')!r}; this program reads {VERSION}")
    if fields.get("algorithm") != algorithm:
        raise ModelError(f"{name}: a {fields.get('algorithm')} model, not {algorithm}")
    return fields


def _block(value: object) -> str:
    if isinstance(value, Mapping) and value:
        return "{\n" + ",\n".join(f"{_line(k)}: {_line(v)}" for k, v in value.items()) + "\n}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(_line, value)) + "\n]"
    return _line(value)


def _line(value: object) -> str:
    # A lone surrogate can't be UTF-8; JSON's escapes carry it.
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
