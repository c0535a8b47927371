"""Hypothesis profiles: `quick` for every run, `HYPOTHESIS_PROFILE=thorough` before a release."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The encodings load inside the first example, and machines are shared: no deadline.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("quick", max_examples=100, **_COMMON)
settings.register_profile("thorough", max_examples=5_000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
