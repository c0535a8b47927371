"""Writes the server's settings, from its one dataclass, into package.json and package.nls.json.

`python client-vscode/scripts/settings.py` rewrites both; with `--check` it only says whether they
are up to date. The client's own settings stay in package.json as they are: a setting is the
server's when the dataclass has it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field
from pathlib import Path
from typing import Any

from promptls.rules import all_rules
from promptls.settings import all_settings

CLIENT = Path(__file__).resolve().parents[1]
CLIENT_ONLY = ("promptls.server.", "promptls.interpreter", "promptls.trace.")


def updated_manifest(manifest: dict[str, Any]) -> dict[str, Any]:
    """package.json with the settings as the server has them now."""
    configuration = manifest["contributes"]["configuration"]
    own = {
        name: schema
        for name, schema in configuration["properties"].items()
        if name.startswith(CLIENT_ONLY)
    }
    configuration["properties"] = dict(server_settings()) | own
    return manifest


def server_settings() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each setting of the server as VS Code's schema has it, in the order of the dataclass."""
    for order, field in enumerate(all_settings(), start=1):
        name = field.metadata["name"]
        yield (
            f"promptls.{name}",
            {
                **with_default(schema_of(field), default_of(field)),
                "scope": "resource",
                "order": order,
                "markdownDescription": f"%config.{name}%",
            },
        )


def schema_of(field: Field[Any]) -> dict[str, Any]:
    """The schema as the dataclass has it; the rules are named, so that the editor offers them."""
    schema: dict[str, Any] = field.metadata["schema"]
    if field.metadata["name"] != "rules":
        return schema
    level = schema["additionalProperties"]
    properties = {rule.name: {**level, "description": rule.summary} for rule in all_rules()}
    return {**schema, "properties": properties}


def default_of(field: Field[Any]) -> Any:
    """The default as JSON has it."""
    default = field.default if field.default is not MISSING else field.default_factory()  # type: ignore[misc]
    return list(default) if isinstance(default, tuple) else default


def with_default(schema: dict[str, Any], default: object) -> dict[str, Any]:
    """The schema with its default, where a text that isn't set is empty and all else is null.

    VS Code has an input box for a text, but none for a text or null.
    """
    if default is not None:
        return {**schema, "default": default}
    if schema["type"] == "string":
        return {**schema, "default": ""}
    return {**schema, "type": [*schema["type"], "null"], "default": None}


def updated_texts(texts: dict[str, str]) -> dict[str, str]:
    """package.nls.json with the descriptions as the server has them now."""
    names = [field.metadata["name"] for field in all_settings()]
    client = {"config.server.path", "config.interpreter", "config.trace.server"}
    kept = {k: v for k, v in texts.items() if not k.startswith("config.") or k in client}
    new = {
        f"config.{field.metadata['name']}": linked(field.metadata["description"], names)
        for field in all_settings()
    }
    return dict(sorted((kept | new).items()))


def linked(description: str, names: list[str]) -> str:
    """The description with links where it names other settings."""
    known = "|".join(re.escape(name) for name in names)
    return re.sub(rf"`({known})`", r"`#promptls.\1#`", description)


def main() -> int:
    changed = False
    for name, update in (("package.json", updated_manifest), ("package.nls.json", updated_texts)):
        file = CLIENT / name
        before = file.read_text(encoding="utf-8")
        after = json.dumps(update(json.loads(before)), indent=2, ensure_ascii=False) + "\n"
        changed |= after != before
        if "--check" not in sys.argv:
            file.write_text(after, encoding="utf-8")
    if changed and "--check" in sys.argv:
        sys.stderr.write("The settings have changed; run client-vscode/scripts/settings.py.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
