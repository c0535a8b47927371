"""Texts for property tests: all of Unicode, and above all what tokenizers get wrong."""

from __future__ import annotations

from functools import cache

import regex
from hypothesis import strategies as st
from tests.tokenizer import oracle

# The classes that the split patterns distinguish.
CLASSES = ("Lu", "Ll", "Lt", "Lm", "Lo", "M", "N")

WHITESPACE = [chr(n) for n in (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))]
WHITESPACE += ["\u2028", "\u2029", "\u202f", "\u205f", "\u3000"]
NOT_WHITESPACE = ["\x1c", "\x1d", "\x1e", "\x1f", "\u180e", "\u200b", "\ufeff"]

# Each of these is known to have broken a tokenizer.
BREAKERS = [
    *("'rer", "DON'T", "x'rEy", "'ſ", "'S", "’s", "a   \n\n  b", "\n    \nx", "!!\n\n/x"),
    *("漢字ABC", "漢字ABCd", "漢XXXXX", "camelCaseHTTPServer", "e\u0301x", "12345678"),
    *("today\n \n", " \x850", "0" * 17, '}"\n\n.mkdirs fds adipisicing', "abc" * 9, " \nx"),
]
SPECIALS = [
    *("<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),
    *("<|start|>", "<|message|>", "<|channel|>", "<|reserved_200018|>", "<|reserved_201087|>"),
    *("<|endoftext|", "|endoftext|>", "<|end", "<|endof<|endoftext|>text|>", "<|im_start|>"),
]
WORDS = [
    *("hola", " niño", " El jardín", "ответ", " слова", "漢字", "トークン", "토큰", "كلمة", "שלום"),
    *(
        "हिन्दी",
        "ภาษาไทย",
        "👩‍👩‍👧‍👦",
        "🇪🇸",
        "ﬃ",
        "ǅ",
        "ʰ",
        "ẞ",
        "İ",
        "K",
        "½",
        "٣",
        "Ⅷ",
        " the",
        " A",
    ),
]


@cache
def disputed() -> str:
    """The characters that `regex` puts into another class than tiktoken's engine does."""
    everything = "".join(map(chr, range(0x110000)))
    differing: set[str] = set()
    for name in CLASSES:
        theirs = regex.findall(rf"\p{{{name}}}", everything, concurrent=False)
        differing |= set(oracle.members(rf"\p{{{name}}}")) ^ set(theirs)
    return "".join(sorted(differing))


def _fragments(surrogates: bool) -> st.SearchStrategy[str]:
    characters = st.characters(codec="utf-8")
    runs = st.builds(
        str.__mul__, st.sampled_from([*" \t\n\r\u3000aZ漢1.'\u0301", "\r\n"]), st.integers(2, 40)
    )
    fragments = [
        characters,
        st.text(alphabet=st.characters(codec="utf-8"), max_size=6),
        st.sampled_from(WHITESPACE + NOT_WHITESPACE),
        st.sampled_from([" ", "\n", "\r", "\r\n", "'", "/", "a", "A", "ſ", "漢", "\u0301", "7"]),
        st.sampled_from(BREAKERS),
        st.sampled_from(SPECIALS),
        st.sampled_from(WORDS),
        st.deferred(lambda: st.sampled_from(disputed())),
        runs,
    ]
    if surrogates:
        lone = st.integers(0xD800, 0xDFFF).map(chr)
        fragments += [lone, st.sampled_from(["\ud83d\ude00", "\ud83d", "\ude00", "\ufeff"])]
    return st.one_of(fragments)


def texts(surrogates: bool = True, max_fragments: int = 12) -> st.SearchStrategy[str]:
    """Texts of all kinds; with `surrogates`, also lone ones and unjoined pairs."""
    return st.lists(_fragments(surrogates), max_size=max_fragments).map("".join)
