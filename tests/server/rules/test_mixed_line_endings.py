"""`mixed-line-endings` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "mixed-line-endings",
    ("a\nb⟦\r\n⟧c\nd\r\ne\n", "a\nb\nc\nd\ne\n"),
    ("a\r\nb⟦\n⟧c\r\n", "a\r\nb\r\nc\r\n"),
    ("一\n二⟦\r⟧三\n", "一\n二\n三\n"),
    "a\nb\n",
    "a\r\nb\r\n",
    "a\x85b\u2028c\x0cd\n",
)
