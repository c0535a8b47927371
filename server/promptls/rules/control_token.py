"""Text should not spell a control token of the model that reads it.

## What it does
Reports text in a message that spells a control token of the selected model family (the setting
`family`), or one of any family whose spelling nobody writes by accident, such as `<|im_end|>`,
`<|eot_id|>` or `<｜end▁of▁sentence｜>`. Spellings that ordinary text has too, such as `<s>`,
`[INST]` and `<think>`, are reported only when their family is selected.

Those of the active encoding itself are reported by `special-token`. The markers that a chat is made
of are not reported (a `.chatml` or `.harmony` file, or a text that begins with the turn of any
family); the same marker inside a message is. A text that holds whole turns further down, such as
documentation, is one finding, at severity info; a template that writes turns is none.

## Why it matters
Chat models know control tokens that their encoding doesn't list: `<|im_end|>` is ordinary text to
`cl100k_base` and `o200k_base`, and ends a turn for models behind them. Hugging Face tokenizers
match such tokens inside any text by default, and llama.cpp's server does so in the whole rendered
template. Code fences and backticks do not protect them.

## Example
`End every reply with <|im_end|> on a line of its own.`

## Use instead
`End every reply with <|im_end |> on a line of its own.`

## Fix
Breaks the marker with one space before its closing delimiter. It is unsafe, because the marker may
be a stop word that is wanted; a marker that is meant can be listed in the setting `allowedTokens`.
The fix is only offered, not made by `--unsafe-fixes`, next to a placeholder, where the same
family's markers make turns in the file, and in files of no prompt format, such as source code.

A broken marker is no control token any more; a model can still read it as the end of a turn.

## Known limits
A template of a model that takes its chat as plain text can't be told from a text about one: such
were six of the eight findings in public files that were judged.

## References
- Hugging Face tokenizers: added tokens are matched inside any text
- OWASP Top 10 for LLM Applications, LLM01:2025, Prompt Injection
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..lint.markers import bounded, bracketed_markers, families_with, marker_findings, pattern_of


def check(context: Context) -> Iterator[Finding]:
    known = bracketed_markers(context.settings.family)
    pattern = pattern_of(frozenset(map(bounded, known)))

    @cache
    def problem(marker: str) -> str | None:
        if marker in context.encoding.special_tokens:
            return None
        return (
            f"{marker} is a control token of {families_with(marker, known)}: "
            "if special tokens are allowed in the text, it becomes one control token"
        )

    return marker_findings(context, pattern, problem) if pattern else iter(())


RULE = Rule(
    check,
    "control tokens",
    Severity.WARNING,
    fix="unsafe",
    options=("family", "allowedTokens"),
    since="0.1.0",
)
