"""Lets the tests here import their corpora by name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
