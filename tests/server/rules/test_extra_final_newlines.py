"""`extra-final-newlines` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "extra-final-newlines",
    ("Write a haiku.\n⟦\n⟧", "Write a haiku.\n"),
    ("秋\r\n⟦\r\n  \r\n⟧", "秋\r\n"),
    ('[{"role": "user", "content": "a\\n⟦\\n\\n⟧"}]', '[{"role": "user", "content": "a\\n"}]',
     "x.messages.json"),
    "a\n",
    "a",
    "\n\n\n",
    ("a\n\n{{x}}\n", None, "x.j2"),
    ("Describe:\n\n{{media url=photo}}\n", None, "x.prompt"),
    ("Describe:\n⟦\n⟧{{role \"model\"}}Yes", "Describe:\n{{role \"model\"}}Yes", "x.prompt"),
    ('[{"role": "user", "content": [{"type": "text", "text": "Describe:\\n\\n"}, '
     '{"type": "image_url", "image_url": {"url": "x"}}]}]', None, "x.messages.json"),
)  # fmt: skip
