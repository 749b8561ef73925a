"""The promise: exit codes tell how it went, errors are one line that names the way out, answers go to stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import start_code
from warpsmith.validation.levels.registry import LEVELS


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", "{missing}"], "no such dataset"),
        (["run", "{empty}"], "holds no pairs-*.jsonl"),
        (["run", "{dataset}", "--level", "perfect"], "schema, parse, regenerate, compile, execute, emulate, gradient, oracle"),
        (["run", "{dataset}", "--workers", "0"], "from 1 or 'auto'"),
        (["run", "{dataset}", "--workers", "-2"], "from 1 or 'auto'"),
        (["run", "{dataset}", "--workers", "many"], "from 1 or 'auto'"),
        (["run", "{dataset}", "--workers", "\u00b2"], "from 1 or 'auto'"),
        (["run", "{dataset}", "--sample", "0"], "x>=1"),
        (["run", "{dataset}", "--sample", "half"], "not a valid integer"),
        (["run", "{dataset}", "--show", "2-2000-100000"], "no pair '2-2000-100000'"),
        (["run", "{dataset}", "--colour"], "No such option"),
        (["run"], "Missing argument"),
        (["filter"], "Missing argument"),
        (["filter", "{dataset}", "-o", "{empty}"], "--require LEVEL=STATUS or --only LEVEL=STATUS"),
        (["filter", "{dataset}", "--require", "parse=pass"], "Missing option '-o'"),
        (["filter", "{dataset}", "--require", "parse", "-o", "{empty}"], "'parse' is not LEVEL=STATUS"),
        (["filter", "{dataset}", "--only", "parse=good", "-o", "{empty}"], "a status is one of pass, fail"),
        (["filter", "{missing}", "--require", "parse=pass", "-o", "{empty}"], "no such dataset"),
        (["run", "{dataset}", "{dataset}"], "unexpected extra argument"),
    ],
)
def test_bad_arguments_end_with_2_and_a_way_out(
    here: Any, small: Path, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"missing": tmp_path / "missing", "empty": tmp_path / "empty", "dataset": small}
    code, stdout, stderr = here(*(argument.format(**places) for argument in arguments))
    assert code == 2
    assert expected in stderr
    assert len([line for line in stderr.splitlines() if line.lower().startswith("error")]) == 1
    assert stdout == ""
    assert not list(small.glob("verdicts*"))


def test_a_bad_argument_ends_the_process_with_2(run: Any, tmp_path: Path) -> None:
    done = run("validation", "run", tmp_path / "missing", expect=2)
    (error,) = done.stderr.splitlines()
    assert "no such dataset" in error
    assert done.stdout == ""


def test_help_shows_how(run: Any) -> None:
    for option in ("--help", "-h"):
        shown = run("validation", option).stdout
        assert "Examples:" in shown
        assert "warpsmith-validate run data/both --level gradient" in shown
        assert all(f"\n    {level.name} " in shown for level in LEVELS)
        assert "Exit codes: 0" in shown


def test_no_arguments_at_all_show_the_help(run: Any) -> None:
    done = run("validation", expect=2)
    assert done.stdout == ""
    assert "Usage:" in done.stderr
    assert "reduce" in done.stderr
    assert "Examples:" in done.stderr
    assert "Traceback" not in done.stderr


def test_options_may_precede_the_dataset(run: Any, own_small: Path) -> None:
    after = json.loads(run("validation", "run", own_small, "--workers", 1, "--level", "schema", "--json").stdout)
    before = json.loads(run("validation", "run", "--level", "schema", "--workers", 1, own_small, "--json").stdout)
    assert before == after


def test_a_good_dataset_ends_with_0_and_a_table(run: Any, own_small: Path) -> None:
    done = run("validation", "run", own_small)
    assert "verdicts on 40 pairs" in done.stdout
    assert "parse" in done.stdout
    assert "fail:" not in done.stderr


def test_a_bad_pair_ends_with_1_and_is_named(run: Any, own_small: Path) -> None:
    shard = own_small / "pairs-00000.jsonl"
    raw = shard.read_bytes().splitlines(keepends=True)
    raw[4] = raw[4].replace(b"@wp.kernel", b"@wp.func")
    raw[5] = b"{\n"
    shard.write_bytes(b"".join(raw))
    done = run("validation", "run", "--workers", 1, own_small, expect=1)
    complaints = done.stderr.splitlines()
    assert f"fail: {json.loads(raw[4])['id']}: parse: the Python defines 0 kernels instead of one" in complaints
    assert any(line.startswith("fail: pairs-00000.jsonl:6: schema: not JSON") for line in complaints)
    assert any("pairs-00000.jsonl is not the file that was made" in line for line in complaints)


def test_many_failures_are_cut_short(run: Any, own_small: Path) -> None:
    for shard in own_small.glob("pairs-*.jsonl"):
        shard.write_bytes(shard.read_bytes().replace(b"@wp.kernel", b"@wp.func"))
    done = run("validation", "run", "--workers", 1, own_small, expect=1)
    assert done.stderr.count("fail: ") == 20
    assert "and 20 more, see verdicts-*.jsonl" in done.stderr


def test_json_is_one_object_on_stdout(run: Any, own_small: Path) -> None:
    done = run("validation", "run", "--workers", 1, own_small, "--json", "--level", "schema")
    assert done.stdout.count("\n") == 1
    result = json.loads(done.stdout)
    assert (result["pairs"], result["problems"], result["failures"]) == (40, [], [])
    assert result["levels"] == {"schema": {"pass": 40}}


def test_show_prints_python_cpp_and_cuda(run: Any, dataset: Path) -> None:
    record = json.loads((dataset / "pairs-00002.jsonl").read_text().splitlines()[17])
    shown = run("validation", "run", dataset, "--show", record["id"]).stdout
    name = record["metadata"]["kernel_name"]
    assert record["id"] in shown
    for text in (
        f"def {name}(",
        f"{name}_cpu_kernel_forward(",
        f"{name}_cuda_kernel_forward(",
        f"{name}_cuda_kernel_backward(",
    ):
        assert text in shown


def test_show_writes_nothing(run: Any, own_small: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in own_small.iterdir()}
    identity = json.loads((own_small / "pairs-00000.jsonl").read_text().partition("\n")[0])["id"]
    run("validation", "run", own_small, "--show", identity)
    assert {path.name: path.stat().st_mtime_ns for path in own_small.iterdir()} == before


def test_a_full_disk_is_one_line(own_small: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
        "from warpsmith.validation.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code, "run", own_small], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "error: cannot write" in done.stderr
    assert "free space" in done.stderr
    assert not [path for path in own_small.iterdir() if path.name.startswith((".", "verdicts"))]


@pytest.mark.parametrize(
    "command",
    [
        ["validation", "run", "--show", "{identity}"],
        ["validation", "run", "--level", "schema"],
        ["validation", "run", "--json"],
        ["validation", "run", "--help"],
        ["stats"],
    ],
)
@pytest.mark.parametrize("reads", [True, False], ids=["reads a line", "reads nothing"])
def test_a_reader_that_goes_away_is_no_error(own_small: Path, command: list[str], reads: bool) -> None:
    identity = json.loads((own_small / "pairs-00000.jsonl").read_text().partition("\n")[0])["id"]
    tool, *arguments = (argument.format(identity=identity) for argument in command)
    with subprocess.Popen(
        [sys.executable, "-c", start_code(tool), *arguments, str(own_small), "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "COLUMNS": "200"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        if reads:
            assert process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read().decode()
    assert process.returncode == 0
    assert "Traceback" not in complaints
    assert "BrokenPipe" not in complaints
