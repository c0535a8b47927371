"""Small corpora that the trainers are tested on: real text that every machine has."""

from __future__ import annotations

import io
import json
import textwrap
from codecs import decode
from contextlib import redirect_stdout
from pathlib import Path

# The Zen of Python, a text that every Python carries, and prints when it is first imported.
with redirect_stdout(io.StringIO()):
    import this

ZEN = decode(this.s, "rot13")

MANY_SCRIPTS = """\
Todos os seres humanos nascem livres e iguais em dignidade e em direitos.
Все люди рождаются свободными и равными в своём достоинстве и правах.
人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。
すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。
모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.
يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.
כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.
सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।
มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ
Ολοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.
🙂👩‍👩‍👧 e\u0301te\u0301 ½ ² Ⅷ naïve ſ'ſ DON'T x'rEy
"""

SOURCE = "".join(Path(module.__file__ or "").read_text("utf-8") for module in (textwrap, json))

NUMBERS = " ".join(str(number**2) for number in range(0, 3000, 7))

CORPUS = [ZEN, MANY_SCRIPTS, SOURCE, NUMBERS]
