"""Threads that run together leave what they leave one after another, bit for bit, or run one after another."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from oracle_kernels import floats, launch_of, source
from random_kernels import kernels
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.validation.oracle.interpreter import interpret as interpreter
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

ALONE = 10**9
"""More threads than any launch here has, so that they run one after another."""


def outcome(
    text: str, name: str, launch: Launch, values: dict[str, Values], fewest: int, steps: int = 20_000
) -> dict[str, bytes] | str:
    """Return the bytes of all arrays after a launch, or why there are none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpreter, "FEWEST", fewest)
        try:
            results = interpreter.interpret(text, name, launch, values, steps=steps)
        except Unsupported as reason:
            return f"{type(reason).__name__}: {reason}"
    return {name: array.tobytes() for name, array in results.items()}


def compare(text: str, name: str, launch: Launch, values: dict[str, Values]) -> bool:
    """Check that both ways leave the same, and return whether the threads ran together."""
    interpreter.compiler_of.cache_clear()
    together = outcome(text, name, launch, values, 2)
    apart = bool(interpreter.compiler_of(text).apart)
    assert together == outcome(text, name, launch, values, ALONE), text
    return not apart and not isinstance(together, str)


# ------------------------------------------------------------------------------------------------------ generated kernels


@pytest.mark.sampled(4)
@pytest.mark.parametrize("category", [one.name for one in core_categories()])
def test_threads_of_core_kernels_run_together(category: str) -> None:
    apart = []
    for index in range(12):
        sample = write_kernel(KernelKey(2008, index, category=category))
        values = make_inputs(sample.launch, sample.id)
        if not compare(sample.source, sample.kernel_name, sample.launch, values):
            apart.append(sample.id)
    assert len(apart) <= 2, "only helper functions with loops over arrays run for one thread after another"


def test_threads_of_nearly_all_other_kernels_run_together() -> None:
    categories = [one.name for one in all_categories() if one not in core_categories() and "tile" not in one.name]
    apart = []
    for category in categories:
        sample = write_kernel(KernelKey(2009, 0, category=category))
        values = make_inputs(sample.launch, sample.id)
        if not compare(sample.source, sample.kernel_name, sample.launch, values):
            apart.append(sample.id)
    assert len(apart) <= len(categories) // 6, apart


# --------------------------------------------------------------------------------------------------- hand-written kernels

COUNT = 17
ARRAYS = {
    "x": ("float32", floats(COUNT)),
    "y": ("float32", floats(COUNT, seed=1)),
    "v": ("vec3f", floats(COUNT, 3, seed=2)),
    "n": ("int32", np.random.default_rng(3).integers(0, 6, COUNT).astype(np.int32)),
    "o": ("float32", floats(COUNT, seed=4)),
    "s": ("float32", floats(3, seed=5)),
}
PARAMETERS = (
    "x: wp.array(dtype=float), y: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), n: wp.array(dtype=int), "
    "o: wp.array(dtype=float), s: wp.array(dtype=float)"
)

TOGETHER = {
    "branches": """
        a = x[i]
        if a > 0.0:
            a = a * 2.0
            if y[i] > 0.0:
                b = y[i] + a
            else:
                b = a - 1.0
            a = b
        elif a > -1.0:
            a = wp.sin(a)
        o[i] = a
    """,
    "early returns": """
        if i > 14:
            return
        if x[i] > 1.0:
            o[i] = 7.0
            return
        o[i] = y[i]
    """,
    "bounds of a thread": """
        total = float(0.0)
        for j in range(n[i]):
            for m in range(j, -1, -1 - n[i] % 2):
                total += x[m] * float(j)
                if total > 3.0:
                    break
            if total < -2.0:
                continue
            total = total * 0.5
        o[i] = total + float(n[i])
    """,
    "returns inside a loop": """
        for j in range(5):
            if j == n[i]:
                o[i] = float(j)
                return
        o[i] = -1.0
    """,
    "while": """
        a = wp.abs(x[i]) + 1.0
        steps = int(0)
        while a < 20.0 and steps < n[i] + 2:
            a = a * 1.5
            steps += 1
        o[i] = a + float(steps)
    """,
    "no access of threads that skip it": """
        if i > 0 and x[i - 1] > 0.0:
            o[i] = 1.0 / y[i]
        if n[i] != 0:
            o[i] += float(10 / n[i])
        o[i] += x[i + 1] if i + 1 < 17 else 0.0
    """,
    "components of a thread": """
        a = v[i]
        a[n[i] % 3] = x[i]
        a.y += a[i % 3]
        o[i] = wp.dot(a, wp.vec3(1.0, 2.0, 3.0)) + wp.length(wp.normalize(a))
        v[i] = a
    """,
    "atomics in order": """
        wp.atomic_add(s, i % 3, x[i] * 1.0e6)
        wp.atomic_add(s, n[i] % 3, y[i])
        for j in range(n[i]):
            wp.atomic_add(s, j % 3, 1.0 / float(j + 3))
    """,
    "atomic minima": """
        wp.atomic_min(s, i % 3, x[i])
        wp.atomic_min(s, 0, y[i])
    """,
    "shared sums": """
        s[n[i] % 3] += x[i]
        s[0] -= y[i]
    """,
    "the last thread stores": "s[1] = x[i]\ns[n[i] % 2 * 2] = y[i]",
    "a variable that all threads assign at last": """
        if n[i] > 2:
            if i % 2 == 0:
                late = x[i]
            late = y[i]
        else:
            late = 0.5
        o[i] = late
    """,
    "own elements": """
        o[i] = o[i] * 2.0
        o[i] += x[i]
        o[i] = wp.max(o[i], 0.0)
    """,
}
APART = {
    "read of a neighbour that is stored": "o[i] = o[(i + 1) % 17] + x[i]",
    "read of what an earlier thread stores": "o[i] = x[i]\nif i > 0:\n    o[i] = o[i - 1] + o[i]",
    "stores of several statements": "s[0] = x[i]\nif n[i] > 2:\n    s[0] = y[i]",
    "the old value of an atomic operation": "o[int(wp.atomic_add(s, 0, 1.0)) % 4] = x[i]",
    "an atomic operation and a read": "wp.atomic_add(s, 0, x[i])\no[i] = s[0]",
    "an atomic operation and a store": "wp.atomic_add(s, 0, x[i])\ns[0] = y[i]",
    "a comparison and an exchange": "o[i] = float(wp.atomic_cas(n, i, 1, 2))",
}
ERRORS = {
    "an index beyond the array": "if n[i] == 3:\n    o[i] = x[i + 15]",
    "a division by zero": "o[i] = float(10 / n[i])",
    "a conversion beyond the type": "o[i] = float(int(x[i] * 1.0e12))",
    "a variable without a value": "if n[i] > 2:\n    late = x[i]\no[i] = late",
    "an endless loop": "while x[i] > 0.0:\n    o[i] += 1.0",
}


def kernel(body: str) -> str:
    """Return a source whose kernel has the parameters `PARAMETERS` and the number ``i`` of the thread."""
    lines = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    return source(f"@wp.kernel\ndef k({PARAMETERS}):\n    i = wp.tid()\n") + lines + "\n"


def compare_body(body: str) -> bool:
    """Compare both ways for a kernel with the body, and return whether the threads ran together."""
    plain = {name: array for name, (_, array) in ARRAYS.items()}
    return compare(kernel(body), "k", launch_of((COUNT,), ARRAYS), plain)


@pytest.mark.parametrize("name", TOGETHER)
def test_independent_threads_run_together(name: str) -> None:
    assert compare_body(TOGETHER[name])


@pytest.mark.parametrize("name", APART)
def test_threads_that_depend_on_others_run_one_after_another(name: str) -> None:
    assert not compare_body(APART[name])


@pytest.mark.parametrize("name", ERRORS)
def test_problems_are_those_of_the_first_thread(name: str) -> None:
    plain = {name: array for name, (_, array) in ARRAYS.items()}
    reason = outcome(kernel(ERRORS[name]), "k", launch_of((COUNT,), ARRAYS), plain, ALONE)
    assert isinstance(reason, str)
    assert not compare_body(ERRORS[name])


@pytest.mark.parametrize("missing", [0, 1])
def test_threads_that_run_together_take_as_many_steps(missing: int) -> None:
    text, launch = kernel("for j in range(n[i]):\n    o[i] += x[j]"), launch_of((COUNT,), ARRAYS)
    plain = {name: array for name, (_, array) in ARRAYS.items()}
    steps = 2 * COUNT + int(plain["n"].sum()) - missing
    together, alone = (outcome(text, "k", launch, plain, fewest, steps) for fewest in (2, ALONE))
    assert together == alone
    assert isinstance(together, str) == bool(missing)


# --------------------------------------------------------------------------------------------------------- random kernels

RANDOM = {
    "x": ("float32", floats(13)),
    "k": ("int32", np.random.default_rng(1).integers(-1, 6, 13).astype(np.int32)),
    "p": ("float32", np.asarray(np.float32(0.7))),
    "o": ("float32", floats(13, seed=3)),
    "s": ("float32", floats(3, seed=4)),
    "w": ("vec3f", floats(13, 3, seed=5)),
    "c": ("int32", np.zeros(1, np.int32)),
}


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(kernels)
def test_random_kernels(text: str) -> None:
    compare(text, "kernel", launch_of((13,), RANDOM), {name: array for name, (_, array) in RANDOM.items()})
