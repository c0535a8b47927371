"""What the subcommands share: how they end, the options of the same meaning, and complaints."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..wording import visible

if TYPE_CHECKING:
    from typing import TypeAlias

    from ..settings import Settings
    from ..settings.tables import BadSetting

    Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_ERROR = 2


class CommandError(Exception):
    """The command can't go on; the message is one line that says why and what to do."""


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

    def exit_code(self, otherwise: int = EXIT_OK) -> int:
        return EXIT_ERROR if self.count else otherwise


def warn(message: str) -> None:
    """One line to standard error, whatever the names of files and settings in it are."""
    sys.stderr.write(f"promptls: {visible(message)}\n")


def standard_input() -> str:
    """The text of standard input. Raises `CommandError`."""
    # Not every command reads prompts, and help is there at once.
    from ..sources.files import UnreadableText, read_input

    try:
        return read_input(sys.stdin.buffer if sys.stdin else None)
    except UnreadableText as error:
        raise CommandError(f"standard input: {error}") from None


def add_path_options(parser: argparse.ArgumentParser, many: bool = True) -> None:
    """The prompt files to work on."""
    if many:
        parser.add_argument(
            "paths",
            nargs="+",
            metavar="PATH",
            help="a prompt file; a folder, for all in it that Git does not ignore; - for "
            "standard input",
        )
    else:
        parser.add_argument("path", metavar="PATH", help="a prompt file; - for standard input")
    parser.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="the name that tells the format and the settings of standard input",
    )


def add_encoding_options(parser: argparse.ArgumentParser) -> None:
    """Which tokenizer counts; these win over every settings file."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--encoding", metavar="NAME", help="the encoding to count with, such as o200k_base"
    )
    group.add_argument(
        "--model", metavar="NAME", help="the model whose encoding to count with, such as gpt-4o"
    )
    add_special_option(parser)


def add_special_option(parser: argparse.ArgumentParser) -> None:
    """How text that spells a special token is read."""
    parser.add_argument(
        "--special-tokens",
        choices=("text", "control"),
        help="count text that spells a special token as text, or as that one token",
    )


def add_json_option(parser: argparse._ActionsContainer) -> None:
    """The same result for programs."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def with_options(settings: Settings, args: argparse.Namespace) -> Settings:
    """Settings as the command's options change them."""
    options = vars(args)
    if encoding := options.get("encoding"):
        settings = replace(settings, encoding=encoding, model=None, is_commanded=True)
    if model := options.get("model"):
        settings = replace(settings, encoding=None, model=model, is_commanded=True)
    if special := options.get("special_tokens"):
        settings = replace(settings, special_tokens=special)
    if budget := options.get("budget"):
        settings = replace(settings, budget=budget)
    return settings


def positive(text: str) -> int:
    """The value of an option that is a number above 0."""
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
