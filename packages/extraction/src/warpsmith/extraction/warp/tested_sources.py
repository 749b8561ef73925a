"""Digests of the Warp functions whose sources `accelerate` was written and tested for.

Each function has one digest for each source that it had in the supported releases. A Warp with any other source is not
accelerated. A new release of Warp is added by its digests here, after the byte comparison in `tests/extraction/accelerate`.
"""

from __future__ import annotations

import hashlib
import inspect
from typing import Any

from warpsmith.extraction.warp.private import PRIVATE

TESTED_SOURCES: dict[str, tuple[str, ...]] = {
    "types.strip_reference": ("77ba1de0bcc8b6db",),
    "types.is_reference": ("6e8a15a877e2e96e",),
    "types.is_native_type": ("e771bdcec5dcdd08",),
    "types.is_tile": ("ab5de3d00fab937a",),
    "types.is_tile_stack": ("20c6584671ef9ddf",),
    "types.concrete_array_type": ("8b36d796c301d70a",),
    "types.types_equal_generic": ("d6efe16005cc837a",),
    "types.scalars_equal_generic": ("705e06dd972d5984",),
    "codegen.get_closure_vars": ("5532dc8e76b2ef0f",),
    "codegen.get_full_arg_spec": ("51e513e435e4136b",),
    "codegen.get_arg_type": ("759d1595d9f9953c",),
    "codegen.get_arg_value": ("44771b143ddd0140",),
    "codegen.apply_defaults": ("3a59426718749fcd",),
    "codegen.func_match_args": ("fc45c082d0ab7ca0",),
    "codegen.get_default_arg_value": ("d6d89950509abe94",),
    "codegen.iter_ast_nodes_of_types": ("0bda90fc8b12a0fe",),
    "codegen.resolve_reference_call_func": ("a854eff5736bc81d",),
    "codegen.resolve_grad_call_reference_func": ("eb1762f97c447214",),
    "codegen.Adjoint.reference_nodes": ("b2578bdf98c2b867",),
    "codegen.Adjoint.assigned_name_ids": ("7284bb4502582a84",),
    "codegen.Adjoint.assignment_call_metadata": ("b08495bf95a38f50",),
    "codegen.Adjoint.get_references": ("b54be159249c9d33",),
    "codegen.Var.__init__": ("0f674ed2bbf864df",),
    "codegen.Var.emit": ("0ca37916ef48f4f7",),
    "codegen.Var.type_to_ctype": ("0553f9b53d8d275f",),
    "codegen.Var.dtype_to_ctype": ("f1169e84b94714fb",),
    "codegen.Reference.__init__": ("8a9cbb1342063d95",),
    "codegen.resolve_closure_or_global": ("e789a6ff7809fa41",),
    "codegen.Adjoint.resolve_external_reference": ("03cde92bb71fdb82",),
    "codegen.Adjoint.resolve_static_expression": ("49cff94fe86d56d4",),
    "codegen.Adjoint.resolve_path": ("c2428089ea6dcf10",),
    "codegen.Adjoint.resolve_func": ("9a9f3facf8add66a",),
    "codegen.Adjoint.resolve_call": ("45d01f1fa205727a",),
    "codegen.Adjoint.add_call": ("ae98a50fe78a78a8",),
    "codegen.Adjoint.add_var": ("6732881275823095",),
    "codegen.Adjoint.register_var": ("1c9211eb8d6c2dbc",),
    "codegen.Adjoint.load": ("79acbc57fe4a1133",),
    "codegen.Adjoint.add_forward": ("a68e7dae8952f120",),
    "codegen.Adjoint.add_reverse": ("afa4b792bec4b7b5",),
    "codegen.Adjoint.get_line_directive": ("a78502b44efc407a",),
    "codegen.Adjoint.format_args": ("9d08f74fa037e048",),
    "codegen.Adjoint.format_forward_call_args": ("f724e81eecca69d9",),
    "codegen.Adjoint.format_reverse_call_args": ("d7c587fdd677ac9b",),
    "codegen.Adjoint.type_contains_native_value": ("57b0ad280912058f",),
    "codegen.codegen_func_forward": ("3420e5b1e70005ed",),
    "codegen.codegen_func_reverse": ("57a825717d7bd66c",),
    "codegen.Var.ctype": ("cb4e8a3abe02bcc5",),
    "codegen.Var.emit_adj": ("f8a4d1a712419318",),
    "context.Function.__init__": ("b76574cd53e8e16b",),
    "context.ModuleBuilder._collect_native_types": ("0f4fcb0dd7bb0bec",),
    "context.ModuleBuilder._collect_tile_helper_structs_from_type": ("82fbaf4af4cef744",),
    "context.ModuleBuilder._get_tile_helper_struct_hashes": ("6a604ee2d1765e21",),
    "context.ModuleBuilder._kernel_has_value_return": ("e0f8df850b9d500c",),
    "builtins.vector_value_func": ("9565f4a6c6720cdc",),
    "builtins.vector_dispatch_func": ("09fcbc1092c3516b",),
    "builtins._cast_scalar_constant": ("3db6a51774507eb8",),
    "builtins._check_vars_match_dtype": ("b98933bfe418545e",),
    "builtins.load_dispatch_func": ("4c3fc4898888544a",),
}
"""Digests by path: the functions that are replaced, and the functions whose behaviour the replacements rely on."""


def first_difference() -> str | None:
    """Return the first difference between the installed Warp and the tested sources, or None."""
    for path, digests in TESTED_SOURCES.items():
        try:
            installed = source_digest(path)
        except (AttributeError, OSError, TypeError):
            return f"Warp has no {path}"
        if installed not in digests:
            return f"the source of Warp's {path} is not one that was tested"
    return None


def source_digest(path: str) -> str:
    """Return the digest of the source of a Warp function, given as ``module.name`` or ``module.Class.name``."""
    owner, name = locate(path)
    return hashlib.sha256(inspect.getsource(inspect.getattr_static(owner, name)).encode()).hexdigest()[:16]


def locate(path: str) -> tuple[Any, str]:
    """Return the module or class that has the function at ``path``, and the function's name in it."""
    module, *classes, name = path.split(".")
    owner = PRIVATE[module]
    for part in classes:
        owner = getattr(owner, part)
    return owner, name
