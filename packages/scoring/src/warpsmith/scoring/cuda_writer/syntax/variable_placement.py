"""Where variables of a Python function are declared: Python has one scope for a function, CUDA one for each block."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from warpsmith.core.records.syntax_walks import walk


@dataclass(slots=True)
class _Use:
    """An occurrence of a name in a block: directly in a statement, or in a block of the statement."""

    statement: ast.stmt
    is_store: bool
    inner: _Block | None = None


@dataclass(slots=True)
class _Block:
    """The occurrences of names in a block, in the order in which they run."""

    uses: dict[str, list[_Use]] = field(default_factory=dict)
    loop_target: frozenset[str] = frozenset()

    def add(self, name: str, use: _Use) -> None:
        self.uses.setdefault(name, []).append(use)


@dataclass(frozen=True, slots=True)
class Placement:
    """The declarations of a function.

    Attributes:
        declares: the names that a statement declares where it assigns them, by the statement's identity.
        before: the names that are declared before a statement.
        stores: how often a name is assigned.
        unset: the statements, with names that are declared before them, which assign these names in every case.
    """

    declares: dict[int, set[str]]
    before: dict[int, list[str]]
    stores: dict[str, int]
    unset: set[tuple[int, str]] = field(default_factory=set)


def placement(body: Sequence[ast.stmt], parameters: set[str]) -> Placement:
    """Return where the variables of a function are declared."""
    stores: dict[str, int] = {}
    found = Placement({}, {}, stores)
    block = _read(body, stores)
    for name in [name for name in block.uses if name in stores and name not in parameters]:
        _place(name, block, found)
    return found


def _read(body: Sequence[ast.stmt], stores: dict[str, int], target: frozenset[str] = frozenset()) -> _Block:
    block = _Block(loop_target=target)
    for statement in body:
        for node in _expressions(statement):
            for part in walk(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                    block.add(part.id, _Use(statement, False))
                elif (state := _changed_state(part)) in stores:
                    stores[state] += 1
        for name, is_plain in _targets(statement):
            stores[name] = stores.get(name, 0) + 1
            block.add(name, _Use(statement, is_plain))
        for inner_body, names in _bodies(statement):
            inner = _read(inner_body, stores, names)
            for name in names:
                stores[name] = stores.get(name, 0) + 1
                inner.uses.setdefault(name, []).insert(0, _Use(statement, True))
            for name in inner.uses:
                block.add(name, _Use(statement, False, inner))
    return block


def _changed_state(node: ast.AST) -> str:
    """Return the variable with the state of random numbers that a call changes, or an empty string."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith(("rand", "sample_")):
        first = node.args[0] if node.args else None
        return first.id if isinstance(first, ast.Name) else ""
    return ""


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a statement reads before it assigns or enters a block."""
    match statement:
        case ast.If(test) | ast.While(test):
            yield test
        case ast.For(_, iterated):
            yield iterated
        case ast.Assign(targets, value):
            yield value
            yield from (target for target in targets if not isinstance(target, ast.Name))
        case _:
            yield statement


def _targets(statement: ast.stmt) -> Iterator[tuple[str, bool]]:
    """Yield the names that a statement assigns, and whether it may declare them."""
    match statement:
        case ast.Assign([ast.Name(name)], _) | ast.AnnAssign(ast.Name(name)):
            yield name, True
        case ast.Assign([ast.Tuple(elements)], _):
            yield from ((element.id, True) for element in elements if isinstance(element, ast.Name))
        case ast.Assign(targets, _):
            yield from ((name, False) for target in targets if (name := changed_variable(target)))
        case ast.AugAssign(target):
            if name := changed_variable(target):
                yield name, False


def changed_variable(target: ast.expr) -> str:
    """Return the name of the variable that changes if a component of it does."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _bodies(statement: ast.stmt) -> Iterator[tuple[Sequence[ast.stmt], frozenset[str]]]:
    match statement:
        case ast.If(_, body, orelse):
            yield body, frozenset()
            yield orelse, frozenset()
        case ast.While(_, body):
            yield body, frozenset()
        case ast.For(ast.Name(name), _, body):
            yield body, frozenset({name})


def _place(name: str, block: _Block, found: Placement) -> None:
    """Declare a name in a block: where it is first assigned, in inner blocks alone, or before its first occurrence."""
    uses = block.uses[name]
    apart = _apart(name, uses)
    following = uses[apart] if apart < len(uses) else None
    if following is None or (following.inner is None and following.is_store):
        for use in uses[:apart]:
            if use.inner is not None:
                _place(name, use.inner, found)
        if following is not None:
            found.declares.setdefault(id(following.statement), set()).add(name)
        return
    first = uses[0].statement
    found.before.setdefault(id(first), []).append(name)
    if _always_assigns(first, name):
        found.unset.add((id(first), name))


def _apart(name: str, uses: Sequence[_Use]) -> int:
    """Return how many occurrences from the first one are inner blocks that assign a name before they read it."""
    return next((number for number, use in enumerate(uses) if not _is_apart(name, use.inner)), len(uses))


def _is_apart(name: str, block: _Block | None) -> bool:
    """Return whether a block assigns a name before it reads it."""
    if block is None:
        return False
    uses = block.uses[name]
    apart = _apart(name, uses)
    return apart == len(uses) or (uses[apart].inner is None and uses[apart].is_store)


def _always_assigns(statement: ast.stmt, name: str) -> bool:
    """Return whether a statement assigns a name before anything reads it, whichever branch runs."""
    match statement:
        case ast.If(test, body, orelse):
            return not _reads(test, name) and all(_branch_assigns(branch, name) for branch in (body, orelse))
        case ast.Assign([ast.Name(found)], value):
            return found == name and not _reads(value, name)
    return False


def _branch_assigns(body: Sequence[ast.stmt], name: str) -> bool:
    for statement in body:
        if _always_assigns(statement, name):
            return True
        if _reads(statement, name):
            return False
        if isinstance(statement, ast.Return | ast.Break | ast.Continue):
            return True
    return False


def _reads(node: ast.AST, name: str) -> bool:
    """Return whether a name occurs in a node at all."""
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(node))
