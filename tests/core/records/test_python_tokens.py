"""Tokens are those of Python's own tokenizer, for texts with common forms and for all others."""

from __future__ import annotations

import tokenize
from pathlib import Path

import pytest
import warp as wp
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.records import python_tokens
from warpsmith.core.records.python_source import NotPythonError, tokenize_python
from warpsmith.core.records.python_tokens import split_tokens

SOURCES = sorted(Path(wp.__file__).parent.rglob("*.py")) + sorted(Path(tokenize.__file__).parent.glob("[a-m]*.py"))
WORDS = st.sampled_from(
    ["x", "if", ":", "\n", "\n", "    ", "\n    ", "\n        ", "# c", "(", ")", "[", "]", "{", "}", "@", " ", '"', "'", '"""',
     "'''", "1", "1.5e3", ".5", "0x1F", "12_3", "1j", "07", "->", ":=", "**=", "...", "b'", 'rB"', "f'", "!=", "!", "\\\n",
     "\t", "é"]
)  # fmt: skip


def expected(source: str) -> tuple[list[str], list[str]] | None:
    """Return what `tokenize` finds; None for a text that it refuses."""
    try:
        found = tokenize_python(source)
    except NotPythonError:
        return None
    names = {tokenize.NEWLINE: "<newline>", tokenize.INDENT: "<indent>", tokenize.DEDENT: "<dedent>"}
    left_out = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
    texts = [names.get(token.type, token.string) for token in found if token.type not in left_out]
    return texts, [token.string for token in found if token.type == tokenize.COMMENT]


def got(source: str) -> tuple[list[str], list[str]] | None:
    try:
        return tuple(split_tokens(source))  # type: ignore[return-value]
    except NotPythonError:
        return None


@pytest.mark.sampled(12)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_tokens_of_files_are_those_of_python(path: Path) -> None:
    source = path.read_text(encoding="utf-8", errors="replace")
    assert got(source) == expected(source)


@given(st.lists(WORDS, max_size=40).map("".join))
def test_tokens_of_any_text_are_those_of_python(source: str) -> None:
    found = got(source)
    if not python_tokens._UNCOMMON.search(source):  # else `tokenize` itself is asked
        compiled = _is_python(source)
        assert found == expected(source) or not compiled


def _is_python(source: str) -> bool:
    try:
        compile(source, "text", "exec", flags=0x400)  # only the syntax tree
    except (SyntaxError, ValueError):
        return False
    return True


def test_kernels_take_the_fast_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_tokens, "_all_tokens", None)
    source = (
        '@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    """Add one."""\n    i = wp.tid()  # the thread\n    x[i] += 1.0e-3\n'
    )
    assert split_tokens(source).comments == ["# the thread"]
