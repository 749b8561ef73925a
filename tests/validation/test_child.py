"""The promise: whatever a check does to its child costs that pair and nothing else.

`hostile_ladder` is what the children run here: its second level does what a pair's category asks for.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warpsmith.extraction.jsonl import Line
from warpsmith.validation.judge import Judge
from warpsmith.validation.ladder import LADDER

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and /proc are Linux's")

MODULE = "hostile_ladder"

Make = Callable[[str, str], Line]


@pytest.fixture(autouse=True)
def _in_limited_time() -> Iterator[None]:
    """A parent that waits for ever is a failure, not a stop of all tests."""

    def stop(*_: object) -> None:
        raise TimeoutError("the parent waits for ever")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def make(lines: list[Line], spoil: Any) -> Make:
    """A line with this id, whose check does this deed."""

    def change(identity: str, deed: str) -> Line:
        def damage(record: dict[str, Any]) -> None:
            record["id"] = identity
            record["metadata"].update(seed=None, index=None, category=deed)

        line: Line = spoil(lines[0], damage)
        assert line.pair is not None
        return line

    return change


def living_in(scratch: Path) -> list[int]:
    """Processes that were given this scratch folder as their home."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"HOME={scratch}\0".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def assert_nothing_lives(scratch: Path) -> None:
    deadline = time.monotonic() + 5.0
    while (left := living_in(scratch)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert left == []


PASSED = ["pass", "pass", "pass"]


@linux_only
@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("segfault", "SIGSEGV"),
        ("abort", "SIGABRT"),
        ("unnamed signal", "40"),
        ("loop", "more than 2 s"),
        ("sleep", "more than 2 s"),
        ("deaf", "more than 2 s"),
        ("memory", "MemoryError"),
        ("large file", "File too large"),
        ("many files", "Too many open files"),
        ("exit 0", "exit code 0"),
        ("exit 7", "exit code 7"),
        ("system exit", "exit code 5"),
        ("interrupt", "SIGINT"),
        ("recursion", "RecursionError"),
        ("exception", "ValueError: two lines"),
        ("close answers", "clos"),
        ("garbage", "nonsense"),
        ("half a frame", "more than 2 s"),
        ("half a header", "more than 2 s"),
        ("no verdict", "nonsense"),
        ("forge", "nonsense"),
        ("stay behind", "exit code 3"),
    ],
)
def test_a_pair_that_misbehaves_costs_itself_only(ladder: Any, make: Make, deed: str, reason: str) -> None:
    start = time.monotonic()
    with Judge(ladder, MODULE) as judge:
        scratch = judge._scratch
        verdicts = judge.verdicts([make("before", ""), make("culprit", deed), make("after", ""), make("later", "")])
    assert time.monotonic() - start < 40.0
    assert_nothing_lives(scratch)
    assert not scratch.exists()
    assert [verdict.id for verdict in verdicts] == [name for name in ("before", "culprit", "after", "later") for _ in range(3)]
    assert [verdict.level for verdict in verdicts] == 4 * ["even", "odd", "last"]
    assert [verdict.status for verdict in verdicts] == PASSED + ["pass", "fail", "skipped"] + 2 * PASSED
    assert reason in verdicts[4].reason
    assert "\n" not in verdicts[4].reason


@linux_only
@pytest.mark.parametrize("deed", ["chatter", "no thread ends", "write to home"])
def test_what_does_no_harm_passes(ladder: Any, make: Make, deed: str) -> None:
    home = set(Path.home().iterdir())
    with Judge(ladder, MODULE) as judge:
        scratch = judge._scratch
        verdicts = judge.verdicts([make("one", deed), make("two", "")])
    assert [verdict.status for verdict in verdicts] == 2 * PASSED
    assert_nothing_lives(scratch)
    assert not scratch.exists()
    assert set(Path.home().iterdir()) == home


def test_the_same_child_is_asked_again(ladder: Any, make: Make, tmp_path: Path) -> None:
    with Judge(ladder, MODULE) as judge:
        processes = []
        for number in range(3):
            judge.verdicts([make(str(number), f"report|{tmp_path / 'report'}")])
            processes.append(json.loads((tmp_path / "report").read_text())["status"]["Pid"])
    assert len(set(processes)) == 1


# ----------------------------------------------------------------------------------------------- what a child is given


@pytest.fixture
def report(ladder: Any, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a child sees of the world while its parent knows a secret."""
    monkeypatch.setenv("WARPSMITH_TEST_SECRET", "to be kept")
    with Judge(ladder, MODULE) as judge:
        verdicts = judge.verdicts([make("curious", f"report|{tmp_path / 'report.json'}")])
    assert [verdict.status for verdict in verdicts] == PASSED
    seen: dict[str, Any] = json.loads((tmp_path / "report.json").read_text())
    return seen


@linux_only
def test_limits_hold_in_the_child_and_cannot_be_raised(report: dict[str, Any]) -> None:
    for name, most in (("AS", 8 << 30), ("FSIZE", 256 << 20), ("NOFILE", 256), ("CORE", 0)):
        soft, hard = report["limits"][f"RLIMIT_{name}"]
        assert 0 <= soft == hard <= most, name
    assert report["status"]["NoNewPrivs"] == "1"


def test_the_environment_is_a_short_list(report: dict[str, Any]) -> None:
    known = """
        PATH PYTHONPATH LANG LC_ALL LC_CTYPE LD_LIBRARY_PATH CUDA_VISIBLE_DEVICES WARPSMITH_DEVICE
        HOME TMPDIR PYTHONHASHSEED PYTHONDONTWRITEBYTECODE PYTHONSAFEPATH OPENBLAS_NUM_THREADS OMP_NUM_THREADS
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
    """Whether this system lets a fresh process leave the network, tried without the code under test."""
    code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) != 0)"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@linux_only
def test_a_child_has_no_network(ladder: Any, make: Make, report: dict[str, Any]) -> None:
    if not namespaces_are_allowed():
        pytest.skip("this system does not let processes make namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server, Judge(ladder, MODULE) as judge:
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5.0).close()
        verdicts = judge.verdicts([make("talkative", f"connect|{port}")])
    assert verdicts[1].reason in ("OSError", "ConnectionRefusedError")
    assert set(report["interfaces"]) <= {"lo"}


@linux_only
@pytest.mark.parametrize("module", ["warpsmith.validation.child", "warpsmith.gpu_checks.child"])
def test_the_children_that_are_shipped_have_no_network(lines: list[Line], module: str) -> None:
    if not namespaces_are_allowed():
        pytest.skip("this system does not let processes make namespaces")
    with Judge(LADDER[:1], module) as judge:
        assert [verdict.status for verdict in judge.verdicts(lines[:1])] == ["pass"]
        (child,) = living_in(judge._scratch)
        assert Path(f"/proc/{child}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()


@pytest.mark.parametrize("name", ["orjson", "numpy", "ctypes"])
def test_modules_that_lie_about_are_not_imported(
    lines: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was run')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with Judge(LADDER[:2]) as judge:
        verdicts = judge.verdicts(lines[:1])
    assert not (tmp_path / "was run").exists()
    assert [verdict.status for verdict in verdicts] == ["pass", "pass"]


@linux_only
@pytest.mark.usefixtures("ladder")
def test_a_child_ends_with_its_parent(make: Make, tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_bytes(make("slow", "sleep").raw)
    code = (
        "from pathlib import Path\nfrom warpsmith.extraction.jsonl import read_lines\n"
        f"from warpsmith.validation.judge import Judge\nfrom {MODULE} import LADDER\n"
        f"judge = Judge([*LADDER[:1], *[type(LADDER[1])('odd', None, 600.0)]], '{MODULE}')\n"
        "print(judge._scratch, flush=True)\njudge.verdicts(list(read_lines(Path('lines.jsonl'))))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        scratch = Path(parent.stdout.readline().strip())
        deadline = time.monotonic() + 20.0
        while not living_in(scratch) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        assert len(living_in(scratch)) == 1
        parent.kill()
    assert_nothing_lives(scratch)
    scratch.rmdir()
