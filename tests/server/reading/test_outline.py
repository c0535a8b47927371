"""What lies in what, in an outline."""

from __future__ import annotations

from promptls.reading.outline import outline
from promptls.reading.reader import Reader
from promptls.settings import Settings
from promptls.text import Text


def test_a_section_lies_in_the_nearest_that_holds_it() -> None:
    text = Text("# a\n\n## b\n\n### c\n\n# d\n\n### e\n\n## f\n")
    parts = outline(Reader("a.md", "", Settings()).read(text))
    assert [(part.name, part.parent and part.parent.name) for part in parts] == [
        *[("a", None), ("b", "a"), ("c", "b"), ("d", None), ("e", "d"), ("f", "d")]
    ]
