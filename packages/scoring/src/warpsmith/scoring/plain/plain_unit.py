"""The texts that compilers read: an answer with constants of the C library, as CUDA, and as C++ over an emulation of CUDA."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from warpsmith.core.records import text_format

NATIVE = Path(__file__).parent / "native"
"""The folder of the headers."""

ENTRY = "warpsmith_entry"
"""The C symbol of the entry point of a compiled text."""

_EXTERN = re.compile(r'\bextern\s+"C"')
_SHARED = re.compile(r"\b__shared__\b([^;]*);")
_DECLARATOR = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:,|$)")


def cuda_text(text: str) -> str:
    """Return the text that NVRTC reads."""
    return f'{_constants()}#line 1 "answer"\n{text}\n'


def cuda_unit(texts: Iterable[tuple[str, str]]) -> str:
    """Return a unit that NVRTC reads: texts in namespaces with their keys."""
    namespaces = (f'namespace {key} {{\n#line 1 "{key}"\n{_EXTERN.sub("", text)}\n}}\n' for key, text in texts)
    return f"{_constants()}{''.join(namespaces)}"


def emulation_text(text: str, kernel: str, types: Sequence[str]) -> str:
    """Return the text that Clang reads: the answer in a namespace, and an entry point for the driver.

    Args:
        text: the answer, which the policy has accepted.
        kernel: the name of its kernel.
        types: the C types of the kernel's parameters.
    """
    bare = text_format.COMMENT_OR_LITERAL.sub(_kept, text)
    plain = _SHARED.sub(_shared, _EXTERN.sub("", bare))
    arguments = ", ".join(f"*({ctype}*)arguments[{number}]" for number, ctype in enumerate(types))
    return (
        f'namespace warpsmith_answer {{ namespace {{\n#line 1 "answer"\n{plain}\n'  # unused functions are not compiled
        f'#line 1 "entry"\nvoid warpsmith_thread(void** arguments) {{ {kernel}({arguments}); }}\n}} }}\n'
        f'extern "C" {{ extern const warpsmith_text {ENTRY}; }}\nconst warpsmith_text {ENTRY} ='
        " { &gridDim, &blockDim, &blockIdx, &threadIdx, &warpsmith, &warpsmith_answer::warpsmith_thread };\n"
    )


def waits(text: str) -> bool:
    """Return whether the threads of a block wait for each other."""
    return re.search(r"\b__syncthreads\b", text) is not None


@cache
def _constants() -> str:
    return (NATIVE / "constants.h").read_text(encoding="utf-8")


def _kept(found: re.Match[str]) -> str:
    """Return a string as it is, and a comment as its line breaks."""
    return found[0] if found[0][0] == '"' else " " + "\n" * found[0].count("\n")


def _shared(found: re.Match[str]) -> str:
    """Return the declaration of shared memory as members of a struct that a block owns, and references to them."""
    name = f"warpsmith_shared_{found.start()}"
    variables = _DECLARATOR.findall(" ".join(found[1].split()))
    references = "".join(f" auto& {variable} = {name}_memory.{variable};" for variable in variables)
    return f"struct {name} {{{found[1]};}}; {name}& {name}_memory = warpsmith_shared<{name}>();{references}"
