"""A reproducer runs alone and shows the wrong gradient, whatever arguments the kernel has."""

from __future__ import annotations

import ast
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp

import known_adjoints as known
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Origin
from warpsmith.validation.reduction.literals import array_text, type_text
from warpsmith.validation.reduction.reproduce import reproduce
from warpsmith.validation.reduction.script import Case, Figures, script

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

WRONG_CUBE = """@wp.func
def cube(x: float, n: int):
    s = float(1.0)
    for k in range(n):
        s = s * x
    return s


"""
"""A function with a loop whose adjoint is wrong; ``n`` is 3."""

EVERYTHING = f"""import warp as wp


@wp.struct
class Inner:
    scale: float
    offset: wp.vec3


@wp.struct
class Body:
    mass: float
    inner: Inner
    force: wp.array(dtype=wp.vec3)


@wp.struct
class Cell:
    area: float
    inner: Inner


VALUES = wp.constant(2.0)


{WRONG_CUBE}@wp.kernel
def weights(
    body: Body, cells: wp.array(dtype=Cell), x: wp.array(dtype=float), m: wp.array2d(dtype=wp.mat22), k: int, n: int,
    flags: wp.array(dtype=bool), precise: wp.array(dtype=wp.float64), frame: wp.transform, sums: wp.array(dtype=Cell),
    out: wp.array(dtype=wp.vec2d),
):
    i = wp.tid()
    a = cube(body.force[i][1], n) * body.mass + body.inner.scale + wp.dot(body.inner.offset, body.force[i])
    b = cube(cells[i].inner.offset[2], n) + cells[i].area * x[i] * VALUES
    c = m[i, k][0, 1] * wp.transform_get_translation(frame)[0]
    if flags[i]:
        c = c + 1.0
    sums[i].area = a + b + c
    sums[i].inner.scale = a
    sums[i].inner.offset = wp.vec3(b, c, 1.0)
    out[i] = wp.vec2d(precise[i] * precise[i], wp.float64(a))
"""


@pytest.fixture
def everything(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> Line:
    """Return a pair with wrong gradients and every kind of argument."""

    def struct(
        name: str, dtype: str, fields: tuple[Argument, ...], shape: tuple[int, ...] = (), role: Any = "input"
    ) -> Argument:
        kind: Any = "array" if shape else "struct"
        return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=None, fields=fields)

    def inner(role: str = "input") -> Argument:
        fields = argument("scale", "float32", role=role), argument("offset", "vec3f", role=role)
        return struct("inner", "Inner", fields, role=role)

    def cell(role: str) -> tuple[Argument, ...]:
        return argument("area", "float32", role=role), inner(role)

    force = argument("force", "vec3f", (4,), low=0.5, high=1.5)
    args = (
        struct("body", "Body", (argument("mass", "float32", low=0.5), inner(), force)),
        struct("cells", "Cell", cell("input"), (4,)),
        argument("x", "float32", (4,)),
        argument("m", "mat22f", (4, 2)),
        argument("k", "int32", low=1, high=1, kind="fill"),
        argument("n", "int32", low=3, high=3, kind="fill"),
        argument("flags", "bool", (4,), low=0, high=1),
        argument("precise", "float64", (4,)),
        argument("frame", "transformf", kind="unit"),
        struct("sums", "Cell", cell("output"), (4,), "output"),
        argument("out", "vec2d", (4,), role="output"),
    )
    options = {"fast_math": False, "max_unroll": 4}
    line = pair_line(EVERYTHING, Launch(dim=(4,), args=args), "cpu", name="weights", options=options)
    assert line.pair is not None
    metadata = replace(line.pair.metadata, origin=Origin(file="sim/cells.py", line=41, launch="captured"))
    return decode(encode(replace(line.pair, metadata=metadata)), line.path, 1)


def text_of(line: Line, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(scratch)
    answer = reproduce([line])
    assert answer["missing"] == ""
    text = answer["text"]
    assert isinstance(text, str)
    return text


def test_a_reproducer_imports_warp_and_numpy_only(everything: Line, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(everything, scratch, monkeypatch)
    imported = {name.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"warp", "numpy", "sys"}
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    assert "The kernel is reduced from sim/cells.py:41." in text
    assert f"Seen with Warp {wp.__version__}, NumPy {np.__version__} and Python {platform.python_version()} on a CPU." in text
    assert "VALUES = wp.constant(2.0)" in text
    assert "VALUES_ = {" in text  # the file of the kernel contains the other name
    assert EVERYTHING.split("\n", 3)[3].strip() in text


@pytest.mark.exhaustive
def test_a_reproducer_finds_exactly_the_wrong_derivatives(
    everything: Line, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _run(text_of(everything, scratch, monkeypatch), tmp_path)
    assert done.returncode == 1, done.stderr
    found = re.findall(r"^([\w.]+)\[([\d, ]+)\]: Warp gives", done.stdout, re.MULTILINE)
    wrong = {("body.force", f"{i}, 1") for i in range(4)} | {("cells.inner.offset", f"{i}, 2") for i in range(4)}
    assert set(found) <= wrong, done.stdout
    assert len({name for name, _ in found}) == 1, "the argument that the level names"
    assert f"{len(found)} of {len(found)} derivatives are wrong (Warp" in done.stdout


@pytest.mark.exhaustive
@pytest.mark.parametrize("weighted", [False, True])
def test_the_script_of_a_right_kernel_exits_with_0(tmp_path: Path, weighted: bool) -> None:
    pair = known.pair_of("sum", known.RIGHT["sum in a loop"])
    launch = pair.metadata.launch
    assert launch is not None
    figures = tuple(Figures(("xx", (i, 1)), 2.0**-7, 7.0, 5.0) for i in range(3))
    case = Case(launch, make_inputs(launch, pair.id), ("out",), weighted, figures, 0.01)
    done = _run(script(pair.python_source, "kernel", {}, case, "It is wrong."), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 of 3 derivatives are wrong" in done.stdout


def test_a_bend_is_no_wrong_derivative(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "    out[0] = cube(x[2], n)\n    out[1] = wp.max(x[0], x[1])\n"
    head = "(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):\n"
    n = argument("n", "int32", low=3, high=3, kind="fill")
    args = (argument("x", "float32", (3,), low=1.5, high=1.5, kind="fill"), n, argument("out", "float32", (2,), role="output"))
    line = pair_line(f"import warp as wp\n\n\n{WRONG_CUBE}@wp.kernel\ndef k{head}{body}", Launch(dim=(1,), args=args), "cpu")
    text = text_of(line, scratch, monkeypatch)
    assert re.search(r'^ELEMENTS = \[\("x", \(2,\), [\d.]+\)\] ', text, re.MULTILINE), text


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", known.WRONG)
def test_every_known_error_is_visible(name: str, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(known.line_of(known.pair_of(name, known.WRONG[name])), scratch, monkeypatch)
    done = _run(text, tmp_path)
    assert done.returncode == 1, done.stderr
    promised = [line.strip() for line in text.split('"""')[1].splitlines() if line.startswith("    ")][1:]
    assert re.fullmatch(r"([1-3]) of \1 derivatives are wrong .*", promised[-1])
    assert done.stdout.splitlines()[-len(promised) :] == promised, "the docstring has what the file prints"


def case_of(launch: Launch, **values: Any) -> Case:
    return Case(launch, values, (), False, (), 0.1)


def test_a_file_that_imports_from_the_future() -> None:
    source = "from __future__ import annotations\nimport warp as wp\nSIZE = 3\n@wp.func\ndef f(): ...\n"
    text = script(source, "k", {}, case_of(Launch(dim=(2,), args=())), "It is wrong.")
    compile(text, "reproducer.py", "exec")
    assert str(ast.get_docstring(ast.parse(text))).startswith("It is wrong.")
    assert "SIZE = 3\n\n\n@wp.func\ndef f(): ...\n\n\n" in text


def _run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "reproducer.py").write_text(text)
    command = [sys.executable, "-I", "reproducer.py"]  # isolated: without the packages of this repository
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_right_kernels_have_no_reproducer(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(scratch)
    answer = reproduce([known.line_of(known.pair_of("sum", known.RIGHT["sum in a loop"]))])
    assert {name: text for name, text in answer.items() if text} == {"missing": "known-sum does not fail level gradient"}


def test_large_inputs_are_compared_at_the_element_that_the_level_names(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):\n    i = wp.tid()\n    out[i] = cube(x[i], n)\n"
    n = argument("n", "int32", low=3, high=3, kind="fill")
    args = (argument("x", "float32", (1500,)), n, argument("out", "float32", (1500,), role="output"))
    line = pair_line(f"import warp as wp\n\n\n{WRONG_CUBE}@wp.kernel\ndef k{body}", Launch(dim=(1500,), args=args), "cpu")
    assert re.search(r'^ELEMENTS = \[\("x", \(\d+,\), [\d.]+\)\] ', text_of(line, scratch, monkeypatch), re.MULTILINE)


@pytest.mark.parametrize("place", ['x"""\nimport os\n"""', "a\nb", "c\\"])
def test_the_file_of_a_record_cannot_add_code(place: str, argument: Callable[..., Argument]) -> None:
    launch = Launch(dim=(2,), args=(argument("x", "float32", (2,)),))
    text = script("import warp as wp\n", "k", {}, case_of(launch, x=np.ones(2, np.float32)), "", place)
    assert "reduced from" not in text


@pytest.mark.parametrize(("name", "dtype"), [("x y", "float32"), ("body", "print(1) or Body")])
def test_names_of_a_record_cannot_add_code(name: str, dtype: str, argument: Callable[..., Argument]) -> None:
    member = argument("mass", "float32")
    fields = (member,) if dtype != "float32" else ()
    kind: Any = "struct" if fields else "value"
    one = Argument(name=name, kind=kind, dtype=dtype, role="input", shape=(), domain=None, fields=fields)
    with pytest.raises(WarpsmithError, match="a name that Python does not allow"):
        script("import warp as wp\n", "k", {}, case_of(Launch(dim=(2,), args=(one,))), "")


@pytest.mark.parametrize(
    ("kind", "dtype", "reason"),
    [
        ("indexed_array", "float32", "tape does not differentiate launches with indexed arrays"),
        ("mesh", "uint64", "cannot contain the mesh"),
    ],
)
def test_arguments_that_a_reproducer_cannot_have(kind: Any, dtype: str, reason: str, argument: Callable[..., Argument]) -> None:
    launch = Launch(dim=(2,), args=(replace(argument("x", dtype, (2, 2)), kind=kind),))
    with pytest.raises(WarpsmithError, match=reason):
        script("import warp as wp\n", "k", {}, case_of(launch, x=np.zeros(2, np.float32)), "")


@pytest.mark.parametrize(
    "values",
    [
        np.array([0.1, -1e-30, 3.4e38, np.nan, np.inf, -np.inf], np.float32),
        np.array([[1.0 / 3.0], [2.0]], np.float64),
        np.array([0.1, 5.0], np.float16),
        np.array([True, False]),
        np.array([2**63, 1], np.uint64),
        np.array(-7, np.int8),
        np.zeros((0, 3), np.int32),
        np.full((2, 5), 0.1, np.float32),
    ],
)
def test_literals_are_exact(values: Any) -> None:
    again = eval(array_text(values), {"np": np})  # noqa: S307 - the text of this test
    assert again.dtype == values.dtype
    assert again.shape == values.shape
    assert again.tobytes() == values.tobytes() or np.isnan(values).any()
    np.testing.assert_array_equal(again, values)


def test_types_that_warp_has_no_name_for() -> None:
    assert [type_text(one) for one in ("float32", "spatial_matrixf", "vec5d")] == [
        "float",
        "wp.spatial_matrixf",
        "wp.types.vector(5, wp.float64)",
    ]
