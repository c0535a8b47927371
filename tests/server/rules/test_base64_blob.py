"""`base64-blob` on texts that it reports, and on texts that it leaves alone."""

from .tables import BASE64, table

test_rows = table(
    "base64-blob",
    f"a ⟦{BASE64}⟧ b", f"⟦{BASE64}==⟧", BASE64[:199], "A" * 500, "-" * 300,
    f"Key:\n⟦{BASE64[:64]}\n{BASE64[:64]}\n{BASE64[:64]}\nAbc1⟧\nEnd",
    f"data:image/png;base64,{BASE64}",
    "/usr/share/" + "some/long/path/" * 40,
)  # fmt: skip
