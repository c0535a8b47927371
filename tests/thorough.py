"""How much is tried: what shows a fault at each run, and with HYPOTHESIS_PROFILE=thorough all."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
