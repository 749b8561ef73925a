"""Elements that a block reads several times: one variable gets each of them, as an engineer would write."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.syntax.variable_placement import changed_variable
from warpsmith.scoring.plain.plain_names import is_free

_WORD = 3
"""The fewest letters of a word."""

_VAGUE = frozenset("all buffer data end inv len new now old out prev start sum val value".split())
"""Words that do not say what an element is."""

_SHORT_INDEX = 2
"""The most letters of an index that a variable's name ends with."""


@dataclass(slots=True)
class _Load:
    """An element that is read.

    Attributes:
        statement: the number of the statement that reads it first.
        nodes: the places where it is read.
        names: the variables of its index.
        variable: the variable that already has it; empty if there is none.
    """

    statement: int
    nodes: list[ast.Subscript]
    names: set[str]
    variable: str = ""


@dataclass(slots=True)
class LoadedOnce:
    """Gives variables to elements that a function reads several times.

    Attributes:
        arrays: the dimensions of the arrays of numbers, vectors and matrices, by name, and whether they have numbers.
        written: the names of all arrays.
        functions: the names of the functions of the file, which may write arrays.
        taken: the names in the function.
    """

    arrays: Mapping[str, tuple[int, bool]]
    written: frozenset[str]
    functions: frozenset[str]
    taken: set[str] = field(default_factory=set)
    _stores: dict[str, int] = field(default_factory=dict)
    _elements: dict[str, set[str]] = field(default_factory=dict)
    _named: set[tuple[str, str]] = field(default_factory=set)

    def body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Return the statements of a function."""
        found = [copy.deepcopy(statement) for statement in body]
        self.taken |= self.functions
        for statement in found:
            for node in walk(statement):
                if isinstance(node, ast.Name):
                    self.taken.add(node.id)
                elif isinstance(node, ast.Subscript) and self._is_element(node):
                    self._elements.setdefault(changed_variable(node), set()).add(ast.unparse(node.slice))
            for name in _assigned(statement):
                self._stores[name] = self._stores.get(name, 0) + 1
        return self._block(found)

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        known: dict[str, _Load] = {}
        new: dict[int, list[ast.stmt]] = {}
        names: dict[int, str] = {}
        for number, statement in enumerate(body):
            compound = isinstance(statement, ast.If | ast.For | ast.While)
            changed, writes = set(_assigned(statement)), self._writes(statement)
            if compound and writes:
                self._read_test(statement, number, known)
                self._close(known, new, names)
            elif compound:
                self._end(known, changed, new, names)
                self._read_test(statement, number, known)
                self._read(known, number, [(part, True) for inner in _bodies(statement) for part in inner])
            else:
                self._read(known, number, [(statement, False)])
                self._note_variable(statement, known)
                if writes:
                    self._close(known, new, names)
                self._end(known, changed, new, names)
        self._close(known, new, names)
        replaced = [_Replace(names).visit(statement) for statement in body]
        for statement in replaced:
            for field_name in ("body", "orelse"):
                if isinstance(statement, ast.If | ast.For | ast.While) and (inner := getattr(statement, field_name)):
                    setattr(statement, field_name, self._block(inner))
        return [each for number, statement in enumerate(replaced) for each in (*new.get(number, ()), statement)]

    def _read_test(self, statement: ast.stmt, number: int, known: dict[str, _Load]) -> None:
        if isinstance(statement, ast.If):
            self._read(known, number, [(statement.test, False)])

    def _read(self, known: dict[str, _Load], number: int, parts: Sequence[tuple[ast.AST, bool]]) -> None:
        for part, is_conditional in parts:
            for node, depends in _expressions(part, is_conditional):
                if isinstance(node, ast.Subscript) and self._is_element(node):
                    key = ast.unparse(node)
                    if key in known:
                        known[key].nodes.append(node)
                    elif not depends:
                        names = {each.id for each in walk(node.slice) if isinstance(each, ast.Name)}
                        known[key] = _Load(number, [node], names)

    def _is_element(self, node: ast.Subscript) -> bool:
        if not isinstance(node.value, ast.Name) or not isinstance(node.ctx, ast.Load):
            return False
        dimensions, is_number = self.arrays.get(node.value.id, (0, False))
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(part, ast.Call) for part in walk(node.slice)):
            return False
        return len(indices) == dimensions and (dimensions > 1 or not is_number)

    def _note_variable(self, statement: ast.stmt, known: dict[str, _Load]) -> None:
        match statement:
            case ast.Assign([ast.Name(name)], ast.Subscript() as value) if self._stores.get(name) == 1:
                load = known.get(ast.unparse(value))
                if load is not None and not load.variable and load.nodes == [value]:
                    load.variable, load.nodes = name, []

    def _end(self, known: dict[str, _Load], changed: set[str], new: dict[int, list[ast.stmt]], names: dict[int, str]) -> None:
        """Forget the elements whose index changes."""
        for key in [key for key, load in known.items() if load.names & changed]:
            self._finish(known.pop(key), new, names)

    def _close(self, known: dict[str, _Load], new: dict[int, list[ast.stmt]], names: dict[int, str]) -> None:
        """Forget all elements, as arrays may change."""
        for load in known.values():
            self._finish(load, new, names)
        known.clear()

    def _finish(self, load: _Load, new: dict[int, list[ast.stmt]], names: dict[int, str]) -> None:
        if load.variable:
            names |= {id(node): load.variable for node in load.nodes}
        elif len(load.nodes) > 1:
            first = load.nodes[0]
            name = self._name(first)
            if not name:
                return
            value = copy.deepcopy(first)
            names |= {id(node): name for node in load.nodes}
            made = ast.Assign([ast.Name(name, ast.Store())], value, lineno=first.lineno)
            new.setdefault(load.statement, []).append(ast.copy_location(made, first))

    def _name(self, node: ast.Subscript) -> str:
        """Return a name for an element, or an empty string if no name says what it is."""
        array = node.value.id if isinstance(node.value, ast.Name) else ""
        if (array, ast.unparse(node.slice)) in self._named:
            return ""
        self._named.add((array, ast.unparse(node.slice)))
        is_apart = isinstance(node.slice, ast.Name) and len(node.slice.id) <= _SHORT_INDEX
        candidates = element_names(array)
        if len(self._elements[array]) > 1:
            candidates = [f"{name}_{node.slice.id}" for name in candidates] if is_apart else []  # type: ignore[attr-defined]
        elif not self.arrays[array][1]:
            candidates.append(f"{array}_i")
        found = next((name for name in candidates if name not in self.taken and is_free(name)), "")
        self.taken.add(found)
        return found

    def _writes(self, statement: ast.stmt) -> bool:
        """Return whether a statement may change an array."""
        for node in walk(statement):
            if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
                if changed_variable(node) in self.written:
                    return True
            elif isinstance(node, ast.Call):
                called, arrays = ast.unparse(node.func), any(map(self._is_array, node.args))
                if arrays and (called in self.functions or "atomic" in called or "store" in called):
                    return True
        return False

    def _is_array(self, node: ast.expr) -> bool:
        """Return whether an expression is an array or a part of one."""
        is_element = isinstance(node, ast.Subscript) and self._is_element(node)
        return not is_element and any(isinstance(each, ast.Name) and each.id in self.written for each in walk(node))


def element_names(array: str) -> list[str]:
    """Return names for an element of an array, the best one first: the singular, the noun, or the symbol.

    Examples:
        >>> element_names("motion_vectors"), element_names("edges_at_rest"), element_names("x_t"), element_names("image")
        (['motion_vector', 'vector'], ['edge', 'edges'], ['x'], [])
    """
    base = re.sub(r"_(?:in|arr|buf|buffer|array)$", "", array)
    noun = re.split(r"_(?:at|of|in|by|per)_", base)[0]
    single = re.sub(
        r"(?<=ss|sh|ch|.x)es$|(?<=[a-z]{3})(?<![siu])s$", "", re.sub(r"ies$", "y", re.sub(r"(?<=[td])ices$", "ex", noun))
    )
    first, last = single.partition("_")[0], single.rpartition("_")[2]
    names = [single, noun, last if len(last) >= _WORD and last not in _VAGUE else "", first if len(first) == 1 else ""]
    return [name for name in dict.fromkeys(names) if name and name != array]


class _Replace(ast.NodeTransformer):
    """Replaces nodes by variables."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if id(node) in self._names:
            return ast.copy_location(ast.Name(self._names[id(node)], ast.Load()), node)
        return self.generic_visit(node)


def _bodies(statement: ast.stmt) -> Iterator[list[ast.AST]]:
    """Yield what a compound statement runs perhaps, or several times."""
    match statement:
        case ast.If(_, body, orelse):
            yield [*body, *orelse]
        case ast.While(test, body):
            yield [test, *body]
        case ast.For(_, iterated, body):
            yield [iterated, *body]


def _expressions(node: ast.AST, is_conditional: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the nodes of an expression or statement, and whether they run under a condition only."""
    yield node, is_conditional
    match node:
        case ast.BoolOp(_, [first, *remaining]):
            yield from _expressions(first, is_conditional)
            for other in remaining:
                yield from _expressions(other, True)
        case ast.IfExp(test, body, orelse):
            yield from _expressions(test, is_conditional)
            yield from _expressions(body, True)
            yield from _expressions(orelse, True)
        case ast.Attribute() | ast.Subscript() if isinstance(node.ctx, ast.Store):
            while isinstance(node, ast.Attribute | ast.Subscript):
                if isinstance(node, ast.Subscript):
                    yield from _expressions(node.slice, is_conditional)
                node = node.value
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _expressions(child, is_conditional)


def _assigned(statement: ast.stmt) -> Iterator[str]:
    """Yield the names of variables that a statement changes, once for each change."""
    for node in walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield changed_variable(node)
