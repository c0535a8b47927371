"""`control-character` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "control-character",
    ("Calm⟦\x1b[2J⟧ wipe,⟦\x9b31m⟧ red⟦\x07⟧, del⟦\x7f⟧.", "Calm wipe, red, del."),
    ("⟦\x1b[1;31m⟧no⟦\x1b[0m\x00⟧", "no"),
    (
        '[{"role": "user", "content": "a⟦\\u0007⟧b"}]',
        '[{"role": "user", "content": "ab"}]',
        "x.messages.json",
    ),
    "tab\tend\r\nline\n",
    "donâ\x80\x99t",
)
