"""Kernels in other precisions: float64 throughout, and arrays of float16 whose elements are converted where they are read."""

from __future__ import annotations

import dataclasses
import re

from msgspec.structs import replace

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.composed_kernel import Array, Constant, Kernel, OpaqueParameter, Param, Scalar
from warpsmith.synthesis.language.layout.statement_text import split_commas
from warpsmith.synthesis.language.warp_types import FLOAT, TYPES
from warpsmith.synthesis.writing.forms.float_types import NUMBER, VALUE_TYPES, has_twin, texts_of, twin

_DOUBLE = re.compile(
    rf"(?P<comment>#.*)|(?<![\w.])float\((?P<cast>-?{NUMBER})\)|(?P<float>(?<![\w.])float\b)"
    rf"|\bwp\.(?P<type>{'|'.join(VALUE_TYPES)})\b|(?P<number>{NUMBER})|(?P<pi>\bwp\.pi\b)"
)
_LITERAL = r"wp\.float64\(-?[\d.]+(?:[eE][-+]?\d+)?\)"
_LITERALS = re.compile(rf"(wp\.(?:{'|'.join(VALUE_TYPES)})d)\(({_LITERAL}(?:, {_LITERAL})*)\)")


def in_double(kernel: Kernel, *, bare: bool) -> Kernel | None:
    """Return a kernel in float64, or None if it has no twin.

    Args:
        kernel: the kernel.
        bare: whether the literals of vectors and matrices that consist of literals are written without casts.
    """
    if not has_twin(kernel):
        return None

    def change(text: str) -> str:
        text = _DOUBLE.sub(_widen, text)
        return _LITERALS.sub(_strip_casts, text) if bare else text

    return replace(
        kernel,
        params=tuple(map(_widen_parameter, kernel.params)),
        body=tuple(change("\n".join(kernel.body)).split("\n")),
        preface=tuple(map(change, kernel.preface)),
        constants=tuple(map(widen_constant, kernel.constants)),
    )


def widen_generic(kernel: Kernel) -> Kernel:
    """Return a generic kernel whose overload is for float64."""
    return replace(kernel, params=tuple(map(_widen_parameter, kernel.params)))


def _widen(match: re.Match[str]) -> str:
    if match["comment"]:
        return match["comment"]
    if match["float"]:
        return "wp.float64"
    if match["type"]:
        return f"wp.{match['type']}d"
    return f"wp.float64({match['cast'] or match['number'] or match['pi']})"


def _strip_casts(match: re.Match[str]) -> str:
    literals = re.sub(r"wp\.float64\(([^()]*)\)", r"\1", match[2])
    return f"{match[1]}({literals})"


def widen_constant(constant: Constant) -> Constant:
    """Return a constant in float64 if it is a float."""
    return replace(constant, cast="wp.float64") if isinstance(constant.value, float) else constant


def _widen_parameter(param: Param) -> Param:
    if isinstance(param, Array):
        return replace(param, element=twin(param.element))
    if isinstance(param, Scalar):
        return replace(param, type=twin(param.type))
    return OpaqueParameter(param.name, param.annotation, _widen_argument(param.argument))


def _widen_argument(argument: Argument) -> Argument:
    kind = TYPES.get(argument.dtype)
    return dataclasses.replace(
        argument, dtype=twin(kind).name if kind else argument.dtype, fields=tuple(map(_widen_argument, argument.fields))
    )


_HALF_BUILTINS = frozenset(
    "array tid func struct dot sin cos tanh min max clamp abs where sign step floor atomic_add int32 float32".split()
)
"""What a kernel with an adjoint may name: its gradients in float16 remain finite."""

_HALF_MAX = 65504.0
"""The largest finite number of float16."""


def with_half_arrays(kernel: Kernel, *, outputs: bool) -> Kernel | None:
    """Return a kernel whose arrays of floats are arrays of float16 where the elements are only read, or only stored.

    Args:
        kernel: the kernel.
        outputs: whether arrays that are only stored to are concerned, too.
    """
    everything = texts_of(kernel)
    if "wp.tile" in everything or (BACKWARD_OFF not in kernel.decorator and _may_overflow(everything)):
        return None
    text = "\n".join(kernel.body)
    changed: list[str] = []
    for param in kernel.params:
        if not isinstance(param, Array) or param.element is not FLOAT or param.name in kernel.generic:
            continue
        if max(-param.low, param.high) > _HALF_MAX:
            continue
        rewrite = _read_half if param.role == "input" else _store_half if param.role == "output" and outputs else None
        if rewrite and (new := rewrite(text, param.name, len(param.dims))):
            text = new
            changed.append(param.name)
    if not changed:
        return None
    half = TYPES["float16"]
    params = tuple(replace(p, element=half) if isinstance(p, Array) and p.name in changed else p for p in kernel.params)
    return replace(kernel, params=params, body=tuple(text.split("\n")))


BACKWARD_OFF = "enable_backward=False"
"""What the decorator of a kernel without adjoint contains."""


def _may_overflow(text: str) -> bool:
    """Return whether derivatives may be large: the text divides, or names other builtins than sums and bounded functions."""
    return " / " in text or "/= " in text or not _HALF_BUILTINS.issuperset(re.findall(r"\bwp\.(\w+)", text))


def _read_half(text: str, name: str, rank: int) -> str | None:
    """Return statements with ``float(…)`` around the elements of an array; None if it is used in another way."""
    element = rf"(?<![\w.]){name}(\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\])"
    remainder = re.sub(rf"(?<![\w.]){name}\.shape\b|#.*", "", re.sub(element, "", text))
    if re.search(rf"(?<![\w.]){name}\b", remainder):
        return None
    if any(len(split_commas(index[1:-1])) != rank for index in re.findall(element, text)):
        return None
    casts = re.sub(rf"\bfloat\({element}\)", rf"{name}\1", text)
    return re.sub(element, rf"float({name}\1)", casts)


def _store_half(text: str, name: str, rank: int) -> str | None:
    """Return statements that store float16 in an array; None if it is used in another way."""
    store = re.compile(rf"^( *{name}\[([^=\n]*)\]) = (.*)$", re.MULTILINE)
    remainder = re.sub(rf"(?<![\w.]){name}\.shape\b|#.*", "", store.sub(r"\3", text))
    if re.search(rf"(?<![\w.]){name}\b", remainder) or any(
        len(split_commas(match[2])) != rank for match in store.finditer(text)
    ):
        return None
    return store.sub(r"\1 = wp.float16(\3)", text)
