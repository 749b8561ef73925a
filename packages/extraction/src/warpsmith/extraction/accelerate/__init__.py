"""Memos and fast paths for Warp's code generation: they change how fast Warp answers, never what.

Half of the time that Warp takes for a kernel goes into finding out what it has found out for thousands of kernels before: which
overload of ``add`` takes two ``float``, and what its call looks like in C++. While `accelerated` is in force, some of Warp's
functions are replaced by such as remember. Each replacement hands on to Warp's own function whatever it is not sure of.

    shortcut.py   what a replacement is, and on which source of Warp it is proven
    kinds.py      types of arguments: as keys of memos, without references, as C++ names
    calls.py      calls of builtins: overloads, binding, and the lines that they become
    names.py      what names in the source stand for
    signatures.py the parameters of functions
    references.py what functions refer to, and what a module needs for its types
    printing.py   the text of functions
    walks.py      questions that Warp answers by walking the whole tree of a function

Replaced is only what has the source that the replacements were written and tested for, by digest; where anything differs, all
stays as it is. ``tests/extraction/test_accelerate.py`` compares the bytes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cache

from warpsmith.extraction.accelerate.shortcut import Shortcut, difference, replaced


def shortcuts() -> tuple[Shortcut, ...]:
    """Return all replacements, with empty memories; only where `why_not` finds nothing."""
    # imported where this Warp is known to be a proven one: another may not have the names that these modules start with
    from warpsmith.extraction.accelerate import kinds, names, printing, references, signatures, walks  # noqa: PLC0415
    from warpsmith.extraction.accelerate.calls import Calls  # noqa: PLC0415

    calls, text = Calls(), printing.Printing()
    return (
        Shortcut("types.strip_reference", kinds.strip_reference),
        Shortcut("codegen.get_full_arg_spec", signatures.get_full_arg_spec),
        Shortcut("codegen.get_arg_type", kinds.get_arg_type),
        Shortcut("codegen.Var.type_to_ctype", kinds.type_to_ctype),
        Shortcut("codegen.Adjoint.resolve_static_expression", names.resolve_static_expression),
        Shortcut("codegen.Adjoint.resolve_path", names.resolve_path),
        Shortcut("codegen.Adjoint.resolve_call", calls.resolve_call),
        Shortcut("codegen.Adjoint.add_call", calls.add_call),
        Shortcut("codegen.Adjoint.get_line_directive", printing.get_line_directive),
        Shortcut("codegen.Adjoint.get_references", references.get_references),
        Shortcut("codegen.iter_ast_nodes_of_types", walks.iter_ast_nodes_of_types),
        Shortcut("codegen.codegen_func_forward", text.codegen_func_forward),
        Shortcut("codegen.codegen_func_reverse", text.codegen_func_reverse),
        Shortcut("context.ModuleBuilder._collect_native_types", references.collect_native_types),
        Shortcut("context.ModuleBuilder._get_tile_helper_struct_hashes", references.get_tile_helper_struct_hashes),
        Shortcut("context.ModuleBuilder._kernel_has_value_return", walks.kernel_has_value_return),
    )


@cache
def why_not() -> str | None:
    """Return what about this Warp differs from what the shortcuts are proven on, or None if nothing does."""
    return difference()


@contextlib.contextmanager
def accelerated(wanted: bool = True) -> Iterator[bool]:
    """Let Warp generate code faster inside the ``with`` block, if ``wanted`` and if this Warp is one that this is proven on.

    What is remembered is forgotten at the end. The block holds for the whole process, so let one thread enter it.

    Yields:
        Whether it does.
    """
    if not wanted or why_not() is not None:
        yield False
        return
    with replaced(shortcuts()):
        yield True
