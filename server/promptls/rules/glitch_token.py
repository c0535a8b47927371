"""Text should avoid tokens that models have hardly ever seen.

## What it does
Reports tokens that are known as glitch tokens of the active encoding: entries that were merged
into the vocabulary but were almost absent from the training data. It looks at the ids of the text
once it is tokenized, so the same letters in other tokens are not reported.

For `o200k_base` it reports phrases of spam, mostly Chinese, that are one token each. They are
pollution of the vocabulary; that models are weak on them is not shown.

## Why it matters
A model has not learnt what such a token means: it was measured that models can't even repeat it.
` SolidGoldMagikarp` is 1 token in `r50k_base`, and
` SolidGoldMagikarp` is 5 tokens in `o200k_base`, where it is harmless.

## Example
`Say hello to SolidGoldMagikarp.` (with `encoding = "r50k_base"`)

## Use instead
`Say hello to Magikarp.`

## Fix
None. Another spelling, or a word less, makes other tokens.

## Known limits
Only the lists of the references are known; most encodings have none.

## References
- Land and Bartolo, "Fishing for Magikarp: Automatically Detecting Under-trained Tokens in Large
  Language Models", with reports for each model in cohere-ai/magikarp
- NVIDIA garak, `garak/probes/glitch.py`: the list for the vocabulary of GPT-2
- arXiv 2508.17771, on polluted tokens in the vocabulary of GPT-4o
"""

from __future__ import annotations

from collections.abc import Iterator

from subword.glitch import GlitchToken, glitch_tokens

from ..findings import Finding, Severity
from ..lint.context import Context, Rule

_WHAT = {
    "verified": "a glitch token of {encoding}: a model that uses it could not repeat it",
    "verified-on-models-sharing-the-vocabulary": (
        "a glitch token of {encoding}: other models with this vocabulary could not repeat it"
    ),
    "listed": "on a published list of glitch tokens of {encoding}, without a measurement",
    "candidate": "a candidate for a glitch token of {encoding}, without a measurement",
    "polluted-vocabulary": (
        "polluted vocabulary of {encoding} ({category}); that models are weak on it is not shown"
    ),
}


def check(context: Context) -> Iterator[Finding]:
    known = glitch_tokens(context.encoding.name)
    if not known:
        return
    spelled = list(map(context.encoding.decode, ([id] for id in known)))
    for message in context.prompt.messages:
        context.take_turn()
        # Only where one is spelled out the text is tokenized for it.
        if not any(each in message.text for each in spelled):
            continue
        for token in context.encoding.split(message.text):
            if token.id in known:
                span = message.file_span(token.start, token.end)
                yield context.report(_problem(context, known[token.id]), span)


def _problem(context: Context, glitch: GlitchToken) -> str:
    token = context.encoding.decode([glitch.id])
    name = context.encoding.name
    shown = f'"{token}" (token {glitch.id})'
    return f"{shown} is {_WHAT[glitch.tier].format(encoding=name, category=glitch.category)}"


RULE = Rule(check, "tokens", Severity.INFO, options=("encoding",), since="0.1.0")
