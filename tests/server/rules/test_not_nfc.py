"""`not-nfc` on texts that it reports, and on texts that it leaves alone."""

import unicodedata

from .tables import table

NFD_KOREAN = unicodedata.normalize("NFD", "한국어")

test_rows = table(
    "not-nfc",
    ("x Ti⟦e\u0302\u0301ng Vie\u0323\u0302⟧t", "x Tiếng Việt"),
    (f"⟦{NFD_KOREAN}⟧ x", "한국어 x"),
    ("⟦カ\u3099⟧ラス\nabc\nm⟦o\u0308⟧gen", "ガラス\nabc\nmögen"),
    "Tiếng Việt 한국어 ガラス",
    ("na⟦i\u0308⟧ve", "naïve"),
    "עִבְרִית بُّ क़लम Å Ω 豈 x\u0301",
    "x O\u030cb and x\u0301\u0323",
    ("e{{x}}\u0301 n", None, "x.j2"),
    ("{{x}}\u0301 n", None, "x.j2"),
)
