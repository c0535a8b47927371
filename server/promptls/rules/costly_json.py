"""Pretty-printed JSON costs more tokens than the same JSON without its layout.

## What it does
Reports JSON in a message whose layout costs at least 20 tokens and 15 % under the active encoding.
Program code is left alone. It says what this very text costs as it stands, minified, and, where that is less still, as CSV (a
flat list of objects) or as YAML.

## Why it matters
Indentation and line ends are for people. A model reads the same values from minified JSON. What
another notation saves depends on the text and the encoding, so it is measured, not promised; and
cheaper is not better: where an answer is to look like an example, keep the example's layout.

## Example
```
[
  {"name": "Andorra", "capital": "Andorra la Vella", "population": 79824},
  {
    "name": "Luxembourg",
    "capital": "Luxembourg",
    "population": 672050
  },
  {
    "name": "Liechtenstein",
    "capital": "Vaduz",
    "population": 39677
  }
]
```

## Use instead
```
[{"name":"Andorra","capital":"Andorra la Vella","population":79824},{"name":"Luxembourg","capital":"Luxembourg","population":672050},{"name":"Liechtenstein","capital":"Vaduz","population":39677}]
```

## Fix
Offered, not applied by `--fix`: minifies the JSON by removing whitespace between its parts. The
order of keys, the digits of numbers and every character of strings stay. CSV and YAML are offered
only where they say the same without loss.

## Known limits
JSON with comments or trailing commas isn't read. Whether a model answers another notation as well
is not measured.

## References
- RFC 8259, The JavaScript Object Notation (JSON) Data Interchange Format
- RFC 4180, Common Format and MIME Type for Comma-Separated Values (CSV) Files
"""  # noqa: E501

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator

from ..findings import Finding, Fix, Severity
from ..lint.context import Context, Rule
from ..lint.notations import as_csv, as_yaml
from ..prompt import Message
from ..text import Edit, edited

_BEGINNING = re.compile(r"[\[{](?=\s*[\"\[{\d\]}tfn-])")
_NESTED = re.compile(r"[\[{\s]+")
_LAYOUT = re.compile(r'"(?:[^"\\]|\\.)*"|([ \t\r\n]+)')
_FENCE = re.compile(r"(?:```|~~~)[ \t]*(json)[ \t]*\r?\n\Z")
_LEAST_TOKENS, _LEAST_SHARE = 20, 0.15
# A literal of a programming language: its layout is the language's, and it is to be read as code.
_IN_CODE = re.compile(r"(?:[=(]|\breturn|\byield|[)]:|->)[ \t]*\Z")
_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>```+|~~~+)[ \t]*(?P<language>[^\s`]*).*?(?:^[ \t]*(?P=fence)|\Z)",
    re.MULTILINE | re.DOTALL,
)
_OF_DATA = frozenset(("", "json", "json5", "jsonc", "jsonl", "ndjson", "text", "txt", "plaintext"))


def check(context: Context) -> Iterator[Finding]:
    for message in context.prompt.messages:
        blocks = [m.span() for m in _BLOCK.finditer(message.text) if m["language"] not in _OF_DATA]
        for start, end in _json_in(context, message.text):
            if _is_code(message.text, start, blocks):
                continue
            finding = _costly(context, message, start, end)
            if finding:
                yield finding


RULE = Rule(check, "tokens", Severity.HINT, fix="manual", options=("encoding",), since="0.1.0")


def _is_code(text: str, at: int, blocks: list[tuple[int, int]]) -> bool:
    """Whether what begins at text[at] is program code, by what stands before it or around it."""
    last = bisect_right(blocks, (at,)) - 1
    in_block = last >= 0 and at < blocks[last][1]
    return in_block or _IN_CODE.search(text, max(at - 32, 0), at) is not None


def _json_in(context: Context, text: str) -> Iterator[tuple[int, int]]:
    """Where JSON objects and lists stand in a text, the outermost only. Linear in the text.

    What isn't JSON after all is skipped up to where it went wrong, so nothing is read twice.
    """
    at = 0
    while match := next(context.search(_BEGINNING, text, 64, at), None):
        try:
            at = _json_end(text, match.start())
        except json.JSONDecodeError as error:
            at = match.start() + max(error.pos, 1)
        except (RecursionError, ValueError):
            # So deep, or with such a number, that Python doesn't read it: not written by people.
            return
        else:
            yield match.start(), at


def _json_end(text: str, start: int, size: int = 1 << 10) -> int:
    """Where the JSON value ends that begins at `start`.

    Read in parts that grow, because an error is as dear as the text that was given. Raises
    JSONDecodeError with a position that counts from `start`.
    """
    part = text[start : start + size]
    try:
        return start + json.JSONDecoder().raw_decode(part)[1]
    except json.JSONDecodeError as error:
        is_cut_off = error.pos > len(part) - 16 or error.msg.startswith("Unterminated string")
        if start + size >= len(text) or not is_cut_off:
            raise
    return _json_end(text, start, 8 * size)


def _costly(context: Context, message: Message, start: int, end: int) -> Finding | None:
    block = message.text[start:end]
    layout = [
        Edit(start + match.start(), start + match.end())
        for match in _LAYOUT.finditer(block)
        if match[1] and not context.has_gap(message, start + match.start(), start + match.end())
    ]
    # One character between two parts each is how everybody writes JSON; it rarely costs this much.
    if sum(change.end - change.start for change in layout) < _LEAST_TOKENS:
        return None
    cost = context.encoding.count(block)
    minified = context.encoding.count(
        edited(block, (Edit(a - start, b - start) for a, b, _ in layout))
    )
    if cost - minified < max(_LEAST_TOKENS, _LEAST_SHARE * cost):
        return None
    others = [] if context.has_gap(message, start, end) else _others(context, block, minified)
    figures = "".join(f", as {name} {count:,}" for name, _, count in others)
    fixes = [*context.fix(message, f"Minify it ({minified:,} tokens)", *layout)]
    for name, text, count in others:
        title = f"Rewrite it as {name} ({count:,} tokens)"
        fixes += _rewritten(context, message, start, end, title, name, text)
    return context.report(
        f"This JSON costs {cost:,} tokens; minified it costs {minified:,}{figures}",
        message.file_span(start, end),
        fixes,
        subject="JSON",
    )


def _others(context: Context, block: str, minified: int) -> list[tuple[str, str, int]]:
    """The notations that cost less than minified JSON, with the text in them and its tokens."""
    found = []
    for name, convert in (("CSV", as_csv), ("YAML", as_yaml)):
        text = convert(block)
        count = context.encoding.count(text) if text else minified
        if text and count < minified:
            found.append((name, text, count))
    return found


def _rewritten(
    context: Context, message: Message, start: int, end: int, title: str, name: str, new: str
) -> tuple[Fix, ...]:
    text = message.text
    whole_lines = text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n", "\r")
    if not whole_lines or not context.is_raw(message):
        return ()
    fence = _FENCE.search(text, max(start - 40, 0), start)
    label = [Edit(*fence.span(1), name.lower())] if fence else []
    return context.fix(message, title, *label, Edit(start, end, new))
