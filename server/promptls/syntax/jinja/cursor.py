"""A place among the tokens of a Jinja tag, and what can be asked and expected there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ..blocks import Fault
from .tokens import Token
from .values import CONSTANTS


class Cursor:
    """Goes over the tokens of one tag. Methods raise `Fault` where Jinja2's parser fails."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.loads: list[str] = []
        """The names that are looked up, in the order of the text."""

    @property
    def current(self) -> Token:
        return self._tokens[self._at]

    @property
    def previous(self) -> Token:
        return self._tokens[max(self._at - 1, 0)]

    @property
    def following(self) -> Token:
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def next(self) -> Token:
        """The current token, after which the next one is the current one."""
        token = self.current
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def is_at(self, *words: str) -> bool:
        """Whether the current token is one of these names or operators."""
        return self._tokens[self._at].text in words

    def skip(self, word: str) -> bool:
        """Go over a word, if it is the current token."""
        if self._tokens[self._at].text != word:
            return False
        self.next()
        return True

    def expect(self, word: str) -> Token:
        if not self.is_at(word):
            self.fail(f"{word} is expected here instead of {self.current}")
        return self.next()

    def expect_name(self) -> Token:
        if self.current.kind != "name":
            self.fail(f"a name is expected here instead of {self.current}")
        return self.next()

    def expect_end(self) -> Token:
        if self.current.kind != "end":
            self.fail(f"the tag should end here instead of {self.current}")
        return self.current

    def fail(self, message: str) -> NoReturn:
        raise Fault(self.current.start, self.current.end, message)

    # --- Targets of assignments ----------------------------------------------------------------

    def target(self, *ends: str, with_namespace: bool = False) -> list[str]:
        """The names that a target binds. One of a namespace binds none, but is looked up."""
        if self.current.kind == "end" or self.is_at(")", *ends):
            self.fail(f"a name is expected here instead of {self.current}")
        names = self._one_target(with_namespace)
        while self.skip(",") and not (self.current.kind == "end" or self.is_at(")", *ends)):
            names += self._one_target(with_namespace)
        return names

    def _one_target(self, with_namespace: bool) -> list[str]:
        if self.skip("("):
            inner = self.target() if not self.is_at(")") else []
            self.expect(")")
            return inner
        if self.current.kind != "name" or self.current.text in CONSTANTS:
            self.fail(f"nothing can be assigned to {self.current}")
        name = self.next().text
        if with_namespace and self.skip("."):
            self.expect_name()
            self.loads.append(name)
            return []
        return [name]

    def name_only(self) -> str:
        """A name that is bound."""
        token = self.expect_name()
        if token.text in CONSTANTS:
            raise Fault(token.start, token.end, f"nothing can be assigned to {token}")
        return token.text
