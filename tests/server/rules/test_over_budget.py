"""`over-budget` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "over-budget",
    *rows("one two three⟦ four five⟧\nsix", "one two three", "", budget=3),
    *rows("漢字かな" * 9, budget=100),
    *rows(("one⟦ two⟧", None, "a/b.md"), budget={"*.md": 1, "*.txt": 9}),
    *rows(("one two", None, "a/b.txt"), budget={"*.md": 1}),
    *rows(
        (
            '[{"role": "system", "content": "one⟦ two⟧"}, {"role": "user", "content": "a b c"}]',
            None,
            "x.messages.json",
        ),
        budget={"system": 1},
    ),
    *rows(
        (
            '[{"role": "system", "content": "one two"}, {"role": "user", "content": "⟦a b c⟧"}]',
            None,
            "x.messages.json",
        ),
        budget=2,
    ),
)
