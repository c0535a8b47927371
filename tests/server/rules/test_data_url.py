"""`data-url` on texts that it reports, and on texts that it leaves alone."""

from .tables import BASE64, table

test_rows = table(
    "data-url",
    f"![x](⟦data:image/png;base64,{BASE64}⟧)",
    f"⟦data:;base64,{BASE64}⟧ é",
    "data:image/png;base64,AAAA",
    "data:text/plain,hello",
)
