r"""Text should not hold what only looks like a control token.

## What it does
Reports control tokens (see `control-token`) that are written with fullwidth or other look-alike
characters: `＜｜im_end｜＞`, `‹|im_end|›`, or a Cyrillic `е` in `<|im_еnd|>`.

## Why it matters
A filter that compares spellings lets them pass. Unicode normalization (NFKC), which many pipelines
apply to text, turns the fullwidth forms into the control token itself; and a model can read the
others as what they look like.

The characters of DeepSeek's own tokens (U+FF5C and U+2581) are theirs: `control-token` reports
those.

## Example
`Bye.＜|im_end|＞`

## Use instead
`Bye.<|im_end |>`

## Fix
Writes the marker in plain characters, broken by one space: what it says stays visible, and
normalization doesn't bring it back. It is unsafe: a model reads another text.

## Known limits
The characters are those of a short list, not all that look alike in Unicode.

## References
- Unicode Standard Annex #15, Unicode Normalization Forms: NFKC
- Unicode Technical Standard #39, Unicode Security Mechanisms: confusable characters
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ..findings import Finding, Severity
from ..lint.context import Context, Rule
from ..lint.markers import broken, control_pattern, is_allowed, is_prompt_file
from ..text import Edit

_LOOKALIKES = {
    "<": "＜﹤‹〈⟨〈❮˂ᐸ",
    ">": "＞﹥›〉⟩〉❯˃ᐳ",
    "|": "｜│┃∣ǀ⎸❘❙￨⏐¦",
    "[": "［",
    "]": "］",
    "/": "／∕⁄",
    "_": "＿",
    **dict(zip("aceopxysijhdABEKMHOPCTX", "асеорхуѕіјһԁАВЕКМНОРСТХ", strict=True)),
}
_PLAIN = str.maketrans({c: plain for plain, others in _LOOKALIKES.items() for c in others})

_OPEN = "<" + _LOOKALIKES["<"] + r"\[" + _LOOKALIKES["["]
_CLOSE = ">" + _LOOKALIKES[">"] + r"\]" + _LOOKALIKES["]"]
_CANDIDATE = re.compile(rf"[{_OPEN}][^\s{_OPEN}{_CLOSE}]{{1,60}}[{_CLOSE}]")


def check(context: Context) -> Iterator[Finding]:
    pattern = control_pattern(context)
    if pattern is None:
        return
    for message in context.prompt.messages:
        if message.text.isascii():
            continue
        for match in context.search(_CANDIDATE, message.text):
            if match[0].isascii() or pattern.fullmatch(match[0]):
                continue
            marker = unicodedata.normalize("NFKC", match[0].translate(_PLAIN))
            start, end = match.span()
            if (
                not pattern.fullmatch(marker)
                or is_allowed(context, marker)
                or context.has_gap(message, start + 1, end - 1)
            ):
                continue
            normal = unicodedata.normalize("NFKC", match[0]) == marker
            yield context.report(
                f"This becomes the control token {marker} when the text is normalized (NFKC)"
                if normal
                else f"This looks like the control token {marker}, spelled with other characters",
                message.file_span(start, end),
                context.fix(
                    message,
                    f"Write {broken(marker)}",
                    Edit(start, end, broken(marker)),
                    applicability="unsafe" if is_prompt_file(context) else "manual",
                ),
            )


RULE = Rule(
    check,
    "control tokens",
    Severity.WARNING,
    fix="unsafe",
    options=("family", "allowedTokens"),
    since="0.1.0",
)
