"""The examples of Warp that use a tape and run on a CPU: their gradients are right, and no launch is said to be wrong."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import warp as wp

from warpsmith.core.records.tape_lines import read_programs
from warpsmith.validation.tapes.program_results import check_programs

EXAMPLES = Path(wp.__file__).parent / "examples"
FLUID = "--headless --train-iters 1 --num-frames 12 --pressure-iterations 5"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("example", "arguments", "needs", "statuses"),
    [
        ("optim/example_fluid_checkpoint.py", FLUID, "", {"pass"}),
        # A function that the program records on its tape, such as an adjoint solver, stands for launches that no one checks.
        ("optim/example_fluid_checkpoint_custom_backward.py", FLUID, "", {"inconclusive"}),
        ("fem/example_darcy_ls_optimization.py", "--headless --num-iters 2 --resolution 10", "", {"inconclusive"}),
        ("fem/example_elastic_shape_optimization.py", "--headless --num-iters 2 --resolution 5", "", {"inconclusive"}),
        ("fem/example_cantilever_topology_optimization.py", "--nx 6 --ny 3 --max-evals 2 --headless", "nlopt", {"pass"}),
    ],
)
def test_examples_have_no_wrong_gradient(tmp_path: Path, example: str, arguments: str, needs: str, statuses: set[str]) -> None:
    if needs and importlib.util.find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed")
    tapes = tmp_path / "tapes.jsonl"
    options = ["-d", "both", "-b", "-o", str(tmp_path / "pairs.jsonl"), "--tapes", str(tapes)]
    program = [str(EXAMPLES / example), *arguments.split()]
    command = [str(Path(sys.executable).with_name("warpsmith-extract")), *options, "--run", *program]
    subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=600)
    results = list(check_programs(read_programs(tapes)))
    assert {result.status for result in results} == statuses, [result.reason for result in results]
