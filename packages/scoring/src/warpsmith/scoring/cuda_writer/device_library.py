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
from warpsmith.validation.oracle.values.value_types import Type

Term = Callable[[str], str]
"""Returns the expression for a component from what follows a value to access it."""


class Library:
    """The definitions in front of a kernel.

    Args:
        qualifiers: what device functions begin with.
        indent: spaces of an indentation.
    """

    def __init__(self, qualifiers: str, indent: int) -> None:
        self.qualifiers, self._indent = qualifiers, " " * indent
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
        text = ", ".join(f"{kind if isinstance(kind, str) else self.use(kind)} {name}" for kind, name in parameters)
        opening = f"{self.qualifiers} {'void' if result is None else self.use(result)} {name}({text})"
        if opening not in self._functions:
            lines = "\n".join(f"{self._indent}{line}".replace("\t", self._indent) for line in body)
            self._functions[opening] = f"{opening}\n{{\n{lines}\n}}\n"

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
        """The functions."""
        return list(self._functions.values())
