"""Text of any kind is parsed or refused with one error."""

from __future__ import annotations

import doctest

import pytest

from warpsmith.core.records import python_source
from warpsmith.core.records.python_source import NotPythonError, is_kernel_definition, parse_python, tokenize_python


def test_examples() -> None:
    assert doctest.testmod(python_source).failed == 0


@pytest.mark.parametrize("source", ["x =", "x = '\0'", "(" * 5000 + ")" * 5000, "-" * 200_000 + "1", "\ud800"])
def test_texts_that_python_cannot_parse_are_refused(source: str) -> None:
    with pytest.raises(NotPythonError) as refusal:
        parse_python(source)
    assert "\n" not in str(refusal.value)
    assert refusal.value.cause in {"SyntaxError", "ValueError", "RecursionError", "MemoryError", "UnicodeEncodeError"}


def test_texts_without_tokens_are_refused() -> None:
    with pytest.raises(NotPythonError):
        tokenize_python("x = (")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@wp.kernel\ndef k(): pass", True),
        ("@warp.kernel(module='unique')\ndef k(): pass", True),
        ("@wp.func\ndef k(): pass", False),
        ("@kernel\ndef k(): pass", False),
        ("def k(): pass", False),
        ("k = wp.kernel", False),
    ],
)
def test_kernels_are_functions_with_the_decorator(source: str, expected: bool) -> None:
    assert is_kernel_definition(parse_python(source).body[0]) is expected
