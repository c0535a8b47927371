"""`python -m tests.vscode.e2e`: installs the tools, packages the extension, runs every check.

What pytest understands can follow, such as `-k hover` or `-x`; `--update-screenshots` rewrites the
pictures in docs/images; `--keep-package` uses the .vsix that was packaged last.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from . import toolchain

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
NEOVIM_TESTS = ROOT / "tests/lsp/neovim"


def main(arguments: list[str]) -> int:
    tools = toolchain.install()
    if "--keep-package" in arguments:
        arguments.remove("--keep-package")
    else:
        package_extension()
    os.environ["PROMPTLS_NVIM"] = str(tools.neovim)
    folders = [str(HERE), str(NEOVIM_TESTS)]
    # Only this run collects the checks; `make test` looks for files named test_*.py.
    names = ["-o", "python_files=check_*.py test_*.py", "-o", "python_functions=check_* test_*"]
    # With a server that is broken, every check fails, and each only after half a minute.
    options = ["-v", "--tb=short", "-rR", "--durations=5", "--maxfail=5", "-p", "no:cacheprovider"]
    return int(pytest.main([*names, *options, *arguments, *folders]))


def package_extension() -> None:
    """Build the .vsix anew from this clone."""
    client = ROOT / "client-vscode"
    if not (client / "node_modules").exists():
        toolchain.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=client)
    toolchain.run(["npm", "run", "--silent", "package"], cwd=client)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
