"""Which arguments a kernel reads and writes, from its generated code and that of all functions that it calls.

Variables of the code refer to places: an argument, or a member of it. An array is read where its elements are loaded, and
written where they are stored; views, copies of structs and results of functions refer to the same places. The analysis ignores
the order of statements and conditions, so that it finds every access that a launch may make.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from warpsmith.core.records.ir import Code
from warpsmith.extraction.launches.code_expressions import Call, Expression, Group, Member, Name, parse_expression
from warpsmith.extraction.launches.code_functions import FunctionText, KernelText, read_kernel

_WRITES = frozenset({"array_store", "store", "tile_store", "tile_store_indexed"})
_NO_ACCESS = frozenset({"view", "where", "select", "copy", "len", "assign", "float", "int", "unot"})
_POINTERS = frozenset({"address", "index", "component_ref", "element_ref", "row_ref"})
_WRITTEN_ARGUMENTS = {"dense_gemm": 5, "dense_gemm_batched": -1, "dense_chol": -1, "dense_chol_batched": -1, "dense_subs": -1,
                      "dense_solve": -1, "dense_solve_batched": -1}  # fmt: skip
_MAX_PASSES = 8
_MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Place:
    """An argument or a member of it; ``element`` says that it is memory of an array's element."""

    root: str
    path: tuple[str, ...] = ()
    element: bool = False

    @property
    def name(self) -> str:
        """The name of the leaf, as ``body.mass``."""
        return ".".join((self.root, *self.path))


@dataclass(frozen=True, slots=True)
class Accesses:
    """The leaves that a kernel reads and writes; the name of a struct stands for all of its members."""

    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()

    def role(self, leaf: str) -> str:
        """Return the role of a leaf: ``"input"``, ``"output"`` or ``"inout"``."""
        parts = leaf.split(".")
        names = {".".join(parts[: end + 1]) for end in range(len(parts))}
        if not names & self.written:
            return "input"
        return "inout" if names & self.read else "output"


@lru_cache(maxsize=256)  # for each launch of a kernel
def accesses_of(code: Code, target: str) -> Accesses:
    """Return which arguments a kernel reads and writes.

    Args:
        code: the generated code of the kernel.
        target: ``"cpu"`` or ``"cuda"``.

    Raises:
        ValueError: if the text has an unknown layout.
    """
    text = read_kernel(code, target)
    analysis = _Analysis(text)
    kernel = text.kernel
    analysis.run(kernel, [{Place(name.removeprefix("var_"))} for name in kernel.parameters], 0)
    arguments = {name.removeprefix("var_") for name in kernel.parameters}
    read, written = (
        frozenset(name for name in names if name.split(".")[0] in arguments) for names in (analysis.read, analysis.written)
    )
    return Accesses(read, written)


_Places = set[Place]


@dataclass(slots=True)
class _Analysis:
    """The analysis of a kernel; arrays that are stored in members of local structs are in ``stored``."""

    text: KernelText
    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    stored: dict[Place, _Places] = field(default_factory=dict)
    results: dict[tuple[str, tuple[frozenset[Place], ...]], tuple[_Places, dict[str, _Places]]] = field(default_factory=dict)

    def run(self, function: FunctionText, arguments: list[_Places], depth: int) -> tuple[_Places, dict[str, _Places]]:
        """Follow a function; return the places of its result, and those of its parameters that receive further results."""
        key = function.name, tuple(map(frozenset, arguments))
        if key in self.results or depth > _MAX_DEPTH:
            return self.results.get(key, (set(), {}))
        self.results[key] = (set(), {})
        frame = _Frame(self, function, dict(zip(function.parameters, arguments, strict=False)), depth)
        if function.native:
            frame.follow_native()
        for _ in range(_MAX_PASSES):
            before = frame.size()
            frame.follow()
            if frame.size() == before:
                break
        self.results[key] = frame.result, {name: frame.places(name) for name in function.parameters}
        return self.results[key]


@dataclass(slots=True)
class _Frame:
    """One call of a function: the places that its variables refer to."""

    analysis: _Analysis
    function: FunctionText
    variables: dict[str, _Places]
    depth: int
    result: _Places = field(default_factory=set)

    def size(self) -> int:
        """Return how much was found so far."""
        analysis = self.analysis
        found = len(analysis.read) + len(analysis.written) + sum(map(len, analysis.stored.values()))
        return sum(map(len, self.variables.values())) + found + len(self.result)

    def places(self, name: str) -> _Places:
        """Return the places of a variable; a local struct is a separate place."""
        known = self.variables.setdefault(name, set())
        ctype = self.function.types.get(name, "")
        if not known and ctype.rstrip("*& ") in self.analysis.text.structs and not ctype.endswith("*"):
            known.add(Place(f"{self.function.name}/{self.depth}/{name}"))
        return known

    def follow(self) -> None:
        """Follow all statements once."""
        for statement in self.function.statements:
            expression = parse_expression(statement.expression)
            if statement.target is None:
                if isinstance(expression, Group) and expression.parts and expression.parts[0] == Name("return"):
                    for part in expression.parts[1:]:
                        self.result |= self.evaluate(part, "")
                else:
                    self.evaluate(expression, "")
                continue
            self._assign(statement.target, expression)

    def _assign(self, target: str, expression: Expression) -> None:
        if target.startswith(("var_", "ret_")) and target.isidentifier():
            value = self.evaluate(expression, self.function.types.get(target, ""))
            self.variables.setdefault(target, set()).update(value)
            return
        value = self.evaluate(expression, "")
        self._store(self.evaluate(parse_expression(target), ""), value)

    # ------------------------------------------------------------------------------------------------------------ expressions

    def evaluate(self, expression: Expression, ctype: str) -> _Places:
        """Return the places that a value refers to; ``ctype`` is the type of the variable that receives it, if known."""
        match expression:
            case Name(name):
                return set(self.places(name)) if name.startswith(("var_", "ret_")) else set()
            case Member(base, name):
                return {Place(place.root, (*place.path, name), place.element) for place in self.evaluate(base, "")}
            case Group(parts):
                found: _Places = set()
                for part in parts:
                    found |= self.evaluate(part, "")
                return found
        return self._call(expression.name.removeprefix("wp::"), expression.arguments, ctype)

    def _call(self, name: str, expressions: tuple[Expression, ...], ctype: str) -> _Places:
        if (function := self.analysis.text.functions.get(name)) is not None:
            return self._call_function(function, expressions)
        arguments = [self.evaluate(expression, "") for expression in expressions]
        if name in self.analysis.text.structs:
            return self._construct(name, arguments)
        first = arguments[0] if arguments else set()
        if name in _POINTERS:
            return {Place(place.root, place.path, True) for place in first}
        if name == "load":
            return self._load(first, ctype)
        if name in _WRITES:
            value = arguments[-1] if len(arguments) > 1 else set()
            if name == "store":
                self._store(first, value)
            else:
                self._write(first)
            return set()
        if name.startswith(("atomic_", "tile_atomic_")):
            self._read(first)
            self._write(first)
            return set()
        if name.startswith("array_") and name.endswith("_slot"):
            slots = {Place(place.root, (*place.path, *_slot_path(expressions)), True) for place in first}
            self._read(slots)
            self._write(slots)
            return set()
        everything = set().union(*arguments) if arguments else set()
        if name in _WRITTEN_ARGUMENTS:
            self._write(arguments[_WRITTEN_ARGUMENTS[name]])
        if name not in _NO_ACCESS:
            self._read({place for place in everything if self._is_memory(place, expressions)})
        return everything if name == "assign" or not ctype or _may_refer(ctype, self.analysis.text.structs) else set()

    def _is_memory(self, place: Place, expressions: Iterable[Expression]) -> bool:
        """Return whether an unknown function reads a place: an element, or an array that is passed as a whole."""
        if place.element:
            return True
        types = (self.function.types.get(part.name, "") for part in expressions if isinstance(part, Name))
        return any("array_t<" in ctype for ctype in types)

    def _call_function(self, function: FunctionText, expressions: tuple[Expression, ...]) -> _Places:
        arguments = [self.evaluate(expression, "") for expression in expressions]
        result, parameters = self.analysis.run(function, arguments, self.depth + 1)
        for name, expression in zip(function.parameters, expressions, strict=False):
            if name.startswith("ret_") and isinstance(expression, Name):
                self.variables.setdefault(expression.name, set()).update(parameters.get(name, set()))
        return set(result)

    def _construct(self, name: str, arguments: list[_Places]) -> _Places:
        place = Place(f"{self.function.name}/{self.depth}/{name}()")
        for (_, member), places in zip(self.analysis.text.structs[name], arguments, strict=False):
            self.analysis.stored.setdefault(Place(place.root, (member,)), set()).update(places)
        return {place}

    # --------------------------------------------------------------------------------------------------------------- accesses

    def _load(self, pointers: _Places, ctype: str) -> _Places:
        found: _Places = set()
        is_array = "array_t<" in ctype
        for place in pointers:
            if place.element and not is_array:
                self._read({place})
            found.add(Place(place.root, place.path))
            found |= self.analysis.stored.get(Place(place.root, place.path), set())
        return found if is_array or ctype in self.analysis.text.structs else set()

    def _store(self, pointers: _Places, value: _Places) -> None:
        for place in pointers:
            if place.element:
                self._write({place})
            if value:
                self.analysis.stored.setdefault(Place(place.root, place.path), set()).update(value)

    def _read(self, places: Iterable[Place]) -> None:
        self.analysis.read.update(place.name for place in self._with_stored(places))

    def _write(self, places: Iterable[Place]) -> None:
        self.analysis.written.update(place.name for place in self._with_stored(places))

    def _with_stored(self, places: Iterable[Place]) -> _Places:
        found = set(places)
        for place in list(found):
            found |= self.analysis.stored.get(Place(place.root, place.path), set())
        return found

    def follow_native(self) -> None:
        """Find accesses in C++ of the user: ``x[i] = …`` writes, calls with ``x`` or ``&x`` may do both, all else reads."""
        for name in self.function.parameters:
            body, plain = self.function.native, name.removeprefix("var_")
            if "array_t<" not in self.function.types.get(name, "") or not re.search(rf"\b{plain}\b", body):
                continue
            places = self.variables.get(name, set())
            element = rf"\b{plain}\b(?:\.data)?\s*\[[^\]]*\](?:\.\w+|\[[^\]]*\])*"
            assigned = len(re.findall(rf"{element}\s*=(?!=)", body))
            changed = re.search(rf"{element}\s*(?:[-+*/%&|^]=|\+\+|--)|(?:&|\+\+|--)\s*{element}|\b{plain}\b\s*[,)]", body)
            if assigned or changed:
                self._write(places)
            if changed or len(re.findall(rf"\b{plain}\b", body)) > assigned:
                self._read(places)


def _may_refer(ctype: str, structs: Mapping[str, object]) -> bool:
    return "array_t<" in ctype or ctype.endswith("*") or ctype in structs


def _slot_path(expressions: Iterable[Expression]) -> tuple[str, ...]:
    """Return the members in the accessor ``[&](auto& _e) -> auto& { return _e.p; }`` of a composite slot."""
    for expression in expressions:
        path: list[str] = []
        for node in _walk(expression):
            inner: Expression = node
            path = []
            while isinstance(inner, Member):
                path.append(inner.name)
                inner = inner.base
            if path and inner == Name("_e"):
                return tuple(reversed(path))
    return ()


def _walk(expression: Expression) -> Iterable[Expression]:
    yield expression
    match expression:
        case Group(parts) | Call(_, parts):
            for part in parts:
                yield from _walk(part)
        case Member(base, _):
            yield from _walk(base)
