"""Assemble the program of one direction of a kernel: calls of compiled statements, copies and jumps, with absolute addresses.

All variables of a program have places in one frame of memory, which programs use one after another. A call of a helper function
is replaced by the function's steps: parameters by reference are the caller's variables, and its own variables get new places.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping

from warpsmith.validation.calls.program_plan import COPY, END, GO, IF, IMAGE, RUN, UNLESS, Instruction, Place, Plan
from warpsmith.validation.calls.statement_table import CONDITION, LARGEST, NO_RESULT, THREAD, Signature, TypeInfo
from warpsmith.validation.calls.steps import Body, Function, Kernel, Statement, Step, Unfit, Variable
from warpsmith.validation.compiling.unset import PATTERNS

FRAME = 1 << 20
"""The bytes of the frame, as in ``machine.cpp``."""

_ALIGNMENT = 16

_CALL = re.compile(r"(?:(\$) = )?(\w+)\((\$(?:, \$)*)?\)")
"""A statement that calls a helper function."""

_CODES = {
    "wp::float32": "f", "wp::float64": "d", "wp::int8": "b", "wp::uint8": "B", "wp::int16": "h", "wp::uint16": "H",
    "wp::int32": "i", "wp::uint32": "I", "wp::int64": "q", "wp::uint64": "Q", "bool": "?",
}  # fmt: skip
"""The types that constants may have, with their letters in the module ``struct``."""


def types_of(kernel: Kernel) -> set[str]:
    """Return the types of all variables of a kernel and of its helper functions."""
    types = {ctype for ctype, _ in kernel.fields} | {bounds_type(kernel), "size_t", "bool"}
    for body in (kernel.body, *(function.body for function in kernel.functions.values())):
        types |= {variable.type for variable in body.variables}
    for function in kernel.functions.values():
        types |= {parameter.type for parameter in function.parameters}
    return types


def bounds_type(kernel: Kernel) -> str:
    """Return the type of the bounds of a launch."""
    return f"wp::launch_bounds_t<{kernel.dimensions}>"


def plan(kernel: Kernel, backward: bool, types: Mapping[str, TypeInfo], links_values: bool) -> Plan:
    """Give all variables places, and replace calls of helper functions by their steps.

    Args:
        kernel: one direction of a kernel.
        backward: whether it is the backward direction.
        types: what is known of each type of `types_of`.
        links_values: whether the adjoints of plain arguments stay in the structure of adjoints, where the caller reads them.

    Raises:
        Unfit: if the program would not fit into the frame, or calls a helper function in an unusual way.
    """
    return _Planner(kernel, types).plan(backward, links_values)


class _Planner:
    def __init__(self, kernel: Kernel, types: Mapping[str, TypeInfo]) -> None:
        self._kernel, self._types = kernel, types
        self._instructions: list[Instruction] = []
        self._labels: dict[str, int] = {}
        self._images = _empty_images()
        self._local = 0
        self._scopes = 0
        self._called: set[str] = set()

    def plan(self, backward: bool, links_values: bool) -> Plan:
        kernel = self._kernel
        offsets, size = self._structure()
        start = _aligned(size, _ALIGNMENT) if backward else 0
        names = {f"var_{name}": Place(ctype, offset) for (ctype, name), offset in zip(kernel.fields, offsets, strict=True)}
        if backward:
            for (ctype, name), offset in zip(kernel.fields, offsets, strict=True):
                linked = links_values and not ctype.startswith("wp::array_t")
                names[f"adj_{name}"] = Place(ctype, offset if linked else start + offset, linked)
        self._local = _aligned(start + size, _ALIGNMENT)
        bounds, index = self._new(bounds_type(kernel), b"\0"), self._new("size_t", b"\0")
        names |= {"dim": bounds, "task_index": index}
        # The bounds are set once for all threads: what threads start with comes after them.
        self._local, self._images = _aligned(self._end, _ALIGNMENT), _empty_images()
        self._declare(kernel.body.variables, names)
        self._add_body(kernel.body, names, "", None)
        self._add(Instruction(END))
        if self._end > FRAME:
            raise Unfit("variables beyond the frame")
        return Plan(
            kernel, self._instructions, self._labels, self._images, self._local, size, start, size if backward else 0,
            bounds, self._info(bounds_type(kernel)).size, index, frozenset(self._called),
        )  # fmt: skip

    def _structure(self) -> tuple[list[int], int]:
        """Return the offsets of the arguments in their structure, and its size."""
        offsets, size, alignment = [], 0, 1
        for ctype, _ in self._kernel.fields:
            info = self._info(ctype)
            offsets.append(_aligned(size, info.alignment))
            size, alignment = offsets[-1] + info.size, max(alignment, info.alignment)
        return offsets, _aligned(size, alignment)

    def _info(self, ctype: str) -> TypeInfo:
        info = self._types.get(ctype)
        if info is None or info.size > LARGEST:
            raise Unfit(f"the type {ctype}")
        return info

    @property
    def _end(self) -> int:
        """The end of the frame's variables."""
        return self._local + len(self._images[0])

    def _new(self, ctype: str, contents: bytes | None = None, constant: bool = False) -> Place:
        """Return a new place, with the contents that an undefined variable has unless others are given."""
        info = self._info(ctype)
        offset = _aligned(self._end, max(info.alignment, 1)) - self._local
        for image, undefined in zip(self._images, info.undefined, strict=True):
            image.extend(bytes(offset - len(image)))
            image.extend((undefined if contents is None else contents).ljust(info.size, b"\0"))
        return Place(f"const {ctype}" if constant else ctype, self._local + offset)

    def _declare(self, variables: Iterable[Variable], names: dict[str, Place]) -> None:
        for variable in variables:
            contents = None
            if variable.value == "{}":
                contents = self._info(variable.type).empty
            elif variable.value:
                contents = _number(variable, self._info(variable.type))
            names[variable.name] = self._new(variable.type, contents, variable.constant)

    def _add(self, instruction: Instruction) -> None:
        self._instructions.append(instruction)

    def _add_body(self, body: Body, names: dict[str, Place], scope: str, result: Place | None) -> None:
        """Add the steps of a function.

        Args:
            body: the function.
            names: the places of its variables.
            scope: the start of its labels; empty for the kernel.
            result: where it returns its result; None if it returns nothing.
        """
        for step in body.steps:
            if step.kind == "label":
                self._labels[scope + step.label] = len(self._instructions)
            elif step.kind == "run" and step.statement is not None:
                self._run(step.statement, names)
            elif step.kind == "goto":
                self._add(Instruction(GO, label=scope + step.label))
            elif step.kind == "return":
                self._return(step, names, scope, result)
            elif step.statement is not None:
                place = self._condition(step.statement, names)
                self._add(Instruction(IF if step.kind == "if" else UNLESS, None, (place,), scope + step.label))

    def _return(self, step: Step, names: Mapping[str, Place], scope: str, result: Place | None) -> None:
        if not scope:
            if step.statement is not None:
                raise Unfit("a kernel that returns something")
            self._add(Instruction(END))
            return
        if (result is None) != (step.statement is None):
            raise Unfit("a result that is not taken")
        if result is not None and step.statement is not None:
            self._copy(result, _place(names, step.statement.names[0]))
        self._add(Instruction(GO, label=f"{scope}return"))

    def _copy(self, target: Place, source: Place) -> None:
        """Copy a variable, as C++ does between variables of one type."""
        if target.linked or source.linked or source.type.removeprefix("const ") != target.type:
            raise Unfit("a conversion between functions")
        self._add(Instruction(COPY, None, (target, source), size=self._info(target.type).size))

    def _condition(self, condition: Statement, names: Mapping[str, Place]) -> Place:
        """Return the place of a condition's truth."""
        places = self._places(condition, names)
        if condition.form == "$" and not places[0].linked and places[0].type in ("bool", "const bool"):
            return places[0]
        truth = self._new("bool")
        self._call(CONDITION + condition.form, (*places, truth))
        return truth

    def _places(self, statement: Statement, names: Mapping[str, Place]) -> tuple[Place, ...]:
        return tuple([_place(names, name) for name in statement.names])

    def _run(self, statement: Statement, names: Mapping[str, Place]) -> None:
        places = self._places(statement, names)
        called = _CALL.fullmatch(statement.form)
        function = self._kernel.functions.get(called[2]) if called is not None else None
        if called is not None and function is not None:
            self._called.add(called[2])
            self._inline(function, places[1:] if called[1] else places, places[0] if called[1] else None)
            return
        if statement.functions:
            raise Unfit("a helper function inside an expression")
        if THREAD in statement.form:
            places = (*places, _place(names, "dim"), _place(names, "task_index"))
        self._call(statement.form, places)

    def _call(self, form: str, places: tuple[Place, ...]) -> None:
        self._add(Instruction(RUN, Signature(form, tuple([place.type for place in places])), places))

    def _inline(self, function: Function, given: tuple[Place, ...], result: Place | None) -> None:
        if len(given) != len(function.parameters) or (function.type == "void") != (result is None):
            raise Unfit("a call that does not fit its function")
        if result is not None and function.type != result.type:
            raise Unfit("a result of another type")
        self._scopes += 1
        scope, names = f"{self._scopes}:", {}
        for parameter, place in zip(function.parameters, given, strict=True):
            if parameter.by_reference:
                if place.type != parameter.type:
                    raise Unfit("a reference to another type")
                names[parameter.name] = place
            else:
                names[parameter.name] = self._new(parameter.type)
                self._copy(names[parameter.name], place)
        start = self._end
        self._declare(function.body.variables, names)
        end = self._end
        if end > start:  # in a loop, the function's variables start anew each time
            self._add(Instruction(COPY, None, (Place("", start), Place(IMAGE, start)), size=end - start))
        self._add_body(function.body, names, scope, result)
        if result is not None and (not function.body.steps or function.body.steps[-1].kind != "return"):
            self._call(NO_RESULT, ())
        self._labels[f"{scope}return"] = len(self._instructions)


def _empty_images() -> tuple[bytearray, ...]:
    return tuple(bytearray() for _ in PATTERNS)


def _place(names: Mapping[str, Place], name: str) -> Place:
    place = names.get(name)
    if place is None:
        raise Unfit(f"{name} is not declared")
    return place


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _number(variable: Variable, info: TypeInfo) -> bytes:
    """Return the bytes of a constant, as C++ converts the number in the text."""
    code = _CODES.get(variable.type)
    if code == "f" and info.size == 8:  # the text is read in double precision
        code = "d"
    try:
        if code is None:
            raise Unfit(f"a constant of type {variable.type}")
        if code == "?":
            return struct.pack("?", {"true": True, "false": False}[variable.value])
        return struct.pack(code, float(variable.value) if code in "fd" else int(variable.value))
    except (KeyError, ValueError, OverflowError, struct.error):
        raise Unfit(f"the constant {variable.value}") from None
