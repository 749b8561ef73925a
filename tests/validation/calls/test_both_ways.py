"""Programs of compiled statements leave the bits that clang's compilation of the whole text leaves, also for damaged texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.calls.kernel_text import with_empty_variables
from warpsmith.validation.calls.program_runner import Runner
from warpsmith.validation.compiling.clang import EMULATION, STATEMENTS, HeaderFolder, Library, compile_text
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points, launch_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.running.entry_calls import GridShape, in_order, out_of_order
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import PreparedLaunch, prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

UNIT_TYPES = ("cpp", "double_cpp")


@dataclass(frozen=True, slots=True)
class Subject:
    """A text with a launch of it."""

    part: UnitPart
    launch: Launch
    values: Mapping[str, Values]


def subjects_of(lines: Iterable[Line]) -> list[Subject]:
    """Return the C++ texts of lines that can be launched, with numbers as keys."""
    context = BatchContext(Path())
    found = []
    for line in lines:
        part = context.unit_part(line, "cpu")
        assert part is not None
        found.append(Subject(part, launch_of(line)[0], make_inputs(launch_of(line)[0], line.identity)))
    return found


def shortest(lines: Iterable[Line], count: int) -> list[Line]:
    """Return the lines with the shortest records: a compiler takes as long as its texts are long."""
    return sorted(lines, key=lambda line: len(line.raw))[:count]


def new_runner(scratch: Path, headers: HeaderFolder = EMULATION) -> Runner:
    return Runner(lambda text, result: compile_text(text, result, scratch, headers=headers), scratch)


def results(subject: Subject, unit_type: str, library: Library, arena: Arena) -> list[PreparedLaunch]:
    """Return launches of a text: as Warp's launcher runs it and, in single precision, over two grids."""
    values = subject.values
    if unit_type == "double_cpp":
        values = {name: promoted(value) for name, value in values.items()}
    backward = subject.part.code.backward_code is not None
    shapes: list[GridShape | None] = [None]
    if unit_type == "cpp" and subject.part.has_grid_entry:
        shapes += [in_order(subject.launch)[2], out_of_order(subject.launch)[1]]
    return [
        prepare_launch(
            entry_points(library, subject.part, takes_grid=shape is not None),
            subject.launch, values, arena, backward=backward, shape=shape,
        )
        for shape in shapes
    ]  # fmt: skip


def contents(launches: Sequence[PreparedLaunch], problem: str | None) -> list[bytes] | bool:
    """Return everything that launches may have changed, or whether they stopped."""
    if problem is not None:
        return True
    arguments = [launch.arguments for launch in launches]
    parts = [arrays for one in arguments for arrays in (one.arrays, one.kept, one.adjoints, one.value_adjoints)]
    return [bits(array) for arrays in parts for array in arrays.values()]


def bits(array: Values) -> bytes:
    """Return the bytes of an array, with one NaN for all, whose bits C++ leaves open."""
    if array.dtype.kind == "f":
        array = array.copy()
        array[np.isnan(array)] = np.nan
    return array.tobytes()


def run(subjects: Sequence[Subject], unit_type: str, library: Library) -> list[list[bytes] | bool]:
    """Return what the launches of each text leave."""
    arena = Arena()
    launches = [results(subject, unit_type, library, arena) for subject in subjects]
    problems = run_forked([[call for launch in several for call in launch.calls] for several in launches], 2.0)
    return [contents(several, problem) for several, problem in zip(launches, problems, strict=True)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("statements", [EMULATION, STATEMENTS], ids=["plain", "optimized"])
@pytest.mark.parametrize("unit_type", UNIT_TYPES)
def test_right_texts(lines: list[Line], scratch: Path, unit_type: str, statements: HeaderFolder) -> None:
    every = subjects_of(shortest(lines, 30))
    runner = new_runner(scratch, statements)
    programs = Library(unit_type, [one.part for one in every], scratch, runner)
    subjects = [one for one in every if programs.runner(one.part, takes_grid=False)]
    assert len(subjects) > 0.9 * len(every), "texts without structs are programs"
    compiled = Library(unit_type, [one.part for one in every], scratch)
    assert compiled.errors.keys() == programs.errors.keys()
    assert not compiled.errors or unit_type == "double_cpp", "some texts name types that double precision does not have"
    results = run(subjects, unit_type, programs)
    assert results == run(subjects, unit_type, compiled)
    emptied = [replace(one, part=replace(one.part, code=with_empty_variables(one.part.code))) for one in subjects]
    refilled = Library(unit_type, [one.part for one in emptied], scratch, runner)
    assert results == run(emptied, unit_type, refilled), "right texts read no variable without a value"


def test_a_function_that_returns_nothing_stops(lines: list[Line], scratch: Path) -> None:
    """C++ leaves open what the end of a function with a result does; where no branch ends there, nothing changes."""
    found = [(one, one.part.code.forward_code) for one in subjects_of(shortest(lines, 80))]
    pattern = re.compile(r"(static wp::float32 \w+\((?:(?!\nstatic|\n}).|\n(?!static|}))*)\n    return \w+;\n}")
    one, text = next(
        (one, text) for one, text in found if len(re.findall(r"\n *return \w+;", text)) == 1 and pattern.search(text)
    )
    broken = replace(
        one, part=replace(one.part, key="Kbroken", code=replace(one.part.code, forward_code=pattern.sub(r"\1\n}", text)))
    )
    library = Library("cpp", [one.part, broken.part], scratch, new_runner(scratch))
    assert all(library.runner(part, takes_grid=False) for part in (one.part, broken.part)), "both are programs"
    right, wrong = run([one, broken], "cpp", library)
    assert right is not True
    assert wrong is True


_NAME = re.compile(r"\b(?:var|adj)_\w+\b")
_FUNCTIONS = (
    "add",
    "sub",
    "mul",
    "div",
    "min",
    "max",
    "load",
    "copy",
    "sin",
    "adj_add",
    "adj_sub",
    "adj_mul",
    "atomic_add",
    "neg",
)


def damaged(text: str, chance: random.Random) -> str:
    """Return a text with one line removed, repeated, exchanged with another, or changed."""
    lines = text.split("\n")
    first, last = lines.index("    // primal vars"), next(n for n, line in enumerate(lines) if "_block_payload_" in line)
    numbers = [n for n in range(first, last) if lines[n].strip() and not lines[n].strip().startswith("//")]
    number = chance.choice(numbers)
    names = sorted(set(_NAME.findall(text)))
    match chance.randrange(8):
        case 0:
            del lines[number]
        case 1:
            lines.insert(chance.choice(numbers), lines[number])
        case 2:
            other = chance.choice(numbers)
            lines[number], lines[other] = lines[other], lines[number]
        case 3:
            lines[number] = re.sub(r"wp::\w+(?=\()", f"wp::{chance.choice(_FUNCTIONS)}", lines[number], count=1)
        case 4:
            # At most 3: nothing checks the index of a shape, which has four numbers.
            lines[number] = re.sub(r"\d+(?=[.;)])", str(chance.randrange(4)), lines[number], count=1)
        case 5:
            lines[number] = re.sub(r"float32|int32|bool", chance.choice(["float32", "int32", "bool"]), lines[number], count=1)
        case 6:
            lines[number] = lines[number].replace(chance.choice(["(", ")", ";", "{", "}", ",", "=", "!", "adj_"]), "", 1)
        case _:
            found = list(_NAME.finditer(lines[number]))
            if found:
                one = chance.choice(found)
                lines[number] = lines[number][: one.start()] + chance.choice(names) + lines[number][one.end() :]
    return "\n".join(lines)


def damaged_subjects(subjects: Sequence[Subject], count: int, seed: int) -> list[Subject]:
    """Return texts with one damage each, in one of their directions."""
    chance = random.Random(seed)  # noqa: S311 - no secrets
    found = []
    while len(found) < count:
        one = chance.choice(subjects)
        field = chance.choice(["forward_code", "backward_code"])
        text = damaged(getattr(one.part.code, field), chance)
        if text != getattr(one.part.code, field):
            code = with_empty_variables(replace(one.part.code, **{field: text}))
            found.append(replace(one, part=replace(one.part, key=f"K{1000 + len(found)}", code=code, has_grid_entry=False)))
    return found


def check_damaged(subjects: list[Subject], unit_type: str, scratch: Path, headers: HeaderFolder = EMULATION) -> int:
    """Compare both ways; return how many damaged texts ran as programs."""
    runner = new_runner(scratch, headers)
    programs = Library(unit_type, [one.part for one in subjects], scratch, runner)
    ran = [one for one in subjects if programs.runner(one.part, takes_grid=False)]
    compiled = Library(unit_type, [one.part for one in ran], scratch)
    assert compiled.errors == {}, "a program exists only of a text that compiles"
    assert run(ran, unit_type, programs) == run(ran, unit_type, compiled)
    return len(ran)


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit_type", ["cpp", pytest.param("double_cpp", marks=pytest.mark.exhaustive)])
def test_damaged_texts(lines: list[Line], scratch: Path, unit_type: str) -> None:
    """A damaged text is no program, or gives what the compiled text gives."""
    assert check_damaged(damaged_subjects(subjects_of(shortest(lines, 40)), 80, 1), unit_type, scratch) > 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit_type", UNIT_TYPES)
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_damaged_texts(lines: list[Line], scratch: Path, unit_type: str, seed: int) -> None:
    headers = (EMULATION, STATEMENTS)[seed % 2]
    assert check_damaged(damaged_subjects(subjects_of(lines), 400, seed), unit_type, scratch, headers) > 50
