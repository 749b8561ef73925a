"""Observation of Warp's launches: calls that are inserted into Warp's own functions, and removed again.

A wrapper around ``wp.launch`` would miss programs that imported the name before, and would add a frame: Warp's tape records the
caller of ``wp.launch``, and warnings name it. Here the functions themselves get another code object, compiled from their own
source with one more call, with the same file name and line numbers. All references to them stay valid.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import CodeType, FunctionType
from typing import Any, Protocol

import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.warp.private import warp_context, warp_jax, warp_types

_OBSERVER = "_warpsmith_observer"
_TOKEN = "_warpsmith_token"  # noqa: S105 - the name of a variable


class Observer(Protocol):
    """The receiver of launches. Its methods must not raise."""

    def launched(
        self, kernel: Any, dim: Any, inputs: Sequence[Any], outputs: Sequence[Any], device: Any, block_dim: int | None
    ) -> object:
        """Receive the arguments of ``wp.launch`` before the launch; the result goes to `failed` if the launch raises."""

    def command_launched(self, command: Any) -> object:
        """Receive a recorded launch before it runs; the result goes to `failed` if it raises."""

    def failed(self, token: object) -> None:
        """Receive the result of the call before a launch that raises an exception."""

    def tiled(self, block_dim: int | None) -> None:
        """Receive the block size that ``wp.launch_tiled`` requests; Warp replaces it by 1 on a CPU."""

    def grid_built(self, grid: Any, points: Any, width: float) -> None:
        """Receive the points of a hash grid, which the grid does not keep, before it is built."""

    def graph_launched(self, graph: Any) -> None:
        """Receive a recorded graph before its launches run."""


class TapeObserver(Observer, Protocol):
    """The receiver of launches and of what becomes of gradients. Its methods must not raise."""

    def adjoint_launched(self, inputs: Sequence[Any], kernel: Any) -> object:
        """Receive the inputs of an adjoint launch before it; the result goes to `completed`."""

    def completed(self, token: object) -> None:
        """Receive the result of another method after the launch or copy, failed or not."""

    def entered(self, tape: Any) -> None:
        """Receive a tape before it records."""

    def backward_started(self, tape: Any, loss: Any, grads: Any) -> object:
        """Receive the arguments of ``Tape.backward``; the result goes to `backward_finished`."""

    def backward_finished(self, token: object) -> None:
        """Receive the result of `backward_started` after the backward pass, failed or not."""

    def copied(self, dest: Any, src: Any, dest_offset: int, src_offset: int, count: int) -> object:
        """Receive the arguments of ``wp.copy`` before it; the result goes to `completed`."""

    def adjoint_copied(self, adj_dest: Any, adj_src: Any) -> object:
        """Receive the gradients of a copy before its adjoint; the result goes to `completed`."""

    def created(self, array: Any) -> Any:
        """Receive and return an array of ``wp.empty``."""

    def exposed(self, array: Any) -> None:
        """Receive an array whose contents the program sets, or may set without further notice."""


@dataclass(frozen=True, slots=True)
class _Insertion:
    """A call that is inserted into a function.

    Attributes:
        call: the call of a method of an observer; empty for none.
        guarded: whether the rest of the function is placed in a ``try`` statement that reports an exception.
        before: the text, as `ast` prints it, of the statement before which the call is inserted; empty for the first one.
        finished: a method that receives the result of the call at the end.
        returns: a method that receives the result of the function and returns it.
    """

    call: str
    guarded: bool
    before: str = ""
    finished: str = ""
    returns: str = ""


_LAUNCHED = f"{_OBSERVER}.launched(kernel, dim, inputs, outputs, device if stream is None else stream.device, block_dim)"
_LAUNCH = _Insertion(f"{_LAUNCHED} if not (adjoint or record_cmd) else None", guarded=True)
_LAUNCH_OR_ADJOINT = _Insertion(
    f"None if record_cmd else {_OBSERVER}.adjoint_launched(inputs, kernel) if adjoint else {_LAUNCHED}",
    guarded=True,
    finished="completed",
)
_COMMAND = _Insertion(f"{_OBSERVER}.command_launched(self) if not self.adjoint else None", guarded=True)
_TILED = _Insertion(f"{_OBSERVER}.tiled(kwargs.get('block_dim'))", guarded=False)
_GRID = _Insertion(f"{_OBSERVER}.grid_built(self, points, radius)", guarded=False)
_GRAPH = _Insertion(f"{_OBSERVER}.graph_launched(graph)", guarded=False)
_JAX = _Insertion(
    f"{_OBSERVER}.launched(self.kernel, launch_dims, arg_refs, (), device, block_dim)",
    guarded=False,
    before="params = [launch_bounds, *arg_refs]",  # the branch for CPUs: the memory of a GPU cannot be read during a callback
)
_ENTER = _Insertion(f"{_OBSERVER}.entered(self)", guarded=False)
_BACKWARD = _Insertion(f"{_OBSERVER}.backward_started(self, loss, grads)", guarded=False, finished="backward_finished")
_COPY = _Insertion(f"{_OBSERVER}.copied(dest, src, dest_offset, src_offset, count)", guarded=False, finished="completed")
_ADJOINT_COPY = _Insertion(f"{_OBSERVER}.adjoint_copied(adj_dest, adj_src)", guarded=False, finished="completed")
_EMPTY = _Insertion("", guarded=False, returns="created")
_EXPOSE = _Insertion(f"{_OBSERVER}.exposed(self)", guarded=False)
_EXPOSE_TORCH = _Insertion(f"{_OBSERVER}.exposed(a)", guarded=False)
_EXPOSE_DLPACK = _Insertion(f"{_OBSERVER}.exposed(wp_array)", guarded=False)


def _observed_functions() -> tuple[tuple[Any, _Insertion], ...]:
    return (
        (warp_context.launch, _LAUNCH),
        (warp_context.Launch.launch, _COMMAND),
        (warp_context.launch_tiled, _TILED),
        (warp_context.capture_launch, _GRAPH),
        (warp_types.HashGrid.build, _GRID),
        (warp_jax.FfiKernel.ffi_callback, _JAX),
    )


def _observed_functions_of_tapes() -> tuple[tuple[Any, _Insertion], ...]:
    return (
        (warp_context.launch, _LAUNCH_OR_ADJOINT),
        (warp_context.Launch.launch, replace(_COMMAND, finished="completed")),
        *_observed_functions()[2:],
        (wp.Tape.__enter__, _ENTER),
        (wp.Tape.backward, _BACKWARD),
        (warp_context.copy, _COPY),
        (warp_context.adj_copy, _ADJOINT_COPY),
        (warp_context.empty, _EMPTY),
        (wp.array.zero_, _EXPOSE),
        (wp.array.fill_, _EXPOSE),
        (vars(wp.array)["__array_interface__"].fget, _EXPOSE),  # also of wp.array.numpy
        (wp.to_torch, _EXPOSE_TORCH),
        (wp.to_dlpack, _EXPOSE_DLPACK),
    )


@contextlib.contextmanager
def observed(observer: Observer) -> Iterator[None]:
    """Report launches to ``observer`` inside the ``with`` block; one block at a time.

    A `TapeObserver` receives what becomes of gradients, too.

    Raises:
        WarpsmithError: if launches are already observed, or the source of this Warp is not available.
    """
    if hasattr(warp_context, _OBSERVER):
        raise WarpsmithError("launches are already observed: leave the other capture() block first")
    observed_functions = _observed_functions_of_tapes() if hasattr(observer, "adjoint_launched") else _observed_functions()
    functions = [(function, function.__code__, _with_call(function, call)) for function, call in observed_functions]
    for function, _, _ in functions:
        function.__globals__[_OBSERVER] = observer
    for function, _, code in functions:
        function.__code__ = code
    try:
        yield
    finally:
        for function, code, _ in functions:
            function.__code__ = code
        for function, _, _ in functions:
            function.__globals__.pop(_OBSERVER, None)


@cache
def _with_call(function: FunctionType, insertion: _Insertion) -> CodeType:
    """Return the code of a function that is not replaced yet, with one more call; all lines keep their numbers."""
    try:
        lines, first = inspect.getsourcelines(function)
    except OSError as error:
        raise WarpsmithError(f"the source of Warp's {function.__qualname__} is not available: {error}") from error
    tree = ast.parse(textwrap.dedent("".join(lines)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise WarpsmithError(f"Warp's {function.__qualname__} is not a plain function")
    definition.decorator_list = []
    block, start = _place(definition, insertion.before)
    rest = block[start:]
    report = ast.parse(f"{_TOKEN} = {insertion.call}").body if insertion.call else []
    first_statement = rest[0]
    if insertion.returns:
        rest = [_Returns(insertion.returns).visit(statement) for statement in rest]
    if insertion.guarded or insertion.finished:
        handler = f"except BaseException:\n    {_OBSERVER}.failed({_TOKEN})\n    raise\n" if insertion.guarded else ""
        end = f"finally:\n    {_OBSERVER}.{insertion.finished}({_TOKEN})" if insertion.finished else ""
        guard: Any = ast.parse(f"try:\n    pass\n{handler}{end}").body[0]
        _locate(guard, first_statement)
        guard.body = rest
        rest = [guard]
    for statement in report:
        _locate(statement, first_statement)
    block[start:] = [*report, *rest]
    ast.increment_lineno(tree, first - 1)
    module = compile(tree, function.__code__.co_filename, "exec", dont_inherit=True, flags=_future_flags(function))
    return next(code for code in module.co_consts if isinstance(code, CodeType) and code.co_name == function.__name__)


def _place(definition: ast.FunctionDef, before: str) -> tuple[list[ast.stmt], int]:
    """Return the block of statements and the index in it at which a call is inserted, see `_Insertion`."""
    if not before:
        return definition.body, int(ast.get_docstring(definition) is not None)
    for node in ast.walk(definition):
        block: Any = getattr(node, "body", None)
        for number, statement in enumerate(block if isinstance(block, list) else []):
            if ast.unparse(statement) == before:
                return block, number
    raise WarpsmithError(f"Warp's {definition.name} has no statement {before!r}")


class _Returns(ast.NodeTransformer):
    """Passes what a function returns through a method of the observer; functions inside of it stay as they are."""

    def __init__(self, method: str) -> None:
        self._method = method

    def visit_Return(self, node: ast.Return) -> ast.Return:
        """Wrap the value."""
        call: Any = ast.parse(f"{_OBSERVER}.{self._method}(None)", mode="eval").body
        for child in ast.walk(call):
            ast.copy_location(child, node)
        call.args = [node.value]
        return ast.copy_location(ast.Return(call), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Leave out inner functions."""
        return node


def _locate(node: ast.AST, at: ast.stmt) -> None:
    for child in ast.walk(node):
        if hasattr(child, "lineno") or isinstance(child, ast.expr | ast.stmt | ast.excepthandler):
            ast.copy_location(child, at)


def _future_flags(function: FunctionType) -> int:
    names = (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    return sum(flag for flag in set(names) if function.__code__.co_flags & flag)
