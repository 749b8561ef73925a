"""Every command that the pages print is right: it can be parsed, and it runs at a small size or is listed with a reason."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from printed_commands import NOT_RUN, ROOT, Printed, in_small, printed_commands, reason_not_to_run
from test_commands import COMMANDS
from warpsmith.extraction.capturing.capture_command import misplaced_options

PRINTED = printed_commands()
BINARIES = Path(sys.executable).parent

installed = pytest.mark.skipif(not (BINARIES / "warpsmith-dataset").is_file(), reason="the commands are not installed")

SIMULATION = """import numpy as np
import warp as wp

wp.config.log_level, wp.config.use_precompiled_headers = wp.LOG_ERROR, False


@wp.kernel
def product(x: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(1.0)
    for k in range(x.shape[1]):
        s = s * x[i, k]
    out[i] = s


x = wp.array(np.random.default_rng(1).uniform(0.5, 1.5, (4, 3)), dtype=float, device="cpu")
wp.launch(product, dim=4, inputs=[x], outputs=[wp.zeros(4, dtype=float, device="cpu")], device="cpu")
"""
KERNELS = """import warp as wp


@wp.kernel
def scale(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    if i < n:
        out[i] = 2.0 * x[i]
"""
BLOCK_SUM = """// The sum of each block of 256 numbers.
__global__ void block_sum(const float* x, float* out) {
    __shared__ float sums[256];
    int t = threadIdx.x;
    sums[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2)
        if (t < half)
            sums[t] += sums[t + half];
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
"""
SAXPY = """__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""
TEST = f"""import numpy as np
import warp as wp
{KERNELS.removeprefix("import warp as wp")}

def test_scale():
    x = wp.array(np.ones(4), dtype=float, device="cpu")
    wp.launch(scale, dim=4, inputs=[x, 4], outputs=[wp.zeros(4, dtype=float, device="cpu")], device="cpu")
"""
INSTALLED = "site-packages"
"""The folder of the packages that the commands find as if they were installed."""

LAUNCH = {"dim": 4, "inputs": {"x": {"shape": [4], "low": 0, "high": 1}, "n": 4, "out": {"shape": [4]}}}


def test_commands_are_found() -> None:
    """The search finds what it should; a page of another form would be skipped silently."""
    texts = {command.text for command in PRINTED}
    assert len(PRINTED) > 150
    assert {"make cuda-dataset COUNT=1000", "make both-dataset", "python reproducer.py"} <= texts
    assert "warpsmith-synthesize make -d both -b --show 463" in texts
    assert len({command.page for command in PRINTED}) > 20


def test_every_reason_belongs_to_a_command() -> None:
    reasons = {reason_not_to_run(command) for command in PRINTED}
    assert {reason for reason in NOT_RUN.values() if reason not in reasons} == set()


def command_of(words: list[str]) -> tuple[click.Command, list[str]]:
    """Return the command of a line, or its sub-command, and its arguments."""
    command: click.Command = importlib.import_module(f"warpsmith.{COMMANDS[words[0]]}").cli
    if isinstance(command, click.Group) and len(words) > 1 and not words[1].startswith("-"):
        found = command.get_command(click.Context(command), words[1])
        assert found is not None, f"{words[0]} has no command {words[1]}"
        return found, words[2:]
    return command, words[1:]


OURS = [command for command in PRINTED if command.words[0].startswith("warpsmith-")]


@pytest.mark.parametrize("command", OURS, ids=lambda command: f"{command.page}: {command.text}")
def test_commands_can_be_parsed(command: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "newton").mkdir()
    for name in ("both", "programs"):
        (tmp_path / "data" / name).mkdir(parents=True)
    (tmp_path / "launches.json").touch()
    (tmp_path / "tapes.jsonl").touch()
    words = shlex.split(in_small(command.text, "some-pair").partition(" > ")[0])
    words[0] = words[0].removeprefix(".venv/bin/")
    parsed, arguments = command_of(words)
    if command.is_mention:
        names = {name for parameter in parsed.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--version"}
        assert {word for word in arguments if word.startswith("--")} <= names
        return
    monkeypatch.setattr("sys.argv", words)
    with parsed.make_context(words[0], list(arguments)) as context:
        program = context.meta.get("warpsmith.program")
        assert not program or misplaced_options(program[1:], context) == ""


def make(folder: Path, command: Printed, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    words = shlex.split(in_small(command.text, "x"))
    return subprocess.run([*words, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def checkout(folder: Path) -> Path:
    """Fill a folder with the Makefile, what it depends on, and an environment with the commands."""
    for name in ("requirements", *(f"packages/{path.parent.name}" for path in ROOT.glob("packages/*/pyproject.toml"))):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("src", "*.md"))
    shutil.copy(ROOT / "Makefile", folder)
    (folder / ".venv" / "bin").mkdir(parents=True)
    for path in (*BINARIES.glob("warpsmith-*"), BINARIES / "python"):
        (folder / ".venv" / "bin" / path.name).symlink_to(path)
    for name in ("bin/nox", ".ready"):
        (folder / ".venv" / name).touch()
    return folder


def test_targets_and_variables_exist(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    for command in {in_small(command.text, "x"): command for command in PRINTED}.values():
        if command.words[0] == "make":
            done = make(folder, command, "-n")
            assert done.returncode == 0, f"{command.page}: {command.text}\n{done.stderr}"


# ------------------------------------------------------------------------------------------------------- running them


def run_in(folder: Path, text: str, expect: tuple[int, ...] = (0,)) -> str:
    """Run a command line in a folder, with the commands of this environment; return its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment["PATH"] = f"{BINARIES}{os.pathsep}{environment['PATH']}"
    environment["PYTHONPATH"] = str(folder / INSTALLED)
    done = subprocess.run(["sh", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in expect, f"{text}\nexit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert "warning: the program receives" not in done.stderr, text
    return done.stdout


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that the pages' commands read; each command runs in a copy of it."""
    folder = checkout(tmp_path_factory.mktemp("workspace"))
    for name, text in {"simulation.py": SIMULATION, "my_simulation.py": SIMULATION, "my_kernels.py": KERNELS}.items():
        (folder / name).write_text(text)
    (folder / "sum.cu").write_text(BLOCK_SUM)
    (folder / "saxpy.cu").write_text(SAXPY)
    run_in(folder, "warpsmith-simt ptx saxpy.cu -o saxpy.ptx")
    for name in ("my_package", "newton"):
        (folder / INSTALLED / name).mkdir(parents=True)
        (folder / INSTALLED / name / "__init__.py").write_text(KERNELS)
    shutil.copytree(folder / INSTALLED / "newton", folder / "newton")
    (folder / "launches.json").write_text(json.dumps({"scale": LAUNCH}))
    (folder / "test_simulation.py").write_text(TEST)
    (folder / "benchmark.jsonl").write_text(json.dumps({"text": KERNELS * 3}) + "\n")
    run_in(folder, "warpsmith-synthesize make -n 20 -d both -b -o data/both --workers 1")
    run_in(folder, "warpsmith-validate run data/both --level gradient --workers 1")
    run_in(folder, "warpsmith-synthesize make -n 3 -d both -b --programs -o data/programs --workers 1")
    run_in(folder, "warpsmith-synthesize make -n 4 -d cuda --plain -o data/plain --workers 1")
    for name in ("cuda", "verified", "full", "older", "samples"):
        shutil.copytree(folder / "data" / "both", folder / "data" / name)
    run_in(folder, "warpsmith-extract -d both -b -o pairs.jsonl --run simulation.py")
    run_in(folder, "warpsmith-validate run pairs.jsonl --level gradient --workers 1", expect=(1,))
    run_in(folder, "warpsmith-score tasks data/both --task python_to_cuda --limit 2 -o tasks.jsonl")
    tasks = [json.loads(line) for line in (folder / "tasks.jsonl").read_text().splitlines()]
    rows = [{"task_id": task["task_id"], "completion": task["pair"]["cuda_ir_forward"]} for task in tasks]
    (folder / "completions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "data" / "benchmark-7").mkdir()
    shutil.copy(folder / "tasks.jsonl", folder / "data" / "benchmark-7")
    return folder


def failing(workspace: Path) -> str:
    identity: str = json.loads((workspace / "pairs.jsonl").read_text().splitlines()[0])["id"]
    return identity


def run_printed(command: Printed, workspace: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(workspace, tmp_path / "copy", symlinks=True))
    if re.search(r"(synthesize make|make \S+-dataset)", command.text):
        shutil.rmtree(folder / "data")
    for path in (folder / name for name in ("clean", "errors", "results.jsonl", "data/chat", "data/both-parquet")):
        assert not path.exists()
    expect = (1,) if re.search(r"validate run \S*pairs\.jsonl|simt check sum", in_small(command.text, "x")) else (0,)
    run_in(folder, in_small(command.text, failing(workspace)), expect)


def runs(command: Printed) -> bool:
    return not command.is_mention and reason_not_to_run(command) is None


RUN = list({in_small(command.text, "ID").removeprefix(".venv/bin/"): command for command in PRINTED if runs(command)}.values())
"""The commands that tests run; one of several that differ in their size only."""


@installed
@pytest.mark.exhaustive
@pytest.mark.parametrize("command", RUN, ids=lambda command: f"{command.page}: {command.text}")
def test_printed_commands_run(command: Printed, workspace: Path, tmp_path: Path) -> None:
    run_printed(command, workspace, tmp_path)


QUICK = (".venv/bin/warpsmith-extract -d both -b -o pairs.jsonl --run simulation.py", "make help")
"""The commands that run in each run of the tests: among them the one that was printed in the wrong order."""


@installed
def test_quick_commands_run(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    (folder / "simulation.py").write_text(SIMULATION)
    for command in PRINTED:
        if command.text in QUICK:
            run_in(folder, in_small(command.text, "x"))
    assert len((folder / "pairs.jsonl").read_text().splitlines()) == 1
    assert set(QUICK) <= {command.text for command in PRINTED}
