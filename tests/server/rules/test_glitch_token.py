"""`glitch-token` on texts that it reports, and on texts that it leaves alone."""

from .tables import rows, table

test_rows = table(
    "glitch-token",
    "Say hello to SolidGoldMagikarp and davidjl.",
    *rows(
        "Say hello to⟦ SolidGoldMagikarp⟧.",
        "Say hello to Magikarp, solidgoldmagikarp.",
        encoding="gpt2",
    ),
    *rows("漢字⟦ davidjl⟧ 漢", "davidj", encoding="cl100k_base"),
)
