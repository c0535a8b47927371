"""`placeholder-in-control` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "placeholder-in-control",
    ("<|im_start|>⟦{{role}}⟧\nHi ⟦{{x}}⟧<|im_end|>\n", None, "x.chatml"),
    ("<|im_start|>user\nHi<|im_end|>\n", None, "x.chatml"),
    ("user:\nHi {{x}}\nassistant:\nA\n", None, "x.prompty"),
    ("Hi {{x}}", None, "x.j2"),
)
