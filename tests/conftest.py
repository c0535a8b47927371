"""Hypothesis profiles: `quick` for every run, `HYPOTHESIS_PROFILE=thorough` before a release."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

for name, examples in {"quick": 60, "thorough": 2_000}.items():
    # The encodings load inside the first example, and machines are shared: nothing is timed.
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        # What CI says of a change must not depend on chance; new texts are tried everywhere else.
        derandomize="CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Tests start the product a hundred times: what is compiled once need not be compiled again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    what = "write anew what is expected of the formats' fixtures"
    parser.addoption("--update-fixtures", action="store_true", help=what)


@pytest.fixture
def update_fixtures(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-fixtures"))
