"""Writes each file that is made of the product: `make generate`.

    python -m scripts.generate [--check]

With `--check` nothing is written; the files that are out of date are named, with exit code 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from scripts import demo
from scripts.generate import contract, formats, rules, settings

ROOT = Path(__file__).parents[2]
CLIENT = "client-vscode/"


def generated() -> dict[str, str]:
    """The text of each generated file, by its path from the repository's root."""
    manifest = _read_json(f"{CLIENT}package.json")
    settings.update_manifest(manifest)
    formats.update_manifest(manifest)
    texts = settings.updated_texts(_read_json(f"{CLIENT}package.nls.json"))
    return {
        **rules.files(),
        "docs/settings.md": settings.page(),
        "docs/formats.md": formats.page(),
        "docs/images/demo.svg": demo.picture(),
        ".pre-commit-hooks.yaml": formats.hooks(),
        f"{CLIENT}package.json": _json(manifest),
        f"{CLIENT}package.nls.json": _json(texts),
        f"{CLIENT}src/contract.ts": contract.module(),
        f"{CLIENT}src/formats.ts": formats.module(),
    }


def stale() -> dict[Path, str | None]:
    """The files that are not what they should be, with what they should be; None for no file."""
    wanted: dict[Path, str | None] = {ROOT / name: text for name, text in generated().items()}
    # The page of a rule that is no more.
    wanted |= {path: None for path in (ROOT / "docs/rules").glob("*.md") if path not in wanted}
    return {path: text for path, text in wanted.items() if text != _text(path)}


def _text(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


def _read_json(name: str) -> Any:
    return json.loads((ROOT / name).read_text("utf-8"))


def _json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    files = stale()
    if "--check" in sys.argv[1:]:
        for path in files:
            print(f"{path.relative_to(ROOT)} is out of date: run make generate")
        return 1 if files else 0
    for path, text in files.items():
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
