"""The structs of a launch have the names of the pair's file."""

from __future__ import annotations

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.launches.struct_names import with_names_of_file

SOURCE = """import warp as wp


@wp.struct
class Arg:
    scale: float


@wp.struct
class other_Arg:
    inner: Arg
    several: wp.array(dtype=Arg)


Point = other_Arg


@wp.kernel
def plain(first: Point, second: "Arg", none: wp.array(dtype=other_Arg), third: wp.array[Arg], x: wp.array(dtype=float)):
    x[wp.tid()] = first.inner.scale


@wp.kernel
def generic(first: Any, x: wp.array(dtype=Any)):
    x[wp.tid()] = x.dtype(first.inner.scale)


wp.overload(generic, [other_Arg, wp.array(dtype=float)])
"""


def number(name: str) -> Argument:
    return Argument(name=name, kind="value", dtype="float32", role="input", shape=(), domain=Domain(kind="fill", low=1, high=1))


def struct(name: str, *members: Argument, shape: tuple[int, ...] = ()) -> Argument:
    kind = "array" if shape else "struct"
    return Argument(name=name, kind=kind, dtype="Project", role="input", shape=shape, domain=None, fields=members)  # type: ignore[arg-type]


def names(argument: Argument) -> list[str]:
    return [argument.dtype, *(name for member in argument.fields for name in names(member))]


FIRST = struct("first", struct("inner", number("scale")), struct("several", number("scale"), shape=(2,)))


def test_arguments_members_and_elements() -> None:
    none = Argument(name="none", kind="null_array", dtype="Project", role="input", shape=(), domain=None)
    others = struct("second", number("scale")), none, struct("third", number("scale"), shape=(3,)), number("x")
    renamed = with_names_of_file(Launch(dim=(1,), args=(FIRST, *others)), SOURCE, "plain").args
    assert names(renamed[0]) == ["other_Arg", "Arg", "float32", "Arg", "float32"]
    assert [argument.dtype for argument in renamed[1:]] == ["Arg", "other_Arg", "Arg", "float32"]


def test_types_of_an_overload() -> None:
    renamed = with_names_of_file(Launch(dim=(1,), args=(FIRST, number("x"))), SOURCE, "generic").args
    assert [argument.dtype for argument in renamed] == ["other_Arg", "float32"]
