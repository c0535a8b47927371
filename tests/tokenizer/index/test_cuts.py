"""Each rule of `cuts` is safe: tried on all short strings, and against tokens and pieces."""

from __future__ import annotations

import re
from itertools import product

import pytest

from subword import get_encoding
from subword.cuts import _L, _N, _P, RULES, Cutter, cut_regex
from subword.patterns import _unicode_classes, compile_pattern

ENCODING = {"gpt2": "r50k_base", "cl100k": "cl100k_base", "o200k": "o200k_base"}

# One or more characters of each kind that any pattern tells apart: lower case (in a contraction
# and not), upper case, letters without case, digits, marks, punctuation, `'` and `/`, line ends,
# the space, other whitespace, and a character beyond the first plane.
ALPHABET = ["s", "r", "e", "X", "漢", "7", "\u0301", "!", "'", "/", "\r", "\n", " ", "\t", "😀"]


def safe_cuts(pattern: str, text: str) -> list[int]:
    return list(Cutter(pattern).between(text, 0, len(text)))


@pytest.mark.parametrize("pattern", RULES)
def test_all_short_strings_can_be_cut(pattern: str) -> None:
    """Pieces as well as tokens: merges might hide a piece that ends elsewhere."""
    encoding = get_encoding(ENCODING[pattern])
    split = compile_pattern(pattern)
    tokens: dict[str, list[int]] = {}
    pieces: dict[str, list[str]] = {}
    cuts = 0
    for length in range(1, 5):
        for characters in product(ALPHABET, repeat=length):
            text = "".join(characters)
            tokens[text] = encoding.encode(text)
            pieces[text] = split.findall(text, concurrent=False)
            for cut in safe_cuts(pattern, text):
                left, right = text[:cut], text[cut:]
                assert tokens[text] == tokens[left] + tokens[right], (text, cut)
                assert pieces[text] == pieces[left] + pieces[right], (text, cut)
                cuts += 1
    assert cuts > 40_000


# Cuts that look safe: adding any of them to the rules breaks a count.
@pytest.mark.parametrize(
    ("pattern", "left", "right"),
    [
        ("gpt2", "a ", "b"),
        ("gpt2", " \n", "x"),  # A line start: the line end alone joins the space before it.
        ("gpt2", "'", "s"),
        ("gpt2", "!", "!"),
        ("cl100k", "!", "\n"),
        ("cl100k", "12", "34"),
        ("cl100k", "\t", "x"),
        ("cl100k", "!", "a"),
        ("cl100k", "\n", " \n"),
        ("o200k", "!!\n", "/x"),
        ("o200k", "x", "'re"),
        ("o200k", "e", "\u0301x"),
        ("o200k", "漢字A", "BCd"),
    ],
)
def test_cuts_that_look_safe_are_not_made(pattern: str, left: str, right: str) -> None:
    split = compile_pattern(pattern)

    def pieces(text: str) -> list[str]:
        found: list[str] = split.findall(text, concurrent=False)
        return found

    assert pieces(left + right) != pieces(left) + pieces(right)
    assert len(left) not in safe_cuts(pattern, left + right)


@pytest.mark.parametrize(
    ("letters", "classes"),
    [(_L, ("Lu", "Ll", "Lt", "Lm", "Lo")), (_N, ("N",)), (_P + "'", ("P", "S"))],
)
def test_sets_are_parts_of_the_classes_that_the_patterns_use(
    letters: str, classes: tuple[str, ...]
) -> None:
    ranges = _unicode_classes()
    kinds = {
        chr(code): name
        for name, rows in ranges.items()
        for first, last in rows
        for code in range(first, last + 1)
    }
    members = re.findall(f"[{letters}]", "".join(map(chr, range(0x110000))))
    assert members
    for member in members:
        assert kinds[member] in classes
        assert not re.match(r"\s", member)


def test_no_rule_tears_a_line_end_or_a_surrogate_pair() -> None:
    for pattern in RULES:
        for text in ("a\r\nb", "\r\n", "a\ud83d\ude00b", "\ud83d\ude00", "1\ud835\udfd82"):
            for torn in ("\r\n", "\ud83d\ude00", "\ud835\udfd8"):
                if torn in text:
                    assert text.index(torn) + 1 not in safe_cuts(pattern, text)


def test_an_unknown_pattern_has_no_cuts() -> None:
    assert not cut_regex(None).search("a b\nc 1")


@pytest.mark.parametrize(
    ("text", "specials", "cuts"),
    [
        ("a <| b |> c", {"<| b |>"}, [1, 9]),
        ("a <| b |> c", {"<| b", "b |> c"}, [1]),
        ("a <| b |>", {"<| b |> c"}, [1, 4, 6]),
        ("x x x x", {"x x"}, []),
        ("x x", set(), [1]),
    ],
)
def test_no_cut_inside_a_special_token(text: str, specials: set[str], cuts: list[int]) -> None:
    """Even if it overlaps another one, so that it may turn out not to be one."""
    cutter = Cutter("cl100k", frozenset(specials))
    found = [cut for cut in cutter.between(text, 0, len(text)) if text[cut] == " "]
    assert found == cuts


@pytest.mark.parametrize("gap", [0, 1, 63, 64, 65, 1000])
@pytest.mark.parametrize("specials", [set(), {"<|x|>"}])
def test_cuts_on_either_side_of_a_range(gap: int, specials: set[str]) -> None:
    """However far they are, and although a special token begins out of sight."""
    cutter = Cutter("cl100k", frozenset(specials))
    text = "<|x|>" + "x" * gap + " " + "<|x|>" + "y" * gap + " three"
    cuts = [0, *cutter.between(text, 0, len(text)), len(text)]
    for start in range(0, len(text), 7 + gap // 10):
        for end in range(start + 1, len(text) + 1, 5 + gap // 10):
            first = max(cut for cut in cuts if cut <= start)
            last = min(cut for cut in cuts if cut >= end)
            assert cutter.around(text, start, end) == (first, text[first:last])


def test_a_cut_that_a_distant_special_token_forbids() -> None:
    special = "<|" + "x y" * 60 + "|>"
    cutter = Cutter("cl100k", frozenset({special}))
    text = "a b" * 100 + special + "a b" * 100
    inside = text.index(special) + len(special) // 2
    assert cutter.around(text, inside, inside) == (300, special + "a")
