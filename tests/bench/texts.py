"""Texts to measure with: English, Spanish, Chinese, Python code and minified JSON on one line.

Code is Python's own standard library. The others are made of sentences whose words are drawn,
always alike, as often as words are drawn in a language: few of them often, many of them seldom.
"""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

# Frequent words first: the one at place n is drawn 1/n as often as the first.
ENGLISH = """
the of and to a in is that for it as was with be by on not he this are or his from at which but
have an had they you were their one all we can her has there been if more when will would who so
no said what up its about into than them other time new some could these two may first then do any
like my now over such our man me even most made after also did many off before must well back
through years where much your way down should because long each just state people those too good
world under still great between work life being last never house here own part take number system
model answer question summary customer message language assistant paragraph following instruction
information government development understand international environment university performance
responsibility nevertheless characteristics acknowledgement interoperability OpenAI London JSON
"""
SPANISH = """
de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me
si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde
está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde bien tiempo
mismo ese ahora cada vida otro después te otros aunque esa eso hace otra gobierno tan durante
siempre día tanto ella tres sí dijo sido gran país según menos mundo año antes estado quiero
pregunta respuesta usuario resumen mensaje instrucción niño mañana corazón información también
desarrollo población comunicación responsabilidad características internacionalización París
"""
# Characters are drawn as words are.
CHINESE = """
的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里
用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日
军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见
被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论
处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资
"""


def _drawn(random: Random, words: list[str], count: int) -> list[str]:
    weights = list(accumulate(1 / place for place in range(1, len(words) + 1)))
    return random.choices(words, cum_weights=weights, k=count)


def _sentence(random: Random, words: list[str]) -> str:
    drawn = _drawn(random, words, random.randint(4, 22))
    if len(drawn) > 9:
        drawn[random.randrange(3, 8)] += ","
    return " ".join(drawn).capitalize() + random.choice([".", ".", ".", "?", ":"])


def _prose(random: Random, words: list[str]) -> str:
    sentences = [_sentence(random, words) for _ in range(random.randint(2, 6))]
    heading = f"## {_sentence(random, words)}\n\n" if random.random() < 0.1 else ""
    return f"{heading}{' '.join(sentences)}\n\n"


def english(random: Random) -> str:
    return _prose(random, ENGLISH.split())


def spanish(random: Random) -> str:
    return _prose(random, SPANISH.split())


def chinese(random: Random) -> str:
    characters = list("".join(CHINESE.split()))
    clauses = [
        "".join(_drawn(random, characters, random.randint(4, 14))) + random.choice("，，，。。？：")
        for _ in range(random.randint(6, 20))
    ]
    return "".join(clauses) + "\n\n"


def minified_json(random: Random) -> str:
    words = ENGLISH.split()
    row = {
        "id": random.randrange(10**6),
        "name": " ".join(_drawn(random, words, 2)).title(),
        "scores": [round(random.random(), 3) for _ in range(random.randint(0, 5))],
        "url": f"https://example.org/{'/'.join(_drawn(random, words, 3))}?q={random.randrange(99)}",
        "hash": f"{random.getrandbits(128):032x}",
        "active": random.random() < 0.5,
        "note": _sentence(random, words) if random.random() < 0.5 else None,
    }
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False) + ","


@cache
def _standard_library() -> str:
    paths = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    return "".join(texts)


MAKERS: dict[str, Callable[[Random], str]] = {
    "English": english,
    "Spanish": spanish,
    "Chinese": chinese,
    "JSON": minified_json,
    "Python": lambda _: _standard_library(),
}


@cache
def text(kind: str, size: int) -> str:
    """A text of one of `MAKERS`, some `size` bytes long in UTF-8; the same at each call."""
    random = Random(kind)
    parts: list[str] = []
    made = 0
    while made < size:
        # Drawing words is slow, so that a long text repeats itself from two million bytes on.
        part = "".join(parts) if made > 2_000_000 else MAKERS[kind](random)
        parts.append(part)
        made += len(part.encode())
    return "".join(parts).encode()[:size].decode("utf-8", "ignore")
