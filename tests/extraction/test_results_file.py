"""Extracted pairs are written as they come: an interrupted run keeps what is finished, and the same command continues."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.pair import Reject
from warpsmith.extraction.results_file import write_rejects, writing_results

COMMAND = [sys.executable, "-c", "from warpsmith.extraction.start import main; main()"]

CLOSURES = """from typing import Any
import warp as wp


def factory(number):
    @wp.kernel
    def scaled(x: wp.array(dtype=Any), y: wp.array(dtype=Any)):
        i = wp.tid()
        y[i] = x[i] * type(x[i])(wp.static(number))

    wp.overload(scaled, [wp.array(dtype=wp.float32), wp.array(dtype=wp.float32)])
    return scaled


KERNELS = [factory(number) for number in range({count})]


@wp.kernel
def rejected(x: wp.array(dtype=Any)):
    x[wp.tid()] = x[0]
"""

ARGUMENTS = {"device": "cpu", "warp": "1.19.0"}


def reject(name: str) -> Reject:
    return Reject(id=name, seed=None, index=None, stage="codegen", error="no")


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []


def extract(folder: Path, output: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "closures.py", "-o", str(output), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def interrupted(folder: Path, output: Path, number: int, arguments: Sequence[str] = ("-b", "-d", "both")) -> tuple[int, str]:
    """Start a run, send it a signal after ten kernels, and return its exit code and what it printed."""
    command = [*COMMAND, "closures.py", "-o", str(output), *arguments]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while len(lines(output.with_name(f"{output.name}.progress"))) < 11:
            assert process.poll() is None, "the run ended before it could be interrupted"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(process.pid, number)
        _, printed = process.communicate(timeout=60)
    return process.returncode, printed


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGTERM, marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive),
    ],
)
def test_an_interrupted_run_continues(tmp_path: Path, number: int) -> None:
    (tmp_path / "closures.py").write_text(CLOSURES.replace("{count}", "120"))
    output, complete = tmp_path / "pairs.jsonl", tmp_path / "complete.jsonl"
    code, printed = interrupted(tmp_path, output, number)
    if number == signal.SIGKILL:
        assert code == -signal.SIGKILL
    else:
        assert code == 128 + number
        assert "the same command continues" in printed
    finished = len(lines(tmp_path / "pairs.jsonl.progress")) - 1
    assert 10 <= finished < 121
    assert not output.exists()
    assert len(lines(tmp_path / "pairs.jsonl.partial")) >= finished

    refused = extract(tmp_path, output, "-b", "-d", "cuda")
    assert refused.returncode == 2
    assert "device is 'both' there and 'cuda' now" in refused.stderr
    assert len(lines(tmp_path / "pairs.jsonl.progress")) - 1 == finished

    continued = extract(tmp_path, output, "-b", "-d", "both")
    assert f"{finished} kernels were finished" in continued.stderr
    assert "120 pairs, 1 rejects" in continued.stderr
    assert continued.returncode == 1
    assert extract(tmp_path, complete, "-b", "-d", "both").returncode == 1
    assert output.read_bytes() == complete.read_bytes()
    assert (tmp_path / "pairs.rejects.jsonl").read_bytes() == (tmp_path / "complete.rejects.jsonl").read_bytes()
    assert len({json.loads(line)["id"] for line in lines(output)}) == 120  # further closures keep their numbers
    assert sorted(path.name for path in tmp_path.glob("pairs*")) == ["pairs.jsonl", "pairs.rejects.jsonl"]


def test_what_is_not_finished_is_cut_off(tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    with contextlib.suppress(KeyboardInterrupt), writing_results(output, ARGUMENTS) as results:
        results.add(reject("first"))
        results.add(reject("second"))
        raise KeyboardInterrupt
    assert not output.exists()
    with (tmp_path / "pairs.jsonl.partial").open("ab") as file:
        file.write(b'{"id": "half')
    with (tmp_path / "pairs.jsonl.progress").open("ab") as file:
        file.write(b'{"id":"third","end":1000}\n{"id":"fou')
    with writing_results(output, ARGUMENTS) as results:
        assert [result.id for result in results.earlier] == ["first", "second"]
        assert [result.reject for result in results.earlier] == [reject("first"), reject("second")]
    assert output.read_bytes() == b""
    assert not (tmp_path / "pairs.jsonl.progress").exists()


def test_a_run_without_results_leaves_no_files(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="first"), writing_results(tmp_path / "pairs.jsonl", ARGUMENTS):
        raise ValueError("the first kernel")
    assert not list(tmp_path.iterdir())


def test_a_complete_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    output.write_text("earlier\n")
    with writing_results(output, ARGUMENTS):
        assert output.read_text() == "earlier\n"
    assert output.read_text() == ""


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    with writing_results(output, ARGUMENTS) as results:
        results.add(reject("first"))
        with pytest.raises(WarpsmithError, match="another process writes"), writing_results(output, ARGUMENTS):
            pass
    assert output.exists()


def test_a_damaged_progress_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl.progress").write_text("no JSON\n")
    with (
        pytest.raises(WarpsmithError, match=r"pairs\.jsonl\.progress is damaged"),
        writing_results(tmp_path / "pairs.jsonl", {}),
    ):
        pass


def test_a_run_without_rejects_removes_earlier_ones(tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    write_rejects(output, [reject("first")])
    assert json.loads((tmp_path / "pairs.rejects.jsonl").read_text())["id"] == "first"
    write_rejects(output, [])
    assert not list(tmp_path.iterdir())
