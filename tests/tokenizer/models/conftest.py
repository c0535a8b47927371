"""Lets the tests here import checks and the trainers' corpora, and take the time loading takes."""

import sys
from pathlib import Path

from hypothesis import settings

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "train")]
settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")
