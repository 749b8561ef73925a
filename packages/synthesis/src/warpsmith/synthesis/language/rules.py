"""Rules for composed kernels: a kernel that breaks one stops the generator with a clear error."""

from __future__ import annotations

import re

from warpsmith.synthesis.language.composed_kernel import Array, Kernel

_WORD = re.compile(r"\w+")
_LEFT_OVER = re.compile(r"[⟨⟩$]|@(?!wp\.)\w|(?<!\{)\{\w+\}(?!\})")


class RuleError(Exception):
    """A kernel breaks a rule; the generator or a row of a domain has a bug."""


def check(kernel: Kernel) -> None:
    """Check a composed kernel.

    Raises:
        RuleError: names the first rule that is broken.
    """
    names = [param.name for param in kernel.params]
    _require(len(names) == len(set(names)), f"two parameters of {kernel.name} have one name: {names}")
    text = "\n".join(kernel.body)
    read = set(_WORD.findall(text))
    for name in names:
        _require(name in read, f"{kernel.name} does not read its parameter {name}")
    sizes = dict(kernel.sizes)
    for param in kernel.params:
        if isinstance(param, Array):
            _require(all(symbol in sizes for symbol in param.dims), f"no length for a dimension of {param.name}")
    _require(any(_is_result(param) for param in kernel.params), f"{kernel.name} writes nothing")
    for block in (*kernel.preface, text):
        _require(not _LEFT_OVER.search(block), f"{kernel.name} contains notation of ideas: {block}")


def _is_result(param: object) -> bool:
    role = param.role if isinstance(param, Array) else getattr(getattr(param, "argument", None), "role", "input")
    return role != "input"


def _require(holds: object, message: str) -> None:
    if not holds:
        raise RuleError(message)
