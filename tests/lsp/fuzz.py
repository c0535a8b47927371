"""Random sessions with a real server, each document held against a plain model of its text.

`python -m tests.lsp.fuzz --seconds 600 --seed 7` runs episodes, each with a server of its own: one
opens, edits, asks, cancels, sets and closes in any order, and now and then waits until all is
answered. Then every kind of answer must be what `plain` works out of the text that the client has,
with tiktoken's counts; each request must have one response, and no word of a document may be in
the log or in an error.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lsprotocol.types import ErrorCodes, LSPErrorCodes
from tests.lsp.buffer import Buffer, joined
from tests.lsp.comparison import Comparison, Failed, expect
from tests.lsp.plain import Plain
from tests.lsp.shapes import faults
from tests.lsp.wire import EVERYTHING, POSITION_ENCODINGS, Wire, command, span

from promptls.lsp import rows
from promptls.settings import Settings

MARKER = "Zyxomarq"
"""In nearly all that is typed, and nowhere else."""

NAMES = ("a.txt", "b.md", "c.chatml", "d.prompty", "ä ö.txt", "e;f.md", "g.jinja")
ENCODINGS = ("o200k_base", "cl100k_base", "gpt2", "p50k_base")

FRAGMENTS = (
    *(f" {MARKER}", f"{MARKER}\n", f"\r\n{MARKER}  ", f"# {MARKER}\n", f"{MARKER}'s"),
    *(f"¿{MARKER}?", "\n", "\r\n", "\r", "\n\n", " ", "   "),
    *("\t", "\u2028", "\u0085", "\x0c", "12345", "a"),
    *("漢字", "한국어", "é", "e\u0301", "😀", "👩‍👩‍👧", "\ud83d", "\ude00", "\U0010ffff", "नमस्ते"),
    *("<|endoftext|>", "<|im_start|>user\n", "<|im_end|>\n", "{{name}}", "{% if x %}", "---\n"),
    *("name: x\n", "system:\n", "user:\n", "<tag>", "</tag>\n", "`", "\\", '"', "{", "}"),
)

# Of a longer text only the counts are compared: the plain model looks at all of it each time.
LONG = 5_000


@dataclass
class Episode:
    """One session of a client with a server."""

    wire: Wire
    client: str
    random: random.Random
    documents: dict[str, Buffer] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)
    overrides: dict[str | None, str] = field(default_factory=dict)
    asked: dict[int, str] = field(default_factory=dict)
    """Requests that were sent and not yet checked: the method of each id."""
    cancelled: set[int] = field(default_factory=set)
    trail: list[str] = field(default_factory=list)
    is_configuring: bool = False
    statuses: dict[str, Any] = field(default_factory=dict)
    """The last `promptls/status` of each document, for a client that asked for them."""
    has_status: bool = False

    @property
    def units(self) -> str:
        return POSITION_ENCODINGS[self.client]

    def start(self) -> None:
        def answer(params: Any) -> Any:
            time.sleep(self.random.choice((0, 0, 0.002, 0.02)))
            return [self.config or None] * len(params["items"])

        self.wire.answers["workspace/configuration"] = answer
        self.has_status = self.random.random() < 0.7
        options = {"statusNotifications": self.has_status}
        self.wire.start(self.client, initializationOptions=options)

    def run(self, steps: int) -> None:
        actions = [(self._edit, 12), (self._ask, 14), (self._cancel, 3), (self._open, 2)]
        actions += [(self._close, 1), (self._configure, 1), (self._override, 1), (self._odd, 1)]
        choices = [action for action, weight in actions for _ in range(weight)]
        for _ in range(steps):
            if not self.documents:
                self._open()
            self.random.choice(choices)()
            if self.random.random() < 0.05:
                self.settle()
        self.settle()
        if self.wire.stop() != 0:
            raise Failed(f"the exit code is {self.wire.exit_code()}")
        self._check_log()

    # What a client does

    def _uri(self) -> str:
        return self.random.choice(list(self.documents))

    def _some_text(self, most: int = 12) -> str:
        number = self.random.randrange(most)
        return "".join(self.random.choice(FRAGMENTS) for _ in range(number))

    def _open(self) -> None:
        name = self.random.choice(NAMES)
        scheme = self.random.choice(("file:///workspace/", "untitled:", "vscode-notebook-cell:/n/"))
        text = f"{MARKER} " + self._some_text(40)
        if self.random.random() < 0.02:
            text = (text + "\n") * (150_000 // len(text) + 1)
        language = self.random.choice(("plaintext", "markdown", "prompt"))
        buffer = Buffer(joined(text), self.units, language)
        uri = scheme + name.replace(" ", "%20")
        self._note(f"open {uri} ({len(buffer.text)})")
        # A second didOpen of an open document begins anew; its override goes only with a close.
        self.documents[uri] = buffer
        self.wire.open(uri, text, buffer.language)

    def _close(self) -> None:
        uri = self._uri()
        self._note(f"close {uri}")
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        buffer = self.documents.pop(uri)
        self.overrides.pop(uri, None)
        # A change of language is a close and an open.
        if self.random.random() < 0.5:
            self.documents[uri] = Buffer(buffer.text, self.units)
            self.wire.open(uri, buffer.text, "plaintext")

    def _edit(self) -> None:
        uri = self._uri()
        buffer = self.documents[uri]
        changes = []
        for _ in range(self.random.choice((0, 1, 1, 1, 1, 2, 3))):
            change: dict[str, Any] = {"text": self._some_text(5)}
            if self.random.random() < 0.97:
                change["range"] = buffer.some_range(self.random)
            changes.append(change)
            buffer.change(change)
        buffer.version += self.random.choice((1, 1, 1, 5))
        self._note(f"change {uri} to {buffer.version} by {json.dumps(changes)}")
        self.wire.change(uri, buffer.version, *changes)

    def _ask(self) -> None:
        uri = self._uri()
        buffer = self.documents[uri]
        document: dict[str, Any] = {"textDocument": {"uri": uri}}
        ranges = [buffer.some_range(self.random) for _ in range(2)]
        range_ = self.random.choice((EVERYTHING, *ranges))
        only = self.random.choice((None, ["source.fixAll"], ["quickfix"]))
        context = {"diagnostics": [], **({"only": only} if only else {})}
        positions = [buffer.some_position(self.random) for _ in range(3)]
        commands: tuple[tuple[str, list[Any]], ...] = (
            ("countTokens", [uri, [range_]]),
            ("compareEncodings", [uri, self.random.choice((None, range_))]),
            ("tokens", [uri, self.random.choice((None, range_))]),
            ("encodings", []),
            ("tokens", ["file:///not/open.md"]),
            ("countTokens", [uri, MARKER]),
        )
        name, arguments = self.random.choice(commands)
        method, params = self.random.choice(
            (
                ("textDocument/inlayHint", {**document, "range": range_}),
                ("textDocument/inlayHint", {**document, "range": range_}),
                ("textDocument/hover", {**document, "position": positions[0]}),
                ("textDocument/diagnostic", document),
                ("textDocument/codeAction", {**document, "range": range_, "context": context}),
                ("textDocument/codeLens", document),
                ("textDocument/documentSymbol", document),
                ("textDocument/foldingRange", document),
                ("textDocument/selectionRange", {**document, "positions": positions}),
                ("textDocument/semanticTokens/full", document),
                ("textDocument/semanticTokens/range", {**document, "range": range_}),
                ("inlayHint/resolve", self._hint(uri)),
                ("textDocument/unheardOf", document),
                *[command(name, *arguments) for _ in range(4)],
            )
        )
        self._note(f"ask {method} {params.get('command', '')} of {uri}")
        self._send(method, params)

    def _send(self, method: str, params: object) -> None:
        self.asked[self.wire.ask(method, params)] = method

    def _hint(self, uri: str) -> dict[str, Any]:
        line = self.random.randrange(20)
        position = {"line": line, "character": 0}
        return {"position": position, "label": "3", "data": {"uri": uri, "line": line}}

    def _cancel(self) -> None:
        if self.asked:
            id_ = self.random.choice(list(self.asked)[-4:])
            self._note(f"cancel {self.asked[id_]}")
            self.cancelled.add(id_)
            self.wire.notify("$/cancelRequest", {"id": id_})

    def _configure(self) -> None:
        encoding = self.random.choice((*ENCODINGS, None, "o300k_base"))
        mode = self.random.choice(("line", "line", "cumulative", "message", "off"))
        special = self.random.choice(("text", "control"))
        self.config = {"encoding": encoding, "specialTokens": special, "hints": {"mode": mode}}
        self._note(f"configure {self.config}")
        self.is_configuring = True
        self.wire.notify("workspace/didChangeConfiguration", {"settings": None})

    def _override(self) -> None:
        uri = self.random.choice((*self.documents, None))
        name = self.random.choice((*ENCODINGS, None))
        self._note(f"setEncoding {uri} {name}")
        if name is None:
            self.overrides.pop(uri, None)
        else:
            self.overrides[uri] = name
        # A client waits for it: what it closes or opens meanwhile could come first.
        self.wire.response(self.wire.ask_command("setEncoding", uri, name))

    def _odd(self) -> None:
        """What no client should do, and one does all the same."""
        edit = {"range": span((0, 0), (0, 1)), "text": MARKER}
        negative = {"range": {"start": {"line": -1, "character": 0}}, "text": MARKER}
        odd: tuple[Callable[[], None], ...] = (
            lambda: self.wire.change("file:///not/open.md", 9, edit),
            lambda: self.wire.change(self._uri(), 99, negative),
            lambda: self.wire.notify(
                "textDocument/didClose", {"textDocument": {"uri": "file:///x"}}
            ),
            lambda: self.wire.notify("$/cancelRequest", {"id": 10**6}),
            lambda: self.wire.notify("workspace/didChangeWatchedFiles", {"changes": []}),
            lambda: self.wire.notify(f"$/{MARKER}", {"text": MARKER}),
            lambda: self.wire.send({"jsonrpc": "2.0", "id": "no-such-request", "result": MARKER}),
        )
        choice = self.random.randrange(len(odd))
        self._note(f"odd {choice}")
        odd[choice]()

    def _note(self, what: str) -> None:
        self.trail.append(what)

    # What must hold

    def settle(self) -> None:
        """Wait until all is answered, and compare all with the models."""
        for id_ in self.asked:
            self.wire.response(id_)
        for uri, buffer in self.documents.items():
            self._check_document(uri, buffer)
        self.is_configuring = False
        self._check_responses()
        self._check_log()
        if self.wire.process.poll() is not None:
            raise Failed("the server has ended")

    def _check_document(self, uri: str, buffer: Buffer) -> None:
        """Compare a document; after a change of settings the old ones hold for a while.

        What is random in a comparison is the same each time that it is made.
        """
        state = self.random.getstate()
        for _ in range(2_000):
            self.random.setstate(state)
            try:
                return self._compare(uri, buffer)
            except Failed:
                if not self.is_configuring:
                    raise
            time.sleep(0.05)
        self._compare(uri, buffer)

    def _compare(self, uri: str, buffer: Buffer) -> None:
        override = self.overrides.get(uri, self.overrides.get(None))
        encoding = override or self.config.get("encoding") or "o200k_base"
        special = self.config.get("specialTokens", "text")
        settings = Settings(encoding=encoding, special_tokens=special)
        path = uri.partition(":")[2].removeprefix("//").replace("%20", " ")
        plain = Plain(buffer.text, path, buffer.language, settings, self.units, encoding)
        mode = self.config.get("hints", {}).get("mode", "line")
        comparison = Comparison(self.wire, self.client, self.random, uri, buffer, plain, mode)
        has_tokenizer, is_short = encoding != "o300k_base", len(buffer.text) < LONG
        if not has_tokenizer:
            comparison.without_tokenizer()
        else:
            comparison.counts()
            if is_short:
                comparison.answers()
        if is_short:
            comparison.findings()
        self._compare_status(uri, buffer, sum(plain.by_message) if has_tokenizer else None)

    def _compare_status(self, uri: str, buffer: Buffer, tokens: int | None) -> None:
        """The last status is, or soon will be, that of the text on the screen."""
        if not self.has_status:
            return
        wanted = (buffer.version, tokens)
        for _ in range(6_000):
            self._take_statuses()
            status = self.statuses.get(uri, {})
            if (status.get("version"), status.get("tokens")) == wanted:
                break
            time.sleep(0.02)
        expect("the status", (status.get("version"), status.get("tokens")), wanted)
        expect("its shape", faults(status, rows.StatusNotification), [])

    def _take_statuses(self) -> None:
        for params in self.wire.notifications("promptls/status"):
            self.statuses[params["uri"]] = params

    def _check_responses(self) -> None:
        messages = list(self.wire.messages)
        responses = [m for m in messages if "method" not in m]
        counts = Counter(m.get("id") for m in responses)
        for id_, method in self.asked.items():
            expect(f"the responses to {method}", counts[id_], 1)
        for message in responses:
            self._check_error(message)
        shown = [m for m in messages if m.get("method", "").startswith("window/")]
        if MARKER in json.dumps(shown):
            raise Failed("the text of a document is in a message to the user")
        if any(m.get("method") == "workspace/inlayHint/refresh" for m in messages) and not any(
            what.startswith(("configure", "setEncoding", "odd", "open")) for what in self.trail
        ):
            raise Failed("hints were refreshed though no setting changed")
        self._take_statuses()
        del self.wire.messages[: len(messages)]
        self.asked.clear()
        self.cancelled.clear()
        del self.trail[:-60]

    def _check_error(self, message: dict[str, Any]) -> None:
        error = message.get("error")
        if error is None:
            return
        if MARKER in json.dumps(error):
            raise Failed(f"the text of a document is in an error: {error}")
        allowed: set[int] = {ErrorCodes.InvalidParams, ErrorCodes.MethodNotFound}
        if message["id"] in self.cancelled:
            allowed.add(LSPErrorCodes.RequestCancelled)
        if error["code"] not in allowed:
            raise Failed(f"{self.asked.get(message['id'])} was answered with {error}")

    def _check_log(self) -> None:
        if MARKER.lower() in self.wire.log.lower():
            raise Failed("the text of a document is in the log")
        if "ERROR" in self.wire.log or "Traceback" in self.wire.log:
            raise Failed("there is an error in the log")


def run_episode(seed: int, steps: int) -> None:
    """One session of its own seed; raises `Failed` with what led to it."""
    chance = random.Random(seed)
    client = chance.choice(list(POSITION_ENCODINGS))
    with Wire() as wire:
        episode = Episode(wire, client, chance)
        try:
            episode.start()
            episode.run(steps)
        except AssertionError as error:
            trail = "\n  ".join(episode.trail[-40:])
            raise Failed(
                f"seed {seed}, {client}: {error}\nlog: {wire.log[-2000:]}\n  {trail}"
            ) from error


def main() -> int:
    """Run episodes until the time is over or one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--steps", type=int, default=200, help="in each episode")
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    seed = options.seed
    while time.monotonic() < deadline:
        sys.stdout.write(f"seed {seed}\n")
        sys.stdout.flush()
        try:
            run_episode(seed, options.steps)
        except Failed as failure:
            sys.stdout.write(f"{failure}\n")
            return 1
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
