"""What must hold of every source map, whatever the format."""

from __future__ import annotations

from promptls.source_map import SourceMap


def check_source(file: str, text: str, source: SourceMap, start: int, end: int) -> None:
    """The runs cover the text, ascend in the file[start:end], and verbatim ones are the file's."""
    text_at, file_at = 0, start
    for run in source.runs:
        assert run.text_start == text_at
        assert file_at <= run.file_start <= run.file_start + run.file_length <= end
        if run.verbatim:
            assert run.text_length == run.file_length
            stretch = file[run.file_start : run.file_start + run.file_length]
            assert text[text_at : text_at + run.text_length] == stretch
        else:
            assert run.file_length > 0
        text_at += run.text_length
        file_at = run.file_start + run.file_length
    assert text_at == len(text)
