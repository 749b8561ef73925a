"""Calls of builtins: which overload it is, which parameter gets which argument, and the lines that the call becomes.

The lines are learnt from Warp. The first call of a builtin with arguments of some types goes to Warp's own function, and what
that adds to the kernel, variables and lines, is kept with blanks in place of the names. The next such call fills the blanks.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

from warpsmith.extraction.accelerate.kinds import MOST, NoKey, Reference, Var, key, plain_key
from warpsmith.extraction.accelerate.printing import writes_lines
from warpsmith.extraction.warp.private import PRIVATE

_codegen = PRIVATE["codegen"]

_NAME = re.compile(r"(?<![:\w])(var|adj)_(\w+)\b")
"""A variable, or its adjoint, in generated text; ``wp::adj_add`` is none."""

_DISPATCHED_BY_TYPE = frozenset({"load"})
"""Builtins with a function of their own for the arguments of the C++ call, which looks at nothing but types."""

_VECTOR = "vector"
"""The builtin behind ``wp.vec3`` and its like, for any number of components."""

_OF_VECTOR = frozenset({"length", "dtype"})


@dataclass(frozen=True, slots=True)
class _Binding:
    """How arguments by position go to the parameters of an overload."""

    names: tuple[str, ...]
    positional: tuple[str, ...]
    required: int
    rest: str | None
    defaults: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Lines:
    """What a call adds: the types and constants of new variables, lines with blanks, and which variable is the result.

    ``replay`` is None where the adjoint repeats the forward lines, as it nearly always does.
    """

    made: tuple[tuple[Any, Any], ...]
    forward: tuple[str, ...]
    replay: tuple[str, ...] | None
    reverse: tuple[str, ...]
    result: int | None


class Calls:
    """The memory of calls, and the two functions of Warp that make use of it."""

    def __init__(self) -> None:
        self._overloads: dict[Any, Any] = {}
        self._bindings: dict[Any, _Binding | None] = {}
        self._lines: dict[Any, _Lines | None] = {}
        self._looks: dict[Any, bool] = {}

    # ---------------------------------------------------------------------------------------------- overloads and binding

    def resolve_call(self, stock: Callable[..., Any]) -> Callable[..., Any]:
        """Find the overload of a builtin by the types of its arguments, and bind these by position."""

        def faster(
            adj: Any, func: Any, args: Any, kwargs: Any, type_args: Any = None, min_outputs: Any = None, **nodes: Any
        ) -> Any:
            if not kwargs and func.is_builtin():
                try:
                    overload = self._overload(adj, func, args, min_outputs)
                except NoKey:
                    overload = None
                bound = None if overload is None else self._bound(overload, args, type_args or {})
                if bound is not None:
                    return overload, bound, {}  # the nodes of arguments matter to functions of users only
            return stock(adj, func, args, kwargs, type_args, min_outputs, **nodes)

        return faster

    def _overload(self, adj: Any, func: Any, args: Sequence[Any], min_outputs: Any) -> Any:
        kinds = tuple([_codegen.get_arg_type(arg) for arg in args])
        remembered = (func, len(func.overloads), min_outputs, *[key(kind) for kind in kinds])
        overload = self._overloads.get(remembered)
        if overload is None:
            overload = adj.resolve_func(func, kinds, {}, min_outputs)
            _keep(self._overloads, remembered, overload)
        return overload

    def _bound(self, overload: Any, args: Sequence[Any], type_args: Mapping[str, Any]) -> dict[str, Any] | None:
        """The arguments by parameter, as `inspect.Signature.bind` and Warp's defaults make it; None for what it may refuse."""
        if overload not in self._bindings:
            _keep(self._bindings, overload, _binding(overload))
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
        whole = {}
        for name in binding.names:
            if name in bound:
                whole[name] = bound[name]
            elif name in type_args:
                whole[name] = Var(None, type=type(type_args[name]), constant=type_args[name])
            elif name in binding.defaults:
                whole[name] = _codegen.get_default_arg_value(overload, name, binding.defaults[name])
        return whole

    # -------------------------------------------------------------------------------------------------------------- lines

    def add_call(self, stock: Callable[..., Any]) -> Callable[..., Any]:
        """Write a call of a builtin as the last one of its kind was written."""

        def faster(
            adj: Any, func: Any, args: Any, kwargs: Any, type_args: Any,
            min_outputs: Any = None, return_value_used: bool = True, **others: Any,
        ) -> Any:  # fmt: skip
            def ask() -> Any:
                return stock(adj, func, args, kwargs, type_args, min_outputs, return_value_used, **others)

            if kwargs or others.get("return_resolved") or not func.is_builtin() or adj.det_meta is not None:
                return ask()
            try:
                pattern = _pattern(args)
                vector = _vector(func, args, type_args) if type_args else None
            except NoKey:
                return ask()
            call = (func, len(func.overloads), min_outputs, return_value_used, vector, *pattern)
            if call not in self._lines:
                return self._learn(call, adj, ask, args)
            lines = self._lines[call]
            return ask() if lines is None else _write(lines, adj, args)

        return faster

    def _learn(self, call: Any, adj: Any, ask: Callable[[], Any], args: Sequence[Any]) -> Any:
        """Let Warp write a call, and keep what it adds, if that follows from the types alone."""
        func, _, min_outputs, _, vector, *_ = call
        by_types = self._follows_from_types(adj, self._overload(adj, func, args, min_outputs), vector is not None)
        block, known = adj.blocks[-1], len(adj.variables)
        bodies = (block.body_forward, block.body_replay, block.body_reverse)
        before = [len(body) for body in bodies]
        result = ask()
        lines = None
        if by_types and adj.blocks[-1] is block:
            added = [body[start:] for body, start in zip(bodies, before, strict=True)]
            lines = _with_blanks(adj, args, adj.variables[known:], added, result)
        _keep(self._lines, call, lines)
        return result

    def _follows_from_types(self, adj: Any, overload: Any, vector: bool) -> bool:
        """Whether nothing that Warp writes for an overload depends on the values of constants, or on the line in the source."""
        if writes_lines(adj):
            return False
        if vector:
            return True
        if overload.variadic or overload.lto_dispatch_func is not None:
            return False
        if overload.dispatch_func is not None and overload.key not in _DISPATCHED_BY_TYPE:
            return False
        function = overload.value_func
        if function not in self._looks:
            _keep(self._looks, function, _looks_at_values(function))
        return not self._looks[function]


def _vector(func: Any, args: Sequence[Any], type_args: Mapping[str, Any]) -> tuple[Any, Any]:
    """The length and the type of the vector that a call makes; with these, the types of components tell all.

    Raises:
        NoKey: if it makes something else, or a constant is of another type, which Warp makes a new one of.
    """
    if func.key != _VECTOR or type_args.keys() != _OF_VECTOR:
        raise NoKey
    dtype = type_args["dtype"]
    if any(arg.constant is not None and arg.type is not dtype for arg in args):
        raise NoKey
    return type_args["length"], dtype


def _keep(memo: dict[Any, Any], entry: Any, value: Any) -> None:
    if len(memo) >= MOST:
        memo.clear()
    memo[entry] = value


def _binding(overload: Any) -> _Binding | None:
    """The parameters of an overload, or None if some need more than a position."""
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


def _looks_at_values(function: Any) -> bool:
    """Whether a function of types and values, which tells what a builtin returns, makes any use of the values."""
    code = function.__code__
    if code.co_argcount != 2:
        return True
    values = code.co_varnames[1]
    return values in code.co_cellvars or any(step.argval == values for step in dis.get_instructions(code))


def _pattern(args: Sequence[Any]) -> list[Any]:
    """What the text of a call follows from: types of the variables, which are constants, and which are the same one.

    Raises:
        NoKey: if an argument is something else than a variable with a name.
    """
    found: list[Any] = []
    for place, arg in enumerate(args):
        if type(arg) is not Var or not arg.prefix or arg.label is None:
            raise NoKey
        found += (plain_key(arg.type), arg.constant is None)
        if place and (same := _place(arg, args)) < place:
            found.append(same)
    return found


def _place(arg: Any, args: Sequence[Any]) -> int:
    place = 0
    while args[place] is not arg:
        place += 1
    return place


def _with_blanks(
    adj: Any, args: Sequence[Any], made: Sequence[Any], added: Sequence[Sequence[str]], result: Any
) -> _Lines | None:
    """What a call has added, as lines to fill in; None if it has done anything else."""
    if result is not None and not any(result is variable for variable in made):
        return None
    if not all(map(_plain, made)):
        return None
    blanks: dict[str, int] = {}
    for number, variable in enumerate((*args, *made)):
        blanks.setdefault(variable.label, number)
    try:
        forward, replay, reverse = (tuple(_blanked(line, adj.indentation, blanks) for line in lines) for lines in added)
    except KeyError:  # a variable that is neither argument nor new
        return None
    place = None if result is None else _place(result, made)
    return _Lines(
        tuple((variable.type, variable.constant) for variable in made),
        forward,
        None if replay == forward else replay,
        reverse,
        place,
    )


def _plain(variable: Any) -> bool:
    """Whether nothing is special about a new variable but its type and, if it is a constant, its value."""
    kind = variable.type.value_type if type(variable.type) is Reference else variable.type
    marks = (variable.is_read, variable.is_write, variable.parent, variable.ref_origin)
    return isinstance(kind, type) and not any(marks)


def _blanked(line: str, indentation: str, blanks: Mapping[str, int]) -> str:
    text = line.removeprefix(indentation).replace("{", "{{").replace("}", "}}")
    return _NAME.sub(lambda found: f"{found[1]}_{{{blanks[found[2]]}}}", text)


def _write(lines: _Lines, adj: Any, args: Sequence[Any]) -> Any:
    """Add what a call of this kind adds, and return its result."""
    made = []
    for kind, constant in lines.made:
        fresh = Reference(kind.value_type) if type(kind) is Reference else kind
        made.append(adj.add_var(fresh, constant))
    labels = [variable.label for variable in (*args, *made)]
    block, indentation = adj.blocks[-1], adj.indentation
    forward = [indentation + line.format(*labels) for line in lines.forward]
    block.body_forward += forward
    block.body_replay += forward if lines.replay is None else [indentation + line.format(*labels) for line in lines.replay]
    block.body_reverse += [indentation + line.format(*labels) for line in lines.reverse]
    return None if lines.result is None else made[lines.result]
