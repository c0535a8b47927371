"""`promptls count`: the tokens of prompt files, per file, message and line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from subword.cli.shared import Line, Result
from subword.lines import LINE_END
from subword.wording import amount, enumerated

from ..formats import promptfoo
from ..formats.promptfoo import Reference
from ..reading.amounts import BOUNDS, Amount, sum_of
from ..reading.reading import Reading
from ..rows import AmountRow, CountRow, ImportsRow, PromptRow, amount_of, amount_row, count_row
from ..sources.claude_imports import has_imports, imported, missing
from ..sources.promptfoo_files import prompt_files
from .inputs import Complaints, Failure, Source, load, sources
from .parallel import map_sources

# A file of training data has thousands of prompts; on a terminal, the first ones are enough.
_MOST_PROMPTS = 20


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Count the tokens that a model is given, exactly: those of the messages, without headers "
        "and placeholders."
    )
    parser.add_argument("--lines", action="store_true", help="show the tokens of each line")


def run(args: argparse.Namespace, complaints: Complaints) -> Result:
    todo = sources(args, complaints)
    work = partial(count_source, lines=args.lines, for_json=args.json)
    counted: list[Counted] = []
    for result in map_sources(work, todo, "Counting"):
        if isinstance(result, Failure):
            complaints.add(result.message)
        elif result:
            counted.append(result)
    rows = [each.row for each in counted]
    total = sum_of(map(amount_of, rows))
    json = {"total": total.tokens, "exactness": total.exactness, "files": rows}
    return Result(json, _report(counted))


class Counted(NamedTuple):
    """A file's counts and, where they are to be shown, its lines."""

    row: CountRow
    encoding: str
    """With the models that it counts or stands in for."""
    lines: list[str]


def count_source(source: Source, lines: bool, for_json: bool) -> Counted | Failure | None:
    """Count one file, in whichever process. A number that nobody will see isn't worked out."""
    reading = load(source)
    if not isinstance(reading, Reading):
        return reading
    row = count_row(reading, source.name, lines=lines, raw=for_json)
    row["imports"] = _imports(source, reading)
    _add_prompt_files(row, source, reading)
    shown = LINE_END.split(reading.text) if lines and not for_json else []
    return Counted(row, str(reading.choice), shown)


def _imports(source: Source, reading: Reading) -> ImportsRow | None:
    """What a CLAUDE.md imports; None for other files and where nothing is imported."""
    if source.path is None or not has_imports(source.name):
        return None
    texts = [text for _, text in imported(source.path, reading.text)]
    special = reading.settings.special_tokens
    tokens = sum(reading.encoding.count(text, special) for text in texts)
    lost = len(missing(source.path, reading.text))
    return ImportsRow(files=len(texts), tokens=tokens, missing=lost) if texts or lost else None


def _add_prompt_files(row: CountRow, source: Source, reading: Reading) -> None:
    """The prompts of the files that a promptfoo configuration names, beside its own."""
    if source.path is None or reading.format.name != promptfoo.FORMAT.name:
        return
    read = set[Reference]()
    for file in prompt_files(source.path, promptfoo.references(reading.text)):
        if file.prompt is None:
            continue
        read.add(file.reference)
        prompts = replace(reading, parsed=file.prompt)
        labels = [f"{file.label}, {each.label}" for each in file.prompt.alternatives]
        labels = labels or [file.label]
        amounts = prompts.alternative_amounts or [prompts.amount]
        for label, tokens in zip(labels, amounts, strict=True):
            row["prompts"].append(
                {
                    "label": label,
                    "file": file.name,
                    **amount_row(tokens),
                    "start": file.reference.start,
                    "end": file.reference.end,
                    "messages": [],
                }
            )
    for each in row["uncounted"]:
        if each["what"] == "prompt file":
            each["count"] -= len(read)
    row["uncounted"] = [each for each in row["uncounted"] if each["count"] > 0]


def _report(counted: list[Counted]) -> Iterator[Line]:
    total = str(sum_of(amount_of(each.row) for each in counted))
    of_lines = [list(map(str, _line_amounts(each.row))) for each in counted]
    widths = (len(number) for numbers in of_lines for number in numbers)
    width = max(6, len(total), *(len(shown(each.row)) for each in counted), *widths)
    for (row, encoding, lines), numbers in zip(counted, of_lines, strict=True):
        for number, line in zip(numbers, lines, strict=True):
            yield (f"{number:>{width}}", "cyan"), (f"  {line}", "")
        yield (
            (f"{shown(row):>{width}}", "bold cyan"),
            (f"  {row['path']}", "bold" if lines else ""),
            (f"  {_details(row, encoding)}", "dim"),
        )
        yield from _prompts(row["prompts"], width)
    if len(counted) > 1:
        yield (f"{total:>{width}}", "bold cyan"), ("  total", "bold")


def _prompts(prompts: list[PromptRow], width: int) -> Iterator[Line]:
    """The prompts of a file that holds several, below it."""
    for prompt in prompts[:_MOST_PROMPTS]:
        tokens = f"{shown(prompt):>6}"
        yield (" " * width, ""), (f"  {tokens}", "cyan"), (f"  {prompt['label']}", "dim")
    if len(prompts) > _MOST_PROMPTS:
        more = f"{len(prompts) - _MOST_PROMPTS:,} more; --json has each of them"
        yield [(f"{'':>{width}}  {'…':>6}  {more}", "dim")]


def _line_amounts(row: CountRow) -> Iterator[Amount | str]:
    """The number of each line, as sure as the file's; nothing where no token begins."""
    return (Amount(n, row["exactness"]) if n else "" for n in row.get("line_tokens", ()))


def shown(row: CountRow | AmountRow) -> str:
    """The number of a row as text."""
    return str(amount_of(row))


def _spread(prompts: list[PromptRow]) -> str:
    """`total of 3 prompts, 12 to 40 each`."""
    amounts = [amount_of(prompt) for prompt in prompts]
    least = min(each.tokens if each.is_measured else each.least for each in amounts)
    most = max(each.tokens for each in amounts)
    each = Amount(most, sum_of(amounts).exactness, least, most)
    return f"total of {amount(len(prompts), 'prompt')}, {each} each"


def _details(row: CountRow, encoding: str) -> str:
    """What the number is about: `prompty · o200k_base · 2 messages · + 3 placeholders`."""
    details = [row["format"], encoding]
    if row.get("bounded"):
        details.append(BOUNDS)
    own = [prompt for prompt in row["prompts"] if prompt["file"] is None]
    if own:
        details.append(_spread(own))
    elif len(row["messages"]) != 1 and not row["prompts"]:
        details.append(f"{len(row['messages'])} messages")
    if markers := row["markers"]:
        details.append(f"without {markers['family']} markers, {markers['tokens']} with them")
    elif wrapper := row["wrapper"]:
        details.append(f"+ about {wrapper['per_message']} per message")
        if wrapper["names"]:
            details.append(f"+ {wrapper['names']} for names")
    if files := len({prompt["file"] for prompt in row["prompts"]} - {None}):
        prompts = amount(len(row["prompts"]) - len(own), "prompt")
        details.append(f"{prompts} in {amount(files, 'file')}")
    if row["placeholders"]:
        details.append(f"+ {amount(row['placeholders'], 'placeholder')}")
    if row.get("loops"):
        details.append(f"{amount(row['loops'], 'loop')} counted per item")
    if imports := row["imports"]:
        if imports["files"]:
            details.append(f"+ {imports['tokens']} in {amount(imports['files'], 'import')}")
        if imports["missing"]:
            details.append(f"{amount(imports['missing'], 'import')} not found")
    if filled := row["filled"]:
        is_counted = filled["tokens"] is not None
        tokens = amount_of(filled) if is_counted else "too much text to count"
        samples = amount(filled["filled"], "sample value") if filled["filled"] else "sample values"
        details.append(f"{tokens} with {samples}")
    if row["uncounted"]:
        amounts = [amount(each["count"], each["what"]) for each in row["uncounted"]]
        details.append(f"{enumerated(amounts)} not counted")
    return " · ".join(details)
