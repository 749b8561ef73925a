"""`warpsmith-extract --run`: a program runs as Python runs it, and its kernels become pairs however it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from command_line import start_code
from warpsmith.core.errors import TargetError
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Reject
from warpsmith.extraction.capturing import program_process
from warpsmith.extraction.capturing.capture_request import CaptureRequest, Program
from warpsmith.extraction.capturing.program import parse_program
from warpsmith.extraction.cli import cli
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS
from warpsmith.extraction.targets.loading import loaded_kernel

PROGRAM = """import os, sys, time
import warp as wp
from helper_of_script import offset

wp.config.log_level, wp.config.use_precompiled_headers = wp.LOG_ERROR, False


@wp.struct
class Gains:
    gain: float


@wp.kernel
def amplify(x: wp.array(dtype=float), gains: Gains):
    i = wp.tid()
    x[i] = x[i] * gains.gain + offset(float(i))


@wp.kernel
def fill(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


if __name__ == "__main__":
    gains = Gains()
    gains.gain = 3.0
    x = wp.zeros(5, dtype=float, device="cpu")
    for _ in range(3):
        wp.launch(amplify, 5, inputs=[x, gains], device="cpu")
    print(__file__, sys.argv[1:], x.numpy().tolist(), flush=True)
    print("to stderr", file=sys.stderr)
    if "raise" in sys.argv:
        raise RuntimeError("the program failed")
    if "wait" in sys.argv:
        time.sleep(60)
    if "die" in sys.argv:
        os._exit(4)
    sys.exit(7 if "seven" in sys.argv else None)
"""
HELPER = """import warp as wp


@wp.func
def offset(x: float):
    return x + 0.5
"""
TEST = """import script


def test_fill():
    x = script.wp.zeros(5, dtype=float, device="cpu")
    script.wp.launch(script.fill, 5, outputs=[x], device="cpu")
    assert x.numpy().sum() == 5.0
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "script.py").write_text(PROGRAM)
    (folder / "helper_of_script.py").write_text(HELPER)
    (folder / "test_script.py").write_text(TEST)
    return folder / "script.py"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.exhaustive
def test_a_script_runs_as_without_the_capture(run: Any, script: Path, tmp_path: Path) -> None:
    plain = subprocess.run([sys.executable, script, "seven", "--json"], capture_output=True, text=True, check=False)
    output = tmp_path / "pairs.jsonl"
    done = run("extraction", "-d", "both", "-b", "-o", output, "--run", script, "seven", "--json", expect=7)
    assert plain.returncode == 7
    assert done.stdout == plain.stdout
    assert set(plain.stderr.splitlines()) < set(done.stderr.splitlines())
    assert "1 kernels launched 3 times: 1 with a launch" in done.stderr
    pairs = read(output)
    assert [pair["id"] for pair in pairs] == ["script-0-script.amplify"]
    assert pairs[0]["metadata"]["origin"] == {"file": "script.py", "line": 14, "launch": "captured", "reason": ""}
    assert pairs[0]["metadata"]["launch"]["dim"] == [5]
    assert "class Gains" in pairs[0]["python_source"]
    assert "def offset" in pairs[0]["python_source"]


CONFIGURED = """import warp as wp

wp.config.enable_backward = False


@wp.kernel
def fill(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


wp.launch(fill, 4, [wp.zeros(4)])
"""


def test_settings_of_the_program_become_options_of_the_pair(run: Any, tmp_path: Path) -> None:
    (tmp_path / "configured.py").write_text(CONFIGURED)
    done = run("extraction", "-d", "both", "-b", "--run", "configured.py", cwd=tmp_path)
    (pair,) = map(json.loads, done.stdout.splitlines())
    assert pair["metadata"]["module_options"] == {"enable_backward": False}
    assert pair["cuda_ir_backward"] is None
    with loaded_kernel(pair["python_source"], "fill", pair["metadata"]["module_options"]) as kernel:
        assert extract_ir(kernel, "cuda").forward_code == pair["cuda_ir_forward"]


@pytest.mark.exhaustive
def test_pairs_on_stdout_and_the_output_of_a_failing_program_on_stderr(run: Any, script: Path) -> None:
    done = run("extraction", "--run", "-m", "script", "raise", expect=1, cwd=script.parent)
    (pair,) = map(json.loads, done.stdout.splitlines())
    assert pair["id"] == "script-0-script.amplify"
    assert f"{script} ['raise'] [" in done.stderr
    assert 'raise RuntimeError("the program failed")' in done.stderr
    assert "capturing" not in done.stderr, "the traceback shows the program only"


@pytest.mark.exhaustive
def test_a_command_of_a_package(run: Any, script: Path, tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    arguments = ("-o", output, "--json", "--only", "script", "--run", "--", "pytest", "-q", "-p", "no:cacheprovider")
    done = run("extraction", *arguments, cwd=script.parent)
    assert "1 passed" in done.stdout
    assert [pair["id"] for pair in read(output)] == ["script-0-script.fill"]
    summary = json.loads(done.stderr.splitlines()[-1])
    assert (summary["kernels"], summary["kernels_with_launch"], summary["pairs_with_launch"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.exhaustive)]
)
def test_an_interrupted_program_leaves_its_pairs(script: Path, tmp_path: Path, number: int, code: int) -> None:
    output = tmp_path / "pairs.jsonl"
    command = [sys.executable, "-c", start_code("extraction"), "-o", str(output), "--run", str(script), "wait"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert str(script) in process.stdout.readline()
    if number == signal.SIGINT:  # a terminal sends it to all processes of the group
        subprocess.run(["kill", "-INT", "--", f"-{process.pid}"], check=True)
    else:
        process.send_signal(number)
    process.stdout.close()
    assert process.wait(30) == code
    assert [pair["id"] for pair in read(output)] == ["script-0-script.amplify"]


@pytest.mark.exhaustive
def test_a_program_that_ends_without_python_leaves_a_message(run: Any, script: Path, tmp_path: Path) -> None:
    done = run("extraction", "-o", tmp_path / "pairs.jsonl", "--run", script, "die", expect=2)
    assert "the program ended by exit code 4: without Python's own exit no pairs are written" in done.stderr
    assert not (tmp_path / "pairs.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "error", "reason"),
    [
        (["--run"], TargetError, "needs a program"),
        (["--run", "no-such-command"], TargetError, "neither a Python file nor a command"),
        (["--run", "none.py"], TargetError, "no such file: none.py"),
        (["--run", "-m"], TargetError, "needs the name of a module"),
        (["mine.py", "--run", "other.py"], click.UsageError, "is no part of it"),
        (["-k", "name"], click.UsageError, "a program after --run"),
    ],
)
def test_programs_that_cannot_run(words: list[str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason), cli.make_context("warpsmith-extract", list(words)) as context:
        cli.invoke(context)


def test_words_after_the_program_are_its_own(script: Path) -> None:
    program = parse_program(["--", "python", "-m", "tool", "-o", "x"])
    assert (program.kind, program.target, program.arguments, program.name) == ("module", "tool", ("-o", "x"), "tool")
    program = parse_program([str(script), "--run"])
    assert (program.kind, program.arguments, program.name) == ("script", ("--run",), "script")


def test_a_signal_while_pairs_are_made_keeps_the_finished_ones(tmp_path: Path) -> None:
    reject = Reject(id="first", seed=None, index=None, stage="codegen", error="no")

    class Interrupted:
        recorder = SimpleNamespace(faults=[])

        def selected(self, *_: object) -> list[Any]:
            return [SimpleNamespace(count=2)] * 3

        def pairs_of(self, *_: object) -> Iterator[Reject]:
            yield reject
            self.pairs_of = lambda *_: sys.exit(143)  # type: ignore[assignment, method-assign]

    files = {name: str(tmp_path / name) for name in ("pairs", "rejects", "summary")}
    program = Program(kind="script", target="x.py", arguments=())
    request = CaptureRequest(program, "cpu", True, True, (), (), DEFAULT_LIMITS, **files)
    summary = program_process.write_pairs(Interrupted(), request)  # type: ignore[arg-type]
    assert (summary.kernels, summary.launches, summary.kernels_rejected) == (1, 2, 1)
    assert summary.faults == ["stopped before 2 of 3 kernels became pairs"]
    assert (tmp_path / "rejects").read_bytes() == encode(reject)
