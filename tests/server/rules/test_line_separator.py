"""`line-separator` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "line-separator",
    ("one⟦\u2028⟧two⟦\u2029⟧three⟦\x85⟧\n", "one\ntwo\nthree\n\n"),
    ("one⟦\u2028⟧two\r\n", "one\r\ntwo\r\n"),
    "one\ntwo\r\nthree\x0c",
)
