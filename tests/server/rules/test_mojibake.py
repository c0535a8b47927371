"""`mojibake` on texts that it reports, and on texts that it leaves alone."""

from .tables import table

test_rows = table(
    "mojibake",
    ("It⟦â€™⟧s a caf⟦Ã©⟧", "It’s a café"),
    ("⟦â\x80\x9c⟧Hi⟦â\x80\x9d⟧ ⟦ðŸ˜€⟧ ⟦â†’⟧ 5 m⟦Â²⟧", "“Hi” 😀 → 5 m²"),
    ("⟦Ã¼⟧ber Pre⟦Å¡⟧ov 25⟦Â°⟧C", "über Prešov 25°C"),
    ("⟦РїСЂРёРІРµС‚⟧, don⟦вЂ™⟧t", "привет, don’t"),
    ("⟦Ð¿Ñ€Ð¸Ð²ÐµÑ‚⟧ ⟦æ—¥æœ¬⟧", "привет 日本"),
    ("It⟦ΓÇÖ⟧s and it⟦‚Äô⟧s", "It’s and it’s"),
    ("it⟦鈥檚⟧", "it’s"),
    ("⟦ÃƒÂ©⟧", "é"),
    "l⟦ï¿½⟧t, ⟦锟斤拷⟧",
    "„Spaß“, NESCAFÉ®, “IRMÔ”, ‘‘café’”, SÃO, «MAMÃ», ÂNGULO, ĂŞŢ, JÄ…, É™, 2×½, Straß¹",
    "вії, мрвії, Рік, Річ, Сёмга, «Рёв», ΓΆΜΟΣ, ‚Äpfel‘, 元素鈥是",
    "Such as `Ã©` for é.",
)
