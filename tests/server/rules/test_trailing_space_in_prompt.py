"""`trailing-space-in-prompt` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "trailing-space-in-prompt",
    ("The answer is⟦ ⟧", "The answer is"),
    ("答えは⟦\t ⟧\n", "答えは\n"),
    ("a⟦  ⟧\r\n", "a\r\n"),
    ("Name: {{x}}⟦ ⟧", "Name: {{x}}", "x.j2"),
    ("Hi⟦ {# note #} ⟧", "Hi{# note #}", "x.j2"),
    (
        '[{"role": "user", "content": "Hi⟦ ⟧"}, {"role": "user", "content": "x"}]',
        '[{"role": "user", "content": "Hi"}, {"role": "user", "content": "x"}]',
        "x.messages.json",
    ),
    (
        '[{"role": "user", "content": "Hi⟦\\t⟧"}]',
        '[{"role": "user", "content": "Hi"}]',
        "x.messages.json",
    ),
    ("messages:\n- role: user\n  content: |-\n    a b⟦ ⟧\n",
     "messages:\n- role: user\n  content: |-\n    a b\n", "x.prompt.yml"),
    ("Name: {{x}}", None, "x.j2"),
    ('[{"role": "assistant", "content": "a "}]', None, "x.messages.json"),
    ("a {% if x %}b {% endif %}", None, "x.j2"),
    "a \n\nb",
    "a",
    "a\n",
    "",
    "   ",
    " \n",
    ('{"messages": [{"role": "assistant", "content": "a⟦ ⟧"}], "model": "gpt-4o"}',
     '{"messages": [{"role": "assistant", "content": "a"}], "model": "gpt-4o"}',
     "x.messages.json"),
    ('[{"role": "assistant", "content": "añ⟦ ⟧"}]\n',
     '[{"role": "assistant", "content": "añ"}]\n', "x.messages.jsonl"),
    ('[{"role": "user", "content": [{"type": "text", "text": "Describe: "}, '
     '{"type": "image_url", "image_url": {"url": "x"}}]}]', None, "x.messages.json"),
)  # fmt: skip
