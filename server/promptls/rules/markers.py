"""Control markers in text: which are looked for, and how one is broken so that it is text again."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from subword.special import ControlToken, control_tokens, family_tokens

from ..findings import Fix, SettingChange
from ..prompt import Message
from .context import Context
from .writing import Change

# The longest marker has 29 characters; a rule that looks around one needs no more than this.
LONGEST = 64


@cache
def known_markers(family: str | None) -> tuple[ControlToken, ...]:
    """The markers to look for: those of the family, and those that nobody writes by accident."""
    unmistakable = [token for token in control_tokens() if token.is_unmistakable]
    return (*(family_tokens(family) if family else ()), *unmistakable)


@cache
def bracketed_markers(family: str | None) -> tuple[ControlToken, ...]:
    """Those of the known markers that are no plain words."""
    return tuple(token for token in known_markers(family) if not is_role_marker(token))


@cache
def pattern_of(regexes: frozenset[str]) -> re.Pattern[str] | None:
    """A pattern that matches any of some regular expressions, the longest first."""
    if not regexes:
        return None
    return re.compile("|".join(sorted(regexes, key=lambda regex: (-len(regex), regex))))


def control_pattern(context: Context) -> re.Pattern[str] | None:
    """Matches every control token, of the family or unmistakable, and of the encoding."""
    known = set(map(bounded, bracketed_markers(context.settings.family)))
    return pattern_of(frozenset(known | set(map(re.escape, context.encoding.special_tokens))))


def is_role_marker(token: ControlToken) -> bool:
    """Whether the marker is plain words that begin a turn, such as `USER:`."""
    return token.kind == "text" and token.token[0] not in "<["


def bounded(token: ControlToken) -> str:
    """The token's regular expression; a bare word such as `sop` must stand alone."""
    return rf"\b{token.regex}\b" if token.token.isalpha() else token.regex


def is_allowed(context: Context, marker: str) -> bool:
    """Whether the settings say that the marker is meant."""
    return marker.strip() in context.settings.allowed_tokens


@lru_cache(256)
def families_with(marker: str, tokens: tuple[ControlToken, ...]) -> str:
    """The families that know a marker, at most three of them by name."""
    names = dict.fromkeys(t.family for t in tokens if re.fullmatch(t.regex, marker))
    first, more = list(names)[:3], len(names) - 3
    if more > 0:
        return f"{', '.join(first)} and {more} more"
    return " and ".join(", ".join(first).rsplit(", ", 1))


def assembled(
    pattern: re.Pattern[str], text: str, start: int, end: int
) -> tuple[int, re.Match[str]] | None:
    """The marker that text[:start] and text[end:] make together, and where in the text it begins.

    None if they make none.
    """
    before = text[max(start - LONGEST, 0) : start]
    for match in pattern.finditer(before + text[end : end + LONGEST]):
        if match.start() < len(before) < match.end():
            return start - len(before) + match.start(), match
    return None


def break_point(marker: str) -> int | None:
    """Where in a marker one space breaks it: before its closing delimiter; None without one."""
    tail = re.search(r"(\|>|｜>|\|\]|>>|｜|[>\]:])\Z", marker)
    return tail.start() if tail else None


def broken(marker: str) -> str:
    """The marker with the space in it, or as it is when it has no closing delimiter."""
    at = break_point(marker)
    return marker if at is None else f"{marker[:at]} {marker[at:]}"


def marker_fixes(context: Context, message: Message, match: re.Match[str]) -> tuple[Fix, ...]:
    """The two ways out: break the marker with a space, or say that it is meant."""
    marker, at = match[0], break_point(match[0])
    allow = Fix(
        f"Allow {marker.strip()} in the settings",
        (),
        automatic=False,
        setting=SettingChange("allowedTokens", marker.strip()),
    )
    if at is None:
        return (allow,)
    here = match.start() + at
    title = f"Break it with a space: {broken(marker).strip()}"
    return (*context.fix(message, title, Change(here, here, " ")), allow)
