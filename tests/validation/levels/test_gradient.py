"""Level gradient fails adjoints that are not the derivative, and does not fail correct adjoints."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.derivatives.disagreement import parse_disagreement
from warpsmith.validation.levels.derivatives.draw_tallies import DIRECTIONS
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

HEAD = "import warp as wp\n\n\n"
CUBE = """@wp.func
def cube(x: float):
    return x * x * x


@wp.func_grad(cube)
def adj_cube(x: float, adj_ret: float):
    wp.adjoint[x] += {slope} * x * x * adj_ret


"""
NATIVE = """snippet = \"\"\"
    float t = 100.0f + x;
    return (float)(t * t) + sinf(t);
    \"\"\"
adj_snippet = \"\"\"
    float t = 100.0f + x;
    adj_x += (2.0f * t + cosf(t)) * {factor} * adj_ret;
    \"\"\"


@wp.func_native(snippet, adj_snippet)
def shifted(x: float) -> float: ...


"""
PLAIN = "(x: wp.array(dtype=float), out: wp.array(dtype=float)):\n    i = wp.tid()\n"
SCALAR = "(x: wp.array(dtype=float), a: float, v: wp.vec3, out: wp.array(dtype=float)):\n    i = wp.tid()\n"
WHOLE = "(x: wp.array(dtype=int), out: wp.array(dtype=int)):\n    i = wp.tid()\n    out[i] = 2 * x[i]\n"
HALF_WHOLE = "(x: wp.array(dtype=int), out: wp.array(dtype=float)):\n    i = wp.tid()\n    out[i] = 2.0 * float(x[i])\n"

LOOP = """    s = float(0.0)
    for j in range(8):
        if (i + j) % 2 == 0:
            s += x[(i + j) % 64] * x[i]
        else:
            s = s - x[j]
    out[i] = s
"""

DIRECTIONS_DRAWN = """    v = wp.sample_unit_sphere(r) + wp.sample_unit_hemisphere_surface(r)
    u = wp.sample_unit_ring(r) + wp.sample_triangle(r)
    out[i] = x[i] * x[i] * v[0] + x[i] * u[1]
"""

SOURCES = {
    # name: (text before the kernel, parameters and body of the kernel)
    "smooth": ("", f"{PLAIN}    out[i] = wp.sin(x[i]) * wp.exp(x[i]) + 3.0 * x[i]\n"),
    "a loop and a branch": ("", PLAIN + LOOP),
    "a sum": ("", f"{PLAIN}    wp.atomic_add(out, i % 8, x[i] * x[i])\n"),
    "parameters": ("", f"{SCALAR}    out[i] = x[i] * a + wp.sin(a) * wp.dot(v, wp.vec3(3.0, 1.0, 2.0))\n"),
    "reads a shape": ("", f"{PLAIN}    if i >= x.shape[0]:\n        return\n    out[i] = x[i] * x[i]\n"),
    "custom gradient": (CUBE.format(slope="3.0"), f"{PLAIN}    out[i] = cube(x[i])\n"),
    "custom gradient, wrong": (CUBE.format(slope="2.0"), f"{PLAIN}    out[i] = cube(x[i])\n"),
    "custom gradient, a little wrong": (CUBE.format(slope="3.0003"), f"{PLAIN}    out[i] = cube(x[i])\n"),
    "native code": (NATIVE.format(factor="1.0f"), f"{PLAIN}    out[i] = shifted(x[i])\n"),
    "native code, a little wrong": (NATIVE.format(factor="1.0001f"), f"{PLAIN}    out[i] = shifted(x[i])\n"),
    "a kink where the inputs are": ("", f"{PLAIN}    out[i] = wp.abs(x[i]) + float(i)\n"),
    "kinks": ("", f"{PLAIN}    out[i] = wp.abs(x[i]) + wp.max(x[i], 0.3) + wp.clamp(x[i], -0.5, 0.5)\n"),
    "steps": ("", f"{PLAIN}    out[i] = wp.floor(4.0 * x[i]) + wp.sign(x[i])\n"),
    "a step that is steep": ("", f"{PLAIN}    if x[i] > 0.0:\n        out[i] = 1.0 + x[i]\n    else:\n        out[i] = x[i]\n"),
    "random": ("", f"{PLAIN}    r = wp.rand_init(7, i)\n    out[i] = x[i] * wp.randf(r)\n"),
    "random directions": ("", f"{PLAIN}    r = wp.rand_init(7, i)\n{DIRECTIONS_DRAWN}"),
    "whole numbers": ("", WHOLE),
    "whole numbers in": ("", HALF_WHOLE),
    "no backward pass": ("", f"{PLAIN}    out[i] = x[i] * x[i]\n"),
}  # fmt: skip

RIGHT = ("smooth", "a loop and a branch", "a sum", "parameters", "reads a shape", "custom gradient", "native code")
WRONG = ("custom gradient, wrong", "custom gradient, a little wrong", "native code, a little wrong")
NO_DERIVATIVE = ("a kink where the inputs are", "kinks", "steps", "a step that is steep")
NOT_APPLICABLE = {
    "whole numbers": "no output holds floats",
    "whole numbers in": "no input holds floats",
    "no backward pass": "there is no backward pass",
}


@pytest.fixture(scope="module")
def kernels(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> dict[str, Line]:
    found = {}
    for number, (name, (before, text)) in enumerate(SOURCES.items()):
        types = dict(re.findall(r"(\w+): wp\.array\(dtype=(\w+)\)", text))
        dtypes = {"int": "int32", "float": "float32"}
        domain = {"kind": "fill", "low": 0, "high": 0} if "inputs are" in name else {"low": -1, "high": 1}
        domain |= {"low": -9, "high": 9} if types["x"] == "int" else {}
        values = [argument("a", "float32"), argument("v", "vec3f")] if "a: float" in text else []
        args = (
            argument("x", dtypes[types["x"]], (64,), **domain),
            *values,
            argument("out", dtypes[types["out"]], (8 if name == "a sum" else 64,), role="output"),
        )
        backward = name != "no backward pass"
        source = f"{HEAD}{before}@wp.kernel\ndef k{text}"
        found[name] = pair_line(source, Launch(dim=(64,), args=args), backward=backward, identity=name, number=number)
    return found


def for_both(record: dict[str, Any], change: Callable[[str], str]) -> None:
    for key in ("cpp_backward", "cuda_ir_backward"):
        changed = change(record[key])
        assert changed != record[key]
        record[key] = changed


def without_line(pattern: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes the one line of the adjoint that matches a pattern, in both texts."""

    def leave_out(text: str) -> str:
        kept = [line for line in text.splitlines(keepends=True) if not re.search(pattern, line)]
        assert len(kept) == text.count("\n") - 1, pattern
        return "".join(kept)

    return lambda record: for_both(record, leave_out)


def replaced(old: str, new: str) -> Callable[[dict[str, Any]], None]:
    return lambda record: for_both(record, lambda text: text.replace(old, new))


DAMAGES = {
    # error in both texts: (kernel, damage)
    "a line of the chain": ("smooth", without_line(r"wp::adj_sin\(")),
    "one use of two": ("smooth", without_line(r"wp::adj_exp\(")),
    "the last store": ("smooth", without_line(r"wp::adj_array_store\(")),
    "an index": ("a sum", without_line(r"wp::adj_atomic_add\(")),
    "a sine of a parameter": ("parameters", without_line(r"wp::adj_sin\(")),
    "a vector that is a parameter": ("parameters", without_line(r"wp::adj_dot\(")),
}


@pytest.fixture(scope="module")
def findings(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> dict[str, Finding]:
    """Return the findings of level gradient on the kernels and on damaged copies of them."""
    lines = dict(kernels)
    for number, (damaged, (name, damage)) in enumerate(DAMAGES.items(), start=100):
        lines[damaged] = replace(change_line(kernels[name], damage), number=number)
    for number, name in enumerate(("smooth", "custom gradient, wrong"), start=200):
        lines[f"{name} in C++"] = replace(change_line(kernels[name], cpp_only), number=number)
    by_level = run_levels(list(lines.values()), "execute", "gradient")
    stopped = [(name, finding) for name, finding in zip(lines, by_level["execute"], strict=True) if finding.status != "pass"]
    assert stopped == []
    return dict(zip(lines, by_level["gradient"], strict=True))


def cpp_only(record: dict[str, Any]) -> None:
    record.update(cuda_ir_forward=None, cuda_ir_backward=None)
    record["metadata"].update(device="cpu", ir_type="cpp")


@pytest.mark.parametrize("name", [*RIGHT, "smooth in C++"])
def test_a_correct_adjoint_passes(findings: dict[str, Finding], name: str) -> None:
    assert findings[name] == Finding("pass")


@pytest.mark.parametrize("name", [*WRONG, *DAMAGES, "custom gradient, wrong in C++"])
def test_an_incorrect_adjoint_fails_with_figures(findings: dict[str, Finding], name: str) -> None:
    finding = findings[name]
    assert finding.status == "fail"
    direction, of_element = finding.reason.split("; ")
    figures = re.fullmatch(
        r"the adjoint gives (\S+), central differences (\S+) along a random direction", direction.replace("nan", "0")
    )
    assert figures is not None, finding.reason
    assert float(figures[1]) != float(figures[2])
    assert re.fullmatch(r"of \w[\w\[\]]*: \S+ instead of \S+", of_element)


RATIOS = {
    # kernel or damage: (the argument whose gradient is wrong, the ratio of the wrong derivative to the right one)
    "custom gradient, wrong": ("x", 2.0 / 3.0),
    "custom gradient, a little wrong": ("x", 3.0003 / 3.0),
    "custom gradient, wrong in C++": ("x", 2.0 / 3.0),
    "the last store": ("x", 0.0),
    "a vector that is a parameter": ("v", 0.0),
}


@pytest.mark.parametrize("name", RATIOS)
def test_the_reason_names_one_element_and_its_derivatives(findings: dict[str, Finding], name: str) -> None:
    found = parse_disagreement(findings[name].reason)
    assert found is not None
    argument, ratio = RATIOS[name]
    assert re.fullmatch(r"x\[\d+\]|v\[[012]\]", found.element)
    assert found.argument == argument
    assert found.got / found.expected == pytest.approx(ratio, abs=1e-5)


def test_the_element_is_the_only_one_that_is_wrong(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> None:
    """Only one of 3,000 numbers is read through a function with a wrong gradient."""
    body = (
        "(x: wp.array2d(dtype=wp.vec3), out: wp.array(dtype=float)):\n    i = wp.tid()\n    s = wp.length_sq(x[i, 7])\n"
        "    if i == 61:\n        s += cube(x[i, 4][2])\n    out[i] = s\n"
    )
    args = (argument("x", "vec3f", (100, 10)), argument("out", "float32", (100,), role="output"))
    source = f"{HEAD}{CUBE.format(slope='6.0')}@wp.kernel\ndef k{body}"
    line = pair_line(source, Launch(dim=(100,), args=args))
    [finding] = run_levels([line], "execute", "gradient")["gradient"]
    found = parse_disagreement(finding.reason)
    assert found is not None
    assert found.element == "x[61, 4][2]"
    assert found.got == pytest.approx(2.0 * found.expected, rel=1e-5)


@pytest.mark.parametrize("name", NO_DERIVATIVE)
def test_kernels_without_a_derivative_do_not_fail(findings: dict[str, Finding], name: str) -> None:
    finding = findings[name]
    assert finding.status in ("pass", "inconclusive")
    assert finding.status == "pass" or re.match(rf"[0-{DIRECTIONS - 1}] of \d draws agree", finding.reason)


def test_random_numbers_are_the_same_in_double_precision(findings: dict[str, Finding]) -> None:
    """Random numbers have no gradient and keep their single precision."""
    assert findings["random"].status == findings["random directions"].status == "pass"


@pytest.mark.parametrize("name", NOT_APPLICABLE)
def test_kernels_without_a_gradient_are_not_applicable(findings: dict[str, Finding], name: str) -> None:
    assert findings[name] == Finding("not_applicable", NOT_APPLICABLE[name])


def test_a_text_that_cannot_be_read_in_double_precision(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    """The text asserts that its numbers have four bytes, as native code of users can."""

    def assert_single_precision(record: dict[str, Any]) -> None:
        for key in ("cpp_forward", "cuda_ir_forward"):
            record[key] = record[key].replace("// forward\n", "// forward\nstatic_assert(sizeof(wp::float32) == 4);\n", 1)

    by_level = run_levels([change_line(kernels["smooth"], assert_single_precision)], "execute", "emulate", "gradient")
    assert [by_level[level][0].status for level in by_level] == ["pass", "pass", "pass"]


def test_kernels_that_did_not_run_are_skipped(kernels: dict[str, Line], run_levels: Any) -> None:
    assert run_levels([kernels["smooth"]], "gradient") == {"gradient": [Finding("skipped", "the kernel was not run")]}


def test_findings_do_not_depend_on_other_pairs_of_the_batch(
    kernels: dict[str, Line], findings: dict[str, Finding], run_levels: Any
) -> None:
    names = [*NO_DERIVATIVE[::-1], "smooth", *WRONG]
    by_level = run_levels([kernels[name] for name in names], "execute", "gradient")
    assert by_level["gradient"] == [findings[name] for name in names]
