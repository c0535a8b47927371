"""The options that several commands have, each with the same meaning in all of them."""

from __future__ import annotations

import argparse


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
