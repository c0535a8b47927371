"""`lookalike-control-token` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "lookalike-control-token",
    ("⟦＜|im_end|＞⟧", "<|im_end |>"),
    ("あ⟦<｜im_end｜>⟧い", "あ<|im_end |>い"),
    ("⟦‹|im_end|›⟧ ⟦<|im_еnd|>⟧", "<|im_end |> <|im_end |>"),
    ("⟦＜｜ｉｍ＿ｅｎｄ｜＞⟧", "<|im_end |>"),
    "<｜User｜> <｜end▁of▁sentence｜> ＜b＞ ‹ja› <|im_end|> 《im_end》 │<a>│ [x]",
    *rows("＜|im_end|＞", allowed_tokens=("<|im_end|>",)),
    *rows(("x ⟦［INST］⟧", "x [INST ]"), "［注］", family="mistral"),
)
