"""Compiled statements: each form of a statement is compiled once for each combination of types, and called from then on."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from warpsmith.extraction.warp import runtime
from warpsmith.validation.compiling.batch import compile_parts
from warpsmith.validation.compiling.unset import PATTERNS

MAX_STATEMENTS = 20_000
"""How many compiled statements a table holds before it starts again."""

LARGEST = 1 << 14
"""The most bytes of a variable."""

CONDITION = "if "
"""The start of a form that stores whether an expression is true."""

THREAD = "builtin_"
"""What forms contain that ask which thread runs. Two further variables tell: the bounds of the launch, the thread's number."""

NO_RESULT = "*(volatile int*)nullptr = 0"
"""The form with which a function ends that has to return a result: it stops the process, where C++ leaves open what happens."""

_numbers = itertools.count()


class Signature(NamedTuple):
    """A form of a statement, and the types of its variables, with ``const`` for constants."""

    form: str
    types: tuple[str, ...]


class TypeInfo(NamedTuple):
    """What a program knows of a C++ type.

    Attributes:
        size: its bytes.
        alignment: the multiple at which it is placed.
        undefined: the bytes of a variable without a value, by each of `PATTERNS`; the constructor of the type may set some.
        empty: the bytes of a variable that is declared with ``= {}``.
    """

    size: int
    alignment: int
    undefined: tuple[bytes, ...]
    empty: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A type or a signature in a unit, and the function that describes the type or runs the statement."""

    key: str
    text: str
    subject: str | Signature

    @classmethod
    def of(cls, key: str, subject: str | Signature, index: str = "task_index") -> Entry:
        """Return an entry; ``index`` is the name that macros have for the number of the thread."""
        text = _description(subject) if isinstance(subject, str) else _statement(subject, index)
        return cls(key, f'#line 1 "{key}"\nextern "C" void {key}({text}\n', subject)


class CallTable:
    """Compiled statements of one reading of texts: as they are, or in double precision.

    Args:
        opening: the text before all statements, which ends the precompiled headers.
        compile_unit: compiles a text to an object.
        scratch: the folder for objects, until they are loaded.

    Attributes:
        types: the types that the compiler accepts.
        calls: the addresses of the compiled statements.
        rejected: the types and statements that the compiler rejects.
    """

    def __init__(self, opening: str, compile_unit: Callable[[str, Path], None], scratch: Path) -> None:
        self._opening, self._compile_unit, self._scratch = opening, compile_unit, scratch
        self._handles: list[str] = []
        self.types: dict[str, TypeInfo] = {}
        self.calls: dict[Signature, int] = {}
        self.rejected: set[str | Signature] = set()

    def clear(self) -> None:
        """Unload all statements."""
        for handle in self._handles:
            runtime.unload_object(handle)
        self._handles.clear()
        self.types.clear()
        self.calls.clear()
        self.rejected.clear()

    def add(self, types: Iterable[str], signatures: Iterable[Signature]) -> None:
        """Compile what the table does not contain yet; what the compiler rejects is in `rejected` afterwards."""
        known = self.types.keys() | self.calls.keys() | self.rejected
        requested: list[str | Signature] = [*types, *signatures]
        subjects = [subject for subject in dict.fromkeys(requested) if subject not in known]
        entries = [Entry.of(f"K{number}", subject) for number, subject in enumerate(subjects)]
        if not entries:
            return
        result = self._scratch / "warpsmith_calls.o"

        def compile_entries(unit: Sequence[Entry]) -> None:
            pointers = ", ".join(f"(void*)&{entry.key}" for entry in unit)
            text = "".join(entry.text for entry in unit)
            table = f'#line 1 "table"\nextern "C" {{ WP_API void* {_TABLE}[] = {{ {pointers} }}; }}\n'
            self._compile_unit(f"{self._opening}{HELPERS}{text}{table}", result)

        errors = compile_parts(entries, compile_entries, lambda unit: self._load(unit, result))
        self.rejected |= {entry.subject for entry in entries if entry.key in errors}
        result.unlink(missing_ok=True)

    def _load(self, entries: Sequence[Entry], result: Path) -> None:
        handle = f"warpsmith_calls_{next(_numbers)}"
        runtime.load_object(result, handle)
        result.unlink()  # the linker reads the file later, so that the next unit must be another one
        self._handles.append(handle)
        addresses = (ctypes.c_void_p * len(entries)).from_address(runtime.look_up(handle, _TABLE))
        for entry, address in zip(entries, addresses, strict=True):
            if isinstance(entry.subject, Signature):
                self.calls[entry.subject] = int(address)
            else:
                self.types[entry.subject] = _type_info(int(address))


_TABLE = "warpsmith_table"
"""The symbol of the addresses of a unit's functions."""

_TYPE_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

HELPERS = f"""
struct warpsmith_here {{ void* at; }};
inline void* operator new(size_t, warpsmith_here here) {{ return here.at; }}
template <typename T> void warpsmith_describe(size_t* sizes, char* undefined, char* empty)
{{
    static_assert(__is_trivially_copyable(T));
    sizes[0] = sizeof(T);
    sizes[1] = alignof(T);
    if (sizeof(T) > {LARGEST}) return;
    new (warpsmith_here{{undefined}}) T;
    new (warpsmith_here{{empty}}) T();
}}
"""


def _description(ctype: str) -> str:
    """Return the parameters and the body of a function that describes a type."""
    return f"size_t* sizes, char* undefined, char* empty) {{ warpsmith_describe<{ctype}>(sizes, undefined, empty); }}"


def _statement(signature: Signature, index: str) -> str:
    """Return the parameters and the body of a function that runs a statement."""
    names = [f"a{number}" for number in range(len(signature.types))]
    statement = signature.form
    if THREAD in statement:
        names[-2:] = ["dim", index]
        opening = "constexpr bool wp_linear_tid = false; "
    else:
        opening = ""
    pieces = statement.split("$")
    statement = pieces[0] + "".join(name + piece for name, piece in zip(names, pieces[1:], strict=False))
    if statement.startswith(CONDITION):
        statement = f"{names[-1]} = false; if ({statement.removeprefix(CONDITION)}) {names[-1]} = true"
    references = "".join(
        f"{ctype}& {name} = *({ctype}*)given[{number}]; "
        for number, (ctype, name) in enumerate(zip(signature.types, names, strict=True))
    )
    return f"char** given) {{ {opening}{references}{statement}; }}"


def _type_info(address: int) -> TypeInfo:
    sizes = (ctypes.c_size_t * 2)()
    empty = ctypes.create_string_buffer(LARGEST)
    undefined = [ctypes.create_string_buffer(bytes([pattern]) * LARGEST, LARGEST) for pattern in PATTERNS]
    for contents in undefined:
        _TYPE_FUNCTION(address)(ctypes.addressof(sizes), ctypes.addressof(contents), ctypes.addressof(empty))
    size = sizes[0]
    return TypeInfo(size, sizes[1], tuple(contents.raw[:size] for contents in undefined), empty.raw[:size])
