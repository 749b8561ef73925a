"""The command `warpsmith-synthesize`: exit codes, errors of one line that name the solution, and progress."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
import warp as wp

from made_datasets import BOTH, SMALL
from warpsmith.core.commands import options
from warpsmith.synthesis.cli import cli

Run = Callable[..., subprocess.CompletedProcess[str]]
Files = Callable[[Path], dict[str, str]]
Here = Callable[..., tuple[int, str, str]]

FEW = ("-n", 10, "-d", "cuda")


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Return a function that runs `make` in this process and returns exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-synthesize", "make", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--count", 0), "0 is not in the range 1<=x<=2147483647"),
        (("--count", -5), "-5 is not in the range 1<=x<=2147483647"),
        (("--count", "many"), "'many' is not a valid integer"),
        (("--seed", -1), "-1 is not in the range"),
        (("--shard-size", 0), "0 is not in the range 1<=x<=2147483647"),
        (("--device", "gpu"), "'gpu' is not one of 'cpu', 'cuda', 'both'"),
        (("--cuont", 5), "No such option '--cuont'"),
        (("surplus",), "unexpected extra argument (surplus)"),
    ],
)
def test_usage_errors_are_one_line(here: Here, tmp_path: Path, arguments: tuple[Any, ...], message: str) -> None:
    code, stdout, stderr = here("-o", tmp_path / "out", *arguments)
    (error,) = stderr.splitlines()
    assert code == 2
    assert error.startswith("error: ")
    assert error.endswith("(see --help)")
    assert message in error
    assert stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--workers", 0), "--workers is a number from 1 to 1024 or 'auto', not '0'"),
        (("--workers", -1), "--workers is a number from 1 to 1024 or 'auto', not '-1'"),
        (("--workers", "two"), "--workers is a number from 1 to 1024 or 'auto', not 'two'"),
        (("--workers", "1.5"), "--workers is a number from 1 to 1024 or 'auto', not '1.5'"),
        (("--workers", "²"), "--workers is a number from 1 to 1024 or 'auto', not '²'"),
        (("--count", 10**9), "the number of pairs is not from 1 to 100,000,000"),
        (("--count", 10**8, "--shard-size", 1), "there would be 100,000,000 shards, more than 100,000"),
        (("--shard-size", 10**9), "the number of pairs per shard is not from 1 to 1,000,000"),
        (("--categories", "vectors"), "unknown category vectors; choose from arithmetic, atomic, "),
        (("--categories", "vector,,atomic"), "unknown category ; choose from arithmetic, atomic, "),
        (("--categories", ""), "unknown category ; choose from arithmetic, atomic, "),
        (("--categories", "tile,warp"), "unknown category warp; choose from arithmetic, atomic, "),
    ],
)
def test_bad_arguments_are_one_line(here: Here, tmp_path: Path, arguments: tuple[Any, ...], message: str) -> None:
    code, stdout, stderr = here(*FEW, "-o", tmp_path / "out", *arguments)
    (error,) = stderr.splitlines()
    assert code == 2
    assert error.startswith("error: ")
    assert message in error
    assert stdout == ""
    assert not (tmp_path / "out").exists()


def test_a_seed_of_more_than_64_bits_is_an_error(here: Here, tmp_path: Path) -> None:
    code, stdout, stderr = here(*FEW, "-o", tmp_path / "out", "--seed", 10**30)
    assert code == 2
    assert stderr.splitlines()[-1].lower().startswith("error: ")
    assert "seed" in stderr
    assert stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("below", ["", "below", "below/deeper"])
def test_an_output_below_a_file_is_an_error(here: Here, tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("precious")
    code, _, stderr = here(*FEW, "-o", tmp_path / "file" / below)
    (error,) = stderr.splitlines()
    assert code == 2
    assert error.startswith("error: ")
    assert str(tmp_path / "file") in error
    assert "--output" in error
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.exhaustive
@pytest.mark.skipif(wp.is_cuda_available(), reason="this machine has a CUDA device")
def test_codegen_only_is_the_opposite_of_build(run: Run, tmp_path: Path) -> None:
    """`--codegen-only` is the default, and the last of both options counts."""
    for name, given in {"default": [], "explicit": ["--codegen-only"], "last": ["--build", "--codegen-only"]}.items():
        run("synthesis", "make", "-n", 2, "-d", "cuda", *given, "-o", tmp_path / name, "--workers", 1)
    contents = {path.read_bytes() for path in tmp_path.glob("*/pairs-00000.jsonl")}
    assert len(contents) == 1
    assert json.loads((tmp_path / "explicit" / "manifest.json").read_text())["arguments"]["codegen_only"] is True
    assert "--build / --codegen-only" in run("synthesis", "make", "--help").stdout
    run("synthesis", "make", "-n", 2, "-d", "cuda", "--codegen-only", "--build", "-o", tmp_path / "built", expect=3)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("device", ["cuda", "both"])
def test_a_build_without_a_gpu_is_an_error_that_names_build(run: Run, tmp_path: Path, device: str) -> None:
    done = run("synthesis", "make", "-n", 5, "-d", device, "--build", "-o", tmp_path / "out", expect=3)
    (error,) = done.stderr.splitlines()
    assert error.startswith("error: no CUDA device on this machine")
    assert "--build" in error
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.exhaustive  # by a limit on the file size; `test_disturbed` fills real disks
def test_a_full_disk_is_an_error(run: Run, small: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "full"
    limit = (small / "pairs-00000.jsonl").stat().st_size // 2

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = run("synthesis", "make", *SMALL, "-o", folder, preexec_fn=limit_file_size, expect=2)
    error = done.stderr.splitlines()[-1]
    assert re.fullmatch(r"error: cannot write \S+: File too large; free space or choose another folder", error)
    assert "Traceback" not in done.stderr

    run("synthesis", "make", *SMALL, "-o", folder)
    assert files(folder) == files(small)


def test_json_is_one_object(run: Run, tmp_path: Path) -> None:
    done = run("synthesis", "make", *FEW, "--workers", 1, "--json", "-o", tmp_path / "out")
    (line,) = done.stdout.splitlines()
    summary = json.loads(line)
    assert (summary["pairs"], summary["made"], summary["rejects"], summary["workers"]) == (10, 10, 0, 1)
    assert summary["bytes"] == (tmp_path / "out" / "pairs-00000.jsonl").stat().st_size
    assert set(summary["categories"].values()) == {1}
    assert summary["pairs_per_second"] == pytest.approx(10 / summary["seconds"], rel=0.05)


def test_show_prints_the_pair_and_writes_nothing(run: Run, dataset: Path, tmp_path: Path) -> None:
    done = run("synthesis", "make", *BOTH, "--show", 17, cwd=tmp_path)
    pair = json.loads((dataset / "pairs-00000.jsonl").read_text().splitlines()[17])
    assert pair["id"] in done.stdout
    python = [line for line in pair["python_source"].splitlines() if len(line) < 60]
    assert len(python) > 5
    assert [line for line in python if line not in done.stdout] == []
    assert f"{pair['metadata']['kernel_name']}_cuda_kernel_forward" in done.stdout
    assert f"{pair['metadata']['kernel_name']}_cpu_kernel_forward" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_examples_of_the_help_are_valid(run: Run) -> None:
    done = run("synthesis", "--help")
    examples = re.findall(r"^ *warpsmith-synthesize (.+?)(?:   .*)?$", done.stdout, re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        parse(shlex.split(example))
    for arguments in (["make", "--no-such-option"], ["verify", "data/cuda", "--no-such-option"], ["no-such-command"]):
        with pytest.raises(click.UsageError):
            parse(arguments)


def parse(arguments: list[str]) -> None:
    """Parse the options of a command without running it."""
    with cli.make_context("warpsmith-synthesize", arguments) as context:
        name, command, rest = cli.resolve_command(context, [*context._protected_args, *context.args])
        command.make_context(name, rest)


def test_the_default_output_and_a_log_without_a_terminal(run: Run, tmp_path: Path) -> None:
    done = run("synthesis", "make", *FEW, cwd=tmp_path)
    assert (tmp_path / "data" / "cuda" / "manifest.json").exists()
    assert re.fullmatch(r"synthesize: 10/10 pairs, \d+ pairs/s, 0 s left\n", done.stderr)
    assert done.stdout.startswith("data/cuda: 10 pairs, 0 rejected, ")
    assert re.search(r"\n10 pairs made in [\d.]+ s by 2 workers, \d+ pairs/s\n", done.stdout)


@pytest.mark.exhaustive
def test_progress_on_a_terminal_is_a_bar(tmp_path: Path) -> None:
    terminal, inside = pty.openpty()
    code = "from warpsmith.synthesis.start import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "make", "-n", "100", "-d", "cuda", "-o", str(tmp_path / "out")],
        stdout=subprocess.DEVNULL,
        stderr=inside,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "120"},
    ) as process:
        os.close(inside)
        shown = b""
        while chunk := _read(terminal):
            shown += chunk
        assert process.wait(60) == 0
    os.close(terminal)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(r"synthesize ━+ +0/100 +-:--:--", text)
    assert re.search(r"synthesize ━+ 100/100 +\d+ pairs/s 0:00:00", text)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux raises it after the last process on the terminal has ended
        return b""


@pytest.mark.exhaustive
def test_verbose_logs_the_files_and_quiet_prints_results_only(run: Run, tmp_path: Path) -> None:
    verbose = run("synthesis", "make", *FEW, "--workers", 1, "-v", "-o", tmp_path / "one")
    assert "pairs-00000.jsonl:10pairs" in "".join(verbose.stderr.split())
    quiet = run("synthesis", "make", *FEW, "--workers", 1, "-q", "-o", tmp_path / "two")
    assert quiet.stderr == ""
    assert "pairs" in quiet.stdout
