"""Every call in generated code is counted under the name of the builtin in Warp, with its types."""

from __future__ import annotations

import ast
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from warpsmith.core.records.jsonl import Line
from warpsmith.core.similarity.tokens import MAX_CHARACTERS
from warpsmith.extraction.warp import registries
from warpsmith.validation.statistics import builtin_coverage
from warpsmith.validation.statistics.builtin_uses import calls, type_of
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.sections import measure_lines, merge, summarize

SOURCE = """import warp as wp


@wp.struct
class Body:
    mass: float
    speed: wp.vec3d


@wp.func
def adjusted(x: wp.float64):
    return wp.sin(x) * x


@wp.kernel
def known(bodies: wp.array(dtype=Body), xs: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.vec3d)):
    i, j = wp.tid()
    body = bodies[i]
    if i >= 4 and not (j < 2):
        return
    twice = adjusted(xs[i]) + adjusted(xs[j])
    spatial = wp.spatial_vector(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    low = wp.vec3(float(i), body.mass, wp.spatial_top(spatial)[0])
    wp.atomic_add(out, j, body.speed * twice * wp.float64(wp.length(low)))
    for _ in range(i):
        wp.printf("sin(%d)", i)
"""

KNOWN = {
    "tid(int32, int32)": 1,
    "unot(bool)": 1,
    "sin(float64)": 1,
    "mul(float64, float64)": 1,
    "add(float64, float64)": 1,
    "spatial_vector(float32, float32, float32, float32, float32, float32)": 1,
    "spatial_top(vec6f)": 1,
    "vector(float32, float32, float32)": 1,
    "atomic_add(array(vec3d), int32, vec3d)": 1,
    "mul(vec3d, float64)": 2,
    "length(vec3f)": 1,
    "printf(str, int32)": 1,
}


class _Everything:
    """A container of every name."""

    def __contains__(self, _: object) -> bool:
        return True


EVERYTHING = _Everything()


def found(line: Line) -> Counter[str]:
    """Return the calls of public builtins in a pair, `wp.static` of its Python included, spelled as in the statistics."""
    parsed = ParsedPair(line.pair)  # type: ignore[arg-type]
    visible = registries.visible_builtins()
    counted = Counter(
        f"{call.builtin}({', '.join(kind.name for kind in call.types)})"
        for call in calls(parsed.forward_code or "", parsed.called)
        if call.builtin in visible
    )
    static = len(re.findall(r"\bwp\.static\(", line.pair.python_source if line.pair else ""))
    return counted + Counter({"static()": static})


def builtins_of(lines: list[Line]) -> dict[str, Any]:
    summary: dict[str, Any] = summarize(merge([measure_lines(lines)]))["builtins"]
    return summary


# ------------------------------------------------------------------------------------------------------- hand-counted


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("backward", [True, False])
def test_a_kernel_counted_by_hand(pair_line: Callable[..., Line], device: str, backward: bool) -> None:
    assert found(pair_line(SOURCE, None, device, backward, name="known")) == KNOWN


def test_unlisted_builtins_are_counted_separately(pair_line: Callable[..., Line]) -> None:
    summary = builtins_of([pair_line(SOURCE, None, "cuda")])
    assert summary["calls"]["mul"] == 3
    assert summary["pairs"]["mul"] == 1
    assert summary["not_listed_by_warp"].keys() >= {"load", "address", "float", "float64", "extract", "range", "iter_next"}
    assert not summary["calls"].keys() & summary["not_listed_by_warp"].keys()
    assert summary["scalars"]["mul"] == {"float64": 1}
    assert summary["types"]["mul(vec3d, float64)"] == {"pairs": 1, "calls": 2}


def test_operators_are_counted_by_their_names_in_the_registry(pair_line: Callable[..., Line]) -> None:
    operators = (
        "add: +, sub: -, mul: *, div: /, floordiv: //, mod: %, bit_and: &, bit_or: |, bit_xor: ^, lshift: <<, rshift: >>"
    )
    names = dict(item.split(": ") for item in operators.split(", "))
    arguments = ", ".join(f"{name}: wp.array[int]" for name in "abc")
    body = "\n".join(f"    c[{number}] = a[0] {sign} b[0]" for number, sign in enumerate(names.values()))
    source = f"import warp as wp\n\n\n@wp.kernel\ndef k({arguments}):\n{body}\n    c[20] = -a[0] + ~b[0]\n"
    line = pair_line(source, None, "cuda")
    assert found(line) == Counter(
        [*(f"{name}(int32, int32)" for name in names), "add(int32, int32)", "neg(int32)", "invert(int32)"]
    )


def test_a_helper_with_the_name_of_a_warp_function_is_not_counted(pair_line: Callable[..., Line]) -> None:
    source = "import warp as wp\n\n\n{}@wp.kernel\ndef k(v: wp.array[wp.vec3], out: wp.array[float]):\n    out[0] = {}(v[0])\n"
    own = "@wp.func\ndef norm_l2(v: wp.vec3):\n    return v[0]\n\n\n"
    assert "norm_l2(vec3f)" in found(pair_line(source.format("", "wp.norm_l2"), None, "cuda"))
    assert "norm_l2(vec3f)" not in found(pair_line(source.format(own, "norm_l2"), None, "cuda"))


def test_where_is_counted_if_written_but_not_if_inserted_after_branches(pair_line: Callable[..., Line]) -> None:
    opening = "import warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array[float]):\n    y = x[0]\n"
    joined = pair_line(opening + "    if y > 1.0:\n        y = 2.0\n    x[0] = y\n", None, "cuda")
    assert joined.pair is not None
    assert "wp::where(" in (joined.pair.cuda_ir_forward or "")
    assert found(joined) == {}
    for written in ("wp.where(y > 1.0, 2.0, y)", "2.0 if y > 1.0 else y"):
        assert found(pair_line(f"{opening}    x[0] = {written}\n", None, "cuda")) == {"where(bool, float32, float32)": 1}


def test_static_is_counted_although_it_generates_no_call(pair_line: Callable[..., Line]) -> None:
    source = "import warp as wp\n\n\n@wp.kernel\ndef k(out: wp.array[float]):\n    out[0] = wp.static(1.0 + 2.0)\n"
    assert builtins_of([pair_line(source, None, "cuda")])["calls"] == {"static": 1}


# -------------------------------------------------------------------------------------------- against Python and Warp


def test_every_call_in_the_code_is_counted(lines: list[Line]) -> None:
    """A plain text search for the names of builtins finds the same number, without helpers that have the name of a builtin."""
    for line in lines:
        assert line.pair is not None
        helpers = {f"{name}_0" for name in re.findall(r"^def (\w+)\(", line.pair.python_source, re.MULTILINE)}
        natives = registries.native_names().keys() - helpers
        code = re.sub(r"//[^\n]*|^static [^\n]*", "", line.pair.cuda_ir_forward or "", flags=re.MULTILINE)  # no definitions
        plain = [name for name in re.findall(r"(?<![\w:.])((?:wp::)?\w+)(?:<[^;()]*>)?\(", code) if name in natives]
        counted = list(calls(line.pair.cuda_ir_forward or "", EVERYTHING))
        assert len(counted) == len(plain)
        assert not [call for call in counted if any(kind.name == "?" for kind in call.types)]


def test_cpp_and_cuda_code_give_the_same_counts(lines: list[Line]) -> None:
    for line in lines[:50]:
        assert line.pair is not None
        cpp, cuda = (Counter(calls(text or "", EVERYTHING)) for text in (line.pair.cpp_forward, line.pair.cuda_ir_forward))
        assert cpp == cuda


OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Mod: "mod", ast.FloorDiv: "floordiv",
    ast.Pow: "pow", ast.MatMult: "mul", ast.BitAnd: "bit_and", ast.BitOr: "bit_or", ast.BitXor: "bit_xor", ast.LShift: "lshift",
    ast.RShift: "rshift",
}  # fmt: skip


def called_in_warp() -> dict[str, set[str]]:
    """Return what functions of Warp that are Python call, by their names."""
    module = ast.parse((Path(wp.__file__).parent / "_src" / "math.py").read_text(encoding="utf-8"))
    calls = {
        function.name: {ast.unparse(node.func).removeprefix("wp.") for node in ast.walk(function) if isinstance(node, ast.Call)}
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef)
    }
    for _ in range(3):  # of functions in functions
        for found in calls.values():
            found.update(*(calls.get(name, ()) for name in found))
    return calls


CALLED_IN_WARP = called_in_warp()


def computed(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, without those that `wp.static` computes during generation."""
    yield statement
    if not (isinstance(statement, ast.Call) and ast.unparse(statement.func) == "wp.static"):
        for node in ast.iter_child_nodes(statement):
            yield from computed(node)


def is_element(target: ast.expr, function: ast.FunctionDef) -> bool:
    """Return whether a target is an element of an array, and not a component of a local vector."""
    names = {argument.arg for argument in function.args.args}
    return isinstance(target, ast.Subscript) and any(
        isinstance(node, ast.Name) and node.id in names for node in ast.walk(target.value)
    )


def test_the_python_and_the_code_call_the_same_builtins(lines: list[Line]) -> None:
    """Compare the builtins in the syntax tree of the Python with those in the code."""
    visible = registries.visible_builtins()
    for line in lines:
        assert line.pair is not None
        named = set()
        for function in ParsedPair(line.pair).functions:
            for statement in function.body:
                for node in computed(statement):
                    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                        named.add(node.func.attr)
                    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
                        named.add("len")
                    elif isinstance(node, ast.BinOp):
                        named.add(OPERATORS[type(node.op)])
                    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
                        named.add("invert")
                    elif isinstance(node, ast.AugAssign) and is_element(node.target, function):
                        named.add("atomic_add" if isinstance(node.op, ast.Add) else "atomic_sub")
        reached = {key.partition("(")[0] for key in found(line)}
        # functions that make functions, which call builtins too, are no functions of the pair
        inside = "\n".join(re.findall(r"^ {4}@wp\.func\n(?: {4,}.*\n|\n)+", line.pair.python_source, re.MULTILINE))
        passed = set(re.findall(r"\bwp\.(\w+)", inside))
        assert named & visible.keys() <= reached
        assert reached - named - passed <= {
            "vector",
            "matrix",
            "quaternion",
            "transformation",
            "neg",
            "add",
            "sub",
            "mul",
            "div",
            "unot",
            "min",
            "max",
            "abs",
            *(called for name in named & CALLED_IN_WARP.keys() for called in CALLED_IN_WARP[name]),
        } | ({"where"} if " if " in line.pair.python_source and " else " in line.pair.python_source else set())


def test_the_registry_contains_the_public_builtins_of_warp() -> None:
    visible = registries.visible_builtins()
    assert {"sin", "add", "tid", "vector", "atomic_add", "tile_load", "quat_rpy", "norm_l2"} <= visible.keys()
    assert not {"load", "address", "array_store", "copy", "float32", "extract"} & visible.keys()
    stub = Path(wp.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    documented = set(re.findall(r"^def (\w+)\(", stub, re.MULTILINE))
    assert documented <= visible.keys()
    assert len(visible.keys() - documented) < 30  # functions that Warp has in Python, and what types do
    known = {name for names in registries.native_names().values() for name in names}
    assert visible.keys() - known == set()


def test_coverage_adds_up(lines: list[Line]) -> None:
    some = lines[:60]
    summary = builtins_of(some)
    visible = registries.visible_builtins()
    missing = [name for group in summary["groups"].values() for name in group["missing"]]
    assert summary["in_warp"] == len(visible) == summary["reached"] + len(missing)
    assert set(missing) == visible.keys() - {key.partition("(")[0] for line in some for key in found(line)}
    assert list(summary["least"].values()) == sorted(summary["pairs"].values())[: len(summary["least"])]


@pytest.mark.exhaustive
def test_saturation_equals_the_size_of_unions(lines: list[Line]) -> None:
    parts = [measure_lines(lines[:70]), measure_lines(lines[70:75]), measure_lines(lines[75:])]
    steps = summarize(merge(parts))["builtins"]["saturation"]
    assert [step["pairs"] for step in steps] == [1, 2, 5, 10, 20, 50, 100, 200]
    for step in steps:
        types = set().union(*(found(line) for line in lines[: step["pairs"]]))
        assert step["types"] == len(types)
        assert step["builtins"] == len({key.partition("(")[0] for key in types})


# ------------------------------------------------------------------------------------------------------ types, hostile


@pytest.mark.parametrize(
    ("text", "name", "scalars"),
    [
        ("wp::float32", "float32", ("float32",)),
        ("bool", "bool", ("bool",)),
        ("wp::float64*", "float64", ("float64",)),
        ("wp::vec_t<3, wp::float32>", "vec3f", ("float32",)),
        ("wp::vec_t<2, wp::uint16>*", "vec2us", ("uint16",)),
        ("wp::mat_t<3, 4, wp::float64>", "mat34d", ("float64",)),
        ("wp::quat_t<wp::float16>", "quath", ("float16",)),
        ("wp::transform_t<wp::float32>", "transformf", ("float32",)),
        ("wp::array_t<wp::vec_t<3, wp::float32>>*", "array(vec3f)", ("float32",)),
        ("wp::indexedarray_t<wp::int64>", "array(int64)", ("int64",)),
        ("wp::tile_register_t<wp::float32,wp::tile_layout_register_t<wp::tile_shape_t<8,4>>>", "tile(float32)", ("float32",)),
        ("wp::range_t", "range", ()),
        ("wp::str", "str", ()),
        ("Body_cd84f934", "struct", ()),
        ("wp::array_t<" * 5000 + ">" * 5000, "?", ()),
    ],
)
def test_types_have_the_names_of_warp(text: str, name: str, scalars: tuple[str, ...]) -> None:
    assert type_of(text) == (name, scalars)


@pytest.mark.parametrize(
    "line",
    [
        "    var_1 = wp::add" + "<" * 500_000, "    " + "a " * 400_000, "    " + " " * 900_000 + "var_", "x" * 900_000,
        "    var_0 = wp::add(" * 40_000, "\n".join(["    wp::float32 var_1;"] * 40_000),
        "    const " + "wp::" * 200_000 + " var_1;",
    ],
)  # fmt: skip
def test_arbitrary_text_takes_linear_time(line: str) -> None:
    start = time.process_time()
    list(calls(f"void f(\n{line}\n{line[:1000]}", EVERYTHING))
    assert time.process_time() - start < 3.0


def test_a_text_that_is_too_long_is_counted_as_unread(lines: list[Line], change_line: Any) -> None:
    long = change_line(lines[0], lambda record: record.update(cuda_ir_forward="x" * (MAX_CHARACTERS + 1)))
    state = builtin_coverage.empty()
    builtin_coverage.update(state, ParsedPair(long.pair))
    assert (state["pairs"], state["unread"], state["builtins"]) == (1, 1, {})
