"""A prompt file, analysed: text + format + encoding + settings → counts and findings."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from subword import Encoding
from subword.lines import line_starts

from .findings import Applicability, Finding, Fix, apply_fixes
from .formats import Format, detect
from .prompt import Prompt
from .reading.amounts import Amount
from .reading.counts import Counts, count_prompt
from .reading.encodings import CANNOT_COUNT, EncodingUnavailable, MissingEncoding
from .reading.estimates import Wrapper, chat_wrapper, with_markers
from .reading.models import Choice, choose
from .reading.ranges import Counter, Ranges, file_ranges
from .rules import FLOOD, MANY, Context, Rule, Superseded, all_rules
from .settings import Settings

logger = logging.getLogger(__name__)

# How often a file is read with fixes made to it, to find out which of them would do harm.
_MOST_TRIALS = 100


@dataclass(frozen=True)
class Analysis:
    """What is known of one prompt file. Each part is worked out when it is first asked for."""

    text: str
    path: str | None
    format: Format
    settings: Settings
    needs_tokenizer: bool = True
    """Whether it is an error that the encoding can't be had."""

    @cached_property
    def prompt(self) -> Prompt:
        return self.format.parse(self.text)

    @cached_property
    def choice(self) -> Choice:
        """What counts it, and why. Raises `EncodingUnavailable`."""
        try:
            return choose(self.settings, self.prompt.models)
        except EncodingUnavailable as error:
            if self.needs_tokenizer:
                raise
            return Choice(MissingEncoding(error))

    @property
    def encoding(self) -> Encoding:
        return self.choice.encoding

    @cached_property
    def counts(self) -> Counts:
        return count_prompt(self.prompt, self.choice, self.settings.special_tokens)

    @cached_property
    def message_tokens(self) -> list[int]:
        """The tokens of each message's text, with every option of its branches in it."""
        special = self.settings.special_tokens
        texts = {message.text for message in self.prompt.messages}
        known = {text: self.encoding.count(text, special) for text in texts}
        return [known[message.text] for message in self.prompt.messages]

    @cached_property
    def ranges(self) -> Ranges:
        """From the least to the most tokens that can be sent, in all and by message."""
        counter = Counter(self.encoding, self.settings.special_tokens)
        return file_ranges(self.prompt, self.message_tokens, counter)

    @property
    def tokens(self) -> int:
        """The most tokens that the model can be given."""
        return self.ranges.total.high

    @property
    def amount(self) -> Amount:
        """What the model is given, with how sure that is."""
        return self.ranges.total.amount(self.choice)

    @property
    def message_amounts(self) -> list[Amount]:
        """What is sent of each message."""
        return [each.amount(self.choice) for each in self.ranges.messages]

    @property
    def alternative_amounts(self) -> list[Amount]:
        """The tokens of each of the file's prompts, if it holds several."""
        return [each.amount(self.choice) for each in self.ranges.alternatives]

    @property
    def wrapper(self) -> Wrapper | None:
        """What a chat's wrapper adds; OpenAI's is documented, so nothing for other models."""
        is_exact = self.choice.exactness == "exact"
        return chat_wrapper(self.prompt, self.encoding) if is_exact else None

    @property
    def with_markers(self) -> int | None:
        """The tokens of a chat in a model's own markers, with these; None for other prompts."""
        special = self.settings.special_tokens
        return with_markers(self.text, self.prompt, self.encoding, special)

    @cached_property
    def raw_tokens(self) -> int:
        """The tokens of the file as it stands."""
        messages = self.prompt.messages
        if len(messages) == 1 and messages[0].text == self.text:
            return self.message_tokens[0]
        return self.encoding.count(self.text, self.settings.special_tokens)

    @cached_property
    def line_starts(self) -> list[int]:
        """The character at which each line of the file begins."""
        return line_starts(self.text)

    @cached_property
    def line_tokens(self) -> list[int]:
        """The tokens that begin on each line; those of every option of a branch."""
        return self.counts.per_line(self.line_starts, len(self.text))

    @cached_property
    def findings(self) -> list[Finding]:
        """What the active rules find, in the order of the file."""
        return check(self.context())

    def context(self, is_superseded: Callable[[], bool] = lambda: False) -> Context:
        """What rules are given to look at."""
        return Context(self.text, self.prompt, self.choice, self.settings, self.path, is_superseded)


def analyse(
    text: str,
    path: str | None = None,
    settings: Settings | None = None,
    language_id: str | None = None,
    needs_tokenizer: bool = True,
) -> Analysis:
    """Analyse a prompt file's text. `path` says its format and which settings apply.

    Raises LookupError when the settings name an unknown encoding or model. Without
    `needs_tokenizer` there is then an analysis that has no counts, and the findings that need none.
    """
    settings = settings or Settings()
    file_format = detect(path, text, language_id)
    analysis = Analysis(text, path, file_format, settings, needs_tokenizer)
    _ = analysis.choice
    return analysis


def check(context: Context) -> list[Finding]:
    """The findings of all rules that are on, in the order of the file, none in a flood.

    Raises `Superseded` when the context says that its text is no longer the current one.
    """
    findings = [finding for rule in active_rules(context) for finding in _findings(rule, context)]
    return sorted(findings, key=lambda finding: (finding.start, finding.end, finding.rule))


def active_rules(context: Context) -> list[Rule]:
    """The rules that the settings leave on for this file."""
    settings = context.settings
    return [
        rule
        for rule in all_rules()
        if settings.rule_severity(rule.name, rule.severity) is not None
        and not settings.is_ignored(rule.name, context.path)
    ]


def _findings(rule: Rule, context: Context) -> list[Finding]:
    """A rule's findings; a rule that fails is logged, by name only, and finds nothing."""
    try:
        found = list(rule.check(context))
    except Superseded:
        raise
    except CANNOT_COUNT:
        # Without a tokenizer there is nothing to be said; rules that need none go on.
        return []
    except Exception as error:  # noqa: BLE001 — one broken rule must not silence the others.
        # The message of an error can hold prompt text, so only its type is logged.
        logger.error("the rule %s failed with %s", rule.name, type(error).__name__)
        return []
    grouped = defaultdict[object, list[Finding]](list)
    for index, finding in enumerate(found):
        fix = finding.preferred_fix
        is_alone = finding.subject is None
        grouped[index if is_alone else (finding.subject, fix and fix.applicability)].append(finding)
    said = [each for group in grouped.values() for each in _said_once(group, MANY)]
    # What is found together is mended alike, or it is not one.
    by_fix = groupby(sorted(said, key=_fixed_by), _fixed_by)
    return [each for _, group in by_fix for each in _said_once([*group], FLOOD)]


def _fixed_by(finding: Finding) -> str:
    return finding.preferred_fix.applicability if finding.preferred_fix else ""


def _said_once(findings: list[Finding], most: int) -> list[Finding]:
    """More findings of one rule than that as one, at the first of them, with one fix for all."""
    if len(findings) <= most:
        return findings
    first, count = findings[0], len(findings)
    fixes = [fix for fix in map(attrgetter("preferred_fix"), findings) if fix]
    edits = tuple(dict.fromkeys(edit for fix in fixes for edit in fix.edits))
    title = f"Fix all {len(fixes):,} {first.rule} findings"
    fix_all = (Fix(title, edits, fixes[0].applicability),) if fixes else ()
    message = f"{first.message} (the first of {count:,} findings of {first.rule} in this file)"
    return [replace(first, message=message, fixes=fix_all)]


def fix_all(analysis: Analysis, rules: frozenset[str] | None = None, unsafe: bool = False) -> str:
    """The text with every safe fix applied, again and again until nothing more is fixed.

    `rules` limits it to the rules of those names; `unsafe` takes the unsafe fixes, too. A fix can
    uncover another finding, so the result is checked again; ten rounds are more than any text
    needs and bound a faulty rule.
    """
    for _ in range(10):
        fixes = _harmless(analysis, list(automatic_fixes(analysis.findings, rules, unsafe)))
        fixed = with_fixes(analysis, fixes)
        if fixed is None or fixed.text == analysis.text:
            break
        analysis = fixed
    return analysis.text


def with_fixes(analysis: Analysis, fixes: Iterable[Fix]) -> Analysis | None:
    """The analysis of the text with fixes applied; None if that is another prompt than before.

    Removing a character can make a role line, a marker or a placeholder of what was only text, or
    another format of the file.
    """
    fixed = replace(analysis, text=apply_fixes(analysis.text, fixes))
    is_same = _detected(fixed) == _detected(analysis) and _skeleton(fixed) == _skeleton(analysis)
    return fixed if is_same else None


def _detected(analysis: Analysis) -> str:
    """The format that the file's name and text alone tell."""
    return detect(analysis.path, analysis.text).name


def _harmless(
    analysis: Analysis, fixes: list[Fix], trials: Iterator[int] | None = None
) -> list[Fix]:
    """The fixes without those that would make another prompt of it.

    Each trial reads the whole file; once there were too many, what isn't known to be harmless is
    left out.
    """
    trials = iter(range(_MOST_TRIALS)) if trials is None else trials
    if not fixes or next(trials, None) is None:
        return []
    if with_fixes(analysis, fixes):
        return fixes
    half = len(fixes) // 2
    if not half:
        return []
    first = _harmless(analysis, fixes[:half], trials)
    second = _harmless(analysis, fixes[half:], trials)
    if not (first and second):
        return first or second
    # What each may do alone, both may not: the space between two braces can be two characters.
    together = [*first, *second]
    return together if next(trials, None) is not None and with_fixes(analysis, together) else first


def _skeleton(analysis: Analysis) -> list[object]:
    """What no fix may change: header, roles, placeholders and the format's own markers."""
    text, prompt = analysis.text, analysis.prompt
    spans = (prompt.header or (0, 0), *prompt.structure, *(p[:2] for p in prompt.placeholders))
    return [[m.role for m in prompt.messages], *(text[start:end] for start, end in spans)]


def automatic_fixes(
    findings: list[Finding], rules: frozenset[str] | None = None, unsafe: bool = False
) -> Iterator[Fix]:
    """The fix of each finding that has one which needs no choice, and is safe if it must be."""
    for finding in findings:
        fix = finding.preferred_fix
        is_wanted = rules is None or finding.rule in rules
        if fix and is_wanted and (unsafe or fix.applicability == "safe"):
            yield fix


def mended_by(analysis: Analysis) -> dict[Finding, Applicability]:
    """How each finding that `--fix` or `--unsafe-fixes` mends is mended.

    A fix that would make another prompt of the file is never applied, so it mends nothing.
    """
    safe = list(automatic_fixes(analysis.findings))
    every = list(automatic_fixes(analysis.findings, unsafe=True))
    how: dict[int, Applicability] = {}
    # A safe fix can need an unsafe one beside it: alone, it would make a marker of text.
    if len(every) > len(safe):
        how = dict.fromkeys(map(id, _harmless(analysis, every)), "unsafe")
    how |= dict.fromkeys(map(id, _harmless(analysis, safe)), "safe")
    fixes = ((finding, finding.preferred_fix) for finding in analysis.findings)
    return {finding: how[id(fix)] for finding, fix in fixes if fix and id(fix) in how}
