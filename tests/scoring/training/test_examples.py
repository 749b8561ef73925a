"""The examples run as their first comment says, and the notebooks run from the first cell to the last."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
EXAMPLES = {
    # file: the library that it needs, and what it prints among other lines
    "inspect_task.py": ("inspect_ai", r"pass_at_1 \{'accuracy': 0\.5.*\n.*pass_at_2 \{'accuracy': 1\.0"),
    "lm_eval_harness.py": ("lm_eval", r"'passed,none': 0\.0"),
    "openenv_server.py": ("openenv", r"2 0\.0 False \S.*\n0 1\.0 True "),
    "trl_grpo.py": ("trl", r"(\{'rewards/reward/mean': 0\.0, 'passed': 0\.0.*\n){2}"),
    "trl_sft.py": ("trl", r"(\{'loss': .*\n){2}.*\n\{'id': .*'exported answer': 1\.0\}\n\{'id': .*'exported answer': 1\.0\}"),
    "verifiers_taskset.py": ("verifiers", r" 1\.0 \{'passed': 1\.0\}.*\n.* 0\.0 \{'passed': 0\.0\}"),
    "verl_reward.py": ("verl", r"2 rows\n\{'score': 1\.0, 'acc': 1\.0.*\n\{'score': 0\.0, 'acc': 0\.0"),
}


def test_each_example_has_a_row() -> None:
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(EXAMPLES)
    assert sorted(path.name for path in (ROOT / "examples").glob("*.ipynb")) == [
        "own_kernel.ipynb",
        "scoring.ipynb",
        "sft.ipynb",
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_says_what_to_install(name: str) -> None:
    text = (ROOT / "examples" / name).read_text()
    [libraries] = re.findall(r'Install: pip install "warpsmith\[all\] @ git\+ADDRESS" (.+?)  +with the address', text)
    extras = (ROOT / "packages" / "scoring" / "pyproject.toml").read_text()
    declared = [set(re.findall(r'"([a-z-]+)[>=]', line)) for line in extras.splitlines() if re.match(r"[a-z-]+ = \[\"", line)]
    assert set(libraries.split()) in declared
    assert f"python examples/{name} " in text


@pytest.mark.parametrize("name", ["own_kernel.ipynb", "scoring.ipynb"])
def test_a_notebook_has_no_outputs(name: str) -> None:
    notebook = json.loads((ROOT / "examples" / name).read_text())
    assert not [cell for cell in notebook["cells"] if cell.get("outputs") or cell.get("execution_count")]


def test_the_notebook_of_training_has_small_outputs() -> None:
    path = ROOT / "examples" / "sft.ipynb"
    cells = json.loads(path.read_text())["cells"]
    plots = [output for cell in cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(plots) == 3
    assert path.stat().st_size < 100_000


@pytest.mark.training
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_of_training_runs(library: Any) -> None:
    nbclient, nbformat = library("nbclient"), library("nbformat")
    for name in ("ipykernel", "trl", "datasets", "matplotlib"):
        library(name)
    notebook = nbformat.read(ROOT / "examples" / "sft.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(ROOT / "examples")}}).execute()
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "six steps [0.0, 0.0, 0.0, 0.0]" in printed
    assert "one of four [0.25, 0.5, 0.75, 1.0]" in printed


@pytest.mark.training
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str) -> None:
    module, printed = EXAMPLES[name]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: run nox -s tests-training")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / name], capture_output=True, text=True, check=False, env=environment, timeout=900
    )
    assert done.returncode == 0, done.stderr
    assert re.search(printed, done.stdout), done.stdout


@pytest.mark.training
@pytest.mark.filterwarnings("ignore")
def test_inspect_finds_the_task_of_the_example(library: Any) -> None:
    """`inspect eval FILE` reads the text of the file for tasks before it imports the file."""
    found = library("inspect_ai").list_tasks("inspect_task.py", root_dir=ROOT / "examples")
    assert [task.name for task in found] == ["fresh_kernels"]


@pytest.mark.training
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs(library: Any) -> None:
    nbclient, nbformat = library("nbclient"), library("nbformat")
    library("ipykernel")
    notebook = nbformat.read(ROOT / "examples" / "scoring.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=900).execute()
    texts = ["".join(output.get("text", "") for output in cell.get("outputs", [])) for cell in notebook.cells]
    scores = next(text for text in texts if "level" in text and "Write the CUDA" not in text)
    assert [line.split()[:2] for line in scores.splitlines()] == [["1.0", "pass"], ["0.0", "fail"], ["0.0", "fail"]]
    results = [
        output["data"]["text/plain"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output
    ]
    assert "expected" in results[0]
    assert results[1] == "[1.0, 0.0]"


@pytest.mark.training
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_of_an_own_kernel_runs(library: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a kernel in a cell to a pair, its verdicts and rows to train on."""
    nbclient, nbformat = library("nbclient"), library("nbformat")
    library("ipykernel")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # the notebook runs a command
    notebook = nbformat.read(ROOT / "examples" / "own_kernel.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "integrate_cuda_kernel_forward(" in printed
    assert [line for line in printed.splitlines() if line.startswith("compile ")] == ["compile pass "]
    rows = [line.partition(" ") for line in printed.splitlines() if line.endswith("'user', 'assistant']")]
    assert "forward_to_adjoint" in {task for task, _, _ in rows}, "a row for each task, some with a system message"
