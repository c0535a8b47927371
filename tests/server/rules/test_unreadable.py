"""`unreadable` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "unreadable",
    ('{"role": "user", "content": "a"}\n{"role": "user", "content": ⟦x⟧}\n', None, "x.jsonl"),
    ('{"role": "user", "content": "a"}\n', None, "x.jsonl"),
    ("{% if x %}a", None, "x.j2"),
    ("⟦---⟧\nmode: agent\n\nThe header is never closed.", None, "x.prompt.md"),
    ('{"messages": [⟦nul⟧, nul, {]}', None, "x.messages.json"),
    ('{"role": "user", "content": ⟦x⟧}\n{"role": "user", "content": ⟦y⟧}\n', None, "x.jsonl"),
)
