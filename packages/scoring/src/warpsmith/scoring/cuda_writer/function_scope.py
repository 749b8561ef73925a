"""The variables of one function while its text is written, and its lines."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from warpsmith.scoring.cuda_writer.array_code import ArrayCode
from warpsmith.scoring.cuda_writer.code_pieces import number
from warpsmith.scoring.cuda_writer.cuda_types import Kind, is_builtin_vector, is_number, scalar_of, size
from warpsmith.scoring.cuda_writer.syntax.variable_placement import Placement
from warpsmith.scoring.cuda_writer.text_unit import Unit, free_name
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type


@dataclass(slots=True)
class Variable:
    """A variable.

    Attributes:
        name: its name in CUDA.
        kind: its type; None before its first assignment.
    """

    name: str
    kind: Kind | None = None


@dataclass(slots=True)
class Line:
    """A line of a function; a declaration gets its text when the type of its variable is known.

    Attributes:
        depth: its indentation.
        text: its text.
        declares: the variable that it declares.
        is_unset: whether every path assigns this variable before anything reads it.
    """

    depth: int
    text: str
    declares: Variable | None = None
    is_unset: bool = False


@dataclass(slots=True)
class Scope:
    """A function while its text is written.

    Attributes:
        unit: the text that it belongs to.
        placement: where its variables are declared.
        variables: its variables by their names in Python.
        arrays: its arrays by their names in Python.
        lines: the lines so far.
        depth: the current indentation.
        returns: writes the statements for ``return``.
        result: the types of the returned values; None before the first one.
        flat_index: the index of the element among all, if the thread has it; empty otherwise.
        coordinates: the variables with the coordinates of the thread.
        taken: the names in CUDA that variables have, or may not have.
        shown: the names in CUDA of the arguments and members that are parameters, by their names in the launch.
    """

    unit: Unit
    placement: Placement
    variables: dict[str, Variable] = field(default_factory=dict)
    arrays: dict[str, ArrayCode] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    depth: int = 1
    returns: Callable[[ast.Return], None] | None = None
    result: tuple[Kind, ...] | None = None
    flat_index: str = ""
    coordinates: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    shown: dict[str, str] = field(default_factory=dict)

    def emit(self, text: str) -> None:
        """Add a line."""
        self.lines.append(Line(self.depth, text))

    def variable(self, name: str) -> Variable:
        """Return the variable with a name of the Python."""
        if name not in self.variables:
            self.variables[name] = Variable(self.new_name(name))
        return self.variables[name]

    def new_name(self, name: str) -> str:
        """Return a name that nothing in the function has."""
        found = free_name(name, self.taken, is_local=True)
        self.taken.add(found)
        return found

    def declare_before(self, statement: ast.stmt) -> None:
        """Declare the variables that a statement's blocks assign, and that are used after them."""
        for name in self.placement.before.get(id(statement), []):
            if self.is_unknown(name):
                is_unset = (id(statement), name) in self.placement.unset
                self.lines.append(Line(self.depth, "", self.variable(name), is_unset))

    def is_unknown(self, name: str) -> bool:
        """Return whether a name is neither a declared variable nor an array."""
        return name not in self.arrays and name not in self.variables

    def assigned(self, statement: ast.stmt, name: str, kind: Kind) -> str:
        """Return the left side of an assignment, which declares the variable where it is the first one."""
        variable = self.variable(name)
        declares = name in self.placement.declares.get(id(statement), ())
        if variable.kind is not None and variable.kind != kind and not declares:
            raise Unsupported(f"{name!r} is {variable.kind} and {kind}")
        variable.kind = kind
        if not declares:
            return variable.name
        constant = "const " if self.unit.idioms.const_locals and self.placement.stores.get(name) == 1 else ""
        return f"{constant}{self.unit.name_of_type(kind)} {variable.name}"

    def _zero(self, kind: Kind) -> str:
        if not isinstance(kind, Type):
            return "{}"
        zero = number(0, scalar_of(kind))
        if is_number(kind):
            return zero
        return self.unit.library.made(kind, [zero] * size(kind)) if is_builtin_vector(kind) else "{}"

    def text(self, indent: int) -> list[tuple[int, str]]:
        """Return indentations and lines."""
        found: list[tuple[int, str]] = []
        unset = ""
        for line in self.lines:
            text, ctype = line.text, ""
            if line.declares is not None:
                kind = line.declares.kind
                if kind is None:
                    continue
                ctype = self.unit.name_of_type(kind)
                text = f"{ctype} {line.declares.name}{'' if line.is_unset else f' = {self._zero(kind)}'};"
                if line.is_unset and ctype == unset:
                    text = f"{found.pop()[1].rstrip(';')}, {line.declares.name};"
            unset = ctype if line.is_unset else ""
            found.append((line.depth * indent, text))
        return found
