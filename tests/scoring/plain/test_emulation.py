"""The emulation of CUDA: all names of the allow list exist in NVRTC and in the emulation, with the values of Python."""

from __future__ import annotations

import base64
import math
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.warp import runtime
from warpsmith.scoring.judging.plain import linking, plain_compiling, plain_runner
from warpsmith.scoring.judging.plain.plain_compiling import PlainText
from warpsmith.scoring.judging.plain.plain_launches import prepare_plain
from warpsmith.scoring.judging.trials import ANY_ORDER
from warpsmith.scoring.judging.worker_messages import MachineCode, ObjectToRun, Rejection
from warpsmith.scoring.plain import plain_names
from warpsmith.scoring.plain.grids import ISOLATED, REVERSED
from warpsmith.scoring.plain.plain_signature import Parameter
from warpsmith.scoring.plain.plain_unit import cuda_text, waits
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.running.fork_runner import run_forked

PARAMETERS = [Parameter("dim0", "int", "", 0), Parameter("x", "const double*", "x"), Parameter("y", "double*", "y")]
HEAD = "__global__ void run(int dim0, const double* x, double* y)"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= dim0) return;"


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    runtime.start_runtime()
    return tmp_path


def argument(name: str, role: str, length: int) -> Argument:
    domain = Domain(kind="fill", low=0.0, high=0.0)
    return Argument(name=name, kind="array", dtype="float64", role=role, shape=(length,), domain=domain)  # type: ignore[arg-type]


def compiled(*texts: str, scratch: Path) -> list[MachineCode | Rejection]:
    types = [parameter.ctype for parameter in PARAMETERS]
    return plain_compiling.compiled([PlainText(f"K{number}", text, "run", types) for number, text in enumerate(texts)], scratch)


def linked(text: str, scratch: Path) -> int:
    """Return the address of the entry point of a text."""
    (answered,) = compiled(text, scratch=scratch)
    assert isinstance(answered, MachineCode)
    path = scratch / "text.o"
    path.write_bytes(base64.b64decode(answered.object))
    return linking.load(path)


def launched(text: str, x: list[float], scratch: Path, number: int = 0, threads: int = 0, outputs: int = 0) -> list[float]:
    """Return ``y`` after a launch of a text over a grid with a number."""
    outputs = outputs or len(x)
    launch = Launch(dim=(threads or len(x),), args=(argument("x", "input", len(x)), argument("y", "output", outputs)))
    values: dict[str, Values] = {"x": np.array(x), "y": np.zeros(outputs)}
    prepared = prepare_plain(linked(text, scratch), launch, PARAMETERS, values, number, waits(text))
    assert run_forked([[prepared.call]]) == [None]
    return [float(value) for value in prepared.outputs(launch).arrays["y"]]


DOUBLE = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "asinh": math.asinh, "acosh": lambda x: math.acosh(1 + x),
    "atanh": math.atanh, "exp": math.exp, "exp2": lambda x: 2.0**x, "exp10": lambda x: 10.0**x, "expm1": math.expm1,
    "log": math.log, "log2": math.log2, "log10": math.log10, "log1p": math.log1p, "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x), "cbrt": lambda x: x ** (1 / 3), "rcbrt": lambda x: x ** (-1 / 3),
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "round": lambda x: math.floor(x + 0.5), "rint": round,
    "nearbyint": round, "fabs": abs, "erf": math.erf, "erfc": math.erfc, "tgamma": math.gamma, "lgamma": math.lgamma,
    "sinpi": lambda x: math.sin(math.pi * x), "cospi": lambda x: math.cos(math.pi * x),
    "normcdf": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2,
    "__frcp_rn": lambda x: 1 / x, "__fsqrt_rn": math.sqrt, "__frsqrt_rn": lambda x: 1 / math.sqrt(x),
    "__saturatef": lambda x: x,
    "__sinf": math.sin, "__cosf": math.cos, "__tanf": math.tan, "__expf": math.exp, "__exp10f": lambda x: 10.0**x,
    "__logf": math.log, "__log2f": math.log2, "__log10f": math.log10, "abs": abs,
}  # fmt: skip
"""Functions of one number, and their values in Python."""

TWO = {
    "pow": math.pow, "atan2": math.atan2, "fmod": math.fmod, "remainder": math.remainder, "hypot": math.hypot,
    "rhypot": lambda x, y: 1 / math.hypot(x, y), "copysign": math.copysign, "fdim": lambda x, y: max(x - y, 0.0), "fmin": min,
    "fmax": max, "nextafter": lambda x, _: x,
    "__powf": math.pow, "__fdividef": lambda x, y: x / y, "fdividef": lambda x, y: x / y, "__fadd_rn": lambda x, y: x + y,
    "__fsub_rn": lambda x, y: x - y, "__fmul_rn": lambda x, y: x * y, "__fdiv_rn": lambda x, y: x / y, "min": min, "max": max,
    "__dadd_rn": lambda x, y: x + y, "__dmul_rn": lambda x, y: x * y,
}  # fmt: skip
"""Functions of two numbers."""

STATEMENTS = {
    "sincos": ("double s, c; sincos(0.5, &s, &c); y[i] = s + c;", math.sin(0.5) + math.cos(0.5)),
    "sincosf": ("float s, c; sincosf(0.5f, &s, &c); y[i] = s + c;", math.sin(0.5) + math.cos(0.5)),
    "__sincosf": ("float s, c; __sincosf(0.5f, &s, &c); y[i] = s + c;", math.sin(0.5) + math.cos(0.5)),
    "sincospi": ("double s, c; sincospi(0.25, &s, &c); y[i] = s + c;", math.sqrt(2)),
    "sincospif": ("float s, c; sincospif(0.25f, &s, &c); y[i] = s + c;", math.sqrt(2)),
    "fma": ("y[i] = fma(2.0, 3.0, 4.0) + fma(2.0f, 3.0f, 4.0f);", 20.0),
    "fmaf": ("y[i] = fmaf(2.0f, 3.0f, 4.0f) + __fmaf_rn(1.0f, 2.0f, 3.0f);", 15.0),
    "ldexp": ("y[i] = ldexp(3.0, 2) + ldexpf(3.0f, 1);", 18.0),
    "modf": ("double a; float b; y[i] = modf(3.5, &a) + a + modff(3.25f, &b) + b;", 6.75),
    "frexp": ("int a, b; y[i] = frexp(3.0, &a) + a + frexpf(3.0f, &b) + b;", 5.5),
    "norm3d": ("y[i] = norm3d(2.0, 3.0, 6.0) + norm3df(2.0f, 3.0f, 6.0f);", 14.0),
    "rnorm3d": ("y[i] = rnorm3d(2.0, 3.0, 6.0) + rnorm3df(2.0f, 3.0f, 6.0f);", 2 / 7),
    "norm4d": ("y[i] = norm4d(1.0, 1.0, 1.0, 1.0) + norm4df(1.0f, 1.0f, 1.0f, 1.0f);", 4.0),
    "rnorm4d": ("y[i] = rnorm4d(1.0, 1.0, 1.0, 1.0) + rnorm4df(1.0f, 1.0f, 1.0f, 1.0f);", 1.0),
    "tests": ("y[i] = isnan(NAN) + isinf(-INFINITY) + isfinite(1.0f) + signbit(-1.0) + isnan(1.0) + isfinite(INFINITY);", 4.0),
    "bits": ("y[i] = __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f;", 1.0),
    "unsigned bits": ("y[i] = __float_as_uint(-0.0f) == 0x80000000u && __uint_as_float(0x40000000u) == 2.0f;", 1.0),
    "long bits": ("y[i] = __longlong_as_double(__double_as_longlong(3.0));", 3.0),
    "conversions": (
        "y[i] = __float2int_rz(-1.5f) + 10 * __float2int_rn(2.5f) + 100 * __float2int_rd(-1.5f) + 1000 * __float2int_ru(1.5f);",
        -1 + 20 - 200 + 2000,
    ),
    "counts": ("y[i] = __popc(7u) + 10 * __clz(1) + 1000 * __ffs(8) + 10000 * __popcll(3ull);", 3 + 310 + 4000 + 20000),
    "long counts": ("y[i] = __clzll(1ll) + 100 * __ffsll(16ll) + 1000 * __clz(0) + 100000 * __ffs(0);", 63 + 500 + 32000),
    "reversed": ("y[i] = __brev(1u) == 0x80000000u;", 1.0),
    "products": ("y[i] = __mul24(5, 6) + __mulhi(1 << 30, 8) + __umulhi(1u << 31, 4u);", 34.0),
    "absolute": ("y[i] = abs(-3) + abs(-2.5f) + llabs(-4ll) + abs(-0.5);", 10.0),
    "extremes": ("y[i] = min(3, 4) + max(3u, 4u) + min(-1ll, 2ll) + max(1.5f, 2.0f) + min(2.0, 3.0f);", 10.0),
    "vectors": (
        "float4 a = make_float4(1, 2, 3, 4); double2 d = { 1.0, 2.0 }; y[i] = a.x + a.w + d.y + sizeof(float3) + sizeof(a);",
        1 + 4 + 2 + 12 + 16,
    ),
    "places": ("dim3 g = gridDim; y[i] = (threadIdx.x + blockIdx.x * blockDim.x == i) + warpSize + g.y + (g.x > 0);", 35.0),
    "read only": ("y[i] = __ldg(&x[i]) + __ldg(x);", 1.0),
    "constants": ("y[i] = M_PI + FLT_EPSILON + INT_MAX + (UINT_MAX == 0xffffffffu) + (LLONG_MIN < 0) + DBL_MAX * 0.0;",
                  math.pi + 2.0**-23 + 2**31 + 1),
    "powers": ("y[i] = pow(2.0, 3) + pow(2.0f, 3.0f) + powf(2.0f, 2.0f) + pow(2.0, 0.5f);", 20 + math.sqrt(2)),
    "types": ("int64_t a = -1; uint8_t b = __int2float_rn(255); size_t c = sizeof(a); y[i] = a + b + c + true;", 263.0),
}  # fmt: skip
"""Statements, and the value of ``y`` for ``x`` of 0.5."""


def test_functions_of_one_number_have_the_values_of_python(scratch: Path) -> None:
    lines, expected = [], []
    for name, function in DOUBLE.items():
        argument = "1.0 + x[0]" if name == "acosh" else "x[0]"
        spellings = [name] if name.startswith("__") or name == "abs" else [name, f"{name}f"]
        for spelling in spellings:
            lines.append(f"y[{len(lines)}] = {spelling}({argument});")
            expected.append(function(0.375))
    text = f"{HEAD} {{ {INDEX} {' '.join(lines)} }}"
    assert launched(text, [0.375], scratch, outputs=len(lines)) == pytest.approx(expected, rel=1e-6)


def test_functions_of_two_numbers_have_the_values_of_python(scratch: Path) -> None:
    lines, expected = [], []
    for name, function in TWO.items():
        one = name.startswith("__") or name in ("min", "max", "fdividef")
        for spelling in [name] if one else [name, f"{name}f"]:
            lines.append(f"y[{len(lines)}] = {spelling}(x[0], x[1]);")
            expected.append(function(2.75, 1.25))
    text = f"{HEAD} {{ {INDEX} if (i) return; {' '.join(lines)} }}"
    assert launched(text, [2.75, 1.25], scratch, outputs=len(lines)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", STATEMENTS)
def test_statements_have_their_value(name: str, scratch: Path) -> None:
    statement, expected = STATEMENTS[name]
    assert launched(f"{HEAD} {{ {INDEX} {statement} }}", [0.5], scratch) == pytest.approx([expected], rel=1e-6)


ATOMICS = {
    "int a = 0; for (int k = 1; k < 4; ++k) atomicAdd(&a, k); y[i] = a + atomicSub(&a, 2) + 100 * a;": 6 + 6 + 400,
    "int a = 5; atomicMax(&a, 7); atomicMin(&a, 6); y[i] = a;": 6,
    "unsigned int a = 12; atomicAnd(&a, 10u); atomicOr(&a, 1u); atomicXor(&a, 3u); y[i] = a;": 10,
    "int a = 1; int b = atomicExch(&a, 9); y[i] = 10 * a + b;": 91,
    "int a = 1; int b = atomicCAS(&a, 1, 4); int c = atomicCAS(&a, 1, 5); y[i] = 100 * a + 10 * b + c;": 414,
    "unsigned int a = 1; atomicInc(&a, 1u); y[i] = 10 * a + atomicDec(&a, 5u) + 100 * a;": 500,
    "unsigned long long a = 1ull << 40; atomicAdd(&a, 1ull); y[i] = a == (1ull << 40) + 1;": 1,
    "float a = 1.5f; y[i] = atomicAdd(&a, 2.0f) + 10 * a;": 36.5,
    "double a = 1.5; y[i] = atomicAdd(&a, 2.0) + 10 * a;": 36.5,
}


@pytest.mark.parametrize(("statement", "expected"), ATOMICS.items())
def test_atomic_functions_return_the_old_value_and_store_the_new_one(statement: str, expected: float, scratch: Path) -> None:
    assert launched(f"{HEAD} {{ {INDEX} {statement} }}", [0.5], scratch) == [expected]


@pytest.mark.parametrize("number", ANY_ORDER)
def test_sums_of_threads_are_the_same_over_all_grids(number: int, scratch: Path) -> None:
    text = f"""{HEAD} {{
        __shared__ double part;
        if (threadIdx.x == 0) part = 0.0;
        __syncthreads();
        {INDEX.replace("return", "x = 0")}
        if (x) atomicAdd(&part, x[i]);
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(y, part);
    }}"""
    assert launched(text, [float(value) for value in range(100)], scratch, number, outputs=1) == [4950.0]


@pytest.mark.parametrize("number", ANY_ORDER)
def test_shared_memory_is_exchanged_at_barriers(number: int, scratch: Path) -> None:
    text = f"""{HEAD} {{
        __shared__ double line[256];
        int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, last = blockDim.x - 1;
        line[t] = i;
        for (int step = 0; step < 3; ++step) {{
            __syncthreads();
            double next = line[t == last ? 0 : t + 1];
            __syncthreads();
            line[t] = next;
        }}
        if (i < dim0) y[i] = (int)(line[t] - blockIdx.x * blockDim.x - (t + 3) % blockDim.x);
    }}"""
    assert launched(text, [0.0] * 100, scratch, number) == [0.0] * 100


def test_an_isolated_thread_sees_only_what_its_block_wrote_before_a_barrier(scratch: Path) -> None:
    text = f"{HEAD} {{ {INDEX} y[0] = y[0] + 1.0; }}"
    counts = {number: launched(text, [0.0] * 100, scratch, number, outputs=1)[0] for number in (0, REVERSED, ISOLATED)}
    assert counts == {0: 100.0, REVERSED: 100.0, ISOLATED: 1.0}
    waiting = (
        f"{HEAD} {{ {INDEX.replace('return', 'i = -1')} y[threadIdx.x + 1] = 1.0; __syncthreads(); if (i >= 0) y[0] = y[2]; }}"
    )
    assert launched(waiting, [0.0] * 100, scratch, ISOLATED, outputs=300)[0] == 1.0


@pytest.mark.parametrize(
    ("statement", "accepted", "stage"),
    [("y[0] = lacking(1.0);", True, "unsupported"), ("y[0] = lacking(1.0);", False, "compile"), ("y[0] = 1.0;", True, None)],
)
def test_what_only_nvrtc_accepts_is_unsupported(
    statement: str, accepted: bool, stage: str | None, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if accepted:
        monkeypatch.setattr(nvrtc, "check_text", lambda *_: None)
    (answered,) = compiled(f"{HEAD} {{ {statement} }}", scratch=scratch)
    assert getattr(answered, "stage", None) == stage
    assert "lacking" in getattr(answered, "reason", "lacking")


def test_a_function_without_a_body_does_not_compile(scratch: Path) -> None:
    text = f"__device__ double lacking(double x); {HEAD} {{ y[0] = lacking(1.0); }}"
    (answered,) = compiled(text, scratch=scratch)
    assert isinstance(answered, MachineCode)
    sent = asdict(ObjectToRun(answered.object, tuple(PARAMETERS), on_fibers=False))
    (launched,) = plain_runner.run_plain([], texts=[sent], trials=[])["texts"]
    assert launched == Rejection("compile", "the text calls a function that it does not define")


def test_what_the_machine_lacks_is_not_the_answers_fault(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MachineProblem("the disk is full")

    monkeypatch.setattr(nvrtc, "compile_plain", refuse)
    (answered,) = compiled(f"{HEAD} {{ }}", scratch=scratch)
    assert answered == Rejection("machine", "MachineProblem: the disk is full")


TOGETHER = {
    # what stands before a kernel, and whether CUDA accepts it
    "nothing": ("", True),
    "a function": ("__device__ double own(double x) { return x; } ", True),
    "the same function": ("__device__ double own(double x) { return x; } ", True),
    "a constant": ("__constant__ double own[2] = { 1.0, 2.0 }; ", True),
    "a function of CUDA": ("__device__ int normcdff(float x) { return 1; } ", False),
    "a function that is no kernel": ("__device__ int main() { return 1; } ", False),
    "a struct of CUDA": ("struct cudaUUID_t { int x; }; ", False),
    "an error": ("__device__ double own(double x) { return y; } ", False),
    "an open bracket": ("__device__ double own(double x) { return x; ", False),
    "two functions": ("__device__ double own(double x) { return x; } __device__ int own(double x) { return 1; } ", False),
}


def test_texts_together_are_judged_as_alone(scratch: Path) -> None:
    texts = [f'{head}extern "C" {HEAD} {{ y[0] = 1.0; }}' for head, _ in TOGETHER.values()]
    together = compiled(*texts, scratch=scratch)
    assert {name: isinstance(found, MachineCode) for name, found in zip(TOGETHER, together, strict=True)} == {
        name: accepted for name, (_, accepted) in TOGETHER.items()
    }
    for text, found in zip(texts, together, strict=True):
        assert getattr(found, "reason", None) == nvrtc.check_text(cuda_text(text), scratch)


def test_every_name_of_the_allow_list_is_tested(scratch: Path) -> None:
    text = " ".join([*STATEMENTS, *(statement for statement, _ in STATEMENTS.values()), *ATOMICS, *DOUBLE, *TWO])
    text += " ".join(f" {name}f" for name in (*DOUBLE, *TWO)) + " __syncthreads "
    left = plain_names.BUILTINS - set(re.findall(r"\w+", text)) - plain_names.CONSTANTS
    makers = {name for name in left if name.startswith("make_")}
    lines = [f"auto {name}_ = {name};" for name in sorted(plain_names.CONSTANTS)]
    lines += [f"auto {name}_ = {name}({', '.join('1234'[: int(name[-1])])});" for name in sorted(makers)]
    assert launched(f"{HEAD} {{ {INDEX} {' '.join(lines)} }}", [0.0], scratch) == [0.0]
    assert left - makers == {"__threadfence", "__threadfence_block"}
