"""The `promptls` command: finds the subcommand, imports it alone, and minds how it ends."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple, NoReturn

from subword.cli.shared import (
    EXIT_ERROR,
    EXIT_OK,
    CommandError,
    Result,
    add_encoding,
    add_json,
    add_special_tokens,
)

from .. import __version__
from ..wording import did_you_mean, visible


def add_path(parser: argparse.ArgumentParser) -> None:
    """The one prompt file to work on."""
    parser.add_argument("path", metavar="PATH", help="a prompt file; - for standard input")
    _add_stdin_filename(parser)


def add_paths(parser: argparse.ArgumentParser) -> None:
    """The prompt files to work on."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a prompt file; a folder, for all in it that Git does not ignore; - for "
        "standard input",
    )
    _add_stdin_filename(parser)


def _add_stdin_filename(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="the name that tells the format and the settings of standard input",
    )


class Subcommand(NamedTuple):
    """A line of the help, and the options that this subcommand shares with others."""

    summary: str
    shared: tuple[Callable[[argparse.ArgumentParser], None], ...] = (add_json,)
    is_engines: bool = False
    """Whether it is one of the engine's, in `subword.cli`, which `engine` runs."""


# Each has a module of its name here, imported only when it is asked for, so that help and the
# server start at once: `add_options` adds its description and what it doesn't share, `run` does it.
SUBCOMMANDS = {
    "count": Subcommand("count the tokens of prompt files", (add_paths, add_encoding, add_json)),
    "check": Subcommand(
        "find what is wrong in prompt files, and fix it", (add_paths, add_encoding)
    ),
    "split": Subcommand("show the tokens of a prompt file", (add_path, add_encoding, add_json)),
    "compare": Subcommand(
        "compare what prompt files cost in several encodings",
        (add_paths, add_special_tokens, add_json),
    ),
    "diff": Subcommand("compare the tokens of prompt files with a Git revision", (add_encoding,)),
    "encodings": Subcommand("list the encodings"),
    "rules": Subcommand("list the rules, or explain one"),
    "serve": Subcommand("run the language server", ()),
    "train": Subcommand("train a tokenizer", is_engines=True),
    "explain": Subcommand(
        "explain how a text is tokenized, merge by merge", (add_encoding, add_json), True
    ),
    "study": Subcommand(
        "measure tokenizers: compression, tokens per word, the cost of languages", (), True
    ),
}

# As shells have it: 128 and the number of the signal, SIGINT and SIGPIPE.
EXIT_INTERRUPTED = 130
EXIT_CLOSED_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 nothing found, 1 findings, 2 an error."""
    argv = sys.argv[1:] if argv is None else argv
    _speak_utf8()
    try:
        code = _run(argv)
        # What is still buffered can meet a closed pipe too.
        sys.stdout.flush()
        return code
    except CommandError as error:
        return _refused(str(error))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except ValueError as error:
        # Importing the engine is for those who count.
        from subword import UncountableError

        if not isinstance(error, UncountableError):
            raise
        return _refused(str(error))
    except BrokenPipeError:
        _discard_output()
        return EXIT_CLOSED_PIPE
    except OSError as error:
        _discard_output()
        return _refused(
            f"{error.filename or 'the output'}: {(error.strerror or str(error)).lower()}"
        )


def _refused(message: str) -> int:
    # What it needs takes longer to import than help takes altogether.
    from .terminal import warn

    warn(message)
    return EXIT_ERROR


def _discard_output() -> None:
    """The interpreter flushes once more when it ends; that must not meet the same error."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: Sequence[str]) -> int:
    name = next((argument for argument in argv if not argument.startswith("-")), None)
    parser = _Parser(prog="promptls", description="Exact token counts for prompts, and findings.")
    parser.add_argument("--version", action="version", version=f"promptls {__version__}")
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True, parser_class=_Parser
    )
    for command, subcommand in SUBCOMMANDS.items():
        subparser = subparsers.add_parser(command, help=subcommand.summary)
        if command == name:
            package = "subword.cli" if subcommand.is_engines else __package__
            import_module(f".{command}", package).add_options(subparser)
            for add in subcommand.shared:
                add(subparser)
    if name and name not in SUBCOMMANDS:
        parser.error(f"there is no command {name!r}{did_you_mean(name, SUBCOMMANDS)}")
    arguments = parser.parse_args(argv)
    from .inputs import Complaints

    complaints = Complaints()
    module = "engine" if SUBCOMMANDS[arguments.command].is_engines else arguments.command
    run = import_module(f".{module}", __package__).run
    result: Result | int = run(arguments, complaints)
    code = result if isinstance(result, int) else _shown(result, arguments)
    return EXIT_ERROR if complaints.count else code


def _shown(result: Result, arguments: argparse.Namespace) -> int:
    from .terminal import print_json, print_lines

    if arguments.json:
        print_json(result.json)
    else:
        print_lines(result.lines)
    return EXIT_OK


class _Parser(argparse.ArgumentParser):
    """argparse's parser, with errors of one line and no guessing of shortened options."""

    def __init__(self, **options: object) -> None:
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{self.prog}: {visible(message)} (see {self.prog} --help)\n")
        sys.exit(EXIT_ERROR)


def _speak_utf8() -> None:
    """Write UTF-8 whatever the console's code page is, and nowhere if a stream is closed.

    A file name that isn't Unicode is shown with escapes, which JSON reads as it should.
    """
    # Whoever closed them, as `>&-` does, wants no output; Python has None there.
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 — open to the end.
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
