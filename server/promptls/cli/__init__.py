"""The command line: one module for each subcommand, with `add_options` and `run`."""
