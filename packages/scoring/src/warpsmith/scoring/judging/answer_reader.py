"""The part of the scorer inside a sandboxed worker that reads answers by the policy. It runs beside the references."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from warpsmith.core.records import text_format
from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.worker_messages import UNSUPPORTED, AcceptedText, AnswerToRead, Rejection, Reply
from warpsmith.scoring.plain.identifiers import UnsupportedError
from warpsmith.scoring.plain.plain_policy import check_plain
from warpsmith.scoring.policy.cuda_policy import check_cuda, uses_double
from warpsmith.scoring.policy.python_policy import check_python
from warpsmith.scoring.policy.violation import Violation

_DOUBLE_NUMBER = re.compile(r"(?<![\w.])(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])")
"""A number with a fraction or an exponent, and without a suffix."""


def read_texts(_: Sequence[Line], *, texts: Sequence[object]) -> Reply:
    """Read answers.

    Args:
        texts: `AnswerToRead` as JSON.

    Returns:
        For each answer its text in the layout that the runner needs, or the reason why it is refused.
    """
    return {"texts": [_read(answer) for answer in msgspec.convert(texts, list[AnswerToRead])]}


def _read(answer: AnswerToRead) -> AcceptedText | Rejection:
    text, entry_point, reference = answer.text, answer.entry_point, answer.reference
    try:
        if answer.plain is not None:
            check_plain(text, answer.plain)
            return AcceptedText(text)
        if answer.language == "python":
            check_python(text, entry_point)
            return AcceptedText(text)
        check_cuda(text, entry_point, reference)
    except UnsupportedError as violation:
        return Rejection(UNSUPPORTED, str(violation))
    except Violation as violation:
        return Rejection("read", str(violation))
    read = with_parameters(text, entry_point, reference)
    is_single = entry_point.endswith("backward") and not uses_double(reference)
    return AcceptedText(in_single_precision(read) if is_single else read)


def in_single_precision(text: str) -> str:
    """Return a text whose numbers are floats: C++ computes ``x + 0.1`` in double precision.

    Finite differences in one such expression would be as exact as a gradient in single precision.
    """
    return _DOUBLE_NUMBER.sub(r"\g<0>f", text)


def with_parameters(text: str, entry_point: str, reference: str) -> str:
    """Return a text without comments whose entry point and its parameters have the layout of ``reference``.

    The policy has compared the parameters word by word. Errors of compilers keep the line numbers of the text.
    """
    bare = text_format.COMMENT_OR_LITERAL.sub(_without_comment, text)
    direction = "backward" if entry_point.endswith("backward") else "forward"
    *_, parameters = text_format.CUDA_PARAMETERS[direction].findall(reference)
    opening = re.compile(rf'extern\s*"C"\s*__global__\s*void\s+{re.escape(entry_point)}\s*\([^)]*\)\s*\{{')

    def replaced(found: re.Match[str]) -> str:
        line = bare.count("\n", 0, found.end()) + 1
        return f'extern "C" __global__ void {entry_point}(\n{parameters})\n{{\n#line {line}\n'

    return opening.sub(replaced, bare, count=1)


def _without_comment(found: re.Match[str]) -> str:
    return " " + "\n" * found[0].count("\n") if found[0][0] == "/" else found[0]
