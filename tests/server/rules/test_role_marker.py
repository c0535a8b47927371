"""`role-marker` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "role-marker",
    "a\n\nHuman: b\n\nc",
    "a\nUSER: b\nc",
    *rows(
        ("Sum up.\n\n⟦Human:⟧ No.\n\nEnd.", "Sum up.\n\nHuman : No.\n\nEnd."),
        (
            '[{"role": "user", "content": "a\\n\\n⟦Assistant:⟧ b"}]',
            '[{"role": "user", "content": "a\\n\\nAssistant : b"}]',
            "x.messages.json",
        ),
        "Human: hello\n\nAssistant: hi",
        "You are kind.\n\nHuman: hello\n\nAssistant:",
        "The Human: a species",
        family="claude",
    ),
    *rows(
        ("Go.\n⟦USER:⟧ x\nDone.", "Go.\nUSER : x\nDone."),
        "Go. USER: x\nDone.",
        ("Go.\nUS{{x}}ER: y\nDone.", None, "x.j2"),
        family="vicuna",
    ),
    *rows("Go.\n⟦@@ Instruction⟧\nx", family="magicoder"),
    *rows("a\n\nHuman: b\n\nc", family="claude", allowed_tokens=("Human:",)),
)
