"""`promptls serve`: the language server, over standard input and output or over TCP."""

from __future__ import annotations

import argparse

from subword.cli.shared import CommandError


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Run the language server; editors start it over standard input and output."
    parser.add_argument("--tcp", action="store_true", help="listen on TCP, for debugging")
    parser.add_argument("--host", default="127.0.0.1", help="the address (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=2087, help="the port (default: %(default)s)")
    # Many clients add it by habit; it is what happens anyway.
    parser.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def run(args: argparse.Namespace, _: object) -> int:
    from ..lsp.app import serve

    try:
        return serve(tcp=args.tcp, host=args.host, port=args.port)
    except OSError as error:
        where = f"[{args.host}]:{args.port}" if ":" in args.host else f"{args.host}:{args.port}"
        raise CommandError(f"can't listen on {where}: {error.strerror or error}") from None


def _port(text: str) -> int:
    if text.isdecimal() and int(text) < 1 << 16:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port: use a number from 0 to 65535")
