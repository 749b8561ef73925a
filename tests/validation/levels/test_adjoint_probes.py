"""Level gradient judges adjoints near known ones as differences of each element in float64 do."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import known_adjoints as known
from known_adjoints import probes

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SAMPLE = 25
"""Every probe at this distance is checked by default."""


def verdicts(bodies: dict[str, str], run_levels: Any) -> dict[str, str]:
    """Return the status of each probe at level gradient."""
    lines = [known.line_of(known.pair_of(name, body), number) for number, (name, body) in enumerate(bodies.items(), start=1)]
    by_level = run_levels(lines, "execute", "gradient")
    assert {one.status for one in by_level["execute"]} == {"pass"}
    return dict(zip(bodies, (one.status for one in by_level["gradient"]), strict=True))


def check(bodies: dict[str, str], folder: Path, run_levels: Any) -> Counter[bool]:
    """Check that every verdict is the truth, and return how many adjoints are correct and incorrect."""
    correct, found = probes.truth(bodies, folder), verdicts(bodies, run_levels)
    assert {name: found[name] for name in bodies if found[name] != ("pass" if correct[name] else "fail")} == {}
    return Counter(correct.values())


@pytest.mark.exhaustive
def test_a_sample_of_the_probes(tmp_path: Path, run_levels: Any) -> None:
    assert len(check(dict(list(probes.bodies().items())[::SAMPLE]), tmp_path, run_levels)) == 2


@pytest.mark.exhaustive
def test_all_probes(tmp_path: Path, run_levels: Any) -> None:
    counts = check(probes.bodies(), tmp_path, run_levels)
    assert counts.total() >= 200
    assert min(counts.values()) >= 40
