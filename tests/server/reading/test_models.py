"""The names of encodings and models are anybody's text, and are shown as such."""

from __future__ import annotations

from promptls.lsp.features.hover import code
from promptls.reading.encodings import EncodingUnavailable
from promptls.reading.models import described

HOSTILE = "a\x1b]0;x\x07\n\n# b\u202e`c`"


def test_nothing_in_them_is_acted_upon() -> None:
    for origin in ("file", "settings"):
        for exactness in ("exact", "about"):
            text = described(HOSTILE, origin, [HOSTILE, HOSTILE], exactness)
            assert text.isprintable()
    assert str(EncodingUnavailable(f"no file {HOSTILE}")).isprintable()


def test_in_markdown_they_are_code() -> None:
    shown = code(described(HOSTILE, "file", [HOSTILE], "exact"))
    assert shown.startswith("`` ") and shown.endswith(" ``") and "\n" not in shown
    assert "``" not in shown[2:-2]
