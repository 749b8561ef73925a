"""Properties of Warp's kernels, functions and structs that other packages read."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import warp as wp

# ------------------------------------------------------------------------------------------------- kernels and functions


def python_function(item: Any) -> FunctionType:
    """Return the Python function of a kernel or of a function of Warp."""
    function: FunctionType = item.func
    return function


def registered_name(item: Any) -> str:
    """Return the name under which Warp registers a kernel or a function; for a builtin, its name in ``wp``."""
    return str(item.key)


def name_of_definition(value: Any) -> str:
    """Return the name in the ``def`` or ``class`` line of a function, struct or class.

    Warp writes a function from a lambda, whose name is the function's key.
    """
    name = str(getattr(getattr(value, "cls", None) or getattr(value, "func", None) or value, "__name__", "value"))
    return name if name.isidentifier() else str(getattr(value, "key", "value"))


def original_source(item: Any) -> str:
    """Return the source of a kernel or function as its file contains it, with decorators and indentation."""
    return str(item.adj.source)


def compiled_source(item: Any) -> str:
    """Return the text that Warp generates code from, without indentation.

    Where a project rewrites the syntax tree, the text is made from the tree.
    """
    adjoint = item.adj
    return ast.unparse(adjoint.tree) + "\n" if adjoint.transformers else textwrap.dedent(adjoint.source)


def argument_types(item: Any) -> Mapping[str, Any]:
    """Return the annotations of a kernel or function by name; ``"return"`` is the annotation of the result."""
    types: Mapping[str, Any] = item.adj.arg_types
    return types


def static_values(item: Any) -> Mapping[str, Any]:
    """Return the values of the expressions of ``wp.static`` in a kernel or function, by their text without white space."""
    values = getattr(item.adj, "resolved_static_expressions", {})
    return {"".join(text.split()): value for text, value in values.items()}


def generic_parent(item: Any) -> Any:
    """Return the generic kernel or function that an overload was made from; None for all others."""
    return item.generic_parent


# --------------------------------------------------------------------------------------------------------------- kernels


def parameter_names(kernel: Any) -> list[str]:
    """Return the names of the parameters of a kernel."""
    return [parameter.label for parameter in kernel.adj.args]


def parameter_types(kernel: Any) -> list[Any]:
    """Return the types of the parameters of a kernel."""
    return [parameter.type for parameter in kernel.adj.args]


def signature_code(kernel: Any) -> str:
    """Return the text by which Warp tells the overloads of a kernel apart."""
    return str(kernel.sig)


def is_generic_kernel(kernel: Any) -> bool:
    """Return whether a kernel has types that its overloads state."""
    return bool(kernel.is_generic)


def overloads_of(kernel: Any) -> list[Any]:
    """Return the overloads of a generic kernel."""
    return list(kernel.overloads.values())


def warp_module(kernel: Any) -> Any:
    """Return the module of Warp that a kernel is compiled in."""
    return kernel.module


# ------------------------------------------------------------------------------------------------------------- functions


def is_builtin(value: Any) -> bool:
    """Return whether a value is a builtin function of Warp that is not written in Python."""
    return isinstance(value, wp.Function) and bool(value.is_builtin())


def written_overloads(function: Any) -> list[Any]:
    """Return the overloads of a function that have source text, in the order of the text; of one function, itself."""
    overloads = {**function.user_overloads, **function.user_templates} or {"": function}
    written = [overload for overload in overloads.values() if overload.generic_parent is None]
    return sorted(written, key=lambda overload: int(overload.func.__code__.co_firstlineno))


def custom_functions(overload: Any) -> list[tuple[str, Any]]:
    """Return the custom gradient and the custom replay of an overload, if it has them, each with its decorator in ``wp``."""
    functions = (("func_grad", overload.custom_grad_func), ("func_replay", overload.custom_replay_func))
    return [(decorator, function) for decorator, function in functions if function is not None]


def native_snippets(function: Any) -> tuple[str | None, ...] | None:
    """Return the arguments of ``@wp.func_native``: forward, adjoint and replay; None for a function written in Python."""
    if function.native_snippet is None:
        return None
    return function.native_snippet, function.adj_native_snippet, function.replay_snippet


def inline_hint(function: Any) -> str | None:
    """Return whether a function asks to be inlined, ``"forceinline"`` or the opposite; None if it does not say."""
    hint: str | None = getattr(function, "inline_hint", None)  # from 1.19
    return hint


# --------------------------------------------------------------------------------------------------------------- structs


def struct_class(struct: Any) -> type:
    """Return the class that a struct was made from."""
    cls: type = struct.cls
    return cls


def struct_members(struct: Any) -> Mapping[str, Any]:
    """Return the types of the members of a struct."""
    return {name: member.type for name, member in struct.vars.items()}


def native_struct_name(struct: Any) -> str:
    """Return the name of a struct in generated code, which depends on its name and members."""
    return str(struct.native_name)
