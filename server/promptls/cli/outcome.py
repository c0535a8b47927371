"""How a command ends: what it has found, what it complains of, and its exit code."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..wording import visible

if TYPE_CHECKING:
    from ..settings.tables import BadSetting

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_ERROR = 2


@dataclass
class Complaints:
    """Errors that don't stop the command: each is one line, and together they make it exit 2."""

    count: int = 0
    warned: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    bad_settings: list[BadSetting] = field(default_factory=list)
    """What is wrong in the settings, each once; whether that is an error is for the command."""

    def add(self, message: str) -> None:
        """Say what is wrong, and go on; what is wrong for several files alike is said once."""
        self.count += 1
        self.errors.append(message)
        self.warn_once(message)

    def blame(self, fault: BadSetting) -> None:
        """Say what is wrong in the settings."""
        if fault not in self.bad_settings:
            self.bad_settings.append(fault)
            self.warn_once(str(fault))

    def warn_once(self, message: str) -> None:
        """Say what is no error but should be known; the same only once."""
        if message not in self.warned:
            self.warned.add(message)
            warn(message)

    def exit_code(self, otherwise: int) -> int:
        return EXIT_ERROR if self.count else otherwise


def warn(message: str) -> None:
    """One line to standard error, whatever the names of files and settings in it are."""
    sys.stderr.write(f"promptls: {visible(message)}\n")
