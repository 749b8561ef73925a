"""Variants of extracted kernels keep what gives floats their meaning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from real_patterns import CORRECT, Pattern
from real_patterns.pattern import kept, written
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.trials import trials
from warpsmith.validation.branches.branch_launches import variants_of
from warpsmith.validation.running.extracted_variants import DRAWS, FEW, LARGE, MOVE, ends, extracted_variants

NAMES = "ragged rows, a permutation, particles at rest, closest points of a mesh, inputs that are not finite, optional forces"


def pair_of(name: str) -> tuple[Pair, Launch, dict[str, Values]]:
    pair = CORRECT[name].line(name).pair
    assert pair is not None
    launch = pair.metadata.launch
    assert launch is not None
    return pair, launch, make_inputs(launch, pair.id)


@pytest.mark.parametrize("name", [name.strip() for name in NAMES.split(",")])
def test_only_floats_change(name: str) -> None:
    pair, launch, own = pair_of(name)
    variants = variants_of(pair, launch, own, pair.id)
    assert len(variants) == len(DRAWS)
    changed = set()
    for one in variants:
        assert one.launch is launch
        assert one.values.keys() == own.keys()
        changed |= {key for key, value in one.values.items() if value.tobytes() != own[key].tobytes()}
    assert changed
    assert {own[key].dtype.kind for key in changed} == {"f"}
    assert not any(key.startswith("mesh.") for key in changed)


def test_stored_floats_stay_close_to_what_they_were() -> None:
    _, launch, own = pair_of("inputs that are not finite")
    for values in extracted_variants(launch, own, "a"):
        before, after = own["d"].astype(np.float64), values["d"].astype(np.float64)
        finite = np.isfinite(before)
        assert np.array_equal(finite, np.isfinite(after))
        assert np.all(np.abs(after[finite] - before[finite]) <= 1.01 * MOVE * np.abs(before[finite]))
        assert before[finite].min() <= after[finite].min()
        assert after[finite].max() <= before[finite].max()


def test_zeros_stay() -> None:
    _, launch, own = pair_of("particles at rest")
    for values in extracted_variants(launch, own, "a"):
        assert np.array_equal(values["m"] == 0.0, own["m"] == 0.0)
        assert not values["v"].any()


def test_large_launches_have_few_variants() -> None:
    _, launch, own = pair_of("particles at rest")
    for threads, count in ((LARGE, len(DRAWS)), (LARGE + 1, FEW)):
        assert len(list(extracted_variants(replace(launch, dim=(threads,)), own, "a"))) == count


def test_stored_outputs_stay() -> None:
    pattern = CORRECT["the same array twice"]
    *others, (out, _) = pattern.args
    values = np.linspace(0.0, 1.0, 16, dtype=np.float32)
    domain = replace(others[0][0].domain, low=0.0, high=1.0)  # type: ignore[type-var]
    launch = replace(pattern, args=(*others, (replace(out, domain=domain), {"out": values}))).launch
    assert launch.stored["out"] == encode_values(values)
    own = make_inputs(launch, "a")
    for variant in extracted_variants(launch, own, "a"):
        assert np.array_equal(variant["out"], values)


def test_secret_launches_keep_integers_and_stored_values() -> None:
    pair, launch, own = pair_of("closest points of a mesh")
    every = trials(pair, "secret")
    assert {trial.name.split()[0] for trial in every} == {"own", "public", "secret"}
    for trial in every:
        assert trial.launch.args == launch.args
        assert trial.launch.dim <= launch.dim, "fewer threads are the only change of size"
        assert all(trial.values[key].tobytes() == value.tobytes() for key, value in own.items() if key.startswith("mesh."))
    secret = [trial.values["x"].tobytes() for trial in every if trial.name.startswith("secret")]
    assert len(set(secret)) == len(secret)
    assert own["x"].tobytes() not in secret


BRANCHES = Pattern(
    """
    @wp.kernel
    def k(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
        i = wp.tid()
        if x[i] + y[i] > 1.5:
            out[i] = x[i] * x[i]
        else:
            out[i] = y[i]
    """,
    (9,),
    (
        kept("x", "float32", np.linspace(0.0, 1.0, 9)),
        kept("y", "float32", np.linspace(1.0, 0.0, 9)),
        written("out", "float32", 9),
    ),
)
"""A launch in which no thread takes the first branch, although numbers of its arrays would."""


def test_inputs_are_directed_at_branches() -> None:
    pair = BRANCHES.line("branches").pair
    assert pair is not None
    own = make_inputs(BRANCHES.launch, pair.id)
    variants = variants_of(pair, BRANCHES.launch, own, pair.id)
    assert [one.is_directed for one in variants] == [False, True, *[False] * (len(DRAWS) - 2)]
    assert not any(np.any(one.values["x"] + one.values["y"] > 1.5) for one in variants if not one.is_directed)
    x, y = (variants[1].values[name] for name in ("x", "y"))
    assert 0 < np.count_nonzero(x + y > 1.5) < 9
    assert max(x.max(), y.max()) <= 1.0
    assert min(x.min(), y.min()) >= 0.0


def test_a_kernel_without_backward_pass_has_no_directed_inputs() -> None:
    pair = BRANCHES.line("branches").pair
    assert pair is not None
    forward = replace(pair, metadata=replace(pair.metadata, has_backward=False))
    own = make_inputs(BRANCHES.launch, pair.id)
    assert not any(one.is_directed for one in variants_of(forward, BRANCHES.launch, own, pair.id))


@pytest.mark.parametrize(
    "values", [np.array([], np.float32), np.array([np.nan, np.inf], np.float32)], ids=["empty", "infinite"]
)
def test_arrays_without_finite_numbers_stay(values: Values) -> None:
    launch = Launch(dim=(2,), args=(kept("x", "float32", [0.0, 1.0])[0],))
    assert all(one["x"] is values for one in ends(launch, {"x": values}, "a"))
