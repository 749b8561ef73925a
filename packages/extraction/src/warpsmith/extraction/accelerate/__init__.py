"""Caches and fast paths for Warp's code generator: the generated text is the same, the generator is faster.

Half of the time that Warp takes for a kernel repeats work that it did for thousands of kernels before: the search for the
overload of ``add`` that accepts two ``float``, and the C++ of the call. Inside an `accelerated` block, sixteen functions of
Warp's private modules ``codegen``, ``context`` and ``types`` are replaced for the whole process; at the end of the block Warp's
functions are put back and the caches are dropped. `replacements` lists them.

The replacement is safe for three reasons:

- Functions are replaced only if the source of each of them, and of each function whose behaviour they rely on, has a digest in
  `warp.tested_sources`. With any other Warp nothing is replaced and generation is slower.
- Each replacement handles the cases that it was written for and passes every other case on to Warp's own function.
- ``tests/extraction/accelerate`` compares the texts of accelerated and unaccelerated processes byte for byte, for kernels of
  all categories and for those of ``warp.examples``. The comparison covers these kernels and no others.

The level ``regenerate`` uses the same replacements for pairs that it loads together: a text that equals the pair's counts. It
gives a difference, and one pair in 64 whatever it says, to the unmodified Warp.
`accelerated` changes global state, so one thread at a time may enter the block.

    replacement.py    a replacement, and its installation in Warp's modules
    type_keys.py      types of arguments as cache keys, without references, as C++ names
    builtin_calls.py  calls of builtins: overloads, binding, and the generated lines
    call_template.py  templates of the lines that a call becomes
    name_lookup.py    the values of names in the source
    signatures.py     the parameters of functions
    referenced_objects.py  the objects that functions refer to, and the types that a module needs
    function_text.py  the text of functions
    tree_walks.py     searches through the syntax tree of a function
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cache

from warpsmith.extraction.accelerate.replacement import Installation, Replacement
from warpsmith.extraction.warp.tested_sources import first_difference


def replacements() -> tuple[Replacement, ...]:
    """Return all replacements, with empty caches; call it only if `unsupported_reason` returns None."""
    # Imported here: an untested Warp may lack the names that these modules import.
    from warpsmith.extraction.accelerate import (  # noqa: PLC0415
        function_text,
        name_lookup,
        referenced_objects,
        signatures,
        tree_walks,
        type_keys,
    )
    from warpsmith.extraction.accelerate.builtin_calls import BuiltinCalls  # noqa: PLC0415

    calls, text = BuiltinCalls(), function_text.FunctionText()
    return (
        Replacement("types.strip_reference", type_keys.strip_reference),
        Replacement("codegen.get_full_arg_spec", signatures.get_full_arg_spec),
        Replacement("codegen.get_arg_type", type_keys.get_arg_type),
        Replacement("codegen.Var.type_to_ctype", type_keys.type_to_ctype),
        Replacement("codegen.Adjoint.resolve_static_expression", name_lookup.resolve_static_expression),
        Replacement("codegen.Adjoint.resolve_path", name_lookup.resolve_path),
        Replacement("codegen.Adjoint.resolve_call", calls.resolve_call),
        Replacement("codegen.Adjoint.add_call", calls.add_call),
        Replacement("codegen.Adjoint.get_line_directive", function_text.get_line_directive),
        Replacement("codegen.Adjoint.get_references", referenced_objects.get_references),
        Replacement("codegen.iter_ast_nodes_of_types", tree_walks.iter_ast_nodes_of_types),
        Replacement("codegen.codegen_func_forward", text.codegen_func_forward),
        Replacement("codegen.codegen_func_reverse", text.codegen_func_reverse),
        Replacement("context.ModuleBuilder._collect_native_types", referenced_objects.collect_native_types),
        Replacement("context.ModuleBuilder._get_tile_helper_struct_hashes", referenced_objects.get_tile_helper_struct_hashes),
        Replacement("context.ModuleBuilder._kernel_has_value_return", tree_walks.kernel_has_value_return),
    )


@cache
def unsupported_reason() -> str | None:
    """Return the reason why this Warp is not accelerated, or None if it is."""
    return first_difference()


@contextlib.contextmanager
def accelerated(wanted: bool = True) -> Iterator[bool]:
    """Accelerate Warp's code generator inside the ``with`` block, if ``wanted`` and if the sources of this Warp were tested.

    Yields:
        Whether the generator is accelerated.
    """
    if not wanted or unsupported_reason() is not None:
        yield False
        return
    with Installation(replacements()).active():
        yield True


@cache
def acceleration() -> Installation | None:
    """Return replacements whose caches stay until the process ends, or None if this Warp is not accelerated."""
    return Installation(replacements()) if unsupported_reason() is None else None
