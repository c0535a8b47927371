"""`split-control-token` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "split-control-token",
    ("⟦<|im_<|im_end|>end|>⟧", "<|im_<|im_end|>end |>"),
    ("⟦<|im_\u200bend|>⟧ ñ", "<|im_\u200bend |> ñ"),
    ("⟦<|im_<|endoftext|>start|>⟧", "<|im_<|endoftext|>start |>"),
    ("a⟦<|im_{{x}}end|>⟧", "a<|im_{{x}}end |>", "x.j2"),
    ("a⟦<|{{role}}|>⟧", "a<|{{role}} |>", "x.j2"),
    ("⟦<|im_end{{x}}|>⟧", "<|im_end{{x}} |>", "x.j2"),
    ("{{a}}<|im_end|>{{b}} | <{{c}}> <|{{d}} |>", None, "x.j2"),
    "<|im_end|><|im_start|> <|im_ <|im_end|>end|>",
    *rows("<|im_<|im_end|>end|>", allowed_tokens=("<|im_end|>",)),
)
