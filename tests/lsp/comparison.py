"""Every kind of answer of a server, held against what `plain` makes of the client's text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any

from tests.lsp.buffer import Buffer
from tests.lsp.plain import Plain, as_range
from tests.lsp.shapes import ANSWERS, faults
from tests.lsp.wire import EVERYTHING, Wire, initialize_params


class Failed(AssertionError):
    """The server did something that it must not; the message says what."""


def expect(what: str, got: object, wanted: object) -> None:
    """Raise `Failed` unless the two are equal."""
    if got != wanted:
        raise Failed(f"{what}: got {str(got)[:400]}, wanted {str(wanted)[:400]}")


@dataclass
class Comparison:
    """One document of a client, and what should be answered about it."""

    wire: Wire
    client: str
    random: Random
    uri: str
    buffer: Buffer
    plain: Plain
    hints_mode: str

    def without_tokenizer(self) -> None:
        """No counts where the encoding can't be had."""
        response = self.wire.response(self.wire.ask_command("countTokens", self.uri))
        expect("an unknown encoding", "error" in response, True)
        expect("its hints", self._ask("inlayHint", range=EVERYTHING), [])
        expect("its lenses", self._ask("codeLens"), [])
        expect("its hover", self._ask("hover", position={"line": 0, "character": 0}), None)

    def counts(self) -> None:
        """The numbers of the file, its messages, a selection and its lines."""
        plain, selection = self.plain, self.buffer.some_selection(self.random)
        counted = self._command("countTokens", self.uri, [selection])
        expect("the encoding", counted["encoding"], plain.encoding)
        expect("the length", counted["characters"], len(self.buffer.text))
        by_message = [m["tokens"] for m in counted["messages"]]
        expect("the messages", by_message, plain.by_message)
        expect("the total", counted["tokens"], sum(plain.by_message))
        expect("the raw total", counted["raw_tokens"], len(plain.ids))
        selected = plain.selected(*self._span(selection))
        expect("the selection", counted["ranges"][0]["tokens"], selected)
        if plain.reading.format.verbatim:
            got = self._command("tokens", self.uri)["tokens"]
            expect("the ids", [token["id"] for token in got], plain.ids)
        if self.hints_mode != "message":
            hints = self._ask("inlayHint", range=EVERYTHING)
            places = [(h["position"]["line"], h["position"]["character"]) for h in hints]
            got = [(*at, h["label"]) for at, h in zip(places, hints, strict=True)]
            expect("the hints", got, self._expected_hints())

    def _expected_hints(self) -> list[tuple[int, int, str]]:
        if self.hints_mode == "off":
            return []
        columns = [end - start for start, end in self.buffer.lines()]
        counts = self.plain.per_line
        return [
            (line, column, f"{count} · {total}" if self.hints_mode == "cumulative" else str(count))
            for line, (column, count, total) in enumerate(
                zip(columns, counts, accumulate(counts), strict=True)
            )
            if count
        ]

    def answers(self) -> None:
        """Every kind of answer that is made of counts."""
        plain, selection = self.plain, self.buffer.some_selection(self.random)
        start, end = self._span(selection)
        touching = [t for t in plain.placed if t.start < end and start < t.end and start < end]
        got = self._command("tokens", self.uri, selection)["tokens"]
        expect(
            "the tokens of a range",
            [(t["id"], t["start"], t["end"], as_range(t["range"]), t["special"]) for t in got],
            [
                (t.token.id, t.start, t.end, plain.range(t.start, t.end), plain.is_control(t))
                for t in touching
            ],
        )
        for row in self._command("compareEncodings", self.uri, selection)["rows"]:
            wanted = plain.compared(row["encoding"], start, end)
            expect(f"{row['encoding']} in a comparison", row["tokens"], wanted)
        self._hovers()
        lenses = [(as_range(x["range"])[0], x["command"]["title"]) for x in self._ask("codeLens")]
        expect("the lenses", lenses, plain.lenses())
        expect("the outline", self._symbols(), sorted(plain.symbols()))
        folds = [(fold["startLine"], fold["endLine"]) for fold in self._ask("foldingRange")]
        expect("the folds", folds, plain.folds())
        places = [self.buffer.some_position(self.random) for _ in range(2)]
        chains = self._ask("selectionRange", positions=places)
        for place, chain in zip(places, chains, strict=True):
            expect("the selection ranges", list(_outwards(chain)), plain.selections(place))
        full = self._ask("semanticTokens/full")["data"]
        expect("the colours", list(_coloured(full)), plain.colours(0, len(plain.text)))
        part = self._ask("semanticTokens/range", range=selection)["data"]
        expect("the colours of a range", list(_coloured(part)), plain.colours(start, end))

    def _hovers(self) -> None:
        for place in [self.buffer.some_position(self.random) for _ in range(2)]:
            wanted = self.plain.hover(place)
            got = self._ask("hover", position=place)
            if wanted is None or got is None:
                expect("the hover", got, wanted)
                continue
            expect("the range of a hover", as_range(got["range"]), wanted[0])
            shown = got["contents"]["value"].replace("`", "").replace("**", "")
            for part in wanted[1]:
                expect(f"{part} in a hover", part in shown, True)

    def _symbols(self) -> list[tuple[str, str, Any]]:
        answer = self._ask("documentSymbol")
        document = initialize_params(self.client)["capabilities"]["textDocument"]
        if document["documentSymbol"].get("hierarchicalDocumentSymbolSupport"):
            return sorted(_flat(answer))
        flat = []
        for each in answer:
            name, _, tokens = each["name"].rpartition(" (")
            flat.append((name, tokens.removesuffix(")"), as_range(each["location"]["range"])))
        return sorted(flat)

    def findings(self) -> None:
        """Diagnostics and the text after each fix, also without a tokenizer."""
        items = self._ask("diagnostic")["items"]
        got = [(d["code"], d["message"], d["severity"], as_range(d["range"])) for d in items]
        expect("the diagnostics", got, self.plain.diagnostics())
        selection = self.buffer.some_selection(self.random)
        wanted = self.plain.quick_fixes(*self._span(selection))
        expect("the quick fixes", self._fixed(selection, None), wanted)
        every = [text for _, text in self._fixed(EVERYTHING, ["source.fixAll"])]
        fixed = self.plain.fixed()
        expect("fix-all", every, [fixed] * (fixed != self.buffer.text))

    def _fixed(self, range_: Any, only: list[str] | None) -> list[tuple[str, str]]:
        """The title of each action on a range, and the text after its edit."""
        context = {"diagnostics": [], **({"only": only} if only else {})}
        actions = self._ask("codeAction", range=range_, context=context)
        return [
            (action["title"], self._after(action["edit"]))
            for action in actions
            if "settings" not in action["title"]
        ]

    def _after(self, edit: Any) -> str:
        if changes := edit.get("documentChanges"):
            expect("the version", changes[0]["textDocument"]["version"], self.buffer.version)
            return self.buffer.after(changes[0]["edits"])
        return self.buffer.after(next(iter(edit["changes"].values())))

    def _span(self, range_: Any) -> tuple[int, int]:
        return self.plain.offset(range_["start"]), self.plain.offset(range_["end"])

    def _ask(self, method: str, **params: Any) -> Any:
        return self.wire.ask_of(self.uri, method, **params)

    def _command(self, name: str, *arguments: Any) -> Any:
        response = self.wire.response(self.wire.ask_command(name, *arguments))
        # After a change of settings it may be an encoding that can't be had, still.
        expect(f"an error of {name}", response.get("error"), None)
        expect(f"the shape of {name}", faults(response["result"], ANSWERS[name]), [])
        return response["result"]


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
