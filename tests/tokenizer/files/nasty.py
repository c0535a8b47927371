"""Nasty texts by the thousand, the same at each run: mixtures of what tokenizers get wrong."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Sequence

_WORDS = """
the The THE don't DON'T it's I'LL camelCaseHTTPServer snake_case naïve über Straße İstanbul ſo ﬁne
ﬃ ① ½ ™ Ⅷ x² ｆｕｌｌ １２３ 漢字 東京 カタカナ ｶﾀｶﾅ ﾊﾞ ー 한국어 안녕 ภาษาไทย ກຳ ຳ हिन्दी كلمة ﷺ שלום
שׁ Ωμέγα ᾴ ответ й 👩‍👩‍👧‍👦 🇪🇸 👍🏽 ☃️ 12345678 3.14 1,000,000 ٣٤٥ १२३ $x^2$ != <= -> // /* */ <br/>
{{x}} ``` ▁ ▁▁ <0x41> ## ##ing [UNK] <unk> Ġ Ċ </w> fox 𝐀𝐁 ﷽ ǅ ǰ ΐ
""".split()  # noqa: SIM905 — a list would be ten times as long.
# Those that an editor might compose when it saves this file.
_WORDS += ["e\u0301te\u0301", "\u1112\u1161\u11ab", "\u0a33\u0a36", "\u0958", "\u0f40\u0f71\u0f72"]
_WORDS += ["\u0438\u0306", "\u0f81", "\U0002f8be", "\u0eb3", "\u212b", "\u2126"]
_SPACES = [" ", "  ", " " * 7, "\t", "\n", "\n\n", "\r\n", "\r", " \n", "\n ", "\x0b", "\x0c"]
_SPACES += ["\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u202f", "\u3000", "\u200b", "\ufeff"]
_MARKS = (
    "\u0300\u0301\u0315\u031b\u0323\u0328\u0345\u05b0\u05bc\u064b\u0651\u093c\u0f71\u0f80\u3099"
)
_MARKS += "\u1161\u11a8\u200d\ufe0f\u20dd"
_CONTROLS = "\x00\x01\x07\x08\x1b\x1c\x1f\x7f\x80\x9f\xad\u200e\u202e\u2060\ufffd\ufffe"
_CONTROLS += "\uffff\ue000"
# Those whose composition or decomposition is another number of characters or bytes.
_CHANGING = [
    chr(code)
    for code in range(0x80, 0x30000)
    if any(
        unicodedata.normalize(form, chr(code)) != chr(code)
        for form in ("NFC", "NFD", "NFKC", "NFKD")
    )
    and not 0xAC10 < code < 0xD7A0
]


def nasty_texts(count: int, specials: Sequence[str] = (), seed: int = 0) -> Iterator[str]:
    """`count` texts of up to some hundred characters; `specials` stand in them whole and cut."""
    chance = random.Random(seed)
    for _ in range(count):
        length = chance.choice((1, 2, 3, 5, 8, 13, 30))
        yield "".join(_fragment(chance, specials) for _ in range(length))


def _fragment(chance: random.Random, specials: Sequence[str]) -> str:
    kind = chance.randrange(12)
    if kind < 4:
        return chance.choice(("", " ", " ")) + chance.choice(_WORDS)
    if kind == 4:
        return chance.choice(_SPACES)
    if kind == 5:
        return chance.choice("ae漢क1 \n") + "".join(chance.choices(_MARKS, k=chance.randint(1, 4)))
    if kind == 6:
        return chance.choice(_CHANGING)
    if kind == 7:
        # Of all planes; surrogates are no characters.
        code = chance.choice((chance.randrange(0x3000), chance.randrange(0x110000)))
        return chr(code) if not 0xD800 <= code < 0xE000 else chr(code - 0x800)
    if kind == 8:
        return chance.choice(" \n\ta.漢-1=" + "\u0301") * chance.randint(2, 40)
    if kind == 9:
        return chance.choice(_CONTROLS)
    if kind == 10 and specials:
        special = chance.choice(specials)
        cut = chance.randrange(len(special))
        return chance.choice((special, special, special[:cut], special[cut:], special.upper()))
    return chance.choice((" ", "\n", "", "  ")) + chance.choice(_WORDS).capitalize()
