"""Builtins whose parameters have names, may be omitted, or are types, functions or variables to assign."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.operators import Row


@dataclass(frozen=True, slots=True)
class Named:
    """A builtin with named parameters.

    Attributes:
        parameters: their names in Warp, separated by spaces. ``?`` after a name marks an optional parameter; ``*`` before the
            name of one parameter marks any number of values. ``&block`` receives the number of threads in a block, and
            ``&accesses`` the accesses of threads that run together.
        row: the implementation; it receives the parameters in order, and None for those that are omitted. The value of a
            parameter ``dtype`` is a type, the value of ``op`` is a function.
        writes: the parameters that the builtin assigns, which must be variables. The row then returns its value and the new
            values of these parameters.
        ordered: whether threads have to call it one after another, because it changes an object.
    """

    parameters: str
    row: Row
    writes: tuple[str, ...] = ()
    ordered: bool = False
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(name.strip("?*&") for name in self.parameters.split()))

    def bound(self, name: str, node: ast.Call) -> list[tuple[str, ast.expr | None]]:
        """Return each parameter of a call and its argument, or None for parameters that are omitted.

        Raises:
            Unsupported: if the arguments do not match.
        """
        named = {keyword.arg or "**": keyword.value for keyword in node.keywords}
        given: list[ast.expr] = list(node.args)
        bound: list[tuple[str, ast.expr | None]] = []
        for parameter in self.parameters.split():
            plain = parameter.strip("?*&")
            if parameter.startswith("&"):
                bound.append((parameter, None))
            elif parameter.startswith("*"):
                count = len(given) - sum(after not in named and not after.endswith("?") for after in self._after(parameter))
                bound += [(plain, argument) for argument in given[: max(count, 0)]]
                del given[: max(count, 0)]
            elif given and plain not in named:
                bound.append((plain, given.pop(0)))
            elif plain in named or parameter.endswith("?"):
                bound.append((plain, named.pop(plain, None)))
            else:
                raise Unsupported(f"{name!r} without {plain!r}")
        if given or named:
            raise Unsupported(f"{name!r} with {len(node.args)} arguments{' and ' if named else ''}{', '.join(sorted(named))}")
        return bound

    def _after(self, parameter: str) -> list[str]:
        parameters = self.parameters.split()
        return parameters[parameters.index(parameter) + 1 :]
