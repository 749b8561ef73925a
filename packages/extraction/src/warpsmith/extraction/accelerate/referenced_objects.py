"""Objects that a function refers to, which determine its hash, and the types that a module needs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import warp as wp

from warpsmith.extraction.accelerate.type_keys import Reference, Struct
from warpsmith.extraction.warp.private import PRIVATE

_codegen, _context, _types = PRIVATE["codegen"], PRIVATE["context"], PRIVATE["types"]

_TID_MAX_EXTENT = vars(_codegen)["_TID_MAX_EXTENT"]
_NATIVE: set[type] = vars(_types)["_native_value_types"]

References = tuple[dict[str, Any], dict[Any, Any], dict[Any, Any]]


def get_references(stock: Callable[[Any], References]) -> Callable[[Any], References]:
    """Resolve each name, and each pair of names such as ``wp.sin``, once per function.

    Functions that call the value of a local variable are passed on to Warp.
    """
    templated: dict[tuple[Any, int], bool] = {}

    def faster(adj: Any) -> References:
        local = adj.assigned_name_ids()
        unpacked, called = adj.assignment_call_metadata()
        if not local.isdisjoint(called) or getattr(adj, "callable_arg_values", None):
            return stock(adj)
        collected = _References(adj, local, templated)
        for node in adj.reference_nodes():
            node_type = type(node)
            if node_type is ast.Name:
                collected.name(node.id)
            elif node_type is ast.Attribute:
                collected.attribute(node)
            elif node_type is ast.Call:
                collected.call(node, unpacked)
            else:
                collected.assignment(node)
        adj.kernel_dim = collected.dimensions
        adj.tid_extent_limit_candidate = _TID_MAX_EXTENT
        return collected.constants, collected.types, collected.functions

    return faster


class _References:
    """The references of one function, collected node by node.

    ``templated`` caches, for a builtin with a number of overloads, whether one of its adjoints is a template.
    """

    def __init__(self, adj: Any, local: frozenset[str], templated: dict[tuple[Any, int], bool]) -> None:
        self.constants: dict[str, Any] = {}
        self.types: dict[Any, Any] = {}
        self.functions: dict[Any, Any] = {}
        self.dimensions = 1
        self._adj, self._local, self._templated = adj, local, templated
        self._seen: set[Any] = set()
        self._callees: dict[Any, Any] = {}
        self._tid = _context.builtin_functions["tid"]

    def name(self, name: str) -> None:
        """Collect a name if it is a constant of the file."""
        if name not in self._seen:
            self._seen.add(name)
            if name not in self._local and _types.is_value(value := self._adj.resolve_external_reference(name)):
                self.constants[name] = value

    def attribute(self, node: Any) -> None:
        """Collect an attribute if it is a constant of another module."""
        key = _name_key(node)
        if key is None or key not in self._seen:
            self._seen.add(key)
            value, path = self._adj.resolve_static_expression(node, eval_types=False)
            if _types.is_value(value):
                self.constants[".".join(path)] = value

    def call(self, node: Any, unpacked: dict[Any, int]) -> None:
        """Collect the function or type of a call; ``unpacked`` has the number of names that a call is unpacked into."""
        if type(node.func) is ast.Name and node.func.id in self._local:
            return
        function = self._callee(node)
        if function is self._tid:
            self.dimensions = max(self.dimensions, unpacked.get(node, 1))
        if isinstance(function, _context.Function):
            if not function.is_builtin():
                self.functions[function] = None
                self.functions |= dict.fromkeys(_codegen.iter_call_callable_arg_targets(self._adj, function, node, {}))
            elif self._is_hashed(function):
                self.functions[function] = None
        elif isinstance(function, Struct) or _types.type_is_value(function) or _types.is_native_type(function):
            self.types[function] = None

    def _callee(self, node: Any) -> Any:
        key = _name_key(node.func)
        if key is None:
            return _codegen.resolve_reference_call_func(self._adj, node, {})
        if key not in self._callees:
            self._callees[key] = _codegen.resolve_reference_call_func(self._adj, node, {})
        return self._callees[key]

    def assignment(self, node: Any) -> None:
        """Collect a function that an assignment binds to another name."""
        for value in node.value.elts if isinstance(node.value, ast.Tuple) else (node.value,):
            function, path = self._adj.resolve_static_expression(value, eval_types=False)
            if path and function is wp:
                function = _context.builtin_functions.get(path[-1])
            if isinstance(function, _context.Function) and (not function.is_builtin() or self._is_hashed(function)):
                self.functions[function] = None

    def _is_hashed(self, builtin: Any) -> bool:
        if builtin._has_external_builtin_contract:  # noqa: SLF001 - Warp may set this flag at any time
            return True
        key = builtin, len(builtin.overloads)
        if key not in self._templated:
            self._templated[key] = any(overload.adjoint_uses_template_args for overload in builtin.overloads)
        return self._templated[key]


def _name_key(node: Any) -> Any:
    """Return a key for a name or a pair of names, None for other nodes."""
    if type(node) is ast.Name:
        return node.id
    return (node.value.id, node.attr) if type(node) is ast.Attribute and type(node.value) is ast.Name else None


def collect_native_types(stock: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Return at once unless native types are registered; few programs register any."""

    def faster(builder: Any, var_type: Any) -> None:
        if _NATIVE:
            stock(builder, var_type)

    return faster


def get_tile_helper_struct_hashes(stock: Callable[[Any], set[Any]]) -> Callable[[Any], set[Any]]:
    """Return an empty set unless a variable is a tile; the classes of other types are collected in a set."""
    plain: set[type] = set()

    def faster(builder: Any) -> set[Any]:
        for cls in _type_classes(builder):
            if cls not in plain:
                if issubclass(cls, (_types.tile, _types.tile_stack)):
                    return stock(builder)
                plain.add(cls)
        return set()

    return faster


def _type_classes(builder: Any) -> Iterator[type]:
    """Yield the classes of the types of all variables."""
    for item in (*builder.kernels, *builder.functions):
        returned = item.adj.return_var
        variables = returned if isinstance(returned, (list, tuple)) else [returned] * (returned is not None)
        for variable in (*item.adj.variables, *variables):
            warp_type = variable.type
            yield type(warp_type.value_type if type(warp_type) is Reference else warp_type)
