"""Show the main job on the prompts in examples/: exact counts, findings, and the real server.

python -m scripts.demo
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from rich import box
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.bar import Bar
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text
from tests.lsp.wire import Wire, span

from promptls.reading.amounts import Amount, sum_of
from promptls.reading.encodings import load_encoding
from promptls.reading.ranges import Range
from promptls.reading.reading import Reading, read
from promptls.reports.located import Located, locate
from promptls.reports.text import STYLES
from promptls.rows import comparison_row, token_rows
from promptls.rules.checking import check
from promptls.settings import Settings
from promptls.sources.files import find_prompts, read_text
from promptls.wording import visible
from subword.wording import amount

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
SHOWN = ("gijiroku-youyaku.txt", "triage-ticket.chatml", "revisar-contrato.prompty")
PICTURED = "triage-ticket.chatml"

# Neighbouring tokens differ; black on these is readable on a dark terminal and on a light one.
TOKEN_STYLES = tuple(
    f"#1b1b1b on {colour}" for colour in ("#b5d8f7", "#f9e2ae", "#cdeac0", "#f6c6d0")
)
WIDTH = 100

# A line below the head and one above the sum.
RULES = box.Box("    \n    \n ── \n    \n    \n ── \n    \n    \n")

T = TypeVar("T")


def main() -> None:
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH) if console.is_terminal else WIDTH
    readings = [load(path) for path in find_prompts(EXAMPLES)]
    shown = [reading for name in SHOWN for reading in readings if name_of(reading) == name]
    for reading in shown:
        console.print(prompt(reading))
    console.print(overview([a for a in readings if a not in shown], readings))
    console.print(comparison(readings))
    console.print(conversation(next(a for a in readings if name_of(a) == PICTURED)))


def picture() -> str:
    """The README's, as SVG: a prompt with its tokens, findings and cost, as a terminal has them."""
    console = Console(
        record=True, width=WIDTH, force_terminal=True, highlight=False, file=io.StringIO()
    )
    reading = load(EXAMPLES / PICTURED)
    console.print(prompt(reading))
    console.print(comparison([reading]))
    # rich's page loads its font from a web server; a picture should ask nobody for anything.
    page = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    title = f"promptls · {PICTURED}"
    return console.export_svg(title=title, code_format=page, unique_id="promptls")


def load(path: Path) -> Reading:
    return read(read_text(path), str(path))


def name_of(reading: Reading) -> str:
    return Path(reading.path or "").name


# --- Prompts -----------------------------------------------------------------------------------


def prompt(reading: Reading) -> RenderableType:
    """A prompt with its tokens, the count of each line at the right, and what was found."""
    table = ruled("", f"[not dim bold]examples/{name_of(reading)}[/]  {reading.format.name}")
    table.columns[0].justify = "right"
    table.columns[0].style = "dim"
    table.columns[0].width = 9
    table.columns[1].overflow = "fold"
    table.columns[1].no_wrap = False
    for row in rows(reading):
        table.add_row(*row)
    table.add_section()
    table.add_row("", total(reading), str(reading.amount))
    return Group(table, found_in(reading), "")


def ruled(*names: str) -> Table:
    """A table as wide as the terminal: named columns, and the tokens at the right."""
    table = Table(box=RULES, expand=True, show_edge=False, pad_edge=False, header_style="dim")
    for number, name in enumerate(names):
        table.add_column(name, ratio=1 if number == 1 else None, no_wrap=number != 1)
    table.add_column("tokens", justify="right", style="bold cyan", no_wrap=True)
    return table


def rows(reading: Reading) -> Iterator[tuple[str, Text, str]]:
    """Each line: its message's role or its number, its text with its tokens, and their count."""
    text = tokens(reading)
    ends = [*reading.line_starts[1:], len(reading.text)]
    roles = {line_of(reading, m.start): m.role or "" for m in reading.prompt.messages}
    header = reading.prompt.header
    first = line_of(reading, header.end) + 1 if header else 0
    if first:
        yield "", Text(f"… {first} lines of header, which no model sees", "dim"), ""
    for number, (start, end) in enumerate(zip(reading.line_starts, ends, strict=True)):
        # The empty line after the last line end is no line to people.
        if number < first or (start == end and number == len(ends) - 1 and number):
            continue
        line = text[start:end]
        line.rstrip_end(len(line.plain.rstrip("\r\n")))
        label = roles.get(number) or str(number + 1)
        yield label, line, str(reading.line_tokens[number] or "")


def tokens(reading: Reading) -> Text:
    """The file's text, in which each token has a colour unlike its neighbours'."""
    text = Text(reading.text, "dim")
    special = reading.settings.special_tokens
    for number, row in enumerate(token_rows(reading.prompt, reading.encoding, special)):
        text.stylize(
            f"not dim {TOKEN_STYLES[number % len(TOKEN_STYLES)]}", row["start"], row["end"]
        )
    return text


def line_of(reading: Reading, offset: int) -> int:
    return sum(start <= offset for start in reading.line_starts) - 1


def total(reading: Reading) -> Text:
    """What the sum counts, and what it leaves out."""
    parts = [str(reading.choice)]
    placeholders = sum(p.kind == "variable" for p in reading.prompt.placeholders)
    if placeholders:
        parts.append(f"+ {amount(placeholders, 'placeholder')}")
    if reading.raw_tokens != reading.total:
        parts.append(f"the file as it stands has {reading.raw_tokens}")
    return Text(" · ".join(parts), "dim")


def findings(reading: Reading) -> list[Located]:
    return locate(check(reading), name_of(reading))


def found_in(reading: Reading) -> Table:
    """The findings with their places, and what mends each."""
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(justify="right", style="dim", width=9)
    table.add_column(ratio=1)
    for found in findings(reading):
        place = f"{found.start.line + 1}:{found.start.column + 1}"
        rule = f"{found.severity}[{found.rule}]"
        message = f" {visible(found.message)}"
        table.add_row(place, Text.assemble((rule, STYLES[found.severity]), message))
        fix = next((fix for fix in found.fixes if fix.applicability != "manual"), None)
        if fix:
            table.add_row("", Text(f"fix: {visible(fix.title)}", "green"))
    return table


def overview(others: list[Reading], everything: list[Reading]) -> RenderableType:
    """The prompts that aren't shown in full, in a line each, and the sum of all."""
    table = ruled("the other examples", "findings")
    for reading in others:
        found = Text(", ").join(
            Text(
                f"{each.start.line + 1}:{each.start.column + 1} {each.rule}",
                STYLES[each.severity],
            )
            for each in findings(reading)
        )
        table.add_row(name_of(reading), found, str(reading.amount))
    table.add_section()
    count = sum(len(findings(reading)) for reading in everything)
    tokens = sum_of(reading.amount for reading in everything)
    table.add_row(f"all {len(everything)} examples", amount(count, "finding"), str(tokens))
    return Group(table, "")


def comparison(readings: list[Reading]) -> RenderableType:
    """What the same prompts cost in several encodings."""
    settings = Settings()
    texts = [message.text for a in readings for message in a.prompt.messages]
    rows = []
    for encoding in (load_encoding(settings, name) for name in settings.compare_encodings):
        ranges = [reading.range_in(encoding) for reading in readings]
        rows.append(comparison_row(encoding, texts, "text", sum(ranges, Range(0, 0))))
    most = max(row["tokens"] for row in rows)
    table = ruled("the same in", "", "characters/token", "tokens/word")
    for row in rows:
        table.add_row(
            row["encoding"],
            Bar(most, 0, row["tokens"], color="cyan"),
            f"{row['characters_per_token']:16.2f}",
            f"{row['tokens_per_word']:11.2f}",
            str(Amount(row["tokens"], "exact", row.get("low"), row.get("high"))),
        )
    return Group(table, "")


# --- The server --------------------------------------------------------------------------------


def conversation(reading: Reading) -> RenderableType:
    """What the real server answers about a prompt, over stdio, and how long it takes."""
    table = ruled("[not dim bold]promptls serve[/]", f"answers about {name_of(reading)}")
    table.columns[-1].header = "ms"
    for request, answer, milliseconds in exchanges(reading):
        table.add_row(request, Text(answer), f"{milliseconds:.1f}" if milliseconds else "")
    return table


def exchanges(reading: Reading) -> Iterator[tuple[str, str, float]]:
    """Each request, what came back in short, and after how many milliseconds."""
    uri = (EXAMPLES / name_of(reading)).as_uri()
    whole = span((0, 0), (len(reading.line_starts), 0))
    client, milliseconds = timed(Wire)
    with client:
        _, more = timed(lambda: client.start("vscode", rootUri=ROOT.as_uri()))
        yield "initialize", "ready (a new process, Python included)", milliseconds + more
        client.open(uri, reading.text)

        def ask(method: str, **params: Any) -> tuple[Any, float]:
            return timed(lambda: client.ask_of(uri, method, **params))

        before, milliseconds = ask("inlayHint", range=whole)
        yield "inlayHint", f"{len(before)} hints: {shown_hints(before)}", milliseconds
        report, milliseconds = ask("diagnostic")
        yield "diagnostic", shown_diagnostics(report["items"]), milliseconds
        here = report["items"][0]["range"] if report["items"] else whole
        hover, milliseconds = ask("hover", position=here["start"])
        yield "hover", hover["contents"]["value"].partition("\n")[0], milliseconds
        context = {"diagnostics": report["items"][:1]}
        actions, milliseconds = ask("codeAction", range=here, context=context)
        yield "codeAction", " / ".join(action["title"] for action in actions[:2]), milliseconds
        at = {"start": here["start"], "end": here["start"]}
        client.change(uri, 2, {"range": at, "text": "¡Olé! "})
        hints, milliseconds = ask("inlayHint", range=whole)
        yield "didChange, inlayHint", f"typed “¡Olé! ”: {shown_change(before, hints)}", milliseconds
        yield "shutdown, exit", f"the process ends with exit code {client.stop()}", 0


def shown_hints(hints: list[dict[str, Any]]) -> str:
    labels = [f"{hint['label']} on line {hint['position']['line'] + 1}" for hint in hints]
    return ", ".join(labels[:4]) + (" …" if len(labels) > 4 else "")


def shown_change(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> str:
    pairs = zip(before, after, strict=True)
    return ", ".join(
        f"line {new['position']['line'] + 1} from {old['label']} to {new['label']}"
        for old, new in pairs
        if old["label"] != new["label"]
    )


def shown_diagnostics(items: list[dict[str, Any]]) -> str:
    starts = [(item["range"]["start"], item["code"]) for item in items]
    places = [f"{at['line'] + 1}:{at['character'] + 1} {code}" for at, code in starts]
    return f"{amount(len(items), 'finding')}: " + ", ".join(places)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What the work gives, and its milliseconds."""
    start = perf_counter()
    result = work()
    return result, (perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
