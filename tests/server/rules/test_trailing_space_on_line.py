"""`trailing-space-on-line` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "trailing-space-on-line",
    "off by default \nx",
    *rows(
        ("a⟦ ⟧\nb⟦\t⟧\n⟦  ⟧\nc⟦   ⟧\n\nd", "a\nb\n\nc\n\nd"),
        "hard  \nbreak   \nhere",
        ("a {{x}}\n{{y}} \nb", None, "x.j2"),
        "at the end \n",
        rules={"trailing-space-on-line": "hint"},
    ),
)
