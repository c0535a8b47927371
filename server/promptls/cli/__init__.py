"""The command line: one module for each subcommand, with `add_parser` and `run`."""
