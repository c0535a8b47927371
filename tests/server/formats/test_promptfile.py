"""Promptfile's elements: where they begin and end, and which line ends are theirs."""

from __future__ import annotations

import pytest

from promptls.formats import detect


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<User>\nHi\n</User>\n\n<Assistant>\nSure\n</Assistant>\n", ["user Hi", "assistant Sure"]),
        ("<User>\r\nHi\r\nyou\r\n</User>\r\n", ["user Hi\r\nyou"]),
        ("<User>\n</User>\n<User>\nHi\n</User>", ["user ", "user Hi"]),
        ("<User>\n\nHi\n\n</User>", ["user \nHi\n"]),
        ("<User>\n<User>\nHi\n</User>\n</User>", ["user <User>\nHi\n</User>"]),
        ("<User\n  a='b'\n>\nHi\n</User>", ["user Hi"]),
        ("<Test>\nlost\n</Test>\n<User>\nHi\n</User>", ["user Hi"]),
        ("<Test>\n<User>\nlost\n</User>\n</Test>\n<User>\nHi\n</User>", ["user Hi"]),
        ('<Block role="System">\nHi\n</Block>\n<User />\n', ["system Hi", "user "]),
        (
            '<Function name="f">\nHi @{x}\n</Function>\n<User>\nHo\n</User>',
            ["function Hi ", "user Ho"],
        ),
    ],
)
def test_promptfiles_elements(text: str, expected: list[str]) -> None:
    prompt = detect("a.prompt", text).parse(text)
    assert prompt.format == "promptfile"
    assert [f"{each.role} {each.text}" for each in prompt.messages] == expected
    assert not prompt.problems
