"""Calls of builtins: the overload, the binding of arguments to parameters, and the generated lines.

The lines come from Warp. The first call of a builtin with arguments of certain types goes to Warp's own function; the variables
and lines that it adds to the kernel are cached as a template with placeholders for names. Later calls fill in the template.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

import warp as wp

from warpsmith.extraction.accelerate.call_template import CallTemplate, position_of, template_of, write_template
from warpsmith.extraction.accelerate.function_text import writes_lines
from warpsmith.extraction.accelerate.type_keys import MAX_ENTRIES, NoKey, Var, key, plain_key
from warpsmith.extraction.warp.private import PRIVATE

_codegen = PRIVATE["codegen"]
_builtins: dict[str, wp.Function] = PRIVATE["context"].builtin_functions

_DISPATCHED_BY_TYPE = frozenset({"load"})
"""Builtins whose dispatch function, which returns the arguments of the C++ call, reads types only."""

_VECTOR = "vector"
"""The builtin behind ``wp.vec3`` and all other vector constructors."""

_VECTOR_TYPE_ARGUMENTS = frozenset({"length", "dtype"})


@dataclass(frozen=True, slots=True)
class _Binding:
    """The parameters of an overload to which positional arguments are bound."""

    names: tuple[str, ...]
    positional: tuple[str, ...]
    required: int
    rest: str | None
    defaults: Mapping[str, Any]


class BuiltinCalls:
    """Caches of calls, and the two functions of Warp that use them."""

    def __init__(self) -> None:
        self._overloads: dict[Any, Any] = {}
        self._bindings: dict[Any, _Binding | None] = {}
        self._templates: dict[Any, CallTemplate | None] = {}
        self._value_readers: dict[Any, bool] = {}

    # ---------------------------------------------------------------------------------------------- overloads and binding

    def resolve_call(self, stock: Callable[..., Any]) -> Callable[..., Any]:
        """Cache overloads of builtins by the types of the arguments, and bind the arguments by position."""

        def faster(
            adj: Any, func: Any, args: Any, kwargs: Any, type_args: Any = None, min_outputs: Any = None, **nodes: Any
        ) -> Any:
            if not kwargs and _is_registered(func):
                try:
                    overload = self._overload(adj, func, args, min_outputs)
                except NoKey:
                    overload = None
                bound = None if overload is None else self._bound(overload, args, type_args or {})
                if bound is not None:
                    return overload, bound, {}  # the syntax nodes of arguments matter for user functions only
            return stock(adj, func, args, kwargs, type_args, min_outputs, **nodes)

        return faster

    def _overload(self, adj: Any, func: Any, args: Sequence[Any], min_outputs: Any) -> Any:
        types = tuple([_codegen.get_arg_type(arg) for arg in args])
        cache_key = (func, len(func.overloads), min_outputs, *[key(warp_type) for warp_type in types])
        overload = self._overloads.get(cache_key)
        if overload is None:
            overload = adj.resolve_func(func, types, {}, min_outputs)
            _store(self._overloads, cache_key, overload)
        return overload

    def _bound(self, overload: Any, args: Sequence[Any], type_args: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the arguments by parameter, as `inspect.Signature.bind` and Warp's defaults do; None if binding may fail."""
        if overload not in self._bindings:
            _store(self._bindings, overload, _binding(overload))
        binding = self._bindings[overload]
        if binding is None or len(args) < binding.required:
            return None
        bound = dict(zip(binding.positional, args, strict=False))
        if len(args) > len(binding.positional):
            if binding.rest is None:
                return None
            bound[binding.rest] = tuple(args[len(binding.positional) :])
        if len(bound) == len(binding.names):
            return None if type_args else bound
        if not bound.keys().isdisjoint(type_args):
            return None
        complete = {}
        for name in binding.names:
            if name in bound:
                complete[name] = bound[name]
            elif name in type_args:
                complete[name] = Var(None, type=type(type_args[name]), constant=type_args[name])
            elif name in binding.defaults:
                complete[name] = _codegen.get_default_arg_value(overload, name, binding.defaults[name])
        return complete

    # -------------------------------------------------------------------------------------------------------------- lines

    def add_call(self, stock: Callable[..., Any]) -> Callable[..., Any]:
        """Write a call of a builtin from the template of an earlier call with the same types."""

        def faster(
            adj: Any, func: Any, args: Any, kwargs: Any, type_args: Any,
            min_outputs: Any = None, return_value_used: bool = True, **settings: Any,
        ) -> Any:  # fmt: skip
            def call_stock() -> Any:
                return stock(adj, func, args, kwargs, type_args, min_outputs, return_value_used, **settings)

            if kwargs or settings.get("return_resolved") or not _is_registered(func) or adj.det_meta is not None:
                return call_stock()
            try:
                pattern = _pattern(args)
                vector = _vector(func, args, type_args) if type_args else None
            except NoKey:
                return call_stock()
            call = (func, len(func.overloads), min_outputs, return_value_used, vector, *pattern)
            if call not in self._templates:
                return self._learn(call, adj, call_stock, args)
            template = self._templates[call]
            return call_stock() if template is None else write_template(template, adj, args)

        return faster

    def _learn(self, call: Any, adj: Any, call_stock: Callable[[], Any], args: Sequence[Any]) -> Any:
        """Let Warp write a call, and cache the template if it depends on the types alone."""
        func, _, min_outputs, _, vector, *_ = call
        by_types = self._follows_from_types(adj, self._overload(adj, func, args, min_outputs), vector is not None)
        block, known = adj.blocks[-1], len(adj.variables)
        bodies = (block.body_forward, block.body_replay, block.body_reverse)
        before = [len(body) for body in bodies]
        result = call_stock()
        template = None
        if by_types and adj.blocks[-1] is block:
            added = [body[start:] for body, start in zip(bodies, before, strict=True)]
            template = template_of(adj, args, adj.variables[known:], added, result)
        _store(self._templates, call, template)
        return result

    def _follows_from_types(self, adj: Any, overload: Any, vector: bool) -> bool:
        """Return whether Warp's text for an overload is independent of constant values and of the source line."""
        if writes_lines(adj):
            return False
        if vector:
            return True
        if overload.variadic or overload.lto_dispatch_func is not None:
            return False
        if overload.dispatch_func is not None and overload.key not in _DISPATCHED_BY_TYPE:
            return False
        function = overload.value_func
        if function not in self._value_readers:
            _store(self._value_readers, function, _reads_values(function))
        return not self._value_readers[function]


def _is_registered(func: Any) -> bool:
    """Return whether a function is one of Warp's builtins; a cached constructor of a struct would keep its complete module."""
    return func.is_builtin() and _builtins.get(func.key) is func


def _vector(func: Any, args: Sequence[Any], type_args: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the length and the type of the vector that a call constructs.

    Raises:
        NoKey: if the call constructs something else, or a constant has another type and Warp replaces it by a new constant.
    """
    if func.key != _VECTOR or type_args.keys() != _VECTOR_TYPE_ARGUMENTS:
        raise NoKey
    dtype = type_args["dtype"]
    if any(arg.constant is not None and arg.type is not dtype for arg in args):
        raise NoKey
    return type_args["length"], dtype


def _store(cache: dict[Any, Any], entry: Any, value: Any) -> None:
    if len(cache) >= MAX_ENTRIES:
        cache.clear()
    cache[entry] = value


def _binding(overload: Any) -> _Binding | None:
    """Return the parameters of an overload, or None if some cannot be bound by position."""
    parameters = list(overload.signature.parameters.values())
    positional = [item for item in parameters if item.kind is Parameter.POSITIONAL_OR_KEYWORD]
    by_name = [item for item in parameters if item.kind is Parameter.KEYWORD_ONLY]
    rest = [item.name for item in parameters if item.kind is Parameter.VAR_POSITIONAL]
    if len(positional) + len(by_name) + len(rest) < len(parameters) or any(item.default is Parameter.empty for item in by_name):
        return None
    return _Binding(
        names=tuple(item.name for item in parameters),
        positional=tuple(item.name for item in positional),
        required=sum(item.default is Parameter.empty for item in positional),
        rest=rest[0] if rest else None,
        defaults={name: value for name, value in overload.defaults.items() if value is not None},
    )


def _reads_values(function: Any) -> bool:
    """Return whether a value function, which computes the result type from types and values, uses the values."""
    code = function.__code__
    if code.co_argcount != 2:
        return True
    values = code.co_varnames[1]
    return values in code.co_cellvars or any(step.argval == values for step in dis.get_instructions(code))


def _pattern(args: Sequence[Any]) -> list[Any]:
    """Return the properties of arguments on which the text depends: types, constants, and repeated variables.

    Raises:
        NoKey: if an argument is not a variable with a name.
    """
    pattern: list[Any] = []
    for position, arg in enumerate(args):
        if type(arg) is not Var or not arg.prefix or arg.label is None:
            raise NoKey
        pattern += (plain_key(arg.type), arg.constant is None)
        if position and (same := position_of(arg, args)) < position:
            pattern.append(same)
    return pattern
