"""Machine code receives its arguments in Warp's layout, and runs where it cannot do harm."""

from __future__ import annotations

import ctypes
import faulthandler
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import warp as wp
from hypothesis import given, settings
from hypothesis import strategies as st

from processes import children_of
from warpsmith.core.records.jsonl import Line, decode, encode, read_lines
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.validation.levels import execute
from warpsmith.validation.levels.common import inputs_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.results import LAUNCHES, line_key
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.launches import seed
from warpsmith.validation.running.memory import CHUNK, Arena
from warpsmith.validation.running.outputs import LaunchOutputs

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

Values = Mapping[str, npt.NDArray[Any]]

SIZE = 12
SCALARS = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
COMPOSED = (
    "vec2f vec3f vec4f vec2h vec3d vec4i vec2ub vec3s quatf quath quatd mat22f mat33f mat44f mat22h mat33d mat44d "
    "vec3h vec4b vec3us vec2ui vec3l vec4ul transformh transformf transformd spatial_vectorh spatial_vectorf spatial_vectord "
    "spatial_matrixh spatial_matrixf spatial_matrixd"
).split()
FLOATS = ("float16", "float32", "float64", *(name for name in COMPOSED if name[-1] in "hfd"))

ONE_TYPE = """
@wp.kernel
def of_{name}(x: wp.array(dtype=wp.{name}), s: wp.{name}, out: wp.array(dtype=wp.{name}), last: wp.array(dtype=wp.{name})):
    i = wp.tid()
    out[i] = {value}
    if i == 0:
        last[0] = s
"""
FOUR_ARRAYS = """
@wp.kernel
def of_{name}(
    a: wp.array(dtype=wp.{name}), b: wp.array2d(dtype=wp.{name}),
    c: wp.array3d(dtype=wp.{name}), d: wp.array4d(dtype=wp.{name}),
    out1: wp.array(dtype=wp.{name}), out2: wp.array2d(dtype=wp.{name}),
    out3: wp.array3d(dtype=wp.{name}), out4: wp.array4d(dtype=wp.{name})
):
    i, j, k, l = wp.tid()
    out4[i, j, k, l] = d[i, j, k, l] + a[i]
    if l == 0:
        out3[i, j, k] = c[i, j, k] + b[i, j]
        if k == 0:
            out2[i, j] = b[i, j] + b[i, j]
            if j == 0:
                out1[i] = a[i] + a[i]
"""
MIXED = (
    "int8 float64 bool vec3f uint8 mat22d float16 quatf uint64 vec2ub float32 int16 mat33f bool int64 vec3d "
    "vec3h transformd uint8 transformh bool spatial_vectorf vec3us spatial_matrixd"
).split()
"""An order in which there are gaps between the arguments."""

Case = tuple[Line, Values]


def mixed_source() -> str:
    values = ", ".join(f"v{number}: wp.{name}" for number, name in enumerate(MIXED))
    arrays = ", ".join(f"o{number}: wp.array(dtype=wp.{name})" for number, name in enumerate(MIXED))
    body = "".join(f"    o{number}[i] = v{number}\n" for number in range(len(MIXED)))
    return f"\n@wp.kernel\ndef of_mixed({values}, {arrays}):\n    i = wp.tid()\n{body}"


def bounds(dtype: str) -> dict[str, Any]:
    if dtype == "bool":
        return {"low": 0, "high": 1}
    if dtype not in FLOATS:
        return {"low": 0 if "u" in dtype else -60, "high": 60}
    return {"low": -2.0, "high": 2.0}


@pytest.fixture(scope="module")
def hand_written(argument: Callable[..., Argument]) -> tuple[dict[str, str], dict[str, Launch]]:
    """The source of each of many kernels, without the import, and how it is launched."""
    sources, launches = {}, {}
    for name in (*SCALARS, *COMPOSED):
        value = "x[i]" if name == "bool" else "x[i] + s"
        turns = name.startswith(("quat", "transform"))
        sources[f"of_{name}"] = ONE_TYPE.format(name=name, value="x[i] * s" if turns else value)
        arrays = [argument("x", name, (SIZE,), **bounds(name)), argument("s", name, **bounds(name))]
        outputs = [argument("out", name, (SIZE,), role="output"), argument("last", name, (1,), role="output")]
        launches[f"of_{name}"] = Launch(dim=(SIZE,), args=(*arrays, *outputs))
    sources["of_mixed"] = mixed_source()
    values = [argument(f"v{number}", name, **bounds(name)) for number, name in enumerate(MIXED)]
    outputs = [argument(f"o{number}", name, (1,), role="output") for number, name in enumerate(MIXED)]
    launches["of_mixed"] = Launch(dim=(1,), args=(*values, *outputs))
    shapes = [(3,), (3, 2), (3, 2, 4), (3, 2, 4, 5)]
    for name in ("float16", "int8", "float64", "vec3f", "mat22f"):
        sources[f"four_{name}"] = FOUR_ARRAYS.format(name=name).replace("of_", "four_")
        inputs = [argument(letter, name, shape, **bounds(name)) for letter, shape in zip("abcd", shapes, strict=True)]
        outputs = [argument(f"out{len(shape)}", name, shape, role="output") for shape in shapes]
        launches[f"four_{name}"] = Launch(dim=shapes[-1], args=(*inputs, *outputs))
    return sources, launches


IMPORT = "import warp as wp\n"

# ------------------------------------------------------------------------------------- the oracle: Warp's own launches


def launch_with_warp(kernel: Any, launch: Launch, values: Values, backward: bool) -> LaunchOutputs:
    """What ``wp.launch`` leaves on the CPU, with code that is not optimized."""
    arguments: list[Any] = []
    for argument in launch.args:
        dtype, given = getattr(wp, argument.dtype), values[argument.name]
        if argument.kind == "array":
            floating = np.issubdtype(given.dtype, np.floating)
            arguments.append(wp.array(given, dtype=dtype, device="cpu", requires_grad=bool(floating)))
        else:
            arguments.append(dtype(*np.ravel(given)) if given.ndim else dtype(given.item()))
    wp.launch(kernel, dim=launch.dim, inputs=arguments, device="cpu")
    arrays = {argument.name: value for argument, value in zip(launch.args, arguments, strict=True) if argument.kind == "array"}
    left = {name: array.numpy().copy() for name, array in arrays.items()}
    if not backward:
        return LaunchOutputs(left, {})
    for argument in launch.args:
        if argument.role != "input" and arrays[argument.name].requires_grad:
            arrays[argument.name].grad.assign(seed(left[argument.name]))
    adjoints = [getattr(value, "grad", None) if isinstance(value, wp.array) else None for value in arguments]
    wp.launch(kernel, dim=launch.dim, inputs=arguments, adj_inputs=adjoints, adjoint=True, device="cpu")
    return LaunchOutputs(left, {name: array.grad.numpy().copy() for name, array in arrays.items() if array.requires_grad})


NOT_OPTIMIZED = {"optimization_level": 0, "cpu_compiler_flags": ""}


@pytest.fixture(scope="module")
def by_warp(hand_written: tuple[dict[str, str], dict[str, Launch]], cases: dict[str, Case]) -> dict[str, LaunchOutputs]:
    """The results of Warp's launches of every hand-written kernel."""
    found = {}
    sources, launches = hand_written
    with loaded_kernel(IMPORT + "".join(sources.values()), "of_mixed", NOT_OPTIMIZED, "arguments_laid_out") as kernel:
        for name, launch in launches.items():
            found[name] = launch_with_warp(kernel.module.kernels[name], launch, cases[name][1], backward=True)
    return found


def values_for(line: Line) -> Values:
    values = inputs_of(line)
    assert isinstance(values, dict)
    return values


@pytest.fixture(scope="module")
def cases(hand_written: tuple[dict[str, str], dict[str, Launch]], pair_line: Callable[..., Line]) -> dict[str, Case]:
    sources, launches = hand_written
    found = {}
    for number, (name, launch) in enumerate(launches.items()):
        line = pair_line(IMPORT + sources[name], launch, name=name, number=number)
        found[name] = line, values_for(line)
    return found


def ours(lines: list[Line], scratch: Path) -> list[LaunchOutputs]:
    """Return the results of level execute."""
    context = BatchContext(scratch)
    try:
        findings = execute.check(lines, context)
        for line, finding in zip(lines, findings, strict=True):
            assert finding.status == "pass", (line.identity, finding.reason)
        return [context.results(LAUNCHES)[line_key(line)][0].outputs for line in lines]
    finally:
        context.clear()


def assert_same(left: LaunchOutputs, expected: LaunchOutputs, name: str) -> None:
    assert left.arrays.keys() == expected.arrays.keys()
    assert left.gradients.keys() == expected.gradients.keys()
    for got, wanted in ((left.arrays, expected.arrays), (left.gradients, expected.gradients)):
        for key, value in wanted.items():
            assert got[key].dtype == value.dtype, (name, key)
            assert got[key].shape == value.shape, (name, key)
            assert got[key].tobytes() == value.tobytes(), (name, key)


def test_every_type_of_argument(cases: dict[str, Case], by_warp: dict[str, LaunchOutputs], scratch: Path) -> None:
    for name, left in zip(cases, ours([line for line, _ in cases.values()], scratch), strict=True):
        assert_same(left, by_warp[name], name)
        if name.removeprefix("of_") in FLOATS:
            assert np.any(left.gradients["x"]), f"a gradient of {name} that is zero tells nothing"
            assert np.array_equal(left.arrays["last"].ravel(), np.ravel(cases[name][1]["s"]))


REAL = {
    # kernels of extraction's tests: their arrays, the last one written
    "nested_functions": {"x": "float32", "out": "float32"},
    "overloaded_functions": {"x": "float32", "v": "vec3f"},
    "custom_gradient": {"x": "float32", "out": "float32"},
    "custom_replay": {"x": "float32", "out": "float32"},
    "native_snippet": {"x": "float32", "out": "float32"},
    "forward_only": {"x": "float32", "out": "float32"},
    "power": {"x": "float32", "out": "float32"},
    "power#2": {"x": "float64", "out": "float64"},
    "in_own_module": {"x": "float32"},
}


@pytest.fixture(scope="module")
def real_lines(run: Any, root: Path, tmp_path_factory: pytest.TempPathFactory, argument: Callable[..., Argument]) -> list[Line]:
    """Pairs of real code, with a launch, which those who extract do not know."""
    file = tmp_path_factory.mktemp("real") / "pairs.jsonl"
    run("extraction", "kernels.py", "-d", "both", "-b", "-o", file, expect=None, cwd=root / "tests" / "extraction")
    found = []
    for line in read_lines(file):
        assert line.pair is not None
        name = line.pair.id.rpartition(".")[2]
        if name not in REAL:
            continue
        reads_only = len(REAL[name]) == 2 and "out" in REAL[name]
        arrays = []
        for key, dtype in REAL[name].items():
            role = "output" if key == "out" else "input" if reads_only else "inout"
            arrays.append(argument(key, dtype, (SIZE,), role=role))
        metadata = replace(line.pair.metadata, launch=Launch(dim=(SIZE,), args=tuple(arrays)))
        found.append(decode(encode(replace(line.pair, metadata=metadata)), file, line.number))
    assert len(found) == len(REAL)
    return found


@pytest.fixture(scope="module")
def of_every_category(lines: list[Line]) -> list[Line]:
    """One generated pair of each type."""
    found = {line.pair.metadata.category: line for line in lines if line.pair is not None}
    assert len(found) == 10
    return list(found.values())


def test_generated_and_real_kernels(of_every_category: list[Line], real_lines: list[Line], scratch: Path) -> None:
    both = of_every_category + real_lines
    for line, left in zip(both, ours(both, scratch), strict=True):
        assert line.pair is not None
        metadata = line.pair.metadata
        assert metadata.launch is not None
        options = metadata.module_options | NOT_OPTIMIZED
        module = f"launched_{line.path.parent.name}_{line.number}"
        with loaded_kernel(line.pair.python_source, metadata.kernel_name, options, module) as kernel:
            expected = launch_with_warp(kernel, metadata.launch, values_for(line), metadata.has_backward)
        assert_same(left, expected, line.identity)


# -------------------------------------------------------------------------------------------------------- a process apart


def crash() -> None:
    ctypes.string_at(0)


def loop_without_end() -> object:
    while True:
        pass


def fail_a_check() -> None:
    os.write(2, b"Assertion failed: 'i >= 0' file.h:12\n")
    os.abort()


def hoard_memory() -> None:
    hoard = [bytearray(3 << 30)]
    hoard.append(bytearray(1))


def recurse() -> None:
    recurse()


HARM: dict[str, tuple[Callable[[], object], str]] = {
    "crash": (crash, "SIGSEGV"),
    "endless loop": (loop_without_end, "more than 1 s"),
    "exit 0": (lambda: os._exit(0), "exit code 0"),
    "exit 7": (lambda: os._exit(7), "exit code 7"),
    "assertion": (fail_a_check, "Warp's check of an index or a value failed: 'i >= 0'"),
    "abort": (os.abort, "SIG"),
    "memory": (hoard_memory, "MemoryError"),
    "exception": (lambda: 1 // 0, "ZeroDivisionError"),
    "exit of Python": (lambda: sys.exit(3), "SystemExit"),
    "recursion": (recurse, "RecursionError"),
    "sleep": (lambda: time.sleep(600), "SIGSYS"),
    "deaf sleep": (
        lambda: (signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()), loop_without_end()),
        "more than 1 s",
    ),
    "a file": (lambda: Path("/proc/self/status").read_text(), "SIGSYS"),
    "a process": (os.fork, "SIGSYS"),
    "a program": (lambda: os.execv("/bin/true", ["true"]), "SIGSYS"),  # noqa: S606 - it is refused
    "a signal to the parent": (lambda: os.kill(os.getppid(), signal.SIGKILL), "SIGSYS"),
    "noise": (lambda: (os.write(2, 100_000 * b"noise\n"), os._exit(9)), "exit code"),
}


@pytest.fixture
def no_fault_handler() -> Iterator[None]:
    """Without the handler of pytest, which would catch a signal and raise it again by a system call that is forbidden."""
    faulthandler.disable()
    yield
    faulthandler.enable(sys.__stderr__ or 2)


@pytest.mark.usefixtures("no_fault_handler")
@pytest.mark.parametrize("deed", HARM)
def test_only_harmful_jobs_have_problems(deed: str, arena: Arena) -> None:
    harm, reason = HARM[deed]
    done = arena.zeros(np.zeros(6, dtype=np.int64))

    def write(place: int, number: int) -> Callable[[], object]:
        return lambda: done.__setitem__(place, number)

    jobs = [[write(place, place + 1)] for place in range(6)]
    jobs[2] = [write(2, -1), harm, write(2, -2)]
    jobs[5] = [harm]
    start = time.monotonic()
    problems = run_forked(jobs, seconds=1.0)
    assert time.monotonic() - start < 10.0
    assert [problem is None for problem in problems] == [True, True, False, True, True, False]
    assert reason in (problems[2] or "")
    assert "\n" not in (problems[2] or "")
    assert done.tolist() == [1, 2, -1, 4, 5, 0]


def test_endless_jobs_take_no_more_than_their_limits() -> None:
    start = time.monotonic()
    problems = run_forked([[loop_without_end] if place % 2 else [lambda: None] for place in range(9)], seconds=0.4)
    assert [problem is None for problem in problems] == [place % 2 == 0 for place in range(9)]
    assert 1.6 <= time.monotonic() - start < 6.0


def test_the_time_limit_applies_to_each_job() -> None:
    assert run_forked(6 * [[lambda: busy(0.1), lambda: busy(0.2)]], seconds=1.0) == 6 * [None]


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_nothing_to_do() -> None:
    assert run_forked([]) == []
    assert run_forked([[], []]) == [None, None]


def test_results_come_back_in_shared_memory_only(arena: Arena) -> None:
    shared, own = arena.zeros(np.zeros((3, 4))), np.zeros((3, 4))
    left_open = os.pipe()

    def write() -> None:
        shared[...] = math.pi
        own[...] = math.pi
        for descriptor in left_open:
            try:
                os.write(descriptor, b"said")
            except OSError:
                shared[0, 0] += 1.0

    assert run_forked([[write]]) == [None]
    assert shared.tolist() == [[math.pi + 2.0, *3 * [math.pi]], *2 * [4 * [math.pi]]]
    assert not own.any()
    for descriptor in left_open:
        os.close(descriptor)


def test_no_process_is_left() -> None:
    before = children_of([os.getpid()])
    assert None in run_forked([[loop_without_end], [crash], [lambda: None]], seconds=0.2)
    assert children_of([os.getpid()]) == before


# ----------------------------------------------------------------------------------------------------------------- memory


@pytest.fixture
def arena() -> Arena:
    return Arena()


DTYPES = ("bool", "int8", "float16", "float32", "float64", "uint64")


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(DTYPES), st.lists(st.integers(0, 60), max_size=3).map(tuple)), max_size=40))
def test_arrays_do_not_overlap(shapes: list[tuple[str, tuple[int, ...]]]) -> None:
    arena = Arena()
    for turn in range(2):
        arrays = [arena.empty(shape, dtype) for dtype, shape in shapes]
        for number, array in enumerate(arrays):
            array[...] = (number + turn) % 2 if array.dtype == bool else (number + turn) % 100
        for number, (array, (dtype, shape)) in enumerate(zip(arrays, shapes, strict=True)):
            assert (array.dtype, array.shape) == (np.dtype(dtype), shape)
            assert array.flags.c_contiguous
            assert not array.size or array.ctypes.data % 64 == 0
            assert np.all(array == ((number + turn) % 2 if dtype == "bool" else (number + turn) % 100))
        arena.clear()


def test_an_array_larger_than_a_chunk(arena: Arena) -> None:
    small, large, other = arena.zeros(np.zeros(3)), arena.empty((CHUNK,), np.float32), arena.zeros(np.zeros(3))
    large[...] = 7.0
    assert not small.any()
    assert not other.any()
    assert np.all(arena.copy(large) == 7.0)
