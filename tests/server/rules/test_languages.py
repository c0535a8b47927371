"""Ordinary texts in many languages and scripts, in which nothing is wrong."""

from __future__ import annotations

import pytest

from promptls.reading.reading import read
from promptls.rules.checking import check

TEXTS = {
    "Persian": "می‌خواهم کتاب‌های این کتابخانه را ببینم؛ لطفاً فهرست آن‌ها را بنویس.",
    "Arabic": "لخّص النص التالي في ثلاث جمل، (بالإنجليزية: \u200eJane Doe\u200f).",
    "Urdu": "براہِ کرم اس خط کا خلاصہ لکھیں، اور تاریخ ۱۲؍۳؍۲۰۲۴ نہ بھولیں۔",
    "Hebrew": "סכם את המכתב בשלוש שורות, ואל תשכח את המחיר: 20 \u20aa\u200f.",
    "Hindi": "कृपया इस पत्र का सारांश हिंदी में लिखें; क्‍या यह ठीक है? श्री‌मान को धन्यवाद।",
    "Marathi": "दर्‍याच्या काठावरची गोष्ट लिही.",
    "Bengali": "অনুগ্রহ করে র‍্যাম কী তা ব্যাখ্যা করুন।",
    "Malayalam": "അവന്‍ എഴുതിയ കത്ത് ചുരുക്കി എഴുതുക.",
    "Sinhala": "ශ්‍රී ලංකාව ගැන කෙටියෙන් ලියන්න.",
    "Tamil": "இந்தக் கடிதத்தைச் சுருக்கமாக எழுதவும்.",
    "Thai": "กรุณา\u200bสรุป\u200bจดหมาย\u200bนี้ ภายใน ๓ ประโยค และแปลเป็นภาษาอังกฤษ",
    "Khmer": "សូម\u200bសង្ខេប\u200bអត្ថបទ\u200bនេះ",
    "Lao": "ກະລຸນາສະຫຼຸບຈົດໝາຍນີ້",
    "Myanmar": "ဤစာကို အကျဉ်းချုပ် ရေးပါ။",
    "Tibetan": "ཡི་གེ་འདི་མདོར་བསྡུས་ནས་བྲིས།",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ\u202fᠤᠨ ᠪᠢᠴᠢᠭ᠎ᠡ",
    "Chinese": "请总结下面的文章,不超过三句话:「人工智能」与“机器学习”……\n\n　　第一段缩进两格。",
    "Traditional Chinese": "請說明鈥與鏑的差別,並以表格列出。",
    "Japanese": "次の文章を要約してください。\n\n　段落は全角の空白で始まる。葛󠄀城市の「〜」。",
    "Korean": "다음 글을 세 문장으로 요약하고, 〈제목〉을 붙여 주세요.",
    "Vietnamese": "Hãy tóm tắt bức thư sau đây trong ba câu, ưu tiên nội dung chính; ÂM, ÃO, CÂU.",
    "French": "Résumez ce texte\u202f: «\u00a0l’été à Â…\u00a0»\u202f; est-ce clair\u202f?",
    "German": "Fasse „Spaß“ und „Gruß“ zusammen – höchstens 10\u00a0%, §\u00a05; Straß’.",
    "Portuguese": "RESUMA “A MAÇ\u00c3”? NÃO: «IRM\u00c3», “AVÔ”, SÃO PAULO, CÂMARA… e a EDIÇÃO®.",
    "Spanish": "Resuma «ESPAÑA», “CAFÉ” y el 1.º capítulo; ¿QUÉ? ¡SÍ!",
    "Italian": "Riassumi «PERCHÉ» e “CITTÀ”… è più breve?",
    "Romanian": "Rezumați ĂŞTIA, ÎN TREI FRAZE; „România” și «Â».",
    "Polish": "Streść „ŁÓDŹ” i „GŻEGŻÓŁKA”… proszę, krótko.",
    "Czech": "Shrň „ŽLUŤOUČKÝ KŮŇ“ a ‚ČÁST‘; děkuji.",
    "Hungarian": "Foglald össze: „ÁRVÍZTŰRŐ TÜKÖRFÚRÓGÉP”, kérlek.",
    "Turkish": "“IĞDIR” ve ‘İSTANBUL’ özetle; ŞÖYLE…",
    "Icelandic": "Dragðu saman „ÞETTA“ og „MÁLIÃ“… takk.",
    "Swedish": "Sammanfatta ”ÖN”, ”ÅÄÖ” och §\u00a05 – tack!",
    "Russian": "Кратко перескажи «СЁМГУ», „РІК“ и №\u00a05 – до трёх фраз…",
    "Ukrainian": "Стисло перекажи «РІЧ», «СІЛЬ» та вії й мрії: з’їзд, ґанок.",
    "Serbian": "Сажми „ЉУБАВ“ и „ЂАК“, молим.",
    "Greek": "Συνόψισε «ΓΆΛΑ», “ΟΔΌΣ” και §\u00a05 – σε τρεις προτάσεις·",
    "Georgian": "შეაჯამე ეს წერილი სამ წინადადებაში.",
    "Armenian": "Ամփոփիր այս նամակը երեք նախադասությամբ։",
    "Amharic": "ይህን ደብዳቤ በሦስት ዓረፍተ ነገር አጠቃልል።",
    "emoji": "👩\u200d🚀 👨\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 ❤️ ✔︎ 1️⃣ #️⃣ 👋🏽 🇫🇷 🤷🏼\u200d♀️",
    "flags": "🇫🇷 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f ✅ ⚠️",
    "Braille": "⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙",
    "symbols": "∀x∈ℝ: x²≥0 → √2 ≈ 1.41…; ½·½ = ¼; 25 °C ± 0.5 µm†; [ˈɛksəm.pəl] ├── └── │ ±¹²³ ™®©",
    "drawing": "⠀⢀⣀⣀⡀⠀\n⢰⣿⣿⣿⡆",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("path", ["x.txt", "x.prompt.md"])
def test_nothing_is_wrong_with_ordinary_text(name: str, path: str) -> None:
    findings = check(read(f"{TEXTS[name]}\n", path)).findings
    assert [(f.rule, f.message) for f in findings] == []
