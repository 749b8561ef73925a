"""Interprets the Python of a kernel with closures over NumPy values.

All threads run together where that leaves what the threads leave one after another: no thread reads what another one writes.
Otherwise, and if anything goes wrong, the threads run one after another.

The interpreter follows the documentation and behaviour of Warp's language and shares no code with Warp's generator, so that
agreement of the two is independent evidence. The source is only read as a syntax tree: names are looked up in tables, never in
Python objects, and an endless loop ends when the allowed steps are used up.

Limitation: Warp reads an array element in an expression when the operation happens, so that a write by a later operand is
visible; the interpreter reads operands from left to right.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.oracle.builtins.builtin_table import UFUNCS
from warpsmith.validation.oracle.interpreter.argument_values import kernel_value, result_arrays
from warpsmith.validation.oracle.interpreter.block_threads import BlockCompiler, block_threads, is_uniform, uses_tiles
from warpsmith.validation.oracle.interpreter.closures import Code, Run
from warpsmith.validation.oracle.interpreter.constants import Constants, constants_of
from warpsmith.validation.oracle.interpreter.expression_closures import Expressions
from warpsmith.validation.oracle.interpreter.file_definitions import read_module
from warpsmith.validation.oracle.interpreter.jumps import Jump, Step
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.interpreter.statement_closures import Statements
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Undefined, Unsupported
from warpsmith.validation.oracle.values.lanes import FEWEST
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import PRECISION, Value

STEPS = 2_000_000
"""The number of statements that a launch may run, which takes a few seconds."""

BLOCK = 256
"""The number of threads in a block, unless a module option says otherwise."""

DEPTH = 32
"""The largest depth of nested calls; Warp does not support recursion."""


def interpret(
    source: str,
    kernel_name: str,
    launch: Launch,
    values: Mapping[str, Values],
    steps: int = STEPS,
    block: int = BLOCK,
    any_undefined: bool = False,
) -> dict[str, Values]:
    """Run a kernel forward and return the final content of every array argument by name.

    Args:
        source: a whole Python file that defines the kernel; it is parsed, never executed.
        kernel_name: the name of the kernel.
        launch: the shape and arguments, as in a pair's ``launch``.
        values: the values of every argument by name, as `warpsmith.core.inputs.values.make_inputs` returns them: arrays with
            the shape of the argument followed by the element shape, and members of structs by leaf, such as ``body.mass``.
            A struct whose members the launch does not list is a structured array. The values are not changed.
        steps: the number of statements that all threads together may run.
        block: the number of threads that share tiles.
        any_undefined: raise what any thread leaves undefined, also if an earlier thread has another problem; this is faster.

    Raises:
        Unsupported: naming the first construct or builtin that is not supported.
        Undefined: if the kernel has behaviour that C leaves undefined, such as reading beyond an array or dividing by zero.
        Exhausted: after ``steps`` statements.
    """
    try:
        with np.errstate(all="ignore"):
            CHOICES.start()
            arguments = compiler_of(source), kernel_name, launch, values, steps, block, any_undefined
            results = run_kernel(*arguments)
            if CHOICES.used:
                CHOICES.start(other=True)
                if disagreement(run_kernel(*arguments), results, CHOICES.roughness):
                    raise Unsupported("results that depend on what Warp leaves open, such as the order of a query")
            return results
    except RecursionError:
        raise Exhausted("calls too deep inside one another") from None


def run_kernel(
    compiler: Compiler, kernel_name: str, launch: Launch, values: Any, steps: int, block: int, any_undefined: bool = False
) -> dict[str, Value]:
    """Run a kernel, all threads together where that is possible; see `interpret`."""
    node = compiler.module.kernels.get(kernel_name)
    if node is None:
        raise Unsupported(f"a source without a kernel {kernel_name!r}")
    if parameters_of(node) != [argument.name for argument in launch.args]:
        raise Unsupported("a launch whose arguments are not those of the kernel")
    if not 1 <= len(launch.dim) <= 4 or (count := math.prod(launch.dim)) > steps:
        raise Exhausted(f"a launch of shape {launch.dim}")
    if count >= FEWEST and compiler.may_run_together(node):
        try:
            return compiler.results(node, launch, values, steps, block, Accesses(np.arange(count)))
        except Undefined:  # only the threads in their order show whether it is the first problem
            if any_undefined:
                raise
        except Exception:  # noqa: BLE001 - the threads run in their order, which raises every error again
            compiler.apart.add(node)
        CHOICES.start(other=CHOICES.other)
    return compiler.results(node, launch, values, steps // compiler.cost_apart, block)


@lru_cache(maxsize=512)
def compiler_of(source: str) -> Compiler:
    """Return the compiler of a source; its code serves all launches, one after another."""
    return Compiler(read_module(source), Run(0), "tile" in source)


@dataclass(slots=True)
class Compiler:
    """Compiles each function once.

    Attributes:
        module: the definitions of the file.
        run: the state of the launch.
        has_tiles: whether the source mentions tiles.
        compiled: the bodies of functions.
        tiles: whether kernels use tiles.
        apart: the kernels whose threads cannot run together.
        cost_apart: how many steps a statement counts for if threads run one after another.
    """

    module: Module
    run: Run
    has_tiles: bool = True
    compiled: dict[ast.FunctionDef, Step] = field(default_factory=dict)
    tiles: dict[ast.FunctionDef, bool] = field(default_factory=dict)
    apart: set[ast.FunctionDef] = field(default_factory=set)
    cost_apart: int = 1

    def results(
        self,
        node: ast.FunctionDef,
        launch: Launch,
        values: Any,
        steps: int,
        block: int,
        accesses: Accesses | None = None,
    ) -> dict[str, Value]:
        """Run a kernel and return the final content of its arrays; see `interpret` for the arguments and errors.

        With ``accesses``, all threads run together.

        Raises:
            Apart: if the threads have to run one after another.
        """
        self.run.steps, self.run.block, self.run.depth = steps, block, 0
        self.run.accesses, self.run.dim = accesses, (*launch.dim, 1, 1, 1)[:4]
        arguments = self.arguments(launch, values, accesses)
        if accesses is None:
            self._launch(node, launch.dim, arguments)
        else:
            self.body(node)(Frame(arguments))
            accesses.finish(UFUNCS)
        return self.contents(launch, arguments)

    def arguments(self, launch: Launch, values: Any, accesses: Accesses | None) -> dict[str, Value]:
        """Return the arguments of a launch by name, from the values of its leaves."""
        return {spec.name: kernel_value(spec, spec.name, values, self.module, accesses) for spec in launch.args}

    def contents(self, launch: Launch, arguments: Mapping[str, Value]) -> dict[str, Value]:
        """Return the contents of the arrays of a launch by leaf."""
        return {name: array for spec in launch.args for name, array in result_arrays(spec, spec.name, arguments[spec.name])}

    def _launch(self, node: ast.FunctionDef, dim: tuple[int, ...], arguments: dict[str, Value]) -> None:
        """Run every thread in order, or every block of threads if they share tiles."""
        if not self._uses_tiles(node):
            body = self.body(node)
            for coordinates in itertools.product(*(range(length) for length in dim)):
                self.run.thread = tuple([np.int32(coordinate) for coordinate in (*coordinates, 0, 0, 0)[:4]])
                body(Frame(arguments))
            return
        if is_uniform(self.module, node, dim, self.run.block):
            body = self.body(node)
            for threads in block_threads(dim, self.run.block):
                self.run.thread = threads[0]
                body(Frame(arguments))
            return
        steps = BlockCompiler(Statements(self._expressions(node))).block(copy.deepcopy(node.body))
        for threads in block_threads(dim, self.run.block):
            steps([Frame(arguments) for _ in threads], threads)

    def may_run_together(self, node: ast.FunctionDef) -> bool:
        """Return whether the threads of a kernel may run together: they share no tiles, and did not fail to do so before."""
        return node not in self.apart and not self._uses_tiles(node)

    def _uses_tiles(self, node: ast.FunctionDef) -> bool:
        if node not in self.tiles:
            self.tiles[node] = self.has_tiles and uses_tiles(self.module, node)
        return self.tiles[node]

    def body(self, node: ast.FunctionDef) -> Step:
        """Return a closure that runs the body of ``node`` in a frame that contains its arguments."""
        if node not in self.compiled:
            self.compiled[node] = Statements(self._expressions(node)).block(node.body)
        return self.compiled[node]

    def _expressions(self, node: ast.FunctionDef) -> Expressions:
        return Expressions(constants_of(self.module, node), self.run, self.call)

    def call(self, name: str, arguments: list[Code], named_arguments: dict[str, Code]) -> Code:
        """Return a closure that calls the helper function ``name``."""
        candidates = [
            (node, order)
            for node in self.module.functions[name]
            if (order := self._bound(node, arguments, named_arguments)) is not None
        ]
        if not candidates:
            raise Unsupported(f"{name!r} with {len(arguments) + len(named_arguments)} arguments")
        if len(candidates) == 1:
            return self._direct_call(*candidates[0])

        def accepting(frame: Frame) -> Iterator[tuple[ast.FunctionDef, list[Value]]]:
            evaluated: dict[Code, Value] = {}  # each argument once, although several candidates use it
            for node, order in candidates:
                for code in order:
                    if code not in evaluated:
                        evaluated[code] = code(frame)
                values = [evaluated[code] for code in order]
                if self._accepts(node, values):
                    yield node, values

        def call_function(frame: Frame) -> Value:
            fitting = accepting(frame)
            for node, values in fitting:
                if PRECISION.is_double and next(fitting, None) is not None:
                    raise Unsupported(f"overloads of {name!r} that may differ in the precision of their parameters only")
                return self._result(node, Frame(zip(parameters_of(node), values, strict=True)))
            raise Unsupported(f"{name!r} for these types")

        return call_function

    def _direct_call(self, node: ast.FunctionDef, order: list[Code]) -> Code:
        """Return a closure that calls a helper function without overloads."""
        parameters = list(zip(parameters_of(node), order, strict=True))
        return lambda frame: self._result(node, Frame([(name, code(frame)) for name, code in parameters]))

    def _result(self, node: ast.FunctionDef, frame: Frame) -> Value:
        run = self.run
        if run.depth >= DEPTH:
            raise Exhausted("calls too deep inside one another")
        run.depth += 1
        outcome = self.body(node)(frame)
        run.depth -= 1
        if outcome is not None:
            return outcome.value if isinstance(outcome, Jump) else outcome.value()
        if any(isinstance(part, ast.Return) and part.value is not None for part in walk(node)):
            raise Unsupported(f"{node.name!r} that ends without its value")
        return None

    def _bound(self, node: ast.FunctionDef, arguments: list[Code], named_arguments: dict[str, Code]) -> list[Code] | None:
        """Return arguments and defaults in the order of parameters, or None if they do not match."""
        names = parameters_of(node)
        bound = dict(zip(names, arguments, strict=False))
        if len(arguments) > len(names) or bound.keys() & named_arguments.keys():
            return None
        defaults = node.args.defaults
        constant = Expressions(Constants(self.module, frozenset(), {}), self.run, self.call)
        filled = {
            name: constant.code(default) for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True)
        }
        filled |= bound | named_arguments
        return [filled[name] for name in names] if filled.keys() == set(names) else None

    def _accepts(self, node: ast.FunctionDef, values: list[Value]) -> bool:
        types = [self.module.type_of(argument.annotation) for argument in node.args.args]
        return all(expected is None or expected.holds(value) for expected, value in zip(types, values, strict=True))


def parameters_of(node: ast.FunctionDef) -> list[str]:
    """Return the names of a function's parameters.

    Raises:
        Unsupported: if they are not plain.
    """
    parameters = node.args
    if parameters.posonlyargs or parameters.kwonlyargs or parameters.vararg or parameters.kwarg:
        raise Unsupported(f"{node.name!r} with parameters that are not plain")
    return [argument.arg for argument in parameters.args]
