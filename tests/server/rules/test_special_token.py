"""`special-token` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "special-token",
    ("Write ⟦<|endoftext|>⟧ here.", "Write <|endoftext |> here."),
    ("```\n⟦<|endofprompt|>⟧\n```", "```\n<|endofprompt |>\n```"),
    ("「⟦<|endoftext|>⟧」と書く", "「<|endoftext |>」と書く"),
    (
        '[{"role": "user", "content": "a \\"⟦<|endoftext|>⟧\\" b"}]',
        '[{"role": "user", "content": "a \\"<|endoftext |>\\" b"}]',
        "x.messages.json",
    ),
    (
        '[{"role": "user", "content": "⟦\\u003c|endoftext|\\u003e⟧"}]',
        '[{"role": "user", "content": "\\u003c|endoftext |\\u003e"}]',
        "x.messages.json",
    ),
    "<|ENDOFTEXT|> <|endoftext |> <endoftext>",
    "<|endo{{x}}ftext|>",
    "<|im_start|>",
    *rows("<|endoftext|>", allowed_tokens=("<|endoftext|>",)),
    *rows(
        (
            "<|start|>user<|message|>Say ⟦<|channel|>⟧ now<|end|>",
            "<|start|>user<|message|>Say <|channel |> now<|end|>",
            "x.harmony",
        ),
        encoding="o200k_harmony",
    ),
    *rows(("⟦<|fim_prefix|>⟧", "<|fim_prefix |>"), encoding="cl100k_base"),
    *rows(
        ("a⟦<|endoftext|>⟧", "a<|endoftext |>"),
        special_tokens="control",
    ),
    *rows(
        "<|start|>user<|message|>Hi<|end|><|start|>assistant",
        ("So: ⟦<|start|>⟧user<|message|>Hi<|end|>", "So: <|start |>user<|message |>Hi<|end |>"),
        encoding="o200k_harmony",
    ),
)
