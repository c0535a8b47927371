"""Which encoding the settings ask for, loaded."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from subword import Encoding, encoding_name_for_model, get_encoding, list_encodings

from .families import family_of
from .settings import DEFAULT_ENCODING, CustomEncoding, Settings


class EncodingUnavailable(LookupError):
    """The encoding that is asked for can't be had; the message says why and what to do."""


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
        raise EncodingUnavailable(str(error)) from None
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
        if name is not None:
            name = _name_of(settings, name)
        else:
            name = encoding_name(settings)
            if settings.encoding is None and settings.model not in (None, name):
                # Nothing stands in for a model unless that is said.
                name = encoding_name_for_model(str(settings.model))
        custom = settings.encodings.get(name)
        return get_encoding(name) if custom is None else _load_file(name, custom)
    except (LookupError, ValueError) as error:
        raise EncodingUnavailable(str(error)) from None


def _load_file(name: str, custom: CustomEncoding) -> Encoding:
    """The encoding in a user's file, which is read again when it has changed."""
    path = Path(custom.base or "", Path(custom.path).expanduser())
    try:
        status = path.stat()
    except OSError:
        raise EncodingUnavailable(
            f"encodings.{name}.path: there is no file {custom.path}"
        ) from None
    return _load_version(path, name, custom.pattern, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _load_version(path: Path, name: str, pattern: str | None, mtime: int, size: int) -> Encoding:
    from subword.models.load import load_encoding as load_file

    return load_file(path, name, pattern)
