"""Which encoding the settings ask for, loaded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from subword import (
    Encoding,
    UncountableError,
    encoding_name_for_model,
    get_encoding,
    list_encodings,
)

from ..settings import DEFAULT_ENCODING, Settings
from ..settings.kinds import CustomEncoding
from ..wording import visible
from .families import family_of


class EncodingUnavailable(LookupError):
    """The encoding that is asked for can't be had; the message says why and what to do."""

    def __init__(self, message: str, setting: str = "encoding", value: str = "") -> None:
        # The names of files and encodings are people's own, and can be any text.
        super().__init__(visible(message))
        self.setting = setting
        """The setting that asks for it, or that says where it is."""
        self.value = value
        """What that setting says."""


class MissingEncoding:
    """Stands for an encoding that can't be had, where what needs no tokenizer goes on.

    It has no tokens. What asks it for any gets the error that says why.
    """

    pattern, pattern_name = "", None
    special_tokens: Mapping[str, int] = {}

    def __init__(self, error: EncodingUnavailable) -> None:
        self.name = error.value
        self.error = error

    def _refuse(self, *_: object, **__: object) -> Any:
        """Raises `EncodingUnavailable`."""
        raise self.error.with_traceback(None)

    encode = count = decode = decode_bytes = split = token_starts = _refuse
    n_vocab = ranks = token_bytes = token_lengths = special_ids = property(_refuse)


# What counting can end in that is no fault of ours; the message is for whoever asked.
CANNOT_COUNT = (EncodingUnavailable, UncountableError)


def unavailable(error: EncodingUnavailable | UncountableError) -> EncodingUnavailable:
    """The error as one of the encoding, which can't be had for that text."""
    return error if isinstance(error, EncodingUnavailable) else EncodingUnavailable(str(error))


def encoding_name(settings: Settings) -> str:
    """The name of the encoding that settings ask for: theirs, their model's, or the default.

    The default also stands in for a model that is known and has no encoding here. Raises
    `EncodingUnavailable` for an unknown encoding or model.
    """
    try:
        if settings.encoding is not None:
            return _name_of(settings, settings.encoding)
        if settings.model is not None:
            return _name_for_model(settings, settings.model)
    except LookupError as error:
        setting = "model" if settings.encoding is None else "encoding"
        value = settings.encoding or settings.model or ""
        raise EncodingUnavailable(str(error), setting, value) from None
    return DEFAULT_ENCODING


def _name_for_model(settings: Settings, model: str) -> str:
    if model in settings.encodings:
        return model
    try:
        return encoding_name_for_model(model)
    except LookupError:
        if family_of(model):
            return DEFAULT_ENCODING
        raise


def _name_of(settings: Settings, name: str) -> str:
    if name in settings.encodings or name in list_encodings():
        return name
    try:
        # People write a model where an encoding is asked for; there is only one reading of it.
        return encoding_name_for_model(name)
    except LookupError:
        return get_encoding(name).name


def load_encoding(settings: Settings, name: str | None = None) -> Encoding:
    """The encoding called `name` (or the model's), or the one that the settings ask for.

    Raises `EncodingUnavailable` for an unknown name and for a file that can't be used.
    """
    try:
        name = _own_name(settings) if name is None else _name_of(settings, name)
    except EncodingUnavailable:
        raise
    except LookupError as error:
        raise EncodingUnavailable(str(error), "compareEncodings", name or "") from None
    custom = settings.encodings.get(name)
    return get_encoding(name) if custom is None else _load_file(name, custom)


def _own_name(settings: Settings) -> str:
    """As `encoding_name`, but nothing stands in for a model unless that is said."""
    name, model = encoding_name(settings), settings.model
    if settings.encoding is not None or model is None or model == name:
        return name
    try:
        return encoding_name_for_model(model)
    except LookupError as error:
        raise EncodingUnavailable(str(error), "model", model) from None


def encoding_file(custom: CustomEncoding) -> Path:
    """Where a user's tokenizer file should be."""
    return Path(custom.base or "", Path(custom.path).expanduser())


def _load_file(name: str, custom: CustomEncoding) -> Encoding:
    """The encoding in a user's file, which is read again when it has changed."""
    setting = f"encodings.{name}.path"
    try:
        path = encoding_file(custom)
        status = path.stat()
    except (OSError, ValueError, RuntimeError):
        message = f"{setting}: there is no file {custom.path}"
        raise EncodingUnavailable(message, setting, custom.path) from None
    try:
        return _load_version(path, name, custom.pattern, status.st_mtime_ns, status.st_size)
    except (LookupError, ValueError) as error:
        raise EncodingUnavailable(str(error), setting, custom.path) from None


@lru_cache(maxsize=8)
def _load_version(path: Path, name: str, pattern: str | None, mtime: int, size: int) -> Encoding:
    from subword.load import load_encoding as load_file

    return load_file(path, name, pattern)
