"""The arrows of the house, and what product code may not say, read from its syntax trees.

Each rule is a function from a module to its faults. It runs over every module of the product, and
over a snippet that breaks it, so that a rule which has gone blind is seen.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROOTS = (ROOT / "tokenizer", ROOT / "server")


class Module(NamedTuple):
    """A module: its dotted name, whether it is a package's `__init__`, and its syntax tree."""

    name: str
    is_package: bool
    tree: ast.Module

    def is_in(self, *packages: str) -> bool:
        return any(f"{self.name}.".startswith(f"{package}.") for package in packages)


Rule = Callable[[Module], Iterator[str]]


@cache
def product_modules() -> tuple[Module, ...]:
    return tuple(
        read(path, ".".join(path.relative_to(root).with_suffix("").parts))
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
    )


def read(path: Path, name: str) -> Module:
    tree = ast.parse(path.read_text("utf-8"), str(path))
    return Module(name.removesuffix(".__init__"), path.stem == "__init__", tree)


def check_product(rule: Rule) -> None:
    faults = [f"{module.name}: {fault}" for module in product_modules() for fault in rule(module)]
    assert faults == []


def check_caught(rule: Rule, name: str, source: str) -> None:
    assert list(rule(Module(name, False, ast.parse(source)))), "the rule doesn't see this fault"


def check_allowed(rule: Rule, name: str, source: str) -> None:
    assert list(rule(Module(name, False, ast.parse(source)))) == []


# --- Imports -----------------------------------------------------------------------------------


def imports(module: Module) -> Iterator[tuple[str, bool]]:
    """Each imported module or name, in full, and whether that happens inside a function."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    lazy = {
        id(inner)
        for outer in ast.walk(module.tree)
        if isinstance(outer, functions)
        for inner in ast.walk(outer)
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node)
            yield from ((f"{base}.{alias.name}", id(node) in lazy) for alias in node.names)


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    parts = parts[: len(parts) - node.level + module.is_package]
    return ".".join([*parts, *([node.module] if node.module else [])])


# What a part of the house may not import, since arrows point down only.
FORBIDDEN = {
    "subword": ("promptls", "pygls", "lsprotocol"),
    "promptls.text": ("promptls",),
    "promptls.prompt": ("promptls.formats", "promptls.rules", "promptls.analysis"),
    "promptls.formats": ("promptls.rules", "promptls.analysis", "promptls.sources.files"),
    "promptls.rules": ("promptls.analysis", "promptls.sources.files"),
    "promptls.lsp": ("promptls.cli",),
}
ADAPTERS = ("promptls.lsp", "promptls.cli", "promptls.reports")
PROTOCOL = ("pygls", "lsprotocol", "promptls.lsp")


def _is_under(name: str, *packages: str) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def arrows_point_down(module: Module) -> Iterator[str]:
    banned = [name for part, names in FORBIDDEN.items() if module.is_in(part) for name in names]
    if not module.is_in(*ADAPTERS) and module.name != "promptls.__main__":
        banned += ADAPTERS
    for name, _ in imports(module):
        if _is_under(name, *banned) and not module.is_in(name):
            yield f"imports {name}"


def only_lsp_speaks_lsp(module: Module) -> Iterator[str]:
    for name, lazy in imports(module):
        serves = module.name == "promptls.cli.serve" and lazy and _is_under(name, "promptls.lsp")
        if _is_under(name, *PROTOCOL) and not module.is_in("promptls.lsp") and not serves:
            yield f"imports {name}"


# --- Files, lines, patterns, docstrings --------------------------------------------------------

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


# --- The tests ---------------------------------------------------------------------------------

RULES: dict[Rule, list[tuple[str, str]]] = {
    arrows_point_down: [
        ("subword.index", "import promptls"),
        ("subword.index", "from promptls.text import Text"),
        ("subword.files.saved", "def f():\n    from promptls import text"),
        ("promptls.rules.special_token", "from ..analysis import Analysis"),
        ("promptls.rules.special_token", "from .. import analysis"),
        ("promptls.formats.plain", "from ..cli.inputs import read"),
        ("promptls.analysis", "from .lsp import app"),
        ("promptls.analysis", "if TYPE_CHECKING:\n    from .reports.json import Report"),
        ("promptls.text", "from .settings import Settings"),
        ("promptls.lsp.app", "from ..cli import main"),
    ],
    only_lsp_speaks_lsp: [
        ("promptls.text", "from lsprotocol import types"),
        ("promptls.cli.count", "import pygls.server"),
        ("promptls.cli.count", "def run():\n    from ..lsp.app import serve"),
        ("promptls.cli.serve", "from ..lsp.app import serve"),
        ("promptls.cli.serve", "def run():\n    import pygls"),
        ("promptls.cli.serve", "from .. import lsp"),
        ("subword.index", "from lsprotocol.types import Position"),
    ],
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
FAULTS = [(rule, name, source) for rule, faults in RULES.items() for name, source in faults]

ALLOWED: list[tuple[Rule, str, str]] = [
    (arrows_point_down, "promptls.rules.special_token", "from ..prompt import Prompt"),
    (arrows_point_down, "promptls.lsp.app", "from ..analysis import analyse"),
    (arrows_point_down, "promptls.formats.plain", "from subword import get_encoding"),
    (only_lsp_speaks_lsp, "promptls.cli.serve", "def run():\n    from ..lsp.app import serve"),
    (only_lsp_speaks_lsp, "promptls.lsp.features.hover", "from lsprotocol import types"),
    (rules_and_formats_open_no_files, "promptls.sources.files", "open('x')"),
    (files_are_read_with_a_limit, "promptls.sources.files", "path.open('r+b')"),
    (files_are_read_with_a_limit, "promptls.sources.claude_imports", "read_text(path)"),
    (regex_keeps_the_gil, "subword.index", "import regex\nregex.findall('a', t, concurrent=False)"),
    (regex_keeps_the_gil, "subword.index", "import re, regex\nre.compile('a').findall(t)"),
    (regex_keeps_the_gil, "subword.index", "import re, regex\nP = re.compile('a')\nP.search(t)"),
    (regex_keeps_the_gil, "subword.index", "import regex\nwords = text.split()"),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_product_keeps(rule: Rule) -> None:
    check_product(rule)


@pytest.mark.parametrize(("rule", "name", "source"), FAULTS)
def test_a_fault_is_seen(rule: Rule, name: str, source: str) -> None:
    check_caught(rule, name, source)


@pytest.mark.parametrize(("rule", "name", "source"), ALLOWED)
def test_what_is_right_is_not_a_fault(rule: Rule, name: str, source: str) -> None:
    check_allowed(rule, name, source)


def test_the_whole_product_is_read() -> None:
    names = {module.name for module in product_modules()}
    assert {"subword", "subword.encoding", "subword.models", "promptls", "promptls.rules"} <= names
    assert any(module.is_in("promptls.lsp.features") for module in product_modules())


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").rglob("*.py")), ids=lambda p: p.name)
def test_scripts_begin_with_a_docstring(script: Path) -> None:
    assert list(a_docstring_comes_first(read(script, script.stem))) == []
