"""Launches and operations on arrays of host code in C."""

from __future__ import annotations

import ast

from warpsmith.core.records.launch import Argument
from warpsmith.scoring.tasks.host_expressions import dotted_path
from warpsmith.scoring.tasks.host_scope import HostScope
from warpsmith.scoring.tasks.host_values import NUMBERS, DeviceArray, Items, NotTranslated, Number, Untyped, Value

_DTYPES = {
    "float": "float32", "int": "int32", "bool": "bool", "wp.vec2": "vec2f", "wp.vec3": "vec3f", "wp.vec4": "vec4f",
    "wp.mat22": "mat22f", "wp.mat33": "mat33f", "wp.quat": "quatf",
}  # fmt: skip

FILL = "fill_array"
"""The kernel that sets all numbers of an array."""

FILL_TEXT = f"""\
template <typename T> __global__ void {FILL}(T* values, T value, int count)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = value;
}}
"""


class ArrayCode:
    """The code of launches, and of calls that make, copy or set arrays.

    Args:
        writer: receives the lines.
    """

    def __init__(self, writer: HostScope) -> None:
        self._writer = writer

    def changed(self, *arrays: DeviceArray) -> None:
        """Say that arrays may change."""
        for array in arrays:
            self._writer.interface.written(array)

    def statement(self, path: str, call: ast.Call) -> bool:
        """Write a call that stands alone; return whether it is one of those that have a form in C."""
        owner, _, name = path.rpartition(".")
        if owner == "wp" and name == "launch":
            self._launch(call)
        elif owner == "wp" and name == "copy" and len(call.args) == 2:
            self._copy(self._array(call.args[0]), self._array(call.args[1]))
        elif name in ("zero_", "fill_", "assign") and isinstance(call.func, ast.Attribute):
            self._set(self._array(call.func.value), name, call)
        else:
            return False
        return True

    def _array(self, node: ast.expr) -> DeviceArray:
        value = self._writer.value(node)
        if not isinstance(value, DeviceArray):
            raise NotTranslated("an array whose type does not show")
        return value

    def _set(self, array: DeviceArray, name: str, call: ast.Call) -> None:
        if name == "assign" and len(call.args) == 1:
            self._copy(array, self._array(call.args[0]))
        elif name == "fill_" and len(call.args) == 1:
            self._fill(array, self._writer.number(call.args[0]))
        else:
            self.changed(array)
            self._writer.emit(f"cudaMemset({array.name}, 0, {array.bytes});")

    def _fill(self, array: DeviceArray, number: Number) -> None:
        self.changed(array)
        count = f"({array.count} + 255) / 256"
        value = f"({array.ctype}){number.inner}"
        self._writer.emit(f"{FILL}<{array.ctype}><<<{count}, 256>>>({array.name}, {value}, {array.count});")

    def _copy(self, target: DeviceArray, source: DeviceArray) -> None:
        self.changed(target)
        self._writer.emit(f"cudaMemcpy({target.name}, {source.name}, {source.bytes}, cudaMemcpyDeviceToDevice);")

    # ---------------------------------------------------------------------------------------------------------- new arrays

    def made(self, path: str, call: ast.Call) -> DeviceArray | None:
        """Write a call that makes an array, and return it; None for other calls."""
        name = path.removeprefix("wp.")
        words = {word.arg: word.value for word in call.keywords}
        if not path.startswith("wp.") or name not in ("zeros", "empty", "full", "zeros_like", "empty_like", "clone"):
            return None
        if name.endswith("_like") or name == "clone":
            source = self._array(call.args[0])
            array = self._allocated(source.dtype, source.lengths)
            if name == "clone":
                self._copy(array, source)
        else:
            dtype = _dtype(words.get("dtype") or (call.args[1] if len(call.args) > 1 else None))
            shape = words.get("shape") or (call.args[0] if call.args else None)
            if dtype is None or shape is None:
                raise NotTranslated("an array of another type")
            array = self._allocated(dtype, tuple(length.inner for length in self._lengths(shape)))
            if name == "full":
                self._fill(array, self._writer.number(words.get("value") or call.args[1]))
        if name.startswith("zeros"):
            self._writer.emit(f"cudaMemset({array.name}, 0, {array.bytes});")
        return array

    def _allocated(self, dtype: str, lengths: tuple[str, ...]) -> DeviceArray:
        array = DeviceArray(self._writer.fresh("scratch"), dtype, lengths, is_given=False)
        self._writer.emit(f"{array.ctype}* {array.name};")
        self._writer.emit(f"cudaMalloc(&{array.name}, {array.bytes});")
        return array

    # ------------------------------------------------------------------------------------------------------------ launches

    def _launch(self, call: ast.Call) -> None:
        words = {word.arg: word.value for word in call.keywords if word.arg}
        words |= dict(zip(("kernel", "dim", "inputs", "outputs"), call.args, strict=False))
        kernel = dotted_path(words["kernel"]) if "kernel" in words else None
        code = self._writer.file.kernels.get(kernel or "")
        launch = code.pair.metadata.launch if code is not None else None
        if code is None or launch is None or "dim" not in words or "adj_inputs" in words:
            raise NotTranslated("a launch of something else than a kernel of the file")
        nodes = [*_elements(words.get("inputs")), *_elements(words.get("outputs"))]
        arguments = launch.args
        if len(nodes) != len(arguments):
            raise NotTranslated("a launch with other arguments")
        passed: dict[str, Value] = {}
        for node, argument in zip(nodes, arguments, strict=True):
            try:
                passed[argument.name] = self._argument(node, argument)
            except NotTranslated:
                if self._writer.is_final:
                    raise
        lengths = self._lengths(words["dim"])
        if len(lengths) != len(launch.dim):
            raise NotTranslated("a launch with other dimensions")
        self._writer.launches += 1
        if self._writer.is_final:
            self._writer.emit(code.launch(lengths, passed))

    def _lengths(self, node: ast.expr) -> list[Number]:
        value = self._writer.value(node)
        if isinstance(value, Untyped):
            return [self._writer.number(node, "int32")]
        if isinstance(value, Items):
            nodes = node.elts if isinstance(node, ast.Tuple | ast.List) else [None] * len(value.items)
            return [
                self._writer.number(part, "int32") if part is not None else self._known(item)
                for part, item in zip(nodes, value.items, strict=True)
            ]
        return [self._known(value)]

    @staticmethod
    def _known(value: Value) -> Number:
        if not isinstance(value, Number) or value.ctype != "int":
            raise NotTranslated("a length that is no whole number")
        return value

    def _argument(self, node: ast.expr, argument: Argument) -> Value:
        """Return what a kernel receives for an argument, and say which type a name has that is given."""
        value, interface = self._writer.value(node), self._writer.interface
        if argument.kind == "array" and not argument.fields:
            if isinstance(value, Untyped):
                interface.array(value.path, argument.dtype, len(argument.shape))
                value = interface.value(value.path)
            if not isinstance(value, DeviceArray) or (value.dtype, len(value.lengths)) != (argument.dtype, len(argument.shape)):
                raise NotTranslated("an argument that is no array of the type")
            if argument.role != "input":
                self.changed(value)
            return value
        if argument.kind == "value" and argument.dtype in _NUMBERS:
            if isinstance(value, Untyped):
                interface.number(value.path, "int32" if "int" in argument.dtype else _NUMBERS[argument.dtype])
            return self._writer.number(node)
        if argument.kind == "value" and not argument.fields:
            if isinstance(value, Untyped):
                interface.vector(value.path, argument.dtype)
                value = interface.value(value.path)
            if isinstance(value, DeviceArray) and (value.dtype, value.lengths) == (argument.dtype, ()):
                return value
        raise NotTranslated("an argument that is a struct, an object, or a vector that is made in the gap")


_NUMBERS = {**{name: name for name in NUMBERS}, "uint32": "int32", "int64": "int32", "uint64": "int32", "float64": "float32"}


def _elements(node: ast.expr | None) -> list[ast.expr]:
    if node is None:
        return []
    if isinstance(node, ast.Tuple | ast.List):
        return node.elts
    raise NotTranslated("a launch whose arguments are no list")


def _dtype(node: ast.expr | None) -> str | None:
    path = dotted_path(node) if node is not None else None
    if path is None:
        return None
    name = path.removeprefix("wp.")
    known = ("float32", "int32", "float64", "int64", "uint32", "vec2i", "vec3i", "vec2f", "vec3f", "vec4f", "mat22f", "mat33f")
    return _DTYPES.get(path, name if name in known else None)
