"""Variants of extracted kernels keep what gives floats their meaning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from real_patterns import CORRECT
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.trials import trials
from warpsmith.validation.branches.variants import variants_of
from warpsmith.validation.running.extracted_variants import DRAWS, FEW, LARGE, MOVE, extracted_variants

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
        assert trial.launch is launch
        assert all(trial.values[key].tobytes() == value.tobytes() for key, value in own.items() if key.startswith("mesh."))
    secret = [trial.values["x"].tobytes() for trial in every if trial.name.startswith("secret")]
    assert len(set(secret)) == len(secret)
    assert own["x"].tobytes() not in secret
