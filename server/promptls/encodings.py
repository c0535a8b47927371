"""Which encoding the settings ask for, loaded."""

from __future__ import annotations

from subword import Encoding, encoding_name_for_model, get_encoding, list_encodings

from .settings import DEFAULT_ENCODING, Settings


def encoding_name(settings: Settings) -> str:
    """The name of the encoding that settings ask for: theirs, their model's, or the default.

    Raises LookupError with one clear message for an unknown encoding or model.
    """
    if settings.encoding is not None:
        name = settings.encoding
        if name in settings.encodings or name in list_encodings():
            return name
        try:
            # People write a model where an encoding is asked for; there is only one reading.
            return encoding_name_for_model(name)
        except LookupError:
            return get_encoding(name).name
    if settings.model is not None:
        return encoding_name_for_model(settings.model)
    return DEFAULT_ENCODING


def load_encoding(settings: Settings, name: str | None = None) -> Encoding:
    """The encoding called `name`, or the one that the settings ask for.

    Raises LookupError for an unknown name and ValueError for a tokenizer file that can't be used.
    """
    return get_encoding(encoding_name(settings) if name is None else name)
