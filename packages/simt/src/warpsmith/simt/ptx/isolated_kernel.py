"""One kernel of a PTX module as a module of its own: with the variables and functions that it uses, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warpsmith.simt.ptx.module_parser import parse_module
from warpsmith.simt.ptx.statements import statements
from warpsmith.simt.ptx.syntax import ModuleSyntax, PtxError

_NAME = re.compile(r"[A-Za-z_$%][\w$]*")
_HEAD_END = re.compile(r"[={]")


def isolated_kernel(ptx: str, kernel: str) -> str:
    """Return the part of a module that one kernel needs; every line of it is a line of the module, in the same order.

    NVRTC writes the kernels of a text, and all constants of its headers, into one module. Comments between declarations are
    left out, those at the top stay.

    Args:
        ptx: a module without line numbers.
        kernel: the name of the kernel.

    Raises:
        PtxError: if the text is not a module, or has no such kernel.
        UnsupportedPtx: if it uses 32-bit addresses.
    """
    module = parse_module(ptx)
    if kernel not in module.functions or not module.functions[kernel].is_kernel:
        raise PtxError(f"the module has no kernel {kernel}")
    known = module.variables.keys() | module.functions.keys()
    items = [module.text[start:end] for start, end in module.items]
    declared = [_names(_HEAD_END.split(item, maxsplit=1)[0]) & known for item in items]
    used = _reachable(kernel, declared, [_names(item) & known for item in items])
    kept = [
        ptx[start:end].strip() for (start, end), names in zip(module.items, declared, strict=True) if not names or names & used
    ]
    return "\n".join((ptx[: _head_end(module)].rstrip(), "", *kept, ""))


def instruction_count(ptx: str) -> int:
    """Return the number of instructions of all functions of a module, without declarations and labels.

    Raises:
        PtxError: if the text is not a module.
    """
    module = parse_module(ptx)
    bodies = (function for function in module.functions.values() if function.start >= 0)
    return sum(bool(opcode) for function in bodies for _, _, _, _, opcode, *_ in statements(module, function))


def _names(text: str) -> set[str]:
    return set(_NAME.findall(text))


def _reachable(kernel: str, declared: Iterable[set[str]], mentioned: Iterable[set[str]]) -> set[str]:
    """Return the names that a kernel uses, directly or by way of functions and of addresses in variables."""
    uses: dict[str, set[str]] = {}
    for names, found in zip(declared, mentioned, strict=True):
        for name in names:
            uses[name] = uses.get(name, set()) | found
    found, waiting = {kernel}, [kernel]
    while waiting:
        new = uses.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _head_end(module: ModuleSyntax) -> int:
    """Return where the directives ``.version``, ``.target`` and ``.address_size`` end."""
    return module.text.index("\n", module.text.index(".address_size"))
