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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from operator import itemgetter
from typing import Any

from tests.lsp.expected import lines_of, units
from tests.lsp.plain import Plain, as_range
from tests.lsp.shapes import ANSWERS, faults
from tests.lsp.wire import EVERYTHING, Wire, initialize_params, span

from promptls.lsp import rows
from promptls.settings import Settings

MARKER = "Zyxomarq"
"""In nearly all that is typed, and nowhere else."""

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
CLIENTS = {"vscode": "utf-16", "neovim": "utf-8", "eglot": "utf-16"}
NAMES = ("a.txt", "b.md", "c.chatml", "d.prompty", "ä ö.txt", "e;f.md", "g.jinja")
ENCODINGS = ("o200k_base", "cl100k_base", "gpt2", "p50k_base")

FRAGMENTS = (
    *(
        f" {MARKER}",
        f"{MARKER}\n",
        f"\r\n{MARKER}  ",
        f"# {MARKER}\n",
        f"{MARKER}'s",
        f"¿{MARKER}?",
    ),
    *("\n", "\r\n", "\r", "\n\n", " ", "   ", "\t", "\u2028", "\u0085", "\x0c", "12345", "a"),
    *("漢字", "한국어", "é", "e\u0301", "😀", "👩‍👩‍👧", "\ud83d", "\ude00", "\U0010ffff", "नमस्ते"),
    *("<|endoftext|>", "<|im_start|>user\n", "<|im_end|>\n", "{{name}}", "{% if x %}", "---\n"),
    *("name: x\n", "system:\n", "user:\n", "<tag>", "</tag>\n", "`", "\\", '"', "{", "}"),
)

# Of a longer text only the counts are compared: the plain model looks at all of it each time.
LONG = 5_000

REQUEST_CANCELLED = -32800
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601


class Failed(AssertionError):
    """The server did something that it must not; the message says what."""


@dataclass
class Model:
    """A document as the client has it."""

    text: str
    language: str
    version: int = 1

    def lines(self, encoding: str) -> list[tuple[int, int]]:
        """Where each line and its content end begin, in units."""
        bounds = []
        start = character = 0
        for content in lines_of(self.text):
            end = start + units(content, encoding)
            bounds.append((start, end))
            character += len(content)
            width = 2 if self.text.startswith("\r\n", character) else 1
            start, character = end + width, character + width
        return bounds

    def _data(self, encoding: str) -> bytes:
        return self.text.encode(CODECS[encoding][0], "surrogatepass")

    def offset(self, position: dict[str, int], encoding: str) -> int:
        """The unit that a position means, as the specification clamps it."""
        lines = self.lines(encoding)
        if position["line"] >= len(lines):
            return len(self._data(encoding)) // CODECS[encoding][1]
        start, end = lines[position["line"]]
        return min(start + position["character"], end)

    def change(self, change: dict[str, Any], encoding: str) -> None:
        codec, width = CODECS[encoding]
        if "range" not in change:
            self.text = joined(change["text"])
            return
        start = self.offset(change["range"]["start"], encoding)
        end = max(start, self.offset(change["range"]["end"], encoding))
        data = self._data(encoding)
        new = change["text"].encode(codec, "surrogatepass")
        data = data[: width * start] + new + data[width * end :]
        self.text = joined(data.decode(codec, "surrogatepass"))


def joined(text: str) -> str:
    """The text with the halves of surrogate pairs that stand side by side as one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@dataclass
class Episode:
    """One session of a client with a server."""

    wire: Wire
    client: str
    random: random.Random
    documents: dict[str, Model] = field(default_factory=dict)
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
        return CLIENTS[self.client]

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
        model = Model(joined(text), self.random.choice(("plaintext", "markdown", "prompt")))
        uri = scheme + name.replace(" ", "%20")
        self._note(f"open {uri} ({len(model.text)})")
        # A second didOpen of an open document begins anew; its override goes only with a close.
        self.documents[uri] = model
        self.wire.open(uri, text, model.language)

    def _close(self) -> None:
        uri = self._uri()
        self._note(f"close {uri}")
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        model = self.documents.pop(uri)
        self.overrides.pop(uri, None)
        # A change of language is a close and an open.
        if self.random.random() < 0.5:
            self.documents[uri] = Model(model.text, "plaintext")
            self.wire.open(uri, model.text, "plaintext")

    def _edit(self) -> None:
        uri = self._uri()
        model = self.documents[uri]
        changes = []
        for _ in range(self.random.choice((0, 1, 1, 1, 1, 2, 3))):
            change: dict[str, Any] = {"text": self._some_text(5)}
            if self.random.random() < 0.97:
                change["range"] = self._range(model)
            changes.append(change)
            model.change(change, self.units)
        model.version += self.random.choice((1, 1, 1, 5))
        self._note(f"change {uri} to {model.version} by {json.dumps(changes)}")
        self.wire.change(uri, model.version, *changes)

    def _range(self, model: Model) -> dict[str, Any]:
        start, end = self._position(model), self._position(model)
        if self.random.random() < 0.7:
            # Typing: on one line, a few units.
            end = {**start, "character": start["character"] + self.random.randrange(4)}
            end = self._snapped(model, end)
        if self.random.random() < 0.97 and (start["line"], start["character"]) > (
            end["line"],
            end["character"],
        ):
            start, end = end, start
        return {"start": start, "end": end}

    def _position(self, model: Model) -> dict[str, int]:
        lines = model.lines(self.units)
        line = self.random.randrange(len(lines) + (self.random.random() < 0.05))
        start, end = lines[min(line, len(lines) - 1)]
        beyond = 3 if self.random.random() < 0.1 else 0
        column = self.random.randint(0, end - start + beyond)
        return self._snapped(model, {"line": line, "character": column})

    def _snapped(self, model: Model, position: dict[str, int]) -> dict[str, int]:
        """In UTF-8, no client means half a character; in UTF-16 an editor can cut a pair."""
        content = [*lines_of(model.text), ""][position["line"]]
        if self.units == "utf-8":
            data = content.encode("utf-8", "surrogatepass")
            column = position["character"]
            while column < len(data) and 0x80 <= data[column] < 0xC0:
                column -= 1
            return {**position, "character": column}
        return position

    def _ask(self) -> None:
        uri = self._uri()
        model = self.documents[uri]
        document: dict[str, Any] = {"textDocument": {"uri": uri}}
        range_ = self.random.choice((EVERYTHING, self._range(model), self._range(model)))
        only = self.random.choice((None, ["source.fixAll"], ["quickfix"]))
        context = {"diagnostics": [], **({"only": only} if only else {})}
        positions = [self._position(model) for _ in range(3)]
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
                *[
                    ("workspace/executeCommand", {"command": f"promptls.{name}", "arguments": rest})
                    for rest in [arguments] * 4
                ],
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
        params = {"command": "promptls.setEncoding", "arguments": [uri, name]}
        # A client waits for it: what it closes or opens meanwhile could come first.
        self.wire.response(self.wire.ask("workspace/executeCommand", params))

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
        for uri, model in self.documents.items():
            self._check_document(uri, model)
        self.is_configuring = False
        self._check_responses()
        self._check_log()
        if self.wire.process.poll() is not None:
            raise Failed("the server has ended")

    def _check_document(self, uri: str, model: Model) -> None:
        """Compare a document; after a change of settings the old ones hold for a while.

        What is random in a comparison is the same each time that it is made.
        """
        state = self.random.getstate()
        for _ in range(2_000):
            self.random.setstate(state)
            try:
                return self._compare(uri, model)
            except Failed:
                if not self.is_configuring:
                    raise
            time.sleep(0.05)
        self._compare(uri, model)

    def _compare(self, uri: str, model: Model) -> None:
        override = self.overrides.get(uri, self.overrides.get(None))
        encoding = override or self.config.get("encoding") or "o200k_base"
        special = self.config.get("specialTokens", "text")
        settings = Settings(encoding=encoding, special_tokens=special)
        path = uri.partition(":")[2].removeprefix("//").replace("%20", " ")
        plain = Plain(model.text, path, model.language, settings, self.units, encoding)
        if encoding == "o300k_base":
            self._compare_without_tokenizer(uri, plain)
        else:
            self._compare_counts(uri, model, plain)
            if len(model.text) < LONG:
                self._compare_answers(uri, model, plain)
        if len(model.text) < LONG:
            self._compare_findings(uri, model, plain)
        self._compare_status(uri, model, None if encoding == "o300k_base" else plain)

    def _compare_without_tokenizer(self, uri: str, plain: Plain) -> None:
        params = {"command": "promptls.countTokens", "arguments": [uri]}
        response = self.wire.response(self.wire.ask("workspace/executeCommand", params))
        self._expect("an unknown encoding", "error" in response, True)
        self._expect("its hints", self.wire.ask_of(uri, "inlayHint", range=EVERYTHING), [])
        self._expect("its lenses", self.wire.ask_of(uri, "codeLens"), [])
        at = {"line": 0, "character": 0}
        self._expect("its hover", self.wire.ask_of(uri, "hover", position=at), None)

    def _compare_counts(self, uri: str, model: Model, plain: Plain) -> None:
        selection = self._selection(model)
        start, end = self._span(plain, selection)
        counted = self._command("countTokens", uri, [selection])
        self._expect("the encoding", counted["encoding"], plain.encoding)
        self._expect("the length", counted["characters"], len(model.text))
        by_message = [m["tokens"] for m in counted["messages"]]
        self._expect("the messages", by_message, plain.by_message)
        self._expect("the total", counted["tokens"], sum(plain.by_message))
        self._expect("the raw total", counted["raw_tokens"], len(plain.ids))
        self._expect("the selection", counted["ranges"][0]["tokens"], plain.selected(start, end))
        if plain.reading.format.verbatim:
            got = self._command("tokens", uri)["tokens"]
            self._expect("the ids", [token["id"] for token in got], plain.ids)
        self._expect("the hints", self._hints(uri), self._expected_hints(model, plain.per_line))

    def _compare_answers(self, uri: str, model: Model, plain: Plain) -> None:
        """Every kind of answer that is made of counts."""
        selection = self._selection(model)
        start, end = self._span(plain, selection)
        touching = [t for t in plain.placed if t.start < end and start < t.end and start < end]
        got = self._command("tokens", uri, selection)["tokens"]
        self._expect(
            "the tokens of a range",
            [(t["id"], t["start"], t["end"], as_range(t["range"]), t["special"]) for t in got],
            [
                (t.token.id, t.start, t.end, plain.range(t.start, t.end), plain.is_control(t))
                for t in touching
            ],
        )
        compared = self._command("compareEncodings", uri, selection)["rows"]
        for row in compared:
            wanted = plain.compared(row["encoding"], start, end)
            self._expect(f"{row['encoding']} in a comparison", row["tokens"], wanted)
        self._compare_hover(uri, model, plain)
        lenses = self.wire.ask_of(uri, "codeLens")
        got = [(as_range(each["range"])[0], each["command"]["title"]) for each in lenses]
        self._expect("the lenses", got, plain.lenses())
        self._expect("the outline", self._symbols(uri), sorted(plain.symbols()))
        folds = self.wire.ask_of(uri, "foldingRange")
        self._expect("the folds", [(f["startLine"], f["endLine"]) for f in folds], plain.folds())
        places = [self._position(model) for _ in range(2)]
        chains = self.wire.ask_of(uri, "selectionRange", positions=places)
        for place, chain in zip(places, chains, strict=True):
            self._expect("the selection ranges", list(_outwards(chain)), plain.selections(place))
        full = self.wire.ask_of(uri, "semanticTokens/full")["data"]
        self._expect("the colours", list(_coloured(full)), plain.colours(0, len(plain.text)))
        part = self.wire.ask_of(uri, "semanticTokens/range", range=selection)["data"]
        self._expect("the colours of a range", list(_coloured(part)), plain.colours(start, end))

    def _compare_hover(self, uri: str, model: Model, plain: Plain) -> None:
        for place in [self._position(model) for _ in range(2)]:
            wanted = plain.hover(place)
            got = self.wire.ask_of(uri, "hover", position=place)
            if wanted is None or got is None:
                self._expect("the hover", got, wanted)
                continue
            self._expect("the range of a hover", as_range(got["range"]), wanted[0])
            shown = got["contents"]["value"].replace("`", "").replace("**", "")
            for part in wanted[1]:
                self._expect(f"{part} in a hover", part in shown, True)

    def _symbols(self, uri: str) -> list[tuple[str, str, Any]]:
        answer = self.wire.ask_of(uri, "documentSymbol")
        if self._is_hierarchical:
            return sorted(_flat(answer))
        flat = []
        for each in answer:
            name, _, tokens = each["name"].rpartition(" (")
            flat.append((name, tokens.removesuffix(")"), as_range(each["location"]["range"])))
        return sorted(flat)

    @property
    def _is_hierarchical(self) -> bool:
        document = initialize_params(self.client)["capabilities"]["textDocument"]
        return bool(document["documentSymbol"].get("hierarchicalDocumentSymbolSupport"))

    def _compare_findings(self, uri: str, model: Model, plain: Plain) -> None:
        """Diagnostics and the text after each fix, also without a tokenizer."""
        items = self.wire.ask_of(uri, "diagnostic")["items"]
        got = [(d["code"], d["message"], d["severity"], as_range(d["range"])) for d in items]
        self._expect("the diagnostics", got, plain.diagnostics())
        selection = self._selection(model)
        quick = self._actions(uri, selection, None)
        wanted = plain.quick_fixes(*self._span(plain, selection))
        self._expect("the quick fixes", self._fixed(model, quick), wanted)
        every = self._fixed(model, self._actions(uri, EVERYTHING, ["source.fixAll"]))
        fixed = plain.fixed()
        self._expect("fix-all", [text for _, text in every], [fixed] * (fixed != model.text))

    def _actions(self, uri: str, range_: Any, only: list[str] | None) -> list[Any]:
        context = {"diagnostics": [], **({"only": only} if only else {})}
        actions: list[Any] = self.wire.ask_of(uri, "codeAction", range=range_, context=context)
        return [each for each in actions if "settings" not in each["title"]]

    def _fixed(self, model: Model, actions: list[Any]) -> list[tuple[str, str]]:
        """The title of each action and the text after its edit."""
        return [(each["title"], self._applied(model, each["edit"])) for each in actions]

    def _applied(self, model: Model, edit: Any) -> str:
        changes = edit.get("documentChanges")
        if changes:
            self._expect("the version", changes[0]["textDocument"]["version"], model.version)
        edits = changes[0]["edits"] if changes else next(iter(edit["changes"].values()))
        codec, width = CODECS[self.units]
        data = model.text.encode(codec, "surrogatepass")
        spans = [
            (
                *(width * model.offset(each["range"][end], self.units) for end in ("start", "end")),
                each,
            )
            for each in edits
        ]
        # From the end, so that none moves another.
        for start, end, each in sorted(spans, key=itemgetter(0, 1), reverse=True):
            data = data[:start] + each["newText"].encode(codec, "surrogatepass") + data[end:]
        return joined(data.decode(codec, "surrogatepass"))

    def _compare_status(self, uri: str, model: Model, plain: Plain | None) -> None:
        """The last status is, or soon will be, that of the text on the screen."""
        if not self.has_status:
            return
        wanted = (model.version, sum(plain.by_message) if plain else None)
        for _ in range(6_000):
            self._take_statuses()
            status = self.statuses.get(uri, {})
            if (status.get("version"), status.get("tokens")) == wanted:
                break
            time.sleep(0.02)
        self._expect("the status", (status.get("version"), status.get("tokens")), wanted)
        self._expect("its shape", faults(status, rows.StatusNotification), [])

    def _take_statuses(self) -> None:
        for params in self.wire.notifications("promptls/status"):
            self.statuses[params["uri"]] = params

    def _command(self, name: str, *arguments: Any) -> Any:
        params = {"command": f"promptls.{name}", "arguments": list(arguments)}
        response = self.wire.response(self.wire.ask("workspace/executeCommand", params))
        # After a change of settings it may be an encoding that can't be had, still.
        self._expect(f"an error of {name}", response.get("error"), None)
        self._expect(f"the shape of {name}", faults(response["result"], ANSWERS[name]), [])
        return response["result"]

    def _selection(self, model: Model) -> dict[str, Any]:
        """A range whose start is not after its end."""
        places = self._range(model).values()
        start, end = sorted(places, key=lambda place: (place["line"], place["character"]))
        return {"start": start, "end": end}

    def _span(self, plain: Plain, range_: Any) -> tuple[int, int]:
        start, end = plain.offset(range_["start"]), plain.offset(range_["end"])
        return start, end

    def _hints(self, uri: str) -> list[tuple[int, int, str]] | None:
        hints = self.wire.ask_of(uri, "inlayHint", range=EVERYTHING)
        if self.config.get("hints", {}).get("mode") == "message":
            return None
        return [(h["position"]["line"], h["position"]["character"], h["label"]) for h in hints]

    def _expected_hints(
        self, model: Model, per_line: list[int]
    ) -> list[tuple[int, int, str]] | None:
        mode = self.config.get("hints", {}).get("mode", "line")
        if mode == "message":
            return None
        if mode == "off":
            return []
        columns = [end - start for start, end in model.lines(self.units)]
        sums = accumulate(per_line)
        return [
            (line, column, f"{count} · {total}" if mode == "cumulative" else str(count))
            for line, (column, count, total) in enumerate(zip(columns, per_line, sums, strict=True))
            if count
        ]

    def _expect(self, what: str, got: object, wanted: object) -> None:
        if got != wanted:
            raise Failed(f"{what}: got {str(got)[:400]}, wanted {str(wanted)[:400]}")

    def _check_responses(self) -> None:
        messages = list(self.wire.messages)
        responses = [m for m in messages if "method" not in m]
        counts = Counter(m.get("id") for m in responses)
        for id_, method in self.asked.items():
            self._expect(f"the responses to {method}", counts[id_], 1)
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
        allowed = {INVALID_PARAMS, METHOD_NOT_FOUND}
        if message["id"] in self.cancelled:
            allowed.add(REQUEST_CANCELLED)
        if error["code"] not in allowed:
            raise Failed(f"{self.asked.get(message['id'])} was answered with {error}")

    def _check_log(self) -> None:
        if MARKER.lower() in self.wire.log.lower():
            raise Failed("the text of a document is in the log")
        if "ERROR" in self.wire.log or "Traceback" in self.wire.log:
            raise Failed("there is an error in the log")


def _outwards(chain: Any) -> Iterator[Any]:
    while chain:
        yield as_range(chain["range"])
        chain = chain.get("parent")


def _flat(symbols: list[Any]) -> Iterator[tuple[str, str, Any]]:
    for each in symbols:
        yield each["name"], each["detail"], as_range(each["range"])
        yield from _flat(each.get("children") or [])


def _coloured(data: list[int]) -> Iterator[Any]:
    """Tokens of the protocol, each relative to the one before, as ranges with their kinds."""
    line = column = 0
    for n in range(0, len(data), 5):
        down, right, length, kind, _ = data[n : n + 5]
        line, column = line + down, right if down else column + right
        yield (line, column), (line, column + length), kind


def run_episode(seed: int, steps: int) -> None:
    """One session of its own seed; raises `Failed` with what led to it."""
    chance = random.Random(seed)
    client = chance.choice(list(CLIENTS))
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
