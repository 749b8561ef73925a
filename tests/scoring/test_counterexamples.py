"""Counterexamples reproduce: Warp itself computes their figures from their inputs, in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.cheat_files import CheatFile, read_cheats
from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

LENGTH = 6
"""The length of arrays: a counterexample contains its inputs if they are few."""

SAME_ERROR = {
    # the name of a cheat in `python_to_cuda` or `forward_to_adjoint`: the same error as an edit of the Python
    "zeros": ("k * x[i] * x[i] + 1.0", "0.0"),
    "slightly_wrong": ("+ 1.0", "+ 1.0001"),
    "every_second_element": ("if i >= n:", "if i >= n or i % 2 == 1:"),
    "sums_are_missing": ("    wp.atomic_add(sums, bins[i], x[i])\n", ""),
    "one_output_only": ("    wp.atomic_add(sums, bins[i], x[i])\n", ""),
    "a_wrong_sign": ("k * x[i] * x[i] + 1.0\n    wp.atomic_add(", "1.0 - k * x[i] * x[i]\n    wp.atomic_sub("),
    "adds_in_place_of_storing": ("y[i] = k", "y[i] += k"),
}

OF_KIND = {
    ("python_to_plain_cuda", "slightly_wrong"): ("k * x[i] * x[i] + 1.0", "k * x[i] * x[i] * 1.0001 + 1.0"),
}
"""The same for cheats with the name of another one."""

OTHER_FORWARD = {("forward_to_adjoint", "zeros"), ("forward_to_adjoint", "every_second_element")}
"""Wrong adjoints that are the adjoints of no edit in the table."""


def by_warp(sources: list[str], pair: Pair, found: dict[str, Any]) -> list[float]:
    """Return the value of a counterexample's element that Warp computes from its inputs, for each of several kernels."""
    assert pair.metadata.launch is not None
    shared = {
        "name": pair.metadata.kernel_name, "dim": found["dim"], "inputs": found["inputs"],
        "types": [str(argument.dtype) for argument in pair.metadata.launch.args], "gradients": found.get("gradients", {}),
    }  # fmt: skip
    questions = json.dumps([{**shared, "source": source} for source in sources])
    script = Path(__file__).with_name("launch_by_warp.py")
    done = subprocess.run([sys.executable, script], input=questions, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout.splitlines()[-1])
    return [float(np.asarray(one[found["what"]][found["argument"]])[tuple(found["element"])]) for one in answers]


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair(LENGTH)


CASES = [
    pytest.param(one, marks=() if one.name == "a_wrong_sign" else pytest.mark.exhaustive, id=f"{one.kind} {one.name}")
    for one in read_cheats()
    if one.name in SAME_ERROR and one.kind != "cuda_to_python" and one.level == "run"
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("cheat", CASES)
def test_warp_computes_what_a_counterexample_states(real_scorer: Scorer, pair: Pair, cheat: CheatFile) -> None:
    task = make_task(cheat.kind, pair)
    assert task is not None
    (score,) = real_scorer.score(task, [f"```cuda\n{cheat.cheat}```\n"])
    found = json.loads(json.dumps(score.counterexample))  # as a results file contains it
    assert found is not None, score.reason
    old, new = OF_KIND.get((cheat.kind, cheat.name), SAME_ERROR[cheat.name])
    assert old in pair.python_source
    expected, got = by_warp([pair.python_source, pair.python_source.replace(old, new)], pair, found)
    assert expected == pytest.approx(found["expected"], rel=1e-5, abs=1e-6)
    if (cheat.kind, cheat.name) not in OTHER_FORWARD:
        assert got == pytest.approx(found["got"], rel=1e-5, abs=1e-6)
    assert abs(found["got"] - found["expected"]) > 1e-5
