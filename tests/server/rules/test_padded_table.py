"""`padded-table` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

PADDED = """| country     | capital          | people     |
| ----------- | :--------------- | ---------: |
| Andorra     | Andorra la Vella | 79824      |
| Luxembourg  | Luxembourg       | 672050     |"""
UNPADDED = """| country | capital | people |
| --- | :--- | ---: |
| Andorra | Andorra la Vella | 79824 |
| Luxembourg | Luxembourg | 672050 |"""

test_rows = table(
    "padded-table",
    (f"Tables:\n\n⟦{PADDED}⟧\n\nEnd.", f"Tables:\n\n{UNPADDED}\n\nEnd."),
    (
        f"⟦{PADDED}\n| a \\|   b     | c                | ---------- |⟧",
        f"{UNPADDED}\n| a \\|   b | c | ---------- |",
    ),
    UNPADDED,
    "| a  | b  |\n| -- | -- |\n| 1  | 2  |",
    "| no | delimiter |\n| ---------- |",
    "a | b\n",
)
