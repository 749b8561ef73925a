"""Where a part of the sandbox is missing, commands stop and name `--unconfined`; where a system lacks less, checks go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from confinement import SECCOMP, landlock
from warpsmith.validation.confinement import Confinement

SCRIPT = Path(__file__).with_name("without_calls.py")
MISSING = {"landlock_create_ruleset": "no Landlock (Linux 5.13", "seccomp": "no seccomp filters (Linux 3.17"}
COMMANDS = (
    ("warpsmith-validate", "run", "{}"),
    ("warpsmith-validate", "reduce", "{}", "1-1-1", "--level", "execute"),
    ("warpsmith-dataset", "stats", "{}"),
    ("warpsmith-gpu", "run", "{}", "--device", "cpu"),
    ("warpsmith-gpu", "bench", "{}", "--device", "cpu"),
)
NOT_PERMITTED = 77

pytestmark = [landlock(1), pytest.mark.skipif(not SECCOMP, reason="simulates missing parts by seccomp")]


def run_without(missing: str, *command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command where something is missing; skip the test if this system does not permit to take it away."""
    done = subprocess.run(
        [sys.executable, SCRIPT, missing, *command], capture_output=True, text=True, check=False, timeout=60, **options
    )
    if done.returncode == NOT_PERMITTED:
        pytest.skip(f"this system does not permit to try a command without {missing}")
    return done


@pytest.mark.sampled(2)
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_commands_stop_where_the_sandbox_is_incomplete(own_small: Path, missing: str, command: tuple[str, ...]) -> None:
    (own_small / "stats.json").unlink(missing_ok=True)  # of another test
    identity = json.loads((own_small / "pairs-00000.jsonl").read_text().split("\n")[0])["id"]
    arguments = [str(own_small) if part == "{}" else identity if part == "1-1-1" else part for part in command]
    done = run_without(missing, *arguments)
    assert done.returncode == 2, done.stderr
    error = done.stderr.strip().split("\n")[-1]
    assert MISSING[missing] in error
    assert "--unconfined" in error
    assert not list(own_small.glob("verdicts-*"))
    assert not (own_small / "stats.json").exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("missing", MISSING)
def test_unconfined_works_without(own_small: Path, missing: str) -> None:
    done = run_without(missing, "warpsmith-validate", "run", str(own_small), "--unconfined", "--json")
    assert done.returncode == 0, done.stderr
    sandbox = json.loads(done.stdout)["sandbox"]
    assert (sandbox["landlock"] == 0, sandbox["seccomp"]) == (missing == "landlock_create_ruleset", missing != "seccomp")


def test_the_summary_reports_the_sandbox(own_small: Path) -> None:
    done = run_without("acct", "warpsmith-validate", "run", str(own_small))
    assert done.returncode == 0, done.stderr
    assert "sandbox: Landlock " in done.stderr
    assert "seccomp, no network, 8 GiB memory" in done.stderr


@pytest.mark.exhaustive
def test_checks_work_without_proc(own_small: Path) -> None:
    done = run_without("proc", "warpsmith-validate", "run", str(own_small), "--level", "execute", "--sample", "2", "--json")
    assert (done.returncode, json.loads(done.stdout)["failures"]) == (0, []), done.stderr


def test_checks_work_for_a_user_without_privileges(own_small: Path, tmp_path: Path) -> None:
    for path in (own_small, *own_small.iterdir(), *tmp_path.parents, tmp_path):
        if path.owner() == "root" and path.is_relative_to(tmp_path.parent.parent):
            path.chmod(0o777)
    for path in Path(sys.prefix, "lib"), Path(sys.base_prefix, "lib"), own_small:
        if any(not parent.stat().st_mode & 1 for parent in (path, *path.parents)):
            pytest.skip(f"other users cannot read {path}")
    environment = {**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = run_without("root", "warpsmith-validate", "run", str(own_small), "--json", env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["failures"] == []


@pytest.mark.parametrize("report", [None, [], {}, {"landlock": 7}, {"seccomp": True, "landlock": "7"}])
def test_a_report_is_checked(report: object) -> None:
    with pytest.raises(ValueError, match="not a report"):
        Confinement.from_json(report)
