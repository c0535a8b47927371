"""`replacement-character` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "replacement-character",
    "Caf⟦\ufffd⟧ ⟦\ufffd\ufffd⟧x",
    '"\ufffd" is U+FFFD, and so is \ufffd here; 😀',
    '# ⟦\ufffd⟧ Overview\n\nPrice ⟦\ufffd⟧ 5, or mail) ⟦\ufffd⟧"',
    "An unknown byte is shown as `\ufffd` or “\ufffd”.",
    ('[{"role": "user", "content": "a⟦\\ud83d⟧b \\ud83d\\ude00"}]', None, "x.messages.json"),
)
