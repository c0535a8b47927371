"""Every format reads every text in time that grows as the text does.

What its patterns look for is repeated in texts.growth, beside its fixtures; anywhere.growth has
what no format should stumble over, whether it knows what it means or not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from promptls.formats import Format, all_formats

from .pumps import check_growth, pumps_in

FORMATS = Path(__file__).parents[1] / "formats"
ANYWHERE = tuple(pumps_in(Path(__file__).with_name("anywhere.growth")))


@pytest.mark.parametrize("file_format", all_formats(), ids=lambda each: each.name)
def test_reading_is_linear(file_format: Format) -> None:
    def read(text: str) -> object:
        return file_format.accepts and file_format.accepts(text), file_format.parse(text)

    for parts in (*pumps_in(FORMATS / file_format.name / "texts.growth"), *ANYWHERE):
        check_growth(read, parts)
