"""Statements: the holes of a body are filled one by one, with the visible values and their bounds.

A variable that a loop changes is not visible inside the loop: its bounds are known once the loop's trips are counted. This also
avoids values that a dynamic loop changes in any other way than by adding, which Warp differentiates incorrectly.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from warpsmith.synthesis.language import walk
from warpsmith.synthesis.language.nodes import (
    Array,
    Assign,
    Atomic,
    Augment,
    Const,
    Declare,
    Expr,
    For,
    Hole,
    If,
    Jump,
    Load,
    LoadElement,
    Name,
    RawStatement,
    Return,
    Steps,
    Stmt,
    Store,
    TemplateStatement,
    Threads,
    While,
)
from warpsmith.synthesis.language.ranges import Bounds
from warpsmith.synthesis.language.terms import apply, component, const, construct
from warpsmith.synthesis.language.types import FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.filling.expressions import Expressions
from warpsmith.synthesis.writing.filling.linearity import contains_value
from warpsmith.synthesis.writing.filling.scope import Value
from warpsmith.synthesis.writing.filling.writer import Written


class Statements:
    """Fills bodies over one scope.

    Attributes:
        returned: the bounds of all returned values, or None.
        names: names for the value that was returned last.

    Args:
        rng: the randomness.
        expressions: writes the expressions, and holds the scope.
        arrays: the kernel's arrays by name.
        dry_run: whether a dry run checks that results differ from thread to thread; otherwise they are made to differ.
        length_factor: the factor by which the number of the skeleton's steps is multiplied.
    """

    def __init__(
        self,
        rng: RandomStream,
        expressions: Expressions,
        arrays: dict[str, Array],
        dry_run: bool = True,
        length_factor: int = 1,
    ) -> None:
        self._rng = rng
        self._expressions = expressions
        self._scope = expressions.scope
        self._arrays = arrays
        self._dry_run = expressions.dry_run = dry_run
        self._length_factor = length_factor
        self._loops: list[tuple[dict[str, Bounds], int]] = []
        self._elements: list[Expr] = []
        self.returned: Bounds | None = None
        self.names: tuple[str, ...] = ()

    def fill(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """Return ``body`` without holes."""
        filled: list[Stmt] = []
        for statement in body:
            for _ in range(statement.count * self._length_factor if isinstance(statement, Steps) else 1):
                filled.extend(self._fill(statement))
        return tuple(filled)

    def _fill(self, statement: Stmt) -> tuple[Stmt, ...]:
        """Return the statement without holes, after the locals that it reads."""
        match statement:
            case LoadElement():
                return self._load_element(statement)
            case TemplateStatement():
                return self._fill_template(statement)
            case If():
                condition = self._fill_value(statement.condition).expr
                needed = self._expressions.take_locals()
                return (*needed, self._fill_branch(replace(statement, condition=condition)))
            case For() | While():
                return (self._fill_loop(statement, statement.trips),)
        written = self._fill_simple(statement)
        return (*self._expressions.take_locals(), written)

    def _fill_simple(self, statement: Stmt) -> Stmt:
        match statement:
            case Steps():
                return self._assign_local(
                    "", self._expressions.fill(Hole(self._rng.choice(statement.types), size=statement.size))
                )
            case Assign():
                return self._fill_assign(statement)
            case Declare(name, value):
                self._scope.taken.add(name)
                self._scope.add(Name(name, value.type, value.low, value.high), name, wanted=True)
            case Augment():
                return self._fill_augment(statement)
            case Atomic("atomic_min" | "atomic_max", _, _, value):
                return replace(statement, value=self._separate(self._fill_value(value).expr))
            case Store(_, _, value) | Atomic(_, _, _, value):
                stored = self._fill_value(value).expr
                return replace(statement, value=stored if self._dry_run else self._make_differ(stored))
            case Return(value):
                written = self._fill_value(value)
                expr = written.expr
                low, high = self.returned or (expr.low, expr.high)
                self.returned = (min(low, expr.low), max(high, expr.high))
                self.names = written.names
                return Return(expr)
            case Threads(names):
                self._scope.taken.update(name.name for name in names)
                self._scope.threads.update(name.name for name in names)
        return statement

    def _fill_value(self, value: Expr) -> Written:
        return self._expressions.fill(value) if isinstance(value, Hole) else Written(value, (), "")

    def _separate(self, value: Expr) -> Expr:
        """Add a small value that differs between threads.

        After a clamp several threads may offer the same extreme, and Warp gives each of them the whole gradient.
        """
        elements = [element for element in self._elements if element.type is not INT]
        if not elements:
            return value
        element = self._rng.choice(elements)
        number = component(element, const(0)) if element.type.is_vector else element
        return apply("add", value, apply("mul", const(self._rng.choice((0.01, 0.05, 0.1, 0.02))), number))

    def _make_differ(self, value: Expr) -> Expr:
        """Add a multiple of an element, or of a number in an element, so that no clamp makes the value constant."""
        if any(
            contains_value(value, element) and contains_value(value, element, self._scope.meanings)
            for element in self._elements
        ):
            return value
        elements = [element for element in self._elements if element.type is value.type]
        if not elements and value.type is FLOAT:
            separate = self._separate(value)
            if separate is not value:
                return separate
            elements = [apply("float", element) for element in self._elements if element.type is INT]
        if not elements:
            elements = self._make_values(value.type)
        if not elements:
            return value
        element = self._rng.choice(elements)
        # an integer value often is an element itself: with a factor of 1 the difference could be zero
        factor = 3 if value.type is INT else self._rng.choice((0.15, 0.35, 0.45, 0.07))
        share = apply("mul", const(factor), element)
        sum_of_both, difference = apply("add", value, share), apply("sub", value, share)
        one, other = (difference, sum_of_both) if self._rng.choice((False, False, True)) else (sum_of_both, difference)
        return one if element not in self._elements or contains_value(one, element, self._scope.meanings) else other

    def _make_values(self, dtype: Type) -> list[Expr]:
        """Make values of a type from the numbers among the elements."""
        numbers = [element for element in self._elements if element.type is FLOAT]
        if dtype is INT:
            return [apply("int", apply("mul", const(7.0), number)) for number in numbers]
        numbers = numbers or [apply("float", element) for element in self._elements if element.type is INT]
        if dtype is FLOAT or not dtype.is_vector:
            return numbers if dtype is FLOAT else []
        return [construct(dtype, *(number for _ in range(dtype.shape[0]))) for number in numbers]

    # -------------------------------------------------------------------------------------------------------- assignments

    def _fill_assign(self, statement: Assign) -> Stmt:
        written = self._fill_value(statement.value)
        if statement.name in self._scope.taken and (value := self._find_visible(statement.name)) is not None:
            value.expr = Name(statement.name, written.expr.type, written.expr.low, written.expr.high)
            value.varies = value.varies or self._scope.varies(written.expr)
            self._scope.meanings.pop(statement.name, None)
            return Assign(statement.name, written.expr)
        return self._assign_local(statement.name, written)

    def _assign_local(self, name: str, written: Written) -> Assign:
        if not name:
            name = self._scope.choose_name(written.names, written.base, self._rng)
        self._scope.taken.add(name)
        variable = Name(name, written.expr.type, written.expr.low, written.expr.high)
        self._scope.add(variable, name, wanted=True, varies=self._scope.varies(written.expr))
        self._scope.meanings[name] = written.expr
        return Assign(name, written.expr)

    def _load_element(self, load: LoadElement) -> tuple[Stmt, ...]:
        array = self._arrays[load.array]
        element = Load(array.name, load.indices, array.element, array.low, array.high)
        varies = self._scope.varies(element)
        read: Expr = element
        base = array.local
        written: tuple[Stmt, ...] = ()
        if self._rng.chance(0.55):
            base = self._scope.choose_name((array.local,), array.local, self._rng)
            read, written = Name(base, array.element, array.low, array.high), (Assign(base, element),)
        if read.type in (FLOAT, INT) or read.type.is_vector:
            self._elements.append(read)
        self._scope.add(read, base, wanted=True, varies=varies)
        return written

    def _fill_template(self, statement: TemplateStatement) -> tuple[Stmt, ...]:
        """Fill the holes of a template, with locals for long expressions, and name its outputs."""
        args: list[Expr] = []
        for hole in statement.inputs:
            args.append(self._expressions.fill_short(hole, args))
        written = self._expressions.take_locals()
        text, outputs = statement.text, []
        for output in statement.outputs:
            name = self._scope.choose_name(output.names, output.names[0], self._rng)
            text = re.sub(rf"\${output.key}\b", name, text)
            if output.type is not None:
                variable = Name(name, output.type, output.low, output.high)
                outputs.append(variable)
                self._scope.add(variable, name, wanted=True, varies=True)
                self._scope.values[-1].linear = output.linear
        return (*written, RawStatement(text, tuple(args), tuple(outputs), statement.mention))

    def _find_visible(self, name: str) -> Value | None:
        for value in reversed(self._scope.values):
            if value.name == name:
                return value
        return None

    def _fill_augment(self, statement: Augment) -> Augment:
        value = self._fill_value(statement.value).expr
        low, high = (-value.high, -value.low) if statement.key == "sub" else (value.low, value.high)
        times = 1
        for changes, trips in reversed(self._loops):
            times *= trips
            if statement.name in changes:
                before = changes[statement.name]
                changes[statement.name] = (before[0] + times * min(low, 0.0), before[1] + times * max(high, 0.0))
                return replace(statement, value=value)
        known = self._scope.find(statement.name)
        known.expr = Name(statement.name, known.expr.type, known.expr.low + low, known.expr.high + high)
        return replace(statement, value=value)

    # ----------------------------------------------------------------------------------------------------- branches, loops

    def _fill_branch(self, statement: If) -> If:
        mark = len(self._scope.values)
        before = [value.expr for value in self._scope.values]
        outcomes: list[list[Expr]] = []
        written: list[tuple[Stmt, ...]] = []
        for block in (statement.body, statement.orelse):
            written.append(self.fill(block))
            if not (block and isinstance(block[-1], Jump | Return)):
                outcomes.append([value.expr for value in self._scope.values[:mark]])
            self._restore(mark, before)
        for position, value in enumerate(self._scope.values):
            ends = [outcome[position] for outcome in outcomes] or [before[position]]
            if isinstance(value.expr, Name) and any(end is not before[position] for end in ends):
                low, high = min(end.low for end in ends), max(end.high for end in ends)
                value.expr = replace(value.expr, low=low, high=high)
        return If(statement.condition, written[0], written[1])

    def _restore(self, mark: int, exprs: list[Expr]) -> None:
        del self._scope.values[mark:]
        for value, expr in zip(self._scope.values, exprs, strict=True):
            value.expr = expr

    def _fill_loop(self, statement: For | While, trips: int) -> For | While:
        changed = {item.name for item in walk.statements(statement.body) if isinstance(item, Augment)}
        hidden = [value for value in self._scope.values if value.name in changed]
        visible = [value for value in self._scope.values if value.name not in changed]
        self._scope.values = list(visible)
        if isinstance(statement, For):
            self._scope.taken.add(statement.counter.name)
        changes = {value.name: (0.0, 0.0) for value in hidden}
        self._loops.append((changes, trips))
        body = self.fill(statement.body)
        self._loops.pop()
        for value in hidden:
            low, high = changes[value.name]
            value.expr = Name(value.name, value.expr.type, value.expr.low + low, value.expr.high + high)
            value.linear = value.linear or not (isinstance(statement, For) and isinstance(statement.stop, Const))
            value.varies = True
        # A counter is not useful after its loop: it is unknown where gradients are computed.
        self._scope.values = visible + [value for value in hidden if value.expr.type is not INT]
        return replace(statement, body=body)
