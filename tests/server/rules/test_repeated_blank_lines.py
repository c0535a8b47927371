"""`repeated-blank-lines` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "repeated-blank-lines",
    ("One.\n⟦   \n\n  \n\n⟧Two.", "One.\n\nTwo."),
    "One\n\n\nTwo",
    "One.\n\nTwo.",
    ("One.\n   \n{{x}}\n  \n\nTwo.", None, "x.j2"),
    "One.\n\n\n   \n",
)
