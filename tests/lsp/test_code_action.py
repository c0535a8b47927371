"""The edits of quick fixes and fix-all, as LSP can say them."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from promptls.findings import apply_edits
from promptls.lsp.features.code_action import _around_line_ends
from promptls.text import Edit, Text


@pytest.mark.parametrize("text", ["a\r\nb", "\r\n\r\n", "\r\r\n\n", "\n\r", "\r\n"])
@pytest.mark.parametrize("new", ["", "\n", "x"])
def test_no_edit_ends_between_cr_and_lf(text: str, new: str) -> None:
    for start, end in combinations_with_replacement(range(len(text) + 1), 2):
        edit = Edit(start, end, new)
        sent = _around_line_ends(edit, Text(text))
        assert apply_edits(text, [sent]) == apply_edits(text, [edit])
        for place in (sent.start, sent.end):
            assert place == 0 or text[place - 1 : place + 1] != "\r\n"
