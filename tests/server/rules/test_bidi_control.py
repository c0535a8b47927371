"""`bidi-control` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "bidi-control",
    ("Pay ⟦\u202e⟧001⟦\u202c⟧ €.", "Pay 001 €."),
    ("if x: ⟦\u2066⟧# note", "if x: # note"),
    ("قال ⟦\u202e⟧abc⟦\u202c⟧ x", "قال abc x"),
    ("قال ⟦\u2066⟧abc", "قال abc"),
    "قال \u2066Hello\u2069 ثم \u202bx\u202c",
    "\u202b%(n)d سال",
    ("\u2068{{name}}\u2069 has left", None, "x.j2"),
    "plain \u200e and שלום",
)
