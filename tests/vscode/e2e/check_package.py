"""The packed extension: what is in it, how large it is, and what must not be in it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

ALLOWED = re.compile(
    r"extension/(package(\.nls(\.es)?)?\.json|readme\.md|changelog\.md|LICENSE(\.txt)?"
    r"|out/(webview/)?\w+\.js|l10n/bundle\.l10n\.es\.json|media/[\w/-]+\.(css|svg|png|md)"
    r"|syntaxes/[\w.-]+\.json|language-configuration/[\w.-]+\.json|bundled/[\w.+/-]+)"
    r"|extension\.vsixmanifest|\[Content_Types\]\.xml",
    re.IGNORECASE,
)
# With the wheels of the server for one platform and all supported Pythons.
LARGEST = 60_000_000


def check_only_what_belongs_there_is_packed(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as package:
        assert [name for name in package.namelist() if not ALLOWED.fullmatch(name)] == []


def check_the_package_is_not_too_large(vsix: Path, measured: Callable[[str], None]) -> None:
    size = vsix.stat().st_size
    measured(f"{vsix.name}: {size / 1e6:.1f} MB")
    assert size < LARGEST


def check_no_machine_s_paths_are_packed(vsix: Path) -> None:
    home = re.escape(str(Path(__file__).resolve().parents[3])).encode()
    with zipfile.ZipFile(vsix) as package:
        scripts = [name for name in package.namelist() if name.endswith((".js", ".json", ".md"))]
        assert [name for name in scripts if re.search(home, package.read(name))] == []
