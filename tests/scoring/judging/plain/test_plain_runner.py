"""Plain CUDA on the SIMT machine: idioms of CUDA have their results over all grids, and each kind of finding is reported."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.judging.plain.idioms import FINDINGS, TWICE, text
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.scoring.judging.plain import plain_compiling, plain_launches, plain_runner
from warpsmith.scoring.judging.secret_launches import ANY_ORDER
from warpsmith.scoring.judging.time_budget import NO_LIMITS, TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import to_outputs
from warpsmith.scoring.judging.worker_messages import Launched, PlainTextToRun, Rejection
from warpsmith.scoring.plain.plain_signature import Parameter, Signature
from warpsmith.scoring.plain.plain_unit import without_host_code

SIZE = 100
PARAMETERS = (Parameter("n", "int", "", 0), Parameter("x_", "const float*", "x_"), Parameter("y", "float*", "y"))
SIGNATURE = Signature("go", PARAMETERS, {}, 1)
DOUBLE = text("", "v = 2 * x[i];")


def trial() -> Trial:
    domain = Domain(kind="fill", low=0.0, high=0.0)
    arguments = [
        Argument(name=name, kind="array", dtype="float32", role=role, shape=(SIZE,), domain=domain)  # type: ignore[arg-type]
        for name, role in (("x_", "input"), ("y", "output"))
    ]
    values: dict[str, Values] = {"x_": np.linspace(-1, 1, SIZE, dtype=np.float32), "y": np.full(SIZE, 7, np.float32)}
    return Trial("own", Launch(dim=(SIZE,), args=tuple(arguments)), values, {}, ANY_ORDER)


@pytest.fixture(scope="module", autouse=True)
def _in_one_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Work in a folder, where precompiled headers stay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("scratch"))
        yield


def judged(*answers: str, reference: str = DOUBLE) -> list[Launched | Rejection]:
    sent = [PlainTextToRun(answer, SIGNATURE, reference, (0,)) for answer in answers]
    return plain_runner._outcomes(sent, [trial()], TimeBudget.starting(*NO_LIMITS))


def problems(outcome: Launched | Rejection) -> list[str | None]:
    """Return the problem of each launch."""
    assert isinstance(outcome, Launched), outcome
    return [run.problem for run in outcome.runs[0]]


@pytest.fixture(scope="module")
def idioms() -> dict[str, Launched | Rejection]:
    return dict(zip(TWICE, judged(*(without_host_code(text(*parts)) for parts in TWICE.values())), strict=True))


@pytest.mark.parametrize("name", TWICE)
def test_idioms_have_their_results_over_all_grids(idioms: dict[str, Launched | Rejection], name: str) -> None:
    outcome = idioms[name]
    assert problems(outcome) == [None] * len(ANY_ORDER)
    assert isinstance(outcome, Launched)
    for run in outcome.runs[0]:
        outputs = to_outputs(run.outputs, trial(), backward=False)
        np.testing.assert_array_equal(outputs.arrays["y"], 2 * trial().values["x_"])
        np.testing.assert_array_equal(outputs.arrays["x_"], trial().values["x_"])


@pytest.fixture(scope="module")
def findings() -> dict[str, Launched | Rejection]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_launches, "STEPS", 1_000_000)
        return dict(zip(FINDINGS, judged(*(text("", f"v = 2 * x[i];\n{bad}") for bad in FINDINGS.values())), strict=True))


@pytest.mark.parametrize("kind", FINDINGS)
def test_each_kind_of_finding_is_a_problem_with_its_line(findings: dict[str, Launched | Rejection], kind: str) -> None:
    first = next(problem for problem in problems(findings[kind]) if problem)
    assert f"{kind}: " in first
    assert first.startswith("line 2: " if kind == "stack_overflow" else "line 10: ")


def test_a_race_of_the_reference_is_none_of_the_answer() -> None:
    racing = text("", "v = 2 * x[i]; y[0] = v;")
    (alone,), (beside,) = judged(racing), judged(racing, reference=racing)
    assert "global_race" in str(problems(alone)[0])
    assert problems(beside) == [None] * len(ANY_ORDER)


def test_a_loop_around_compare_and_swap_is_no_race() -> None:
    loop = """v = 2 * x[i];
    unsigned* bits = (unsigned*)y; unsigned old = *bits, assumed;
    do { assumed = old; old = atomicCAS(bits, assumed, assumed + 1); } while (old != assumed);
    if (i == 0) inside = false;"""
    (outcome,) = judged(text("", loop))
    assert problems(outcome) == [None] * len(ANY_ORDER)


VARIABLES = {
    "__shared__ int c; if (c++ < 0) return; v = 2 * x[i];": True,
    "float a[4]; if (i > 0) a[1] = 2.0f; v = a[1] * x[i];": True,
    "float a; a = 2.0f; v = a * x[i];": False,
    "float a[2]; for (int k = 0; k < 2; ++k) a[k] = x[i]; v = a[0] + a[1];": False,
}


def test_variables_without_a_value_are_found() -> None:
    outcomes = judged(*(text("", statements) for statements in VARIABLES))
    assert ["unwritten_" in str(problems(outcome)[0]) for outcome in outcomes] == list(VARIABLES.values())


REJECTED = {
    text("", "v = lacking(1.0f);"): ("compile", 'identifier "lacking" is undefined'),
    "__global__ void went(int n) { }": ("compile", "no kernel is called 'go', but went"),
    "__global__ void go(int n) { }": ("compile", "has 1 parameters, expected 3"),
    "__global__ void go(int n, const float* x, double* y) { }": ("compile", "the types of the kernel's parameters"),
    "template <int N> struct F { F<N + 1> f; }; F<0> f;" + DOUBLE: ("compile", ""),
    text("", "__shared__ float s[1 << 20]; s[i] = v; v = s[0];"): ("compile", "bytes of shared memory"),
    text("", 'asm("unknown.f32;");'): ("unsupported", "does not support"),
}


def test_texts_that_do_not_compile_are_rejected_with_the_reason() -> None:
    first, *outcomes, last = judged(DOUBLE, *REJECTED, DOUBLE)
    assert problems(first) == problems(last) == [None] * len(ANY_ORDER)
    for outcome, (stage, reason) in zip(outcomes, REJECTED.values(), strict=True):
        assert isinstance(outcome, Rejection)
        assert outcome.stage == stage
        assert reason in outcome.reason


BOMB = """template <int A, int B> struct F { static constexpr int v = F<A - 1, 2 * B>::v + F<A - 1, 2 * B + 1>::v; };
template <int B> struct F<0, B> { static constexpr int v = B; };
__device__ int bomb = F<25, 0>::v;
"""


def test_a_compiler_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_compiling, "COMPILE_SECONDS", 5.0)
    stopped, fine = judged(f"{BOMB}{DOUBLE}", DOUBLE)
    assert isinstance(stopped, Rejection)
    assert stopped.stage == "compile"
    assert problems(fine) == [None] * len(ANY_ORDER)
