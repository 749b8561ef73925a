"""The promise: pairs are validated from Python as `warpsmith-validate` validates datasets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import warpsmith.validation
from processes import living_below
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair
from warpsmith.validation import Validator, validate
from warpsmith.validation.levels.registry import levels_to


@pytest.fixture(scope="module")
def samples(root: Path) -> list[Pair]:
    """Two pairs of the committed samples."""
    return list(read_pairs(root / "data" / "samples" / "pairs-00000.jsonl"))[:2]


@pytest.fixture(scope="module")
def validator() -> Iterator[Validator]:
    with Validator() as shared:
        yield shared


def broken(pair: Pair) -> Pair:
    """Return the pair with one changed constant in its forward code."""
    for field in ("cpp_forward", "cuda_ir_forward"):
        text = getattr(pair, field)
        if text is not None and "wp::" in text:
            return replace(pair, **{field: text.replace("wp::", "wq::", 1)})
    raise ValueError("a pair without code")


def test_pairs_of_the_samples_pass_all_levels_to_gradient(validator: Validator, samples: list[Pair]) -> None:
    verdicts = validator.validate(samples, level="gradient")
    names = [level.name for level in levels_to("gradient")]
    assert [[verdict.level for verdict in of_pair] for of_pair in verdicts] == [names, names]
    assert {verdict.id for verdict in verdicts[1]} == {samples[1].id}
    assert {verdict.status for of_pair in verdicts for verdict in of_pair} <= {"pass", "not_applicable"}


def test_a_broken_pair_fails_where_the_text_differs(validator: Validator, samples: list[Pair]) -> None:
    whole, changed = validator.validate([samples[0], broken(samples[0])], level="compile")
    failed = [verdict.level for verdict in changed].index("regenerate")
    assert [verdict.status for verdict in whole] == len(levels_to("compile")) * ["pass"]
    assert {verdict.status for verdict in changed[:failed]} == {"pass"}
    assert changed[failed].status == "fail"
    assert "differs from what Warp generates" in changed[failed].reason
    assert [verdict.status for verdict in changed[failed + 1 :]] == (len(changed) - failed - 1) * ["skipped"]
    assert changed[-1].level == "compile"


def test_the_worker_stays_between_calls(samples: list[Pair]) -> None:
    with Validator() as own:
        folder = own._supervisor.client.folder
        own.validate(samples)
        (first,) = living_below(folder)
        own.validate(samples, level="schema")
        assert living_below(folder) == [first]
    assert not folder.exists()


def test_a_call_without_pairs_has_no_verdicts(validator: Validator) -> None:
    assert validator.validate([]) == []


def test_an_unknown_level_is_an_error(validator: Validator, samples: list[Pair]) -> None:
    with pytest.raises(WarpsmithError, match="unknown level 'perfect': choose from schema, parse"):
        validator.validate(samples, level="perfect")


def test_validate_checks_to_parse_by_default(samples: list[Pair]) -> None:
    names = [level.name for level in levels_to("parse")]
    assert [[verdict.level for verdict in of_pair] for of_pair in validate(samples[:1])] == [names]


def test_exported_names_are_listed() -> None:
    assert set(warpsmith.validation.__all__) == set(dir(warpsmith.validation))
    assert all(hasattr(warpsmith.validation, name) for name in warpsmith.validation.__all__)
    with pytest.raises(AttributeError, match="no attribute 'judge'"):
        _ = warpsmith.validation.judge


def test_code_of_another_warp_is_not_run(samples: list[Pair], validator: Validator) -> None:
    """Level regenerate cannot compare it with the Python, so that it may be anything."""
    code = (samples[0].cpp_forward or "").replace("    // forward\n", "    __builtin_trap();\n")
    assert code != samples[0].cpp_forward
    foreign = replace(samples[0], cpp_forward=code, metadata=replace(samples[0].metadata, warp_version="1.18.0"))
    (verdicts,) = validator.validate([foreign], level="gradient")
    assert {verdict.status for verdict in verdicts if verdict.level not in ("schema", "parse")} == {"skipped"}
