"""The part of the scorer inside a sandboxed worker that reads answers by the policy. It runs beside the references."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

import msgspec

from warpsmith.core.records import text_format
from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.worker_messages import UNSUPPORTED, AcceptedText, AnswerToRead, Rejection, Reply
from warpsmith.scoring.plain.plain_policy import UnsupportedError, check_plain, check_supported
from warpsmith.scoring.plain.plain_unit import without_host_code
from warpsmith.scoring.plain.program_unit import program_unit
from warpsmith.scoring.policy.cuda_names import SCALAR_TYPES, UNQUALIFIED
from warpsmith.scoring.policy.cuda_policy import check_cuda, uses_double
from warpsmith.scoring.policy.python_policy import check_python
from warpsmith.scoring.policy.violation import Violation

_DOUBLE_NUMBER = re.compile(r"(?<![\w.])(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])")
"""A number with a fraction or an exponent, and without a suffix."""


_QUALIFIED = re.compile(rf"(?<![\w:.])(float|int|{'|'.join(sorted(UNQUALIFIED))})\s*\(")
"""Functions and casts of the namespace ``wp``; a macro of Warp's header makes a function of a cast such as ``float(x)``."""

_EXTREME = re.compile(r"(?<![\w:.])f(min|max)f\s*\(")
_IN_SINGLE = r"static_cast<wp::float32 (*)(wp::float32, wp::float32)>(wp::\1)("
"""The function of Warp for floats, whatever the types of the arguments."""

_LOCAL_ARRAY = re.compile(
    rf"(?<![\w:])(?P<type>{'|'.join(map(re.escape, sorted(SCALAR_TYPES, reverse=True)))})\s+"
    r"(?P<name>\w+)\s*\[\s*(?P<length>\d+)\s*\](?P<values>\s*=\s*\{)?"
)
"""The declaration of a local array, which the policy has accepted."""


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
            check_plain(text)
            if answer.plain.is_host:
                check_supported(text)
                return AcceptedText(program_unit(text, answer.plain))
            for_devices = without_host_code(text)
            check_supported(for_devices)
            return AcceptedText(for_devices)
        if answer.language == "python":
            check_python(text, entry_point)
            return AcceptedText(with_adjoint(text))
        check_cuda(text, entry_point, reference)
    except UnsupportedError as violation:
        return Rejection(UNSUPPORTED, str(violation))
    except Violation as violation:
        return Rejection("read", str(violation))
    read = in_warps_words(with_parameters(text, entry_point, reference))
    is_single = entry_point.endswith("backward") and not uses_double(reference)
    return AcceptedText(in_single_precision(read) if is_single else read)


def in_single_precision(text: str) -> str:
    """Return a text whose numbers are floats: C++ computes ``x + 0.1`` in double precision.

    Finite differences in one such expression would be as exact as a gradient in single precision.
    """
    return _DOUBLE_NUMBER.sub(r"\g<0>f", text)


def with_adjoint(text: str) -> str:
    r"""Return a Python text whose kernels have adjoints: the answer's forward pass decides whether the adjoint is right.

    Examples:
        >>> with_adjoint("@wp.kernel(enable_backward=False)\ndef k(): ...")
        '@wp.kernel(enable_backward=True )\ndef k(): ...'
    """
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                value = keyword.value
                if keyword.arg == "enable_backward" and isinstance(value, ast.Constant) and value.value is False:
                    line = lines[value.lineno - 1].encode()
                    changed = line[: value.col_offset] + b"True " + line[value.col_offset + len("False") :]
                    lines[value.lineno - 1] = changed.decode()
    return "\n".join(lines)


def in_warps_words(text: str) -> str:
    """Return a text without comments whose local arrays are vectors of Warp, which check indices, and whose casts compile.

    Examples:
        >>> in_warps_words("float a[2] = {x}; wp::int32 b[3]; a[1] = float(b[0]);")
        'wp::vec_t<2, float> a = wp::initializer_array<2, float>{x}; wp::vec_t<3, wp::int32> b; a[1] = wp::float(b[0]);'
    """
    return _LOCAL_ARRAY.sub(_as_vector, _EXTREME.sub(_IN_SINGLE, _QUALIFIED.sub(r"wp::\1(", text)))


def _as_vector(found: re.Match[str]) -> str:
    vector = f"wp::vec_t<{found['length']}, {found['type']}> {found['name']}"
    values = f" = wp::initializer_array<{found['length']}, {found['type']}>{{" if found["values"] else ""
    return vector + values + "\n" * found[0].count("\n")


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
