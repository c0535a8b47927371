"""`unusual-space` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "unusual-space",
    ("a⟦\u2800⟧b", "a b"),
    "⠓⠑⠇⠇⠕\u2800⠺",
    ("Answer⟦\u00a0⟧in⟦\u2002⟧one word.", "Answer in one word."),
    ("x.⟦ \u00a0⟧Next", "x.  Next"),
    ("⟦\u3000⟧An indent", " An indent"),
    "Prix : 5\u00a0€ «\u202foui\u202f» et un\u00a0mot été",
    "10\u00a0000 people, §\u00a05, %(count)s\u00a0hours",
    "　日本語は　全角の空白を使う。",
    ("{{n}}\u00a0hours", None, "x.j2"),
)
