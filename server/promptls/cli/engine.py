"""The engine's own commands, `train`, `explain` and `study`, under promptls' settings."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from subword import Encoding
from subword.cli.shared import Result

from ..reading.encodings import load_encoding
from ..wording import visible
from .inputs import Complaints, settings_here, standard_input


class Promptls(NamedTuple):
    """promptls as the host of a command."""

    args: argparse.Namespace
    complaints: Complaints

    def encoding(self, name: str | None = None) -> Encoding:
        return load_encoding(settings_here(Path(), self.args, self.complaints), name)

    def standard_input(self) -> str:
        return standard_input()

    def visible(self, text: str) -> str:
        return visible(text)


def run(args: argparse.Namespace, complaints: Complaints) -> Result:
    command: ModuleType = import_module(f"subword.cli.{args.command}")
    result: Result = command.run(args, Promptls(args, complaints))
    return result
