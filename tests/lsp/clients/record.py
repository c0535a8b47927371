"""Records what real editors say in their `initialize` request, into one JSON file per editor.

Each editor is started with `python record.py serve FILE` as its language server: a server that
writes the parameters of `initialize` to FILE, answers with no capabilities, and stops when asked.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, BinaryIO

HERE = Path(__file__).resolve().parent
NEUTRAL_ROOT = "/workspace"
LANGUAGE_CLIENT = "11.0.0"


def read_message(stream: BinaryIO) -> dict[str, Any] | None:
    """The next message, or None at the end of the input."""
    length = 0
    while (line := stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(stream.read(length)) if length else None


def serve(output: Path) -> None:
    """Be a language server that only writes down the parameters of `initialize`."""
    while message := read_message(sys.stdin.buffer):
        if message.get("method") == "initialize":
            output.with_suffix(".part").write_text(json.dumps(message["params"]), encoding="utf-8")
            output.with_suffix(".part").rename(output)
        if "id" in message and "method" in message:
            answer(
                message["id"], {"capabilities": {}} if message["method"] == "initialize" else None
            )


def answer(request_id: int | str, result: object) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def neutral(params: Any, root: Path) -> Any:
    """The parameters without what belongs to the machine: its folders and its process ids."""
    text = json.dumps(params, ensure_ascii=False).replace(str(root), NEUTRAL_ROOT)
    cleaned = json.loads(re.sub(r'"processId": \d+', '"processId": null', text))
    cleaned.pop("workDoneToken", None)
    return cleaned


def record_neovim(root: Path, output: Path, nvim: str) -> None:
    """Neovim, as `vim.lsp.start` starts a server without any configuration."""
    script = root / "record.lua"
    command = json.dumps([sys.executable, __file__, "serve", str(output)])[1:-1]
    script.write_text(
        f"""
        vim.cmd.edit({json.dumps(str(root / "hello.md"))})
        local id = vim.lsp.start({{ name = "promptls", cmd = {{ {command} }},
                                   root_dir = {json.dumps(str(root))} }})
        vim.wait(10000, function() return vim.lsp.get_client_by_id(id).initialized end, 20)
        vim.lsp.get_client_by_id(id):stop(true)
        """
    )
    subprocess.run([nvim, "--clean", "--headless", "-l", str(script)], check=True, timeout=60)


def record_eglot(root: Path, output: Path, emacs: str) -> None:
    """Emacs with eglot, as `M-x eglot` starts a server in a text buffer."""
    command = " ".join(
        json.dumps(part) for part in (sys.executable, __file__, "serve", str(output))
    )
    program = f"""
        (progn
          (require 'package) (package-initialize) (require 'eglot)
          (setq eglot-sync-connect t)
          (find-file {json.dumps(str(root / "hello.txt"))})
          (apply #'eglot (list '(text-mode) (cons 'transient {json.dumps(str(root))})
                               'eglot-lsp-server '({command}) "promptls")))
    """
    subprocess.run([emacs, "--batch", "-q", "--eval", program], check=True, timeout=60)


def record_vscode(root: Path, output: Path) -> None:
    """VS Code with vscode-languageclient, installed from npm into a throw-away extension."""
    from tests.vscode.e2e import toolchain
    from tests.vscode.e2e.vscode import VSCode, open_browser, pack_extension

    tools = toolchain.install()
    source = root.parent / "extension"
    source.mkdir()
    (source / "package.json").write_text(json.dumps(EXTENSION_MANIFEST))
    command = [sys.executable, __file__, "serve", str(output)]
    (source / "extension.js").write_text(EXTENSION_CODE % json.dumps(command))
    npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([*npm, f"vscode-languageclient@{LANGUAGE_CLIENT}"], cwd=source, check=True)
    package = pack_extension(source, root.parent / "record.vsix")
    with (
        open_browser(tools) as browser,
        VSCode(tools, workspace=root, extensions=[package]) as vscode,
        vscode.window(browser) as window,
    ):
        window.open(root / "hello.md")
        wait_for(output)


EXTENSION_MANIFEST = {
    "name": "record",
    "publisher": "promptls",
    "version": "0.0.1",
    "engines": {"vscode": "^1.100.0"},
    "main": "./extension.js",
    "activationEvents": ["onStartupFinished"],
}
EXTENSION_CODE = """
const { LanguageClient } = require("vscode-languageclient/node");
const [command, ...args] = %s;
exports.activate = () => new LanguageClient("promptls", "promptls", { command, args },
  { documentSelector: [{ language: "markdown" }] }).start();
"""


def wait_for(output: Path) -> None:
    deadline = time.monotonic() + 60
    while not output.exists() and time.monotonic() < deadline:
        time.sleep(0.1)


def record(editor: str, program: str) -> None:
    """Start one editor and keep what it says."""
    with tempfile.TemporaryDirectory() as folder:
        root, output = Path(folder) / "workspace", Path(folder) / "params.json"
        root.mkdir()
        (root / "hello.md").write_text("hello\n")
        (root / "hello.txt").write_text("hello\n")
        if editor == "vscode":
            record_vscode(root, output)
        elif editor == "neovim":
            record_neovim(root, output, program or "nvim")
        else:
            record_eglot(root, output, program or "emacs")
        params = neutral(json.loads(output.read_text(encoding="utf-8")), root)
    text = json.dumps(params, indent=2, ensure_ascii=False)
    (HERE / f"{editor}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    match sys.argv[1:]:
        case ["serve", output]:
            serve(Path(output))
        case [("vscode" | "neovim" | "eglot") as editor, *program]:
            record(editor, "".join(program))
        case _:
            sys.exit("usage: python -m tests.lsp.clients.record vscode|neovim|eglot [PROGRAM]")


if __name__ == "__main__":
    main()
