"""The kernel of a file: its signature, the index of its thread, and its statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.array_code import ArrayCode, ArrayParameter, pointer_type
from warpsmith.scoring.cuda_writer.call_code import call_writer
from warpsmith.scoring.cuda_writer.cuda_types import INT
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.function_code import Functions, line_before, new_scope, size_name
from warpsmith.scoring.cuda_writer.function_layout import function_text
from warpsmith.scoring.cuda_writer.function_scope import Scope, Variable
from warpsmith.scoring.cuda_writer.index_variables import share_indices
from warpsmith.scoring.cuda_writer.sizes.documented_sizes import documented_sizes
from warpsmith.scoring.cuda_writer.sizes.equal_sizes import EqualSizes
from warpsmith.scoring.cuda_writer.sizes.kernel_sizes import bound_of_threads, in_order, take_product, with_literal_indices
from warpsmith.scoring.cuda_writer.sizes.launch_sizes_code import Contract, Sizes, Source, size
from warpsmith.scoring.cuda_writer.sizes.size_reader import equal_sizes
from warpsmith.scoring.cuda_writer.sizes.thread_index import (
    Guard,
    Threads,
    find_guard,
    returns_in_loop,
    thread_names,
    unwrapped,
    use_flat_index,
)
from warpsmith.scoring.cuda_writer.statement_code import Statements
from warpsmith.scoring.cuda_writer.syntax.ordered_draws import with_ordered_draws
from warpsmith.scoring.cuda_writer.syntax.repeated_loads import LoadedOnce
from warpsmith.scoring.cuda_writer.text_unit import Unit
from warpsmith.scoring.plain.plain_signature import Parameter, Signature
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Struct
from warpsmith.validation.oracle.values.value_types import Type, named


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel of a text.

    Attributes:
        text: the kernel.
        signature: its interface.
        contract: what its launches fulfil.
        threads: the index of its threads.
        bounds: the number of elements in each dimension, as an expression of its parameters.
    """

    text: str
    signature: Signature
    contract: Contract
    threads: Threads
    bounds: tuple[str, ...]


@dataclass(slots=True)
class Kernel:
    """Writes a kernel.

    Attributes:
        unit: the text.
        functions: writes the helper functions that it calls.
        launch: the launch of the pair.
        values: the contents of the arguments in this launch.
    """

    unit: Unit
    functions: Functions
    launch: Launch
    values: Mapping[str, Any]
    _sizes: Sizes = field(init=False)
    _equal: EqualSizes = field(init=False)
    _arrays: dict[str, ArrayParameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._sizes = Sizes(self.launch, self.unit.idioms.shares_sizes, self.values)

    def write(self, name: str) -> KernelText:
        """Return the text of the kernel with a name.

        Raises:
            Unsupported: naming the first construct that is not supported.
        """
        node = self.unit.module.kernels.get(name)
        if node is None or len(node.args.args) != len(self.launch.args):
            raise Unsupported(f"the kernel {name!r}")
        shown, node = self.functions.name_of(name), with_ordered_draws(node)
        body = unwrapped(
            [part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
        )
        body = self._loaded_once(node, body)
        scope = new_scope(self.unit, node, body, self.functions.name_of)
        scope.taken.add(shown)
        for parameter, argument in zip(node.args.args, self.launch.args, strict=True):
            self._argument(scope, parameter, argument)
        tables = {name for name, array in scope.arrays.items() if array.parameter.dimensions == 2}
        self._sizes.literal = with_literal_indices(node, tables)
        threads = self._threads(scope, node, body)
        self._body(scope, node, body, threads)
        signature = self._signature(shown, scope, threads)
        linkage = 'extern "C" ' if self.unit.idioms.extern else ""
        opening = f"{linkage}__global__ void {shown}"
        texts = [self._declared(parameter) for parameter in signature.parameters]
        text = function_text(self.unit, node, opening, texts, scope)
        contract = replace(self._sizes.contract, at_least=tuple(threads.contract))
        return KernelText(text, signature, contract, threads, tuple(bound for bound, _ in self._sizes.bounds))

    def _loaded_once(self, node: ast.FunctionDef, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Return the statements, with variables for the elements that several of them read."""
        arguments = zip(node.args.args, self.launch.args, strict=True)
        arrays = {parameter.arg: argument for parameter, argument in arguments if argument.kind == "array"}
        kinds = {name: named(argument.dtype) for name, argument in arrays.items() if not argument.fields}
        known = {name: (len(arrays[name].shape), not kind.shape) for name, kind in kinds.items() if isinstance(kind, Type)}
        return LoadedOnce(known, frozenset(arrays), frozenset(self.unit.module.functions)).body(body)

    def _argument(self, scope: Scope, parameter: ast.arg, argument: Argument) -> None:
        if argument.kind == "struct" and any(member.kind != "value" or member.fields for member in argument.fields):
            self._members(scope, parameter.arg, argument)
            return
        shown = scope.new_name(parameter.arg)
        scope.shown[argument.name] = shown
        kind = self._kind(parameter, argument)
        if argument.kind == "array":
            self._array(scope, parameter.arg, argument.name, argument, kind)
        elif argument.kind in ("value", "struct"):
            scope.variables[parameter.arg] = Variable(shown, kind)
        else:
            raise Unsupported(f"an argument that is a {argument.kind}")

    def _array(self, scope: Scope, name: str, leaf: str, argument: Argument, kind: Type | Struct) -> None:
        shown, dimensions = scope.shown[leaf], len(argument.shape)
        parameter = ArrayParameter(shown, kind, dimensions, lambda axis: self._size_name(scope, leaf, axis))
        self._arrays[leaf] = parameter
        scope.arrays[name] = ArrayCode(parameter, shown)

    def _members(self, scope: Scope, name: str, argument: Argument) -> None:
        """Add the members of a struct of arrays as parameters."""
        for member in argument.fields:
            leaf = f"{argument.name}.{member.name}"
            known = named(member.dtype)
            if known is None or member.fields or member.kind not in ("array", "value"):
                raise Unsupported(f"the member {leaf!r}")
            shown = scope.new_name(member.name)
            scope.shown[leaf] = shown
            if member.kind == "array":
                self._array(scope, f"{name}.{member.name}", leaf, member, known)
            else:
                scope.variables[f"{name}.{member.name}"] = Variable(shown, known)

    def _size_name(self, scope: Scope, array: str, axis: int) -> str:
        def new_name() -> str:
            shown = scope.shown[array]
            dimensions = {name: each.dimensions for name, each in self._arrays.items()}
            name = self._equal.name_of((array, axis), dimensions) if self._sizes.shares else ""
            if not name or name in scope.taken:
                name = size_name(shown, axis, self._arrays[array].dimensions)
            return scope.new_name(name)

        return self._sizes.named(array, axis, new_name)

    def _kind(self, parameter: ast.arg, argument: Argument) -> Type | Struct:
        if argument.fields:
            annotation = parameter.annotation
            kind = None if annotation is None else self.unit.module.member_type(annotation)
            found = getattr(kind, "element", kind)
            if isinstance(found, Struct):
                return found
            raise Unsupported(f"the struct {argument.dtype}")
        known = named(argument.dtype)
        if known is None:
            raise Unsupported(f"the type {argument.dtype}")
        return known

    # ------------------------------------------------------------------------------------------------------------ threads

    def _threads(self, scope: Scope, node: ast.FunctionDef, body: Sequence[ast.stmt]) -> Threads:
        first = body[0] if body else None
        calls = [part for statement in body for part in walk(statement) if self._is_tid(part)]
        names = thread_names(first, calls, len(self.launch.dim))
        idioms = self.unit.idioms
        strides = idioms.strides and not returns_in_loop(body) and (len(names) < 3 or idioms.flat or idioms.nested_strides)
        self._read_sizes(scope, node, body, names)
        plain = Threads(tuple(names), strides, False, Guard())
        self._equal.name_threads([plain.size_name(number) for number in range(len(names))])
        guard = find_guard(body[1:], names, self.launch, self.values, scope) if names else Guard()
        is_flat = len(names) > 1 and (idioms.flat or len(names) > 3)
        threads = Threads(tuple(names), strides, is_flat, guard)
        for dimension, name in enumerate(names):
            shown = scope.variable(name)
            shown.kind = INT
            for declared in scope.placement.declares.values():
                declared.discard(name)
            if scope.placement.stores.get(name, 1) != 1:
                raise Unsupported("a coordinate of the thread that changes")
            bound = guard.bounds.get(dimension) or bound_of_threads(self._sizes, threads.size_name(dimension), dimension)
            if bound is None and take_product(self._sizes, self._equal, scope, dimension):
                continue
            if bound is None:
                size = scope.new_name(self._equal.thread_sizes[dimension])
                self._sizes.parameters[size] = ("", dimension)
                self._sizes.bounds.append((size, ("", dimension)))
            else:
                self._sizes.bounds.append((bound.text, bound.source))
                threads.contract.append((dimension, bound.source))
        scope.coordinates = list(names)
        return threads

    def _read_sizes(self, scope: Scope, node: ast.FunctionDef, body: Sequence[ast.stmt], names: Sequence[str]) -> None:
        """Find the sizes that are equal."""
        stores = scope.placement.stores
        counts = {name: each.name for name, each in scope.variables.items() if each.kind == INT and name not in stores}

        def length(source: Source) -> int | None:
            is_known = source[1] != -1 or source[0] in counts
            return size(source, self.launch, self.values) if is_known else None

        module = self.unit.module
        constants = {name: value for name, value in module.constants.items() if type(value) is int and value > 1}
        tables = {name: array.parameter.dimensions for name, array in scope.arrays.items()}
        documented = documented_sizes(node, self.unit.comments, tables)
        self._equal = equal_sizes(body, tables, list(counts), constants, names, stores, length, module.functions, documented)
        self._sizes.constant = lambda name: self.unit.constant(ast.Name(name)).text
        self._sizes.counts, self._sizes.equal_to = counts, self._equal.of

    def _is_tid(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and self.unit.module.member(node.func) == "tid"

    def _body(self, scope: Scope, node: ast.FunctionDef, body: Sequence[ast.stmt], threads: Threads) -> None:
        expressions = Expressions(scope, call_writer(self.functions.call))
        statements = Statements(scope, expressions)
        first, rest = body[0], list(body[1:])
        statements.last_line = line_before(node, first)
        for comment in self.unit.comments.alone(statements.last_line + 1, first.lineno - 1):
            scope.emit(f"// {comment.text}")
        bounds = [text for text, _ in self._sizes.bounds]
        shown = [scope.variable(name).name for name in threads.names]
        depth = threads.open(scope, shown, bounds)
        statements.last_line = first.end_lineno or first.lineno
        if remark := self.unit.comments.behind(first.lineno, statements.last_line):
            scope.lines[-1].text += f"  // {remark}"
        statements.skipped |= {id(statement) for statement in threads.guard.statements}
        leave = "continue;" if threads.strides else "return;"
        scope.returns = lambda found: self._leave(scope, leave, found is body[-1])
        if not rest:
            raise Unsupported("a kernel without statements")
        if not scope.lines[-1].text.endswith("{"):
            scope.emit("")
        statements.block(rest, node.end_lineno or rest[-1].lineno)
        use_flat_index(scope, shown, bounds)
        share_indices(scope, shown, is_constant=self.unit.idioms.const_locals)
        while scope.lines[-1].text == "":
            scope.lines.pop()
        while scope.depth > depth:
            scope.depth -= 1
            scope.emit("}")

    @staticmethod
    def _leave(scope: Scope, text: str, is_last: bool) -> None:
        if not is_last:
            scope.emit(text)

    # ---------------------------------------------------------------------------------------------------------- signature

    def _signature(self, name: str, scope: Scope, threads: Threads) -> Signature:
        parameters = []
        for leaf in scope.shown:
            if leaf in self._arrays:
                array = self._arrays[leaf]
                ctype = self._pointed(array)
                parameters.append(Parameter(array.name, f"{'' if array.is_written else 'const '}{ctype}*", leaf))
            else:
                variable = scope.variables[leaf]
                ctype = self.unit.name_of_type(variable.kind) if variable.kind is not None else ""
                parameters.append(Parameter(variable.name, ctype, leaf))
        used = set(re.findall(r"\w+", " ".join(line.text for line in scope.lines)))
        sizes = [Parameter(size, "int", *source) for size, source in self._sizes.parameters.items() if size in used]
        ordered = in_order(parameters, sizes, self._is_size, sizes_first=self.unit.idioms.sizes_first)
        return Signature(name, ordered, {}, len(threads.names), is_flat=threads.is_flat, strides=threads.strides)

    def _is_size(self, name: str) -> bool:
        return len(self._equal.of((name, -1))) > 1 or any(source == (name, -1) for _, source in self._sizes.bounds)

    def _pointed(self, array: ArrayParameter) -> str:
        if isinstance(array.element, Struct):
            return self.unit.name_of_type(array.element)
        return pointer_type(self.unit.library, array.element, self.unit.idioms.components)

    def _declared(self, parameter: Parameter) -> str:
        if parameter.ctype.endswith("*") and self.unit.idioms.restrict:
            return f"{parameter.ctype} __restrict__ {parameter.name}"
        return f"{parameter.ctype} {parameter.name}"
