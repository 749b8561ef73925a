"""A worker has limits, a short environment and no network, and ends with its client."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from checked_lines import verdicts_of
from confinement import landlock
from processes import assert_nothing_lives, living_below
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox import disk
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.usefixtures("time_limit")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

MODULE = "hostile_levels"
PASSED = ["pass", "pass", "pass"]

MisbehavingLine = Callable[[str, str], Line]


@pytest.fixture
def report(hostile_levels: Any, misbehaving_line: MisbehavingLine, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the worker's view of the system, while the environment of its client contains a secret."""
    monkeypatch.setenv("WARPSMITH_TEST_SECRET", "to be kept")
    with Supervisor(hostile_levels, MODULE) as supervisor:
        verdicts = verdicts_of(supervisor, [misbehaving_line("curious", "report")])
        seen: dict[str, Any] = json.loads((supervisor.client.scratch / "report.json").read_text())
    assert [verdict.status for verdict in verdicts] == PASSED
    return seen


@linux_only
def test_limits_of_a_worker_cannot_be_raised(report: dict[str, Any]) -> None:
    for name, most in (("AS", 8 << 30), ("FSIZE", 256 << 20), ("NOFILE", 256), ("CORE", 0)):
        soft, hard = report["limits"][f"RLIMIT_{name}"]
        assert 0 <= soft == hard <= most, name
    assert report["no new privileges"] == 1


def test_the_environment_is_a_short_list(report: dict[str, Any]) -> None:
    known = """
        PATH PYTHONPATH LANG LC_ALL LC_CTYPE LD_LIBRARY_PATH CUDA_VISIBLE_DEVICES WARPSMITH_DEVICE
        HOME TMPDIR PYTHONHASHSEED PYTHONDONTWRITEBYTECODE PYTHONSAFEPATH OPENBLAS_NUM_THREADS OMP_NUM_THREADS GLIBC_TUNABLES
    """.split()
    assert set(report["environment"]) <= set(known)
    assert report["environment"]["PYTHONHASHSEED"] == "0"


def test_home_and_working_folder_are_the_scratch_folder(report: dict[str, Any]) -> None:
    assert report["home"] == report["cwd"] == report["scratch"] == report["environment"]["TMPDIR"]
    assert report["scratch"] != str(Path.home())


@linux_only
def test_standard_streams_lead_nowhere(report: dict[str, Any]) -> None:
    assert report["standard"] == ["/dev/null"] * 3


def namespaces_are_allowed() -> bool:
    """Return whether this system lets a new process leave the network, without the code under test."""
    code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) != 0)"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@linux_only
def test_a_worker_has_no_network(hostile_levels: Any, misbehaving_line: MisbehavingLine) -> None:
    if not namespaces_are_allowed():
        pytest.skip("this system does not let processes make namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server, Supervisor(hostile_levels, MODULE) as supervisor:
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5.0).close()
        verdicts = verdicts_of(supervisor, [misbehaving_line("talkative", f"connect|{port}")])
    assert verdicts[1].reason in ("PermissionError", "OSError", "ConnectionRefusedError")


@landlock(1)
def test_a_worker_reads_no_files_of_its_user(hostile_levels: Any, misbehaving_line: MisbehavingLine, tmp_path: Path) -> None:
    secret, home = tmp_path / "secret", Path.home() / f".warpsmith-test-{os.getpid()}"
    secret.write_text("precious")
    home.write_text("precious")
    paths = ["/proc/self/environ", f"/proc/{os.getpid()}/environ", "/proc/self/maps", "/etc/passwd", str(secret), str(home)]
    try:
        assert all(Path(path).read_bytes() for path in paths)
        with Supervisor(hostile_levels, MODULE) as supervisor:
            verdicts = verdicts_of(
                supervisor, [misbehaving_line(str(number), f"read|{path}") for number, path in enumerate(paths)]
            )
    finally:
        home.unlink()
    assert [verdict.reason for verdict in verdicts if verdict.level == "odd"] == ["PermissionError"] * len(paths)


@linux_only
@pytest.mark.parametrize("module", ["warpsmith.validation.worker.check_worker", "warpsmith.gpu_checks.device_worker"])
def test_the_workers_of_the_packages_have_no_network(lines: list[Line], module: str) -> None:
    if not namespaces_are_allowed():
        pytest.skip("this system does not let processes make namespaces")
    with Supervisor(LEVELS[:1], module) as supervisor:
        assert [verdict.status for verdict in verdicts_of(supervisor, lines[:1])] == ["pass"]
        assert supervisor.client.process is not None
        worker = supervisor.client.process.pid
        assert Path(f"/proc/{worker}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()


@pytest.mark.parametrize("name", ["orjson", "numpy", "ctypes"])
def test_modules_in_the_working_folder_are_not_imported(
    lines: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was run')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with Supervisor(LEVELS[:2]) as supervisor:
        verdicts = verdicts_of(supervisor, lines[:1])
    assert not (tmp_path / "was run").exists()
    assert [verdict.status for verdict in verdicts] == ["pass", "pass"]


def test_a_worker_that_fills_its_folder_is_stopped(
    hostile_levels: Any, misbehaving_line: MisbehavingLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "MAX_BYTES", 8 << 20)
    levels = [replace(level, seconds=600.0) for level in hostile_levels]
    with Supervisor(levels, MODULE) as supervisor:
        verdicts = verdicts_of(supervisor, [misbehaving_line("greedy", "fill the folder")])
        assert [verdict.status for verdict in verdicts] == ["pass", "fail", "skipped"]
        assert verdicts[1].reason == "the check kept more than 8 MiB in its folder"
        assert [verdict.status for verdict in verdicts_of(supervisor, [misbehaving_line("next", "chatter")])] == PASSED


def test_many_files_are_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_FILES", 3)
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("")
    assert disk.excess(tmp_path) is None
    (tmp_path / "folder/another").write_text("")
    assert disk.excess(tmp_path) == "more than 3 files"
    assert disk.excess(tmp_path / "nowhere") is None


@linux_only
@pytest.mark.usefixtures("hostile_levels")
def test_a_worker_ends_with_its_client(misbehaving_line: MisbehavingLine, tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_bytes(misbehaving_line("slow", "sleep").raw)
    code = (
        "from pathlib import Path\nfrom warpsmith.core.records.jsonl import read_lines\n"
        f"from warpsmith.validation.sandbox.supervisor import Supervisor\nfrom {MODULE} import LEVELS\n"
        f"from dataclasses import replace\nlevels = [LEVELS[0], replace(LEVELS[1], seconds=600.0)]\n"
        f"supervisor = Supervisor(levels, '{MODULE}')\n"
        "print(supervisor.client.folder, flush=True)\nsupervisor.check(list(read_lines(Path('lines.jsonl'))))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        folder = Path(client.stdout.readline().strip())
        deadline = time.monotonic() + 20.0
        while not living_below(folder) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        assert len(living_below(folder)) == 1
        client.kill()
    assert_nothing_lives(folder)
    shutil.rmtree(folder)


def test_a_worker_loads_warp_only_for_levels_that_need_it() -> None:
    """Loading Warp takes most of the time that a worker needs to start."""
    code = (
        "import sys; from pathlib import Path; from warpsmith.core.records.jsonl import read_lines; "
        "from warpsmith.validation.levels.context import BatchContext; "
        "from warpsmith.validation.levels.registry import levels_to; "
        "from warpsmith.validation.worker.check_worker import check_batch, load_check; "
        "lines = list(read_lines(Path(sys.argv[1]))); "
        "print({v.status for v in check_batch(lines, levels_to('parse'), BatchContext(Path.cwd()))}, 'warp' in sys.modules); "
        "load_check(levels_to('execute')[-1]); print('warp' in sys.modules)"
    )
    sample = Path(__file__).parents[3] / "data" / "samples" / "pairs-00000.jsonl"
    done = subprocess.run([sys.executable, "-c", code, sample], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["{'pass'}", "False", "True"]
