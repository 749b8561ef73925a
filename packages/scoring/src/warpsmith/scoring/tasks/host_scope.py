"""The variables of host code while it is translated, and the values of expressions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from warpsmith.scoring.tasks.host_expressions import NumberKinds, combined, compared, dotted_path, literal, member, number_of
from warpsmith.scoring.tasks.host_values import Interface, Items, NotTranslated, Number, Untyped, Value
from warpsmith.scoring.tasks.program_kernel_code import KernelCode


@dataclass(frozen=True, slots=True)
class HostFile:
    """A program: its functions and methods by name, its kernels by name, the names of modules, and the types of numbers."""

    functions: Mapping[str, ast.FunctionDef]
    kernels: Mapping[str, KernelCode]
    modules: frozenset[str]
    kinds: NumberKinds


@dataclass
class HostScope:
    """What names mean, and the lines that are written.

    Attributes:
        file: the program.
        interface: the variables that the function receives; each pass adds types.
        kept: the names whose values other statements than those of the gap read.
        is_final: whether all types have to be known.
        lines: the lines of C.
        launches: the number of launches among them.
        names: the local variables of the function that is translated.
        members: the members of objects that the statements set.
    """

    file: HostFile
    interface: Interface
    kept: frozenset[str]
    is_final: bool = False
    lines: list[str] = field(default_factory=list)
    launches: int = 0
    names: dict[str, Value] = field(default_factory=dict)
    members: dict[str, Value] = field(default_factory=dict)
    depth: int = 1
    calls: int = 0
    loops: int = 0

    def emit(self, line: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + line)

    def declared(self, name: str, value: Number) -> Number:
        """Declare a variable and return it."""
        variable = self.fresh(name)
        self.emit(f"{value.ctype} {variable} = {value.text};")
        return Number(variable, value.ctype)

    def fresh(self, name: str) -> str:
        """Return a name for a variable."""
        return self.interface.free_name(name) if self.is_final else name

    def number(self, node: ast.expr, dtype: str | None = None) -> Number:
        """Return an expression that is a number; a name without a type gets the one that its values or its use show.

        Raises:
            NotTranslated: if it is none, or its type is not known.
        """
        value = self.value(node)
        if isinstance(value, Untyped):
            shown = {"int": "int32", "float": "float32", None: dtype}[self.file.kinds.kind(value.path.rpartition(".")[2])]
            if shown is None:
                raise NotTranslated("a variable whose type does not show")
            self.interface.number(value.path, shown)
            return number_of(self.interface.value(value.path))
        return number_of(value)

    def value(self, node: ast.expr) -> Value:
        """Return the value of an expression.

        Raises:
            NotTranslated: if it has no form in C.
        """
        match node:
            case ast.Constant(value):
                return literal(value)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Items(tuple(self.value(item) for item in items))
            case ast.BinOp(left, operator, right):
                return combined(operator, self.number(left), self.number(right))
            case ast.UnaryOp(ast.USub(), operand):
                number = self.number(operand)
                return Number(f"-{number.inner}", number.ctype)
            case ast.UnaryOp(ast.Not(), operand):
                return Number(f"!{self.number(operand).inner}", "bool")
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return Number(sign.join(self.number(value).inner for value in values), "bool")
            case ast.Compare():
                return compared(node, self.number)
            case ast.IfExp(test, body, orelse):
                first, second = self.number(body), self.number(orelse)
                return Number(f"{self.number(test).inner} ? {first.inner} : {second.inner}", first.ctype)
            case ast.Subscript(value, ast.Constant(int(place))):
                return self._item(self.value(value), place)
            case ast.Call():
                return self.called(node)
            case ast.Name() | ast.Attribute():
                return self._name(node)
        raise NotTranslated("an expression without a form in C")

    def _item(self, value: Value, place: int) -> Value:
        if isinstance(value, Items) and -len(value.items) <= place < len(value.items):
            return value.items[place]
        raise NotTranslated("an element of a list or an array")

    def _name(self, node: ast.Name | ast.Attribute) -> Value:
        path = dotted_path(node)
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
        else:
            found = self.members.get(path or "")
            owner = node.value
            if found is None and node.attr in ("shape", "size", "ndim"):
                return member(self.value(owner), node.attr)
        if found is not None:
            return found
        if path is None or path.partition(".")[0] in self.file.modules or path in self.file.functions:
            raise NotTranslated("a name that is no variable")
        if "." in path and path.partition(".")[0] in self.names:
            raise NotTranslated("a member of an object")
        return self.interface.value(path)

    def called(self, call: ast.Call) -> Value:
        """Return the value of a call, whose statements are written.

        Raises:
            NotTranslated: if it has no form in C.
        """
        raise NotTranslated(f"a call of {dotted_path(call.func)} that has no form in C")
