"""The functions and structs that a text needs besides those of the kernel: only the ones that it uses, each once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from warpsmith.scoring.cuda_writer.cuda_types import (
    SCALARS,
    Kind,
    components,
    definition,
    is_builtin_vector,
    is_matrix,
    is_pose,
    is_quaternion,
    rotation_of,
    size,
    type_name,
)
from warpsmith.scoring.cuda_writer.idioms import Idioms
from warpsmith.scoring.cuda_writer.layout.line_breaks import broken, head_lines
from warpsmith.validation.oracle.values.value_types import Type

Term = Callable[[str], str]
"""Returns the expression for a component from what follows a value to access it."""


class Library:
    """The definitions in front of a kernel.

    Args:
        idioms: the style of the text.
    """

    def __init__(self, idioms: Idioms) -> None:
        self._idioms, self._indent = idioms, " " * idioms.indent
        self.types: dict[str, str] = {}
        self._functions: dict[str, str] = {}

    def use(self, kind: Kind) -> str:
        """Return the name of a type, whose struct becomes part of the text."""
        name = type_name(kind)
        if isinstance(kind, Type) and name not in self.types and (members := definition(kind)) is not None:
            if is_pose(kind):
                self.use(rotation_of(kind))
            self.types[name] = members
        return name

    def add(self, result: Kind | None, name: str, parameters: Sequence[tuple[Kind | str, str]], *body: str) -> None:
        """Add a function.

        Args:
            result: the type of its value; None if it has none.
            name: its name.
            parameters: types and names.
            body: its lines, indented by tabs.
        """
        declared = [f"{kind if isinstance(kind, str) else self.use(kind)} {name}" for kind, name in parameters]
        opening = f"{self._idioms.device} {'void' if result is None else self.use(result)} {name}"
        key = f"{opening}({', '.join(declared)})"
        if key not in self._functions:
            lines = head_lines(opening, declared, **self._idioms.of_heads)
            for line in body:
                depth = len(self._indent) * (1 + len(line) - len(line.lstrip("\t")))
                lines += broken(line.lstrip("\t"), depth, aligned=self._idioms.aligned)
            self._functions[key] = "\n".join([*lines, "}\n"])

    def has(self, name: str) -> bool:
        """Return whether a function has a name."""
        return any(re.search(rf"\b{re.escape(name)}\(", opening) for opening in self._functions)

    def each(self, result: Type, name: str, parameters: Sequence[tuple[Kind | str, str]], term: Term) -> None:
        """Add a function that computes each component of a vector, matrix, quaternion or pose."""
        kind = self.use(result)
        if is_matrix(result) or not (is_builtin_vector(result) or is_quaternion(result) or is_pose(result)):
            rows, columns = result.shape if is_matrix(result) else (result.shape[0], 0)
            inner, place = ("\t", ".m[i][j]") if columns else ("", ".c[i]")
            body = [f"{kind} r;", f"for (int i = 0; i < {rows}; ++i)"]
            body += [f"\tfor (int j = 0; j < {columns}; ++j)"] if columns else []
            self.add(result, name, parameters, *body, f"{inner}\tr{place} = {term(place)};", "return r;")
            return
        terms = [term(place) for place in components(result)]
        self.add(result, name, parameters, f"return {self.made(result, terms)};")

    def made(self, kind: Type, terms: Sequence[str]) -> str:
        """Return the expression for a value with these components."""
        name = self.use(kind)
        if is_builtin_vector(kind):
            return f"make_{name}({', '.join(terms)})"
        if is_matrix(kind):
            width = kind.shape[1]
            rows = [", ".join(terms[start : start + width]) for start in range(0, size(kind), width)]
            return f"{name}{{{{{', '.join(f'{{{row}}}' for row in rows)}}}}}"
        if is_pose(kind):
            scalar = SCALARS[kind.scalar]
            rotation = self.use(rotation_of(kind))
            return f"{name}{{make_{scalar}3({', '.join(terms[:3])}), {rotation}{{{', '.join(terms[3:])}}}}}"
        return f"{name}{{{', '.join(terms)}}}" if is_quaternion(kind) else f"{name}{{{{{', '.join(terms)}}}}}"

    @property
    def structs(self) -> list[str]:
        """The structs."""
        return [
            f"struct {name} {{\n{self._indent}{members.replace('; ', f';{chr(10)}{self._indent}')}\n}};\n"
            for name, members in self.types.items()
        ]

    @property
    def functions(self) -> list[str]:
        """The functions: operators of CUDA's vectors first, by type, and all others behind the functions that they call."""
        operators = {key: order for key in self._functions if (order := _operator_order(key)) is not None}
        in_order = sorted(operators, key=operators.__getitem__)
        return [self._functions[key] for key in (*in_order, *(key for key in self._functions if key not in operators))]


_OPERATOR = re.compile(r"operator(\S+?)\((\w+)&? a(?:, (\w+) b)?\)")
_SIGNS = ("+", "-", "*", "/", "+=", "-=", "*=", "/=")


def _operator_order(opening: str) -> tuple[str, int, int] | None:
    """Return the place of an operator of CUDA's vectors among them; None for another function."""
    if (found := _OPERATOR.search(opening)) is None or found[1] not in _SIGNS:
        return None
    operands = [each for each in (found[2], found[3]) if each is not None]
    vectors = [each for each in operands if each[-1] in "234" and each[:-1] in _VECTORS]
    if not vectors or any(each not in (*vectors, *SCALARS.values()) for each in operands):
        return None
    return vectors[0], _SIGNS.index(found[1]), 2 * len(operands) + (operands[0] != vectors[0])


_VECTORS = ("float", "double", "int", "uint", "char", "uchar", "short", "ushort", "longlong", "ulonglong")
