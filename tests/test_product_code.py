"""What product code may not say, read from its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.product import (
    ROOT,
    Faults,
    Module,
    Rule,
    imports,
    product_modules,
    read,
    rule_tests,
)

FILE_METHODS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob"}


def rules_and_formats_open_no_files(module: Module) -> Iterator[str]:
    if not module.is_in("promptls.rules", "promptls.formats", "promptls.prompt", "promptls.text"):
        return
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else None
        method = node.func.attr if isinstance(node.func, ast.Attribute) else None
        if name == "open" or method in FILE_METHODS:
            yield f"line {node.lineno} opens a file"


# Who may open a file: these know what is no file, and where to stop.
READERS = ("promptls.sources.files", "subword.regular", "subword.data")


def files_are_read_with_a_limit(module: Module) -> Iterator[str]:
    """A path can lead to a device without end; `subword.regular` reads none."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or module.name in READERS:
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else None
        method = node.func.attr if isinstance(node.func, ast.Attribute) else None
        opens = method == "open" and ast.unparse(node.func) not in ("os.open", "session.open")
        # To write it, somebody has named the file.
        writes = any(isinstance(arg, ast.Constant) and arg.value == "w" for arg in node.args)
        if name == "open" or method in {"read_text", "read_bytes"} or (opens and not writes):
            yield f"line {node.lineno} reads a file"


def lines_are_not_pythons(module: Module) -> Iterator[str]:
    """`str.splitlines` ends lines where no editor does; `subword.lines` has ours."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr == "splitlines":
            yield f"line {node.lineno} says splitlines"


def a_docstring_comes_first(module: Module) -> Iterator[str]:
    if not (ast.get_docstring(module.tree) or "").strip():
        yield "has no docstring"


# Methods that only patterns have, and those that other things have too.
SEARCHES = {"finditer", "findall", "search", "match", "fullmatch", "splititer", "subn", "subf"}
SHARED = {"split", "sub"}


def regex_keeps_the_gil(module: Module) -> Iterator[str]:
    """In a module that has `regex` patterns, each search is one of `re`'s or isn't concurrent."""
    names = {name.rpartition(".")[2] for name, _ in imports(module)}
    if not names & {"regex", "compile_pattern"} and module.name != "subword.patterns":
        return
    from_re = set(_names_of(module.tree, "re")) | _re_constants()
    from_regex = set(_names_of(module.tree, "regex")) | {"regex", "compile_pattern"}
    for node in ast.walk(module.tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner, method = _last_name(node.func.value), node.func.attr
        suspect = method in SEARCHES and owner not in from_re
        suspect |= method in SHARED and owner in from_regex
        if suspect and not _says_not_concurrent(node):
            yield f"line {node.lineno}: {owner}.{method} without concurrent=False"


def _says_not_concurrent(call: ast.Call) -> bool:
    return any(
        keyword.arg == "concurrent"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is False
        for keyword in call.keywords
    )


def _last_name(node: ast.expr) -> str:
    """`self._special_regex` → `_special_regex`, `compile_pattern(x)` → `compile_pattern`."""
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    if isinstance(node, ast.Attribute):
        inner = _last_name(node.value)
        return inner if node.attr == "compile" else node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _names_of(tree: ast.AST, library: str) -> Iterator[str]:
    """Names in a module that hold a pattern of that library, or make one."""
    makers = {library} | ({"compile_pattern"} if library == "regex" else set())
    makers |= {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and _is_pattern(node.returns, library)
    }
    yield from makers
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and _is_pattern(node.annotation, library):
            yield node.arg
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if _last_name(node.value) in makers:
                yield from map(_last_name, node.targets)
        elif isinstance(node, ast.AnnAssign) and _is_pattern(node.annotation, library):
            yield _last_name(node.target)


def _is_pattern(annotation: ast.expr | None, library: str) -> bool:
    return annotation is not None and ast.unparse(annotation).startswith(f"{library}.Pattern")


@cache
def _re_constants() -> frozenset[str]:
    """Module constants of the product that hold a pattern of `re`, which other modules import."""
    trees = (module.tree for module in product_modules())
    return frozenset(name for tree in trees for name in _names_of(tree, "re") if name.isupper())


FAULTS: Faults = {
    rules_and_formats_open_no_files: [
        ("promptls.rules.special_token", "def check():\n    open('x')"),
        ("promptls.formats.prompty", "Path('x').read_text('utf-8')"),
        ("promptls.formats.prompty", "def f(path):\n    with path.open() as file: ..."),
    ],
    files_are_read_with_a_limit: [
        ("promptls.sources.claude_imports", "text = path.read_text('utf-8')"),
        ("promptls.cli.check", "def run():\n    with Path(x).open() as file: ..."),
        ("promptls.cli.check", "open('x').read()"),
        ("subword.files.saved", "data = file.open('rb').read()"),
    ],
    lines_are_not_pythons: [
        ("promptls.text", "lines = text.splitlines(keepends=True)"),
        ("subword.lines", "starts = map(str.splitlines, texts)"),
    ],
    a_docstring_comes_first: [
        ("promptls.rules", ""),
        ("promptls.rules", "# A comment.\nimport re\n'''Too late.'''"),
        ("promptls.rules", "'''  '''"),
    ],
    regex_keeps_the_gil: [
        ("subword.index", "import regex\nregex.findall('a', text)"),
        ("subword.index", "import regex\nregex.sub('a', 'b', text, concurrent=True)"),
        ("subword.index", "import regex\nP = regex.compile('a')\nP.split(text)"),
        ("subword.index", "from .patterns import compile_pattern\ncompile_pattern(p).match(t)"),
        (
            "subword.index",
            "from .patterns import compile_pattern\np = compile_pattern(q)\np.search(t)",
        ),
        ("subword.index", "import regex\ndef f(p: regex.Pattern[str]): return p.findall('a')"),
        ("subword.index", "import regex\ndef f(unknown): return unknown.finditer('a')"),
        ("subword.patterns", "def f(p): return p.finditer('a')"),
    ],
}

ALLOWED: list[tuple[Rule, str, str]] = [
    (rules_and_formats_open_no_files, "promptls.sources.files", "open('x')"),
    (files_are_read_with_a_limit, "promptls.sources.files", "path.open('r+b')"),
    (files_are_read_with_a_limit, "promptls.sources.claude_imports", "read_text(path)"),
    (regex_keeps_the_gil, "subword.index", "import regex\nregex.findall('a', t, concurrent=False)"),
    (regex_keeps_the_gil, "subword.index", "import re, regex\nre.compile('a').findall(t)"),
    (regex_keeps_the_gil, "subword.index", "import re, regex\nP = re.compile('a')\nP.search(t)"),
    (regex_keeps_the_gil, "subword.index", "import regex\nwords = text.split()"),
]


(
    test_the_product_keeps,
    test_a_fault_is_seen,
    test_what_is_right_is_not_a_fault,
) = rule_tests(FAULTS, ALLOWED)


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").rglob("*.py")), ids=lambda p: p.name)
def test_scripts_begin_with_a_docstring(script: Path) -> None:
    assert list(a_docstring_comes_first(read(script, script.stem))) == []


def test_what_was_begun_is_done() -> None:
    """`make rule` and `make format` leave a mark where somebody must think."""
    mark = b"TO" + b"DO:"
    files = [path for top in ("server", "tokenizer", "tests") for path in (ROOT / top).rglob("*")]
    read = {path: path.read_bytes() for path in files if path.is_file() and path.suffix != ".pyc"}
    assert [str(path) for path, data in read.items() if mark in data] == []
