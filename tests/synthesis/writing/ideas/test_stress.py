"""The profile ``stress``: kernels that run correctly, and whose adjoints by Warp are wrong for every known reason."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from checked_lines import verdicts_of
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import decode
from warpsmith.core.records.verdict import Verdict
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, KernelKey
from warpsmith.synthesis.production.dataset_plan import Plan, chosen_categories
from warpsmith.synthesis.production.generate_pairs import generate_pairs
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor

COUNT = 60
WAYS = {
    "frac": r"wp\.frac\(",
    "extreme": r"(wp\.atomic_m(ax|in)\(.*\n)\s*\1",
    "loop": r"(?:for|while) .*\n(?: .*\n)*?.* (?:\*=|break)",
}


@pytest.fixture(scope="module")
def verdicts_by_id(headers: Headers) -> dict[str, tuple[str, list[Verdict]]]:
    """Return source and verdicts of each pair by id."""
    categories = chosen_categories(["nested_loop", "atomics", "arithmetic"])
    plan = Plan(count=COUNT, seed=2000, device="both", backward=True, codegen_only=True, categories=categories,
                shard_size=COUNT, profile="stress")  # fmt: skip
    repeated = (KernelKey(2000, index, category="atomics", profile="stress") for index in range(1000))
    extreme = next(key for key in repeated if re.search(WAYS["extreme"], write_kernel(key).source))
    raws = [encode(pair) for pair in generate_pairs(plan, [*plan.keys(plan.positions(0)), extreme])]
    lines = [decode(raw, Path("pairs-00000.jsonl"), number) for number, raw in enumerate(raws, 1)]
    with Supervisor(LEVELS, headers=headers) as judge:
        verdicts = verdicts_of(judge, lines)
    found: dict[str, tuple[str, list[Verdict]]] = {
        json.loads(raw)["id"]: (json.loads(raw)["python_source"], []) for raw in raws
    }
    for verdict in verdicts:
        found[verdict.id][1].append(verdict)
    return found


@pytest.mark.exhaustive
def test_all_kernels_run_correctly(verdicts_by_id: dict[str, tuple[str, list[Verdict]]]) -> None:
    """Only a gradient fails: at level gradient, or at execute if a division by a stale sum makes it infinite."""
    below = {
        verdict.status
        for _, verdicts in verdicts_by_id.values()
        for verdict in verdicts
        if verdict.level in ("schema", "parse", "regenerate", "compile", "execute", "emulate")
        and not re.fullmatch("the gradient of .* is not finite|execute failed", verdict.reason)
    }
    assert below == {"pass"}


@pytest.mark.exhaustive
def test_each_construct_leads_to_wrong_adjoints(verdicts_by_id: dict[str, tuple[str, list[Verdict]]]) -> None:
    statuses = defaultdict(list)
    for source, verdicts in verdicts_by_id.values():
        gradient = next(verdict.status for verdict in verdicts if verdict.level == "gradient")
        ways = [way for way, pattern in WAYS.items() if re.search(pattern, source)]
        for way in ways or ["none"]:
            statuses[way].append(gradient)
    failing = {way for way, found in statuses.items() if "fail" in found}
    assert {"frac", "loop"} <= failing <= set(WAYS)
    assert "extreme" in statuses


@pytest.mark.exhaustive
def test_the_default_profile_has_no_such_construct() -> None:
    sources = [write_kernel(KernelKey(2000, index)).source for index in range(300)]
    assert not [way for way in ("frac", "extreme") for source in sources if re.search(WAYS[way], source)]


def test_stress_has_separate_ids() -> None:
    assert write_kernel(KernelKey(2000, 3, profile="stress")).id == f"{GENERATOR_VERSION}.stress-2000-3"
