"""No process of a command executes files of the current folder, whatever names of modules they have."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import click
import msgspec
import pytest

from source_tree import ROOT, modules
from test_commands import COMMANDS
from warpsmith.core import Pair
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.tasks.task import make_task
from warpsmith.scoring.tasks.task_kinds import KINDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

BINARIES = Path(sys.executable).parent

PLANTED = (
    *sorted(sys.stdlib_module_names - set(sys.builtin_module_names)),
    *("sitecustomize", "usercustomize", "numpy", "warp", "orjson", "msgspec", "click", "rich", "cuda", "pyarrow", "hypothesis"),
    *("pytest", "_pytest", "pluggy", "warpsmith"),
)
"""The names of files in the current folder: every module of Python, and packages that warpsmith requires."""

PROGRAM = """import warp as wp; wp.config.use_precompiled_headers = False
import beside


@wp.kernel
def double(values: wp.array(dtype=float)):
    i = wp.tid()
    values[i] = 2.0 * values[i]


def test_double():
    wp.launch(double, beside.COUNT, inputs=[wp.ones(5, dtype=float, device="cpu")], device="cpu")


test_double()
"""

ROWS = {
    "warpsmith-synthesize make": "-n 4 -d cpu --shard-size 2 --workers 2 -o {folder}/made",
    "warpsmith-synthesize verify": "{data} --sample 1 --workers 2",
    "warpsmith-synthesize ideas check": "",
    "warpsmith-synthesize ideas show": "geometry/prim_bounds --all",
    "warpsmith-extract": "{folder}/program/test_double.py -o {folder}/pairs.jsonl",
    "warpsmith-extract --run": "{folder}/program/test_double.py",
    "warpsmith-extract --run -- pytest": "-q -p no:cacheprovider {folder}/program/test_double.py",
    "warpsmith-validate run": "{folder}/some.jsonl --level gradient --workers 2",
    "warpsmith-validate reduce": "{folder}/some.jsonl {pair} --level gradient",
    "warpsmith-validate tapes": "{folder}/some.jsonl",
    "warpsmith-validate programs": "{programs} --level parse",
    "warpsmith-dataset show": "{data}",
    "warpsmith-dataset describe": "{data}",
    "warpsmith-dataset filter": "{data} --require parse=pass -o {folder}/filtered",
    "warpsmith-dataset export": "{data} -o {folder}/exported",
    "warpsmith-dataset croissant": "{data}",
    "warpsmith-dataset stats": "{folder}/some.jsonl --workers 2 --beside {folder}/program/test_double.py",
    "warpsmith-dataset report": "{folder}/some.jsonl --workers 2",
    "warpsmith-fuzz run": "-o {folder}/fuzz --batches 1 --reduce-time 0 --ledger {ledger}",
    "warpsmith-fuzz forms": "-n 1",
    "warpsmith-fuzz ledger": "--text loop_product --ledger {ledger}",
    "warpsmith-score tasks": "{folder}/some.jsonl --check --judge --task python_to_plain_cuda -o {folder}/new.jsonl",
    "warpsmith-score repairs": "{folder}/some.jsonl --check --limit 1 --task python_to_cuda -o {folder}/repairs.jsonl",
    "warpsmith-score run": "{folder}/tasks.jsonl {folder}/completions.jsonl -o {folder}/results.jsonl",
    "warpsmith-score baselines": "{folder}/tasks.jsonl --train {folder}/some.jsonl",
    "warpsmith-simt check": "{folder}/kernel.cu --grid 1 --block 32 --arg y=float32[32]",
    "warpsmith-simt profile": "{folder}/kernel.cu --grid 1 --block 32 --arg y=float32[32]",
    "warpsmith-simt ptx": "{folder}/kernel.cu",
    "warpsmith-gpu smoke": "",
    "warpsmith-gpu run": "{folder}/some.jsonl --device cpu",
    "warpsmith-gpu bench": "{folder}/some.jsonl --device cpu --count 1 --launches 1",
    "pytest": "-q -p no:cacheprovider --warpsmith-gradients {folder}/program/test_double.py",
}
"""The arguments of every command; each starts all processes that it has."""

OTHER_CODES = {
    "warpsmith-validate reduce": 2,  # the pair passes
    "warpsmith-validate tapes": 2,  # pairs are no recordings
    "warpsmith-dataset filter": 2,  # there are no verdicts
    "warpsmith-dataset croissant": 2,  # a dataset is no export
}

QUICK = ("warpsmith-synthesize make", "warpsmith-extract --run", "warpsmith-validate run --level regenerate")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a folder with a file for each of `PLANTED`, which leaves a mark and ends the process that imports it."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in PLANTED:
        (folder / f"{name}.py").write_text(
            f"open({str(tmp_path / f'ran-{name}')!r}, 'w').close()\nraise SystemExit('planted')\n"
        )
    return folder


@pytest.fixture(scope="module")
def samples() -> list[Pair]:
    """Return two pairs that have tasks of all kinds."""
    lines = (ROOT / "data" / "samples" / "pairs-00000.jsonl").read_bytes().splitlines()
    pairs = (msgspec.json.decode(line, type=Pair) for line in lines)
    return list(islice((pair for pair in pairs if all(make_task(kind, pair) for kind in KINDS)), 2))


@pytest.fixture(scope="module")
def programs(run: Callable[..., subprocess.CompletedProcess[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a dataset of one program."""
    folder = tmp_path_factory.mktemp("programs")
    run("synthesis", "make", "--programs", "-n", 1, "-d", "cpu", "-o", folder)
    return folder


@pytest.fixture
def folder(samples: list[Pair], tmp_path: Path) -> Path:
    """Return a folder with pairs, a task and its completion, and a program that imports a module beside it."""
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    row = {"task_id": task.task_id, "completion": samples[0].cuda_ir_forward}
    for name, content in {"tasks": task.to_row(), "completions": row}.items():
        (tmp_path / f"{name}.jsonl").write_bytes(encode(content))
    (tmp_path / "some.jsonl").write_bytes(b"".join(map(encode, samples[:2])))
    (tmp_path / "kernel.cu").write_text("__global__ void store(float* y) { y[threadIdx.x] = 1.0f; }\n")
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "test_double.py").write_text(PROGRAM)
    (tmp_path / "program" / "beside.py").write_text("COUNT = 5\n")
    return tmp_path


def assert_safe(command: str, arguments: str, folder: Path, hostile: Path, code: int = 0, **names: object) -> None:
    name, *words = [*command.split(), *arguments.format(folder=folder, **names).split()]
    if not (BINARIES / name).exists():
        pytest.skip(f"{name} is not installed beside {sys.executable}")
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONHASHSEED", "PYTHONPATH"}}
    done = subprocess.run(
        [str(BINARIES / name), *words], cwd=hostile, env=environment, capture_output=True, text=True, check=False
    )
    assert sorted(path.name for path in folder.glob("ran-*")) == []
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    assert "planted" not in done.stdout + done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", QUICK)
def test_some_commands_import_nothing_from_the_current_folder(command: str, folder: Path, hostile: Path) -> None:
    arguments = ROWS.get(command, "{folder}/some.jsonl --workers 2")
    assert_safe(command, arguments, folder, hostile)


@pytest.mark.exhaustive
@pytest.mark.parametrize("command", ROWS)
def test_no_command_imports_from_the_current_folder(
    command: str, folder: Path, hostile: Path, small: Path, programs: Path, samples: list[Pair]
) -> None:
    names = {"data": small, "programs": programs, "ledger": ROOT / "notes" / "warp_bugs", "pair": samples[0].id}
    assert_safe(command, ROWS[command], folder, hostile, OTHER_CODES.get(command, 0), **names)


def commands(name: str, command: click.Command) -> Iterator[str]:
    """Yield the names of a command's sub-commands, or its own if it has none."""
    if not isinstance(command, click.Group):
        yield name
        return
    for below, inner in command.commands.items():
        yield from commands(f"{name} {below}", inner)


def test_every_command_has_a_row() -> None:
    found = set()
    for name, module in COMMANDS.items():
        cli = importlib.import_module(f"warpsmith.{module}").cli
        found |= set(commands(name, cli))
    assert found <= set(ROWS)


def test_python_is_started_in_one_place() -> None:
    starts = ("sys.executable", "multiprocessing.get_context")
    found = {module for module, path in modules().items() if any(start in path.read_text() for start in starts)}
    assert found == {
        "core.execution.python_process",  # starts modules
        "core.execution.forkserver",  # starts workers
        "core.execution.hash_seed",  # starts the same command again
        "core.installation",  # names the commands of this environment
        "validation.fuzz.case_runs",  # starts Pythons of other environments
        "validation.fuzz.ledger_texts",  # runs scripts of the ledger
        "validation.fuzz.reproducer_text",  # names the Python that runs a script
        "extraction.capturing.program",  # has the folder of Python first in the path of a command
    }
