"""`assistant-prefill-whitespace` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "assistant-prefill-whitespace",
    (
        '[{"role": "user", "content": "q"}, {"role": "assistant", "content": "{⟦ ⟧"}]',
        '[{"role": "user", "content": "q"}, {"role": "assistant", "content": "{"}]',
        "x.messages.json",
    ),
    (
        '[{"role": "assistant", "content": "Sí⟦\\n⟧"}]',
        '[{"role": "assistant", "content": "Sí"}]',
        "x.messages.json",
    ),
    ('[{"role": "assistant", "content": "a "}, {"role": "user", "content": "b"}]', None,
     "x.messages.json"),
    ("<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\n", None, "x.chatml"),
    ("user:\nx\nassistant:\nSure:\n", None, "x.prompty"),
    ("<|im_start|>assistant\nSure:\n", None, "x.chatml"),
    ('[{"role": "assistant", "content": " "}]', None, "x.messages.json"),
    ('{"messages": [{"role": "assistant", "content": "a\\n"}]}', None, "x.messages.jsonl"),
    ('{"messages": [{"role": "assistant", "content": "a\\n"}], "model": "gpt-4o-2024-08-06"}',
     None, "x.messages.json"),
    ('{"messages": [{"role": "assistant", "content": "a⟦\\n⟧"}], "model": "claude-x"}',
     '{"messages": [{"role": "assistant", "content": "a"}], "model": "claude-x"}',
     "x.messages.json"),
    "The answer is ",
    *rows(
        ('[{"role": "assistant", "content": "a\\n"}]', None, "x.messages.json"),
        model="gpt-4o",
    ),
)  # fmt: skip
