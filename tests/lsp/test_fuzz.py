"""A little of the fuzzer, with the seeds of clients that count columns in different units."""

from __future__ import annotations

import pytest
from tests.lsp.fuzz import run_episode
from tests.thorough import THOROUGH


@pytest.mark.parametrize("seed", [1, 5, 7, 9] if THOROUGH else [1, 6, 12])
def test_a_random_session(seed: int) -> None:
    run_episode(seed, steps=60)
