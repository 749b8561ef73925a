"""The rule of a kernel or a function: its statements as a list of sentences, with values in the places of their uses."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from warpsmith.core.descriptions.expressions import called_name, text_of
from warpsmith.core.descriptions.substitution import substitute
from warpsmith.core.records.syntax_walks import walk

_CHANGES = {
    ast.Add: "Add {value} to {target}.",
    ast.Sub: "Subtract {value} from {target}.",
    ast.Mult: "Multiply {target} by {value}.",
    ast.Div: "Divide {target} by {value}.",
}
"""Sentences about changes in place; other operators are written as a new value."""

_SYMBOLS = {
    ast.Mod: "%", ast.FloorDiv: "//", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip

_ATOMICS = {
    "atomic_add": "atomically add {value} to {target}",
    "atomic_sub": "atomically subtract {value} from {target}",
    "atomic_min": "atomically lower {target} to {value} if that is less",
    "atomic_max": "atomically raise {target} to {value} if that is greater",
}
"""Sentences about atomic operations; others are called by their names."""


@dataclass(slots=True)
class _Writer:
    """Writes the sentences of one function.

    Attributes:
        assigned: how often each name is assigned.
        started: the names that have a value so far.
    """

    assigned: Counter[str]
    started: set[str] = field(default_factory=set)

    def block(self, body: Sequence[ast.stmt], depth: int) -> Iterator[str]:
        """Yield the lines of some statements."""
        position = 0
        while position < len(body):
            if (sums := self._sums(body[position:], depth)) is not None:
                count, lines = sums
                yield from lines
                position += count
            else:
                yield from self._statement(body[position], depth)
                position += 1

    def _statement(self, statement: ast.stmt, depth: int) -> Iterator[str]:
        if isinstance(statement, ast.If):
            yield from self._branches(statement, depth, "If")
        elif isinstance(statement, ast.For):
            yield _line(depth, f"For {text_of(statement.target)} {_range(statement.iter)}:")
            yield from self.block(statement.body, depth + 1)
        elif isinstance(statement, ast.While):
            yield _line(depth, f"While {text_of(statement.test)}:")
            yield from self.block(statement.body, depth + 1)
        elif sentence := self._sentence(statement):
            yield _line(depth, sentence)

    def _branches(self, statement: ast.If, depth: int, word: str) -> Iterator[str]:
        yield _line(depth, f"{word} {text_of(statement.test)}:")
        yield from self.block(statement.body, depth + 1)
        match statement.orelse:
            case [ast.If() as inner]:
                yield from self._branches(inner, depth, "Otherwise, if")
            case [_, *_]:
                yield _line(depth, "Otherwise:")
                yield from self.block(statement.orelse, depth + 1)

    def _sentence(self, statement: ast.stmt) -> str:
        match statement:
            case ast.Assign(targets=[target], value=value):
                return self._assignment(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._assignment(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                words = {"target": text_of(target), "value": text_of(value)}
                if pattern := _CHANGES.get(type(op)):
                    return pattern.format(**words)
                return f"Set {words['target']} to {words['target']} {_SYMBOLS[type(op)]} ({words['value']})."
            case ast.Expr(value=ast.Call() as call):
                return _call(call)
            case ast.Return(value=None):
                return "This thread ends here."
            case ast.Return(value=ast.expr() as value):
                return f"The result is {text_of(value)}."
            case ast.Break():
                return "Leave the loop."
            case ast.Continue():
                return "Go on with the next iteration."
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return ""
        return f"{ast.unparse(statement)}."

    def _assignment(self, target: ast.expr, value: ast.expr) -> str:
        name = text_of(target)
        if called_name(value) == "tid":
            return ""
        if isinstance(value, ast.Call) and (pattern := _ATOMICS.get(called_name(value))):
            return f"Let {name} be the value before this: {_atomic(value, pattern)}."
        if isinstance(target, ast.Tuple):
            self.started.update(node.id for node in target.elts if isinstance(node, ast.Name))
        if not isinstance(target, ast.Name):
            return (
                f"Write {text_of(value)} to {name}." if isinstance(target, ast.Subscript) else f"Let {name} = {text_of(value)}."
            )
        first = "Start with" if self.assigned[target.id] > 1 else "Let"
        verb = f"Set {name} to" if target.id in self.started else f"{first} {name} ="
        self.started.add(target.id)
        return f"{verb} {text_of(value)}."

    def _sums(self, body: Sequence[ast.stmt], depth: int) -> tuple[int, list[str]] | None:
        """Return the sentences about sums that start at zero and a loop that adds to nothing else, and how many statements."""
        starts: dict[str, str] = {}
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    text_of(value) in {"0", "0.0"} and name not in self.started
                ):
                    starts[name] = name
                case ast.For(body=[*inner], orelse=[]) if starts:
                    return self._loop_of_sums(statement, inner, starts, depth)
                case _:
                    return None
        return None

    def _loop_of_sums(
        self, loop: ast.For, inner: Sequence[ast.stmt], starts: dict[str, str], depth: int
    ) -> tuple[int, list[str]] | None:
        condition = ""
        if len(inner) == 1 and isinstance(inner[0], ast.If) and not inner[0].orelse:
            condition, inner = f", where {text_of(inner[0].test)}", inner[0].body
        sums: dict[str, str] = {}
        for statement in inner:
            match statement:
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if name in starts:
                    if name in sums or any(isinstance(node, ast.Name) and node.id in starts for node in walk(value)):
                        return None
                    sums[name] = text_of(value)
                case _:
                    return None
        if sums.keys() != starts.keys():
            return None
        self.started.update(starts)
        over = f"over {text_of(loop.target)} {_range(loop.iter)}{condition}"
        return len(starts) + 1, [
            _line(
                depth,
                f"Let {name} = the number of iterations {over}."
                if value == "1"
                else f"Let {name} = the sum of {value}, {over}.",
            )
            for name, value in sums.items()
        ]


def rule_lines(body: Sequence[ast.stmt], effects: Collection[str] = ()) -> list[str]:
    """Return the rule of a function as lines of a nested list.

    Args:
        body: the statements of the function, without its docstring.
        effects: the names of functions that change arrays.
    """
    statements = substitute(body, effects)
    names = [node for statement in statements for node in walk(statement)]
    assigned = Counter(node.id for node in names if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return list(_Writer(assigned).block(statements, 0))


def _line(depth: int, text: str) -> str:
    return f"{'  ' * depth}- {text}"


def _range(iterator: ast.expr) -> str:
    """Return the values of a loop in words."""
    if called_name(iterator) != "range" or not isinstance(iterator, ast.Call):
        return f"in {text_of(iterator)}"
    ends = [text_of(argument) for argument in iterator.args]
    first, end = (["0", *ends] if len(ends) == 1 else ends)[:2]
    last = str(int(end) - 1) if end.isdecimal() else f"{end} - 1"
    if len(ends) == 3:
        return f"from {first} to before {end} in steps of {ends[2]}"
    return f"from {first} to {last}"


def _call(call: ast.Call) -> str:
    if pattern := _ATOMICS.get(called_name(call)):
        text = _atomic(call, pattern)
        return f"{text[0].upper()}{text[1:]}."
    return f"Call {text_of(call)}."


def _atomic(call: ast.Call, pattern: str) -> str:
    array, *indices, value = map(text_of, call.args)
    return pattern.format(target=f"{array}[{', '.join(indices)}]", value=value)
