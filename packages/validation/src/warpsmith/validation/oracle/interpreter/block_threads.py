"""Runs kernels whose threads wait for each other at tiles, one block after another.

A block whose threads all have the same variables runs as one thread. Otherwise every thread has separate variables, and the
block runs one statement after another: a statement without tiles runs once for each thread, and a statement with tiles once for
the block. Calls that take one value of each thread, such as ``tile`` and ``untile``, receive the values of all threads.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.oracle.builtins.block_builtins import PER_THREAD
from warpsmith.validation.oracle.builtins.builtin_table import NAMED
from warpsmith.validation.oracle.interpreter.closures import Code
from warpsmith.validation.oracle.interpreter.jumps import Step
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.interpreter.named_call_closures import NamedCalls
from warpsmith.validation.oracle.interpreter.statement_closures import Statements
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.moving_values import is_tile, value_of
from warpsmith.validation.oracle.values.value_types import Moving, Value

Threads = Sequence[tuple[Value, ...]]
_FIXED = frozenset({"dtype", "op", "storage", "fill_mode", "precision", "shape"})
"""The parameters whose arguments are no values, or constants."""

BlockStep = Callable[[list[Frame], Threads], None]


def uses_tiles(module: Module, node: ast.AST) -> bool:
    """Return whether a kernel calls builtins of tiles."""
    return any(_is_tile_call(module, part) for part in walk(node))


def _name(module: Module, node: ast.AST) -> str:
    return module.member(node.func) if isinstance(node, ast.Call) else ""


def _is_tile_call(module: Module, node: ast.AST) -> bool:
    name = _name(module, node)
    return name in PER_THREAD or (name in NAMED and ("tile" in name))


def is_uniform(module: Module, node: ast.FunctionDef, dim: tuple[int, ...], block: int) -> bool:
    """Return whether all threads of a block have the same variables: no thread reads its place in the block, or adds to arrays.

    Raises:
        Unsupported: if the launch has no whole blocks.
    """
    if math.prod(dim) % block:
        raise Unsupported(f"a launch of {math.prod(dim)} threads in blocks of {block}")
    alone = any(_name(module, part) in PER_THREAD or _name(module, part).startswith("atomic_") for part in walk(node))
    return not alone and dim[-1] == block and _coordinates(module, node) < len(dim)


def _coordinates(module: Module, node: ast.FunctionDef) -> int:
    """Return how many thread coordinates a kernel reads."""
    assigned = [part.targets[0] for part in walk(node) if isinstance(part, ast.Assign) and _name(module, part.value) == "tid"]
    calls = sum(_name(module, part) == "tid" for part in walk(node))
    counts = [len(target.elts) if isinstance(target, ast.Tuple) else 1 for target in assigned]
    return max(counts, default=0) if len(counts) == calls else 4


@dataclass(slots=True)
class BlockCompiler:
    """Compiles the statements of a kernel to steps for a block."""

    statements: Statements
    count: int = 0
    names: dict[str, None] = field(default_factory=dict)

    def block(self, nodes: Sequence[ast.stmt]) -> BlockStep:
        """Return a step that runs statements in order."""
        steps = [self._statement(statement) for node in nodes for statement in self._hoisted(node)]

        def go(frames: list[Frame], threads: Threads) -> None:
            for step in steps:
                step(frames, threads)

        return go

    @property
    def _module(self) -> Module:
        return self.statements.expressions.module

    # ------------------------------------------------------------------------------------------------------ preparation

    def _hoisted(self, node: ast.stmt) -> Iterator[ast.stmt]:
        """Yield a statement after assignments of the calls with tiles that it contains."""
        before: list[ast.stmt] = []
        if isinstance(node, ast.If):
            node.test = self._without(node.test, before)
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.AnnAssign)) and node.value is not None:
            direct = _assigns_names(node) and _is_tile_call(self._module, node.value)
            if direct and isinstance(node.value, ast.Call):
                node.value.args = [self._without(argument, before) for argument in node.value.args]
            else:
                node.value = self._without(node.value, before)
        elif not isinstance(node, ast.For) and uses_tiles(self._module, node):
            raise Unsupported(f"tiles in a {type(node).__name__} statement of threads with variables of their own")
        yield from before
        yield node

    def _without(self, node: ast.expr, before: list[ast.stmt]) -> ast.expr:
        return _Hoist(self, before).visit(node)  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------------------------------- statements

    def _statement(self, node: ast.stmt) -> BlockStep:
        call = node.value if isinstance(node, (ast.Assign, ast.Expr)) else None
        if isinstance(call, ast.Call) and _name(self._module, call) in PER_THREAD:
            return self._per_thread(node, call)
        if isinstance(node, ast.If) and uses_tiles(self._module, node):
            return self._if(node)
        if isinstance(node, ast.For) and uses_tiles(self._module, node):
            return self._for(node)
        step, loaded = self.statements.block([node]), _names(node, ast.Load)
        stored = _names(node, ast.Store) | self._written(node)
        if isinstance(call, ast.Call) and _is_tile_call(self._module, call):
            return self._together(step, call, stored)
        local = self.statements.expressions.local | self.names.keys()
        parts = {name: self.statements.expressions.code(ast.Name(name, ast.Load())) for name in sorted(loaded & local)}
        by_element = _read_by_element(node)

        def run(frames: list[Frame], threads: Threads) -> None:
            first = frames[0]
            tiles = {name for name in parts.keys() | stored if is_tile(first.get(name))}
            if any(name not in by_element or len(value_of(first[name]).shape) > 1 for name in tiles):
                self._check_equal([part for name, part in parts.items() if name in first], frames, threads)
                self._once(step, frames, threads, stored)
            else:
                self._each(step, frames, threads)

        return run

    def _written(self, node: ast.stmt) -> set[str]:
        """Return the variables that builtins in a statement assign."""
        calls = [part for part in walk(node) if _name(self._module, part) in NAMED]
        bound = [(NAMED[_name(self._module, call)], call) for call in calls if isinstance(call, ast.Call)]
        pairs = [(builtin, pair) for builtin, call in bound for pair in builtin.bound("a builtin", call)]
        return {node.id for builtin, (name, node) in pairs if name in builtin.writes and isinstance(node, ast.Name)}

    def _each(self, step: Step, frames: list[Frame], threads: Threads) -> None:
        run = self.statements.expressions.run
        for frame, thread in zip(frames, threads, strict=True):
            run.thread = thread
            if step(frame) is not None:
                raise Unsupported("a jump of some threads before tiles of all")

    def _together(self, step: Step, call: ast.Call, stored: set[str]) -> BlockStep:
        """Compile a call that all threads make with the same arguments."""
        bound = NAMED[_name(self._module, call)].bound("a builtin", call)
        kept = [node for name, node in bound if node is not None and name not in _FIXED]
        parts = [self.statements.expressions.code(node) for node in kept]

        def run(frames: list[Frame], threads: Threads) -> None:
            self._check_equal(parts, frames, threads)
            self._once(step, frames, threads, stored)

        return run

    def _check_equal(self, parts: Sequence[Code], frames: list[Frame], threads: Threads) -> None:
        """Check that values are the same for all threads; every thread has the same tiles."""
        run = self.statements.expressions.run
        for part in parts:
            found = set()
            for frame, thread in zip(frames, threads, strict=True):
                run.thread = thread
                value = part(frame)
                if is_tile(value):
                    break
                found.add(_key(value))
            if len(found) > 1:
                raise Unsupported("values that differ between threads in a statement with tiles")

    def _once(self, step: Step, frames: list[Frame], threads: Threads, stored: set[str]) -> None:
        first, *remaining = frames
        self.statements.expressions.run.thread = threads[0]
        if step(first) is not None:
            raise Unsupported("a jump at tiles")
        for name in stored & first.keys():
            for frame in remaining:
                frame[name] = first[name]

    def _per_thread(self, node: ast.stmt, call: ast.Call) -> BlockStep:
        """Compile a call that takes values of all threads, and may give each thread a value."""
        name = _name(self._module, call)
        entry, run = PER_THREAD[name], self.statements.expressions.run
        calls = NamedCalls(self.statements.expressions)
        arguments = [calls.argument(parameter, argument) for parameter, argument in entry.bound(name, call)]
        targets = node.targets[0] if isinstance(node, ast.Assign) else None
        names = [part.id for part in walk(targets) if isinstance(part, ast.Name)] if targets is not None else []

        def go(frames: list[Frame], threads: Threads) -> None:
            rows = []
            for frame, thread in zip(frames, threads, strict=True):
                run.thread = thread
                rows.append([argument(frame) for argument in arguments])
            row = entry.row if run.moving is None else run.moving(name, entry.row)
            for frame, result in zip(frames, row(*zip(*rows, strict=True)), strict=True):
                values = result if isinstance(targets, ast.Tuple) else (result,)
                frame.update(zip(names, values, strict=False))

        return go

    def _if(self, node: ast.If) -> BlockStep:
        condition, body, orelse = self.statements.expressions.code(node.test), self.block(node.body), self.block(node.orelse)
        run = self.statements.expressions.run

        def choose(frames: list[Frame], threads: Threads) -> None:
            taken = set()
            for frame, thread in zip(frames, threads, strict=True):
                run.thread = thread
                taken.add(bool(condition(frame)))
            if len(taken) > 1:
                raise Unsupported("tiles in a branch that some threads take")
            (body if taken.pop() else orelse)(frames, threads)

        return choose

    def _for(self, node: ast.For) -> BlockStep:
        call, target = node.iter, node.target
        if not isinstance(call, ast.Call) or not isinstance(target, ast.Name) or node.orelse or not 1 <= len(call.args) <= 3:
            raise Unsupported("tiles in a for loop that is not over a range")
        bounds, body, name = [self.statements.expressions.code(bound) for bound in call.args], self.block(node.body), target.id

        def loop(frames: list[Frame], threads: Threads) -> None:
            ends = {tuple(int(bound(frame)) for bound in bounds) for frame in frames}
            if len(ends) > 1:
                raise Unsupported("tiles in a loop that differs between threads")
            for counter in range(*ends.pop()):
                for frame in frames:
                    frame[name] = np.int32(counter)
                body(frames, threads)

        return loop


class _Hoist(ast.NodeTransformer):
    """Replaces calls with tiles by variables, which assignments before the statement give a value."""

    def __init__(self, compiler: BlockCompiler, before: list[ast.stmt]) -> None:
        self.compiler, self.before = compiler, before

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Return the variable for a call, or the call."""
        self.generic_visit(node)
        if not _is_tile_call(self.compiler._module, node):  # noqa: SLF001 - a part of the compiler
            return node
        name = f"{len(self.compiler.names)} of tiles"  # no name of Python
        self.compiler.names[name] = None
        self.before.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return ast.Name(name, ast.Load())


def _assigns_names(node: ast.stmt) -> bool:
    """Return whether a statement assigns variables only, or nothing."""
    parts = [part for target in getattr(node, "targets", []) for part in getattr(target, "elts", [target])]
    return isinstance(node, (ast.Assign, ast.Expr)) and all(isinstance(part, ast.Name) for part in parts)


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, context)}


def _read_by_element(node: ast.AST) -> set[str]:
    """Return the variables that a statement uses only as ``name[…]``, and does not assign: a thread reads an element alone."""
    elements = [
        part.value.id
        for part in ast.walk(node)
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and isinstance(part.value, ast.Name)
    ]
    every = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    return {name for name in elements if elements.count(name) == every.count(name)}


def _key(value: Value) -> object:
    """Return what equal values have in common; structs and arrays of the launch count as equal if they are the same object."""
    if isinstance(value, np.generic):
        return value.dtype, value.tobytes()
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.shape, value.tobytes()
    if type(value) is Moving:
        return _key(value.value), _key(value.tangent)
    return tuple(map(_key, value)) if isinstance(value, tuple) else id(value)


def block_threads(dim: tuple[int, ...], block: int) -> Iterator[list[tuple[Value, ...]]]:
    """Yield the threads of each block."""
    every = itertools.product(*(range(length) for length in dim))
    while threads := list(itertools.islice(every, block)):
        yield [tuple(np.int32(coordinate) for coordinate in (*thread, 0, 0, 0)[:4]) for thread in threads]
