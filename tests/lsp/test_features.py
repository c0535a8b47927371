"""What each client is answered, with the capabilities that real editors were recorded with."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient
from tests.lsp.buffer import Buffer
from tests.lsp.expected import count, lines_of, tokens, tokens_per_line, units
from tests.lsp.wire import POSITION_ENCODINGS, initialize_params, span

CONVERTER = default_converter()

REQUESTS_OF_THE_SERVER = (
    types.CLIENT_REGISTER_CAPABILITY,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
)

TEXT = "Hola 😀 <|endoftext|> señor\r\n\r\n漢字 one\ntwo\u2028three\x0cfour\rfive \n\n\nsix  "


class Client(LanguageClient):
    """The client, and which editor it speaks as."""

    recorded: str


@pytest_lsp.fixture(
    scope="module",
    config=ClientServerConfig(server_command=[sys.executable, "-m", "promptls", "serve"]),
    params=list(POSITION_ENCODINGS),
)
async def client(request: Any, lsp_client: Client) -> AsyncIterator[Client]:
    params = CONVERTER.structure(initialize_params(request.param), types.InitializeParams)
    for method in REQUESTS_OF_THE_SERVER:
        lsp_client.feature(method)(lambda *_: None)
    await lsp_client.initialize_session(params)
    lsp_client.recorded = request.param
    yield lsp_client
    await lsp_client.shutdown_session()


in_module = pytest.mark.asyncio(loop_scope="module")
_numbers = iter(range(10_000))


def opened(client: Client, text: str, name: str = "a.txt") -> types.TextDocumentIdentifier:
    """A document that no other test has open."""
    uri = f"file:///workspace/{next(_numbers)}/{name}"
    item = types.TextDocumentItem(uri, "plaintext", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return types.TextDocumentIdentifier(uri)


def encoding_of(client: Client) -> str:
    return POSITION_ENCODINGS[client.recorded]


WHOLE = types.Range(types.Position(0, 0), types.Position(1000, 0))


async def hints(client: Client, document: types.TextDocumentIdentifier) -> list[Any]:
    answer = await client.text_document_inlay_hint_async(types.InlayHintParams(document, WHOLE))
    return list(answer or [])


@in_module
async def test_hints_have_the_counts_of_tiktoken_at_the_line_ends(client: Client) -> None:
    got = await hints(client, opened(client, TEXT))
    encoding = encoding_of(client)
    expected = [
        (number, units(line, encoding), str(tokens))
        for number, (line, tokens) in enumerate(
            zip(lines_of(TEXT), tokens_per_line(TEXT, "o200k_base"), strict=True)
        )
        if tokens
    ]
    assert [(h.position.line, h.position.character, h.label) for h in got] == expected


@in_module
async def test_a_hint_explains_itself(client: Client) -> None:
    first, *_ = await hints(client, opened(client, TEXT))
    resolved = await client.inlay_hint_resolve_async(first)
    total = count(TEXT)
    assert f"{total} in all (o200k_base)" in str(resolved.tooltip)


@in_module
async def test_hover_shows_the_token_and_its_bytes(client: Client) -> None:
    text = "x 😀 <|endoftext|>\nnaïve `code`"
    document = opened(client, text)
    encoding = encoding_of(client)

    async def at(line: int, before: str) -> types.Hover | None:
        position = types.Position(line, units(before, encoding))
        return await client.text_document_hover_async(types.HoverParams(document, position))

    emoji = await at(0, "x ")
    assert emoji is not None
    ids = tokens(text, "o200k_base")
    shown = emoji.contents.value  # type: ignore[union-attr]
    assert str(ids[1]) in shown and "20 f0 9f 98 80" in shown
    start, end = emoji.range.start.character, emoji.range.end.character  # type: ignore[union-attr]
    assert (start, end) == (units("x", encoding), units("x 😀", encoding))
    kind = emoji.contents.kind  # type: ignore[union-attr]
    assert kind == ("plaintext" if client.recorded == "eglot" else "markdown")
    assert await at(1, "naïve `code`") is None


@in_module
async def test_hover_leaves_the_text_as_it_is(client: Client) -> None:
    document = opened(client, "C:\\ **a** `b`")
    position = types.Position(0, 3)
    hover = await client.text_document_hover_async(types.HoverParams(document, position))
    assert hover is not None
    shown = hover.contents.value  # type: ignore[union-attr]
    assert "\\" in shown and "**" in shown.partition("Line 1")[2]
    assert ("`" in shown.partition("Line 1")[0]) == (client.recorded != "eglot")


@in_module
async def test_findings_come_by_pull_or_by_push_never_both(client: Client) -> None:
    document = opened(client, TEXT)
    pulls = client.recorded != "eglot"
    if pulls:
        params = types.DocumentDiagnosticParams(document)
        found = (await client.text_document_diagnostic_async(params)).items  # type: ignore[union-attr]
    else:
        while document.uri not in client.diagnostics:
            await client.wait_for_notification("textDocument/publishDiagnostics")
        found = client.diagnostics[document.uri]
    by_rule = {diagnostic.code: diagnostic for diagnostic in found}
    assert {"special-token", "trailing-space-in-prompt"} <= set(by_rule)
    encoding = encoding_of(client)
    special = by_rule["special-token"].range
    assert special.start.character == units("Hola 😀 ", encoding)
    assert special.end.character == units("Hola 😀 <|endoftext|>", encoding)
    assert all(d.source == "promptls" and d.code_description for d in found)
    if pulls:
        await asyncio.sleep(0.3)
        assert document.uri not in client.diagnostics


@in_module
async def test_each_finding_can_be_fixed_and_all_at_once(client: Client) -> None:
    text = "Hola 😀 <|endoftext|> señor\n漢字 one\nsi\u200bx"
    document = opened(client, text)

    async def actions(only: list[str] | None) -> list[types.CodeAction]:
        context = types.CodeActionContext([], only=only)
        params = types.CodeActionParams(document, WHOLE, context)
        return list(await client.text_document_code_action_async(params) or [])  # type: ignore[arg-type]

    fixed = "Hola 😀 <|endoftext|> señor\n漢字 one\nsix"
    quick = await actions(None)
    assert {str(action.kind) for action in quick} == {"quickfix"}
    assert all(action.diagnostics and action.edit for action in quick)
    (fix_all,) = await actions(["source.fixAll"])
    assert fix_all.kind == "source.fixAll.promptls"
    assert fix_all.edit
    edit = CONVERTER.unstructure(fix_all.edit)
    [(version, edits)] = (
        [(each["textDocument"]["version"], each["edits"]) for each in edit["documentChanges"]]
        if "documentChanges" in edit
        else [(1, edits) for edits in edit["changes"].values()]
    )
    assert (version, Buffer(text, encoding_of(client)).after(edits)) == (1, fixed)
    assert await actions(["source.organizeImports"]) == []


@in_module
async def test_outline_lenses_and_folds_of_a_chat(client: Client) -> None:
    system, user = "You are terse.\nSpeak Spanish.", "¿Qué es un token? 😀"
    text = f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{user}<|im_end|>\n"
    document = opened(client, text, "chat.chatml")
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [(s.name, s.detail) for s in symbols or []] == [  # type: ignore[union-attr]
        ("system", f"{count(system)} tokens"),
        ("user", f"{count(user)} tokens"),
    ]
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert [lens.command.title for lens in lenses or []] == [  # type: ignore[union-attr]
        f"system: {count(system)} tokens",
        f"user: {count(user)} tokens",
    ]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert (1, 2) in {(fold.start_line, fold.end_line) for fold in folds or []}
    params = types.SelectionRangeParams(document, [types.Position(2, 1)])
    (selection,) = await client.text_document_selection_range_async(params) or []
    sizes = []
    while selection:
        sizes.append((selection.range.start.line, selection.range.end.line))
        selection = selection.parent  # type: ignore[assignment]
    assert sizes[-1] == (0, 5) and (1, 2) in sizes


@in_module
async def test_semantic_tokens_cover_the_text_in_turns(client: Client) -> None:
    text = "uno 😀 dos\n漢字 <|endoftext|>\n\nfin"
    document = opened(client, text)
    answer = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document)
    )
    assert answer is not None
    line = column = 0
    covered: dict[int, int] = {}
    for n in range(0, len(answer.data), 5):
        down, right, length, kind, _ = answer.data[n : n + 5]
        line, column = line + down, right if down else column + right
        assert kind in (0, 1)
        assert column >= covered.get(line, 0)
        covered[line] = column + length
    encoding = encoding_of(client)
    expected = {n: units(part, encoding) for n, part in enumerate(lines_of(text)) if part}
    assert covered == expected


@in_module
async def test_commands_answer_as_the_command_line_does(client: Client) -> None:
    document = opened(client, TEXT)

    async def run(name: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(f"promptls.{name}", list(arguments))
        answer = await client.workspace_execute_command_async(params)
        return json.loads(json.dumps(answer, default=vars))

    total = count(TEXT)
    # `señor`, whose token in the text begins with the space before it.
    word = [units(TEXT[:n], encoding_of(client)) for n in (TEXT.index("señor"), TEXT.index("\r"))]
    selected = span((0, word[0]), (0, word[1]))
    counted = await run("countTokens", document.uri, [selected, span((2, 0), (3, 0))])
    assert (counted["tokens"], counted["exact"]) == (total, True)
    assert (counted["raw_tokens"], counted["format"]) == (total, "plain")
    assert counted["ranges"] == [
        {"tokens": count(part), "exactness": "exact"} for part in ("señor", "漢字 one\n")
    ]
    assert counted["bytes"] == len(TEXT.encode())
    compared = await run("compareEncodings", document.uri)
    assert {row["encoding"]: row["tokens"] for row in compared["rows"]} == {
        name: count(TEXT, name) for name in ("o200k_base", "cl100k_base", "p50k_base", "r50k_base")
    }
    listed = await run("tokens", document.uri)
    assert [token["id"] for token in listed["tokens"]] == tokens(TEXT, "o200k_base")
    assert await run("setEncoding", document.uri, "gpt-4") == {"encoding": "cl100k_base"}
    counted = await run("countTokens", document.uri)
    assert counted["encoding"] == "cl100k_base"
    assert counted["tokens"] == count(TEXT, "cl100k_base")
    assert await run("setEncoding", document.uri, None) == {"encoding": "o200k_base"}


@in_module
async def test_a_comparison_of_a_selection_is_of_what_it_sends(client: Client) -> None:
    text = "<|im_start|>user\nHola {{name}}, ¿qué tal? 😀<|im_end|>\n"
    document = opened(client, text, "chat.chatml")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    for arguments in ([document.uri], [document.uri, whole]):
        params = types.ExecuteCommandParams("promptls.compareEncodings", arguments)
        answer = await client.workspace_execute_command_async(params)
        rows = json.loads(json.dumps(answer, default=vars))["rows"]
        assert {row["encoding"]: row["tokens"] for row in rows} == {
            name: count("Hola , ¿qué tal? 😀", name)
            for name in ("o200k_base", "cl100k_base", "p50k_base", "r50k_base")
        }


@in_module
async def test_one_token_is_not_one_tokens(client: Client) -> None:
    document = opened(client, "#\n\n# a b\n", "a.md")
    symbols = types.DocumentSymbolParams(document)
    shown = str(await client.text_document_document_symbol_async(symbols))
    shown += str(await client.text_document_code_lens_async(types.CodeLensParams(document)))
    assert "1 token" in shown
    assert "1 tokens" not in shown
