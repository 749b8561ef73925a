"""Commands whose processes are killed with SIGKILL: repeated or continued, they leave what an undisturbed run leaves."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from command_line import start_code
from processes import kill_at_random, kill_session
from warpsmith.core import read_pairs
from warpsmith.core.files import temporary_folders
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.tasks.task import make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")

KILLS = 20
"""The number of kills of each of the five commands in the exhaustive tests."""

PROGRAM = """import warp as wp; wp.config.use_precompiled_headers = False


@wp.kernel
def scale(values: wp.array(dtype=float), factor: float):
    i = wp.tid()
    values[i] = factor * values[i]


wp.launch(scale, 5, inputs=[wp.ones(5, dtype=float, device="cpu"), 2.0], device="cpu")
"""


@dataclass(frozen=True)
class Row:
    """A command.

    Attributes:
        tool: see `command_line.start_code`.
        arguments: its arguments; files are relative to the folder of the run.
        output: the file or folder that it makes.
    """

    tool: str
    arguments: str
    output: str


ROWS = {
    "score": Row("scoring", "run tasks.jsonl completions.jsonl --seed 7 -o out.jsonl", "out.jsonl"),
    "extract": Row("extraction", "-d both -b -o out.jsonl --run program.py", "out.jsonl"),
    "export": Row("core", "export data --format jsonl -o out", "out"),
    "filter": Row("core", "filter data --require parse=pass -o out", "out"),
    "report": Row("report", "data --workers 1", "data/report.html"),
}


@pytest.fixture(scope="module")
def inputs(run: Callable[..., Any], small: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the input of all commands."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "program.py").write_text(PROGRAM)
    shutil.copytree(small, folder / "data")
    run("validation", "run", folder / "data", "--level", "parse")
    tasks = [
        task for pair in read_pairs(root / "data/samples/pairs-00000.jsonl") if (task := make_task("python_to_cuda", pair))
    ]
    (folder / "tasks.jsonl").write_bytes(b"".join(encode(task.to_row()) for task in tasks[:3]))
    texts = [text for task in tasks[:3] for text in (task.pair.cuda_ir_forward, "", "nonsense")]
    rows = [{"task_id": tasks[number // 3].task_id, "completion": text} for number, text in enumerate(texts)]
    (folder / "completions.jsonl").write_bytes(b"".join(encode(row) for row in rows * 4))
    return folder


class Runs:
    """Runs of one command in one folder, which contains a copy of the inputs."""

    def __init__(self, row: Row, inputs: Path, folder: Path) -> None:
        self.row, self.folder, self.temporary = row, folder, folder.with_name(f"{folder.name}-temporary")
        shutil.copytree(inputs, folder)
        self.temporary.mkdir()
        self.before = set(folder.rglob("*"))

    def start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", start_code(self.row.tool), *self.row.arguments.split()],
            cwd=self.folder,
            env=os.environ | {"PYTHONHASHSEED": "0", "TMPDIR": str(self.temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self) -> None:
        """Run the command to its end."""
        process = self.start()
        _, stderr = process.communicate(timeout=300)
        assert process.returncode == 0, stderr

    def files(self) -> dict[str, str]:
        """Return the digest of each file that the command made."""
        made = sorted(path for path in set(self.folder.rglob("*")) - self.before if path.is_file())
        return {str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in made}

    def reset(self) -> None:
        """Remove the output of a run that has ended."""
        path = self.folder / self.row.output
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def left(self) -> list[str]:
        """Return what is left in the temporary folder after a later run has removed what killed runs left."""
        for lock in self.temporary.glob(f"*/{temporary_folders.LOCK}"):
            os.utime(lock, (0, 0))
        temporary_folders.sweep(self.temporary)
        return sorted(path.name for path in self.temporary.iterdir())


def disturb(name: str, inputs: Path, folder: Path, kills: int) -> None:
    """Kill a command at random moments and compare its files with those of an undisturbed run."""
    row, chance = ROWS[name], random.Random(name)  # noqa: S311 - reproducible kills
    undisturbed, disturbed = (Runs(row, inputs, folder / which) for which in ("undisturbed", "disturbed"))
    began = time.monotonic()
    undisturbed.finish()
    seconds = time.monotonic() - began
    for _ in range(kills):
        process = disturbed.start()
        kill_at_random(process, seconds, chance)
        _, stderr = process.communicate(timeout=300)
        kill_session(process.pid)
        assert "Traceback" not in stderr, stderr
        if process.returncode == 0:
            assert disturbed.files() == undisturbed.files()
            disturbed.reset()
    disturbed.finish()
    assert disturbed.files() == undisturbed.files()
    assert disturbed.left() == undisturbed.left() == []


def test_some_kills_change_no_result(inputs: Path, tmp_path: Path) -> None:
    disturb("filter", inputs, tmp_path, 2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ROWS)
def test_many_kills_change_no_result(name: str, inputs: Path, tmp_path: Path) -> None:
    disturb(name, inputs, tmp_path, KILLS)
