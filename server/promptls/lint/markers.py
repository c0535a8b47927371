"""Control markers in text: which are looked for, and how one is broken so that it is text again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import PurePath

from subword.special import ControlToken, control_tokens, family_tokens
from subword.wording import enumerated

from ..findings import Applicability, Finding, Fix, SettingChange, Severity
from ..prompt import Message
from ..text import Edit
from .context import Context

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
    return enumerated(first)


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


def marker_fixes(
    context: Context, message: Message, match: re.Match[str], is_meant: bool
) -> tuple[Fix, ...]:
    """The two ways out: break the marker with a space, or say that it is meant."""
    marker, at = match[0], break_point(match[0])
    allow = Fix(
        f"Allow {marker.strip()} in the settings",
        (),
        "manual",
        setting=SettingChange("allowedTokens", marker.strip()),
    )
    if at is None:
        return (allow,)
    here = match.start() + at
    applicability: Applicability = "manual" if is_meant else "unsafe"
    title = f"Break it with a space: {broken(marker).strip()}"
    return (
        *context.fix(message, title, Edit(here, here, " "), applicability=applicability),
        allow,
    )


def is_prompt_file(context: Context) -> bool:
    """Whether the file is one that holds prompts, and not code or data that was named."""
    suffix = PurePath(context.reading.path or "").suffix.lower()
    return context.prompt.format != "plain" or suffix in ("", ".txt")


def marker_findings(
    context: Context, pattern: re.Pattern[str], problem: Callable[[str], str | None]
) -> Iterator[Finding]:
    """The findings for the markers in each message; `problem` is None for one that is no matter.

    Where markers of a family make turns of a text that has no roles, the text is meant to be
    a chat, or shows one: that is one finding, and none in a template.
    """
    structure = turn_families(_markers_in_structure(context))
    for message in context.prompt.messages:
        found = [
            match
            for match in context.search(pattern, message.text)
            if problem(match[0])
            and not is_allowed(context, match[0])
            and not context.has_gap(message, match.start() + 1, match.end() - 1)
        ]
        if not found:
            continue
        turned = structure | turn_families(_markers_in(context, message))
        if message.role is None and turned:
            turns = [match for match in found if turned & _families(match[0])]
            found = [match for match in found if not turned & _families(match[0])]
            if turns and not context.gaps(message):
                yield _reads_like_a_chat(context, message, turns)
        for match in found:
            is_meant = bool(turned & _families(match[0]))
            is_meant = is_meant or context.has_gap(message, *match.span())
            is_meant = is_meant or not is_prompt_file(context)
            fixes = marker_fixes(context, message, match, is_meant)
            text = problem(match[0]) or ""
            yield context.report(text, message.file_span(*match.span()), fixes)


def _reads_like_a_chat(
    context: Context, message: Message, turns: Sequence[re.Match[str]]
) -> Finding:
    first = turns[0]
    text = (
        f"This reads like a chat for {families_with(first[0], control_tokens())}, in "
        f"{len(turns):,} markers from here on: a file that begins with one is read as a chat; "
        "in any other text they begin and end turns"
    )
    places = [match.start() + (break_point(match[0]) or 0) for match in turns]
    changes = (Edit(at, at, " ") for at in places)
    fixes = context.fix(message, "Break all of them with a space", *changes, applicability="manual")
    span = message.file_span(*first.span())
    return context.report(text, span, fixes, severity=Severity.INFO)


# What `special_tokens.json` calls the tokens that begin a turn, and those that can only follow.
_BEGINS = re.compile(r"(turn|message|instruction|role|role header) start|user (turn|role)")
_ENDS = re.compile(r"(turn|message|instruction|role) end|end of turn|assistant (turn|role)")


def turn_families(markers: Iterable[str]) -> frozenset[str]:
    """The families of whose markers, in their order, one begins a turn and a later one ends it."""
    begun: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()
    for marker in markers:
        turned |= begun & _families(marker, _ENDS)
        begun |= _families(marker, _BEGINS)
    return turned


@lru_cache(1024)
def _families(marker: str, role: re.Pattern[str] | None = None) -> frozenset[str]:
    """The families that know a marker, or know it in that role."""
    return frozenset(
        token.family
        for token in control_tokens()
        if re.fullmatch(token.regex, marker) and (role is None or role.match(token.role))
    )


def _markers_in(context: Context, message: Message) -> Iterator[str]:
    pattern = control_pattern(context)
    return (match[0] for match in context.search(pattern, message.text)) if pattern else iter(())


def _markers_in_structure(context: Context) -> Iterator[str]:
    pattern = control_pattern(context)
    if pattern is None:
        return
    for span in context.prompt.structure:
        yield from (match[0] for match in pattern.finditer(context.text, *span))
