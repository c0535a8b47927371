"""What a rule is given to look at, and how it says what it found: `Context` and `Rule`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property

from subword import Encoding
from subword.patterns import UNIVERSAL_CUT

from ..findings import Applicability, Finding, Fix, Severity
from ..prompt import Message, Prompt
from ..reading.encodings import MissingEncoding
from ..reading.reading import Reading
from ..settings import Settings
from ..text import Edit, edited
from .writing import Writer

# More findings of one rule in a file than this become one that says how many there are, and more
# of one subject than the second number.
FLOOD = 100
MANY = 10

# How much text a rule may scan before others get a turn; about half a millisecond.
_STRETCH = 1 << 16

# How far from a change its effect on the count is looked for, in characters.
_WINDOW = 256


class Superseded(Exception):
    """The text that is being checked is no longer the current one."""


GROUPS = {
    "control tokens": "Text that a model can take for the structure of the chat.",
    "characters": "Characters that are not what they seem, or that nobody sees.",
    "whitespace": "Spaces and line ends that change what a model reads, unseen.",
    "tokens": "What the encoding makes of a text, and what that costs.",
    "templates": "Placeholders, tags and headers that don't fit together.",
}


@dataclass(frozen=True)
class Rule:
    """What a rule is: the function that finds, and what else its page says."""

    find: Callable[[Context], Iterator[Finding]]
    group: str
    """One of `GROUPS`."""
    severity: Severity | None
    """The severity by default; None when the rule is off by default."""
    _: KW_ONLY
    since: str
    """The version that had it first."""
    fix: Applicability | None = None
    """How its fix is applied where nothing speaks against it; None when it has none."""
    options: tuple[str, ...] = ()
    """The settings, beside its severity, that it depends on."""
    name: str = ""
    """Kebab-case; the registry takes it from the module's name."""
    documentation: str = ""
    """Markdown with fixed sections; the registry takes it from the module's docstring."""

    @property
    def summary(self) -> str:
        """The documentation's first line."""
        return self.documentation.partition("\n")[0]

    def check(self, context: Context) -> Iterator[Finding]:
        """What it finds. What the context worked out for one rule is there for all others."""
        return self.find(replace(context, rule=self))


@dataclass(frozen=True)
class Context:
    """All that a rule may look at. It reads no files and changes nothing."""

    reading: Reading
    is_superseded: Callable[[], bool] = field(default=lambda: False)
    rule: Rule | None = None
    """The rule that looks."""
    # What was worked out of a message, by its `id`, for every rule that asks again.
    _gaps: dict[int, list[int]] = field(default_factory=dict)
    _writers: dict[int, Writer] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The file's text."""
        return self.reading.text

    @property
    def prompt(self) -> Prompt:
        return self.reading.prompt

    @property
    def settings(self) -> Settings:
        return self.reading.settings

    @property
    def encoding(self) -> Encoding:
        return self.reading.encoding

    def search(
        self, pattern: re.Pattern[str], text: str, window: int = 256, at: int = 0
    ) -> Iterator[re.Match[str]]:
        """The matches of a pattern in text[at:], found in turns, so that no keystroke has to wait.

        `window` is the number of characters within which any match is decided: at least the
        shortest length that a match of the pattern can need. Raises `Superseded` as soon as the
        text is no longer the current one.
        """
        while at < len(text):
            self.take_turn()
            end = min(at + _STRETCH + window, len(text))
            match = pattern.search(text, at, end)
            if match and match.end() > end - window and end < len(text):
                # The match comes near the turn's end and might go on behind it, or be none.
                start = match.start()
                match = pattern.match(text, start)
                if match is None:
                    at = start + 1
                    continue
            if match:
                yield match
                at = max(match.end(), match.start() + 1)
            else:
                # What begins just before the turn's end is found from there again.
                at = end if end == len(text) else end - window

    def take_turn(self) -> None:
        """Raise `Superseded` when the text is no longer the current one."""
        if self.is_superseded():
            raise Superseded

    @cached_property
    def broken_from(self) -> int:
        """Where the first thing begins that breaks the file's structure; its length if none does.

        What stands after it may be read otherwise once it is mended, so no rule derives anything
        of tags and names that stand there.
        """
        starts = (p.start for p in self.prompt.problems if p.is_breaking)
        return min(starts, default=len(self.text))

    def gaps(self, message: Message) -> Sequence[int]:
        """Where, in a message's text, a placeholder or tag was taken out, in ascending order.

        Something may be written there when the prompt is sent. A comment leaves no gap.
        """
        if not self._gaps:
            self._gaps.update(self._all_gaps())
        return self._gaps[id(message)]

    def has_gap(self, message: Message, start: int, end: int) -> bool:
        """Whether a placeholder or tag was taken out of text[start:end], its edges included."""
        gaps = self.gaps(message)
        return bisect_left(gaps, start) < bisect_right(gaps, end)

    def saving(self, text: str, *changes: Edit) -> int:
        """How many tokens changes to a text save, at least in the words around them.

        Exact where the encoding's pattern is known and the words are shorter than 256
        characters; what lies farther away isn't looked at. The changes are in ascending order.
        Without a tokenizer nothing is known to be saved: 0.
        """
        if isinstance(self.encoding, MissingEncoding):
            return 0
        first, last = changes[0], changes[-1]
        left = max(first.start - _WINDOW, 0)
        for cut in UNIVERSAL_CUT.finditer(text, left, first.start):
            left = cut.start()
        after = min(last.end + 1, len(text))
        cut_after = UNIVERSAL_CUT.search(text, after, min(after + _WINDOW, len(text)))
        right = cut_after.start() if cut_after else min(after + _WINDOW, len(text))
        old = text[left:right]
        new = edited(old, (Edit(s - left, e - left, new) for s, e, new in changes))
        return self.encoding.count(old) - self.encoding.count(new)

    def cost(self, text: str) -> int | None:
        """The tokens of a text by itself; None without a tokenizer."""
        return None if isinstance(self.encoding, MissingEncoding) else self.encoding.count(text)

    def report(
        self,
        text: str,
        span: tuple[int, int],
        fixes: Sequence[Fix] = (),
        subject: str | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of the rule that looks, in file[span].

        The settings decide how much it matters, then `severity`, then the rule.
        """
        rule = self._rule
        given = self.settings.rule_severity(rule.name, severity or rule.severity)
        return Finding(rule.name, given or Severity.HINT, text, *span, tuple(fixes), subject)

    def fix(
        self,
        message: Message,
        title: str,
        *changes: Edit,
        applicability: Applicability | None = None,
    ) -> tuple[Fix, ...]:
        """A fix that makes changes to a message's text, or none if the file can't take them.

        It is applied as the rule says, or as `applicability`.
        """
        edits: list[Edit] = []
        for change in changes:
            made = self._writer(message).edits(change)
            if made is None:
                return ()
            edits += made
        how = applicability or self._rule.fix or "manual"
        return (Fix(title, tuple(edits), how),) if edits else ()

    def is_raw(self, message: Message) -> bool:
        """Whether the message is whole lines of the file, into which anything may be written."""
        return self._writer(message).is_raw

    @property
    def _rule(self) -> Rule:
        if self.rule is None:
            raise TypeError("a rule reports, by Rule.check")
        return self.rule

    def _all_gaps(self) -> dict[int, list[int]]:
        sent = [p for p in self.prompt.placeholders if p.kind != "comment"]
        starts = [p.start for p in sent]
        return {
            id(m): sorted(
                m.source.to_text(p.start)
                for p in sent[bisect_left(starts, m.start) : bisect_left(starts, m.end)]
            )
            for m in self.prompt.messages
        }

    def _writer(self, message: Message) -> Writer:
        if not self._writers:
            taken_out = {p.start: p.end for p in self.prompt.placeholders}
            for each in self.prompt.messages:
                self._writers[id(each)] = Writer(self.text, each, self.gaps(each), taken_out)
        return self._writers[id(message)]


def end_after_gaps(context: Context, message: Message) -> int:
    """Where, in a message's text, the last placeholder or tag stood: 0 without any.

    Whitespace in front of it is not at the message's end, whatever the text says.
    """
    return max(context.gaps(message), default=0)
