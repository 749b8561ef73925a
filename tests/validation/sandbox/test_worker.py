"""Whatever a check does to its worker, only its own pair fails.

The workers run `hostile_levels`: the second level misbehaves as the category of a pair says.
"""

from __future__ import annotations

import importlib
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from processes import assert_nothing_lives, living_below
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and /proc are Linux's")

MODULE = "hostile_levels"

Make = Callable[[str, str], Line]


@pytest.fixture(autouse=True)
def _in_limited_time() -> Iterator[None]:
    """Fail a test whose client waits without end, so that the other tests run."""

    def stop(*_: object) -> None:
        raise TimeoutError("the client waits without end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def make(lines: list[Line], change_line: Any) -> Make:
    """Return a line with this id, whose check misbehaves in this way."""

    def change(identity: str, deed: str) -> Line:
        def damage(record: dict[str, Any]) -> None:
            record["id"] = identity
            record["metadata"].update(seed=None, index=None, category=deed)

        line: Line = change_line(lines[0], damage)
        assert line.pair is not None
        return line

    return change


PASSED = ["pass", "pass", "pass"]


REASONS = {
    # behaviour of a check: part of the reason in the verdict
    "segfault": "SIGSEGV",
    "abort": "SIGABRT",
    "unnamed signal": "40",
    "loop": "more than 2 s",
    "sleep": "more than 2 s",
    "deaf": "more than 2 s",
    "memory": "MemoryError",
    "large file": "File too large",
    "many files": "Too many open files",
    "exit 0": "exit code 0",
    "exit 7": "exit code 7",
    "system exit": "exit code 5",
    "interrupt": "SIGINT",
    "recursion": "RecursionError",
    "exception": "ValueError: two lines",
    "close answers": "clos",
    "garbage": "nonsense",
    "half a frame": "more than 2 s",
    "half a header": "more than 2 s",
    "no verdict": "nonsense",
    "forge": "nonsense",
    "stay behind": "exit code 3",
    "spoil the folder": "exit code 0",
}
ROUNDS = 6


@linux_only
@pytest.mark.parametrize("deeds", [list(REASONS)[start::ROUNDS] for start in range(ROUNDS)], ids=", ".join)
def test_only_pairs_that_misbehave_fail(hostile_levels: Any, make: Make, deeds: list[str]) -> None:
    names = ["before", *(name for deed in deeds for name in (deed, f"after {deed}"))]
    start = time.monotonic()
    with Supervisor(hostile_levels, MODULE) as supervisor:
        folder = supervisor.client.folder
        verdicts = supervisor.verdicts([make(name, name if name in deeds else "") for name in names])
    assert time.monotonic() - start < 40.0
    assert_nothing_lives(folder)
    assert not folder.exists()
    assert [verdict.id for verdict in verdicts] == [name for name in names for _ in range(3)]
    assert [verdict.level for verdict in verdicts] == len(names) * ["even", "odd", "last"]
    assert [verdict.status for verdict in verdicts] == PASSED + len(deeds) * ["pass", "fail", "skipped", *PASSED]
    for number, deed in enumerate(deeds):
        reason = verdicts[3 + 6 * number + 1].reason
        assert REASONS[deed] in reason
        assert "\n" not in reason


@linux_only
@pytest.mark.parametrize(
    ("positions", "deed", "reason"),
    [((0,), "segfault", "SIGSEGV"), ((4,), "exit 0", "exit code 0"), ((2, 6), "segfault", "SIGSEGV")],
    ids=str,
)
def test_a_batch_is_halved_to_find_the_pair_that_kills_its_worker(
    hostile_levels: Any, make: Make, headers: Headers, positions: tuple[int, ...], deed: str, reason: str
) -> None:
    """The pair is found although the client does not see at which line the worker died."""
    whole = importlib.import_module(MODULE).WHOLE_BATCH_LEVELS
    assert hostile_levels[0] == whole[0]
    lines = [make(str(number), deed if number in positions else "") for number in range(7)]
    with Supervisor(whole, MODULE, headers) as supervisor:
        verdicts = supervisor.verdicts(lines)
    assert [(verdict.id, verdict.level) for verdict in verdicts] == [
        (str(number), level) for number in range(7) for level in ("even", "odd at once", "last")
    ]
    for number in range(7):
        expected = ["pass", "fail", "skipped"] if number in positions else PASSED
        assert [verdict.status for verdict in verdicts[3 * number : 3 * number + 3]] == expected
        if number in positions:
            assert reason in verdicts[3 * number + 1].reason
            assert verdicts[3 * number + 2].reason == "odd at once failed"


@linux_only
def test_a_line_that_failed_before_is_not_blamed_for_a_dead_worker(hostile_levels: Any, make: Make) -> None:
    """The first line fails level `odd`, so that the next level, where the worker dies, does not check it."""
    levels = (*hostile_levels[:2], importlib.import_module(MODULE).FATAL, hostile_levels[2])
    lines = [make("fails", "exception"), make("dies", "fatal: segfault"), make("also fails", "exception"), make("stands", "")]
    with Supervisor(levels, MODULE) as supervisor:
        verdicts = supervisor.verdicts(lines)
    assert [verdict.status for verdict in verdicts] == [
        *("pass", "fail", "skipped", "skipped"),
        *("pass", "pass", "fail", "skipped"),
        *("pass", "fail", "skipped", "skipped"),
        *4 * ["pass"],
    ]
    assert "SIGSEGV" in verdicts[6].reason


@linux_only
@pytest.mark.parametrize("native", ["func_native", "preamble", "directive"])
def test_pairs_with_native_code_run_in_a_separate_worker(
    hostile_levels: Any, make: Make, change_line: Any, native: str
) -> None:
    """Native code may reach into the text of other pairs that are compiled with it."""

    def bring(record: dict[str, Any]) -> None:
        if native == "func_native":
            record["python_source"] += "\n# wp.func_native\n"
        elif native == "preamble":
            record["metadata"]["module_options"] = {"extra_cuda_preamble": "int x;"}
        else:
            record["cuda_ir_forward"] += "\n  #define float int\n"

    four = [make(name, "who") for name in ("one", "two", "three", "four")]
    batch = [four[0], change_line(four[1], bring), four[2], change_line(four[3], bring)]
    with Supervisor(hostile_levels, MODULE) as supervisor:
        verdicts = supervisor.verdicts(batch) + supervisor.verdicts([make("five", "who")])
    assert [verdict.id for verdict in verdicts[::3]] == ["one", "two", "three", "four", "five"]
    assert {verdict.status for verdict in verdicts} == {"pass"}
    one, two, three, other, five = (verdict.reason for verdict in verdicts[1::3])
    assert len({one, two, other}) == 3, "each pair with native code has its own worker"
    assert one == three == five, "the other pairs share a worker"


@linux_only
@pytest.mark.parametrize("deed", ["chatter", "no thread ends", "write to home"])
def test_harmless_behaviour_passes(hostile_levels: Any, make: Make, deed: str) -> None:
    home = set(Path.home().iterdir())
    with Supervisor(hostile_levels, MODULE) as supervisor:
        folder = supervisor.client.folder
        verdicts = supervisor.verdicts([make("one", deed), make("two", "")])
    assert [verdict.status for verdict in verdicts] == 2 * PASSED
    assert_nothing_lives(folder)
    assert not folder.exists()
    assert set(Path.home().iterdir()) == home


@linux_only
def test_a_worker_finds_no_files_of_earlier_pairs(hostile_levels: Any, make: Make, headers: Headers) -> None:
    """In particular no headers, because later pairs would be compiled with them."""

    def precompiled(one: Supervisor) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in one.client.scratch.glob("*.pch")}

    whole = importlib.import_module(MODULE).WHOLE_BATCH_LEVELS
    assert hostile_levels[0] == whole[0]
    with Supervisor(whole, MODULE, headers) as supervisor, Supervisor(whole, MODULE, headers) as another:
        for one in (supervisor, another):
            one.verdicts([make("before", "")])
        found = precompiled(supervisor)
        supervisor.verdicts([make("spoils", "spoil the folder"), make("after", "")])
        assert precompiled(supervisor) == found
        another.verdicts([make("dies", "exit 0"), make("after", "")])
        assert precompiled(another) == found
    assert list(found) == ["headers_256.pch"]
    assert len(found["headers_256.pch"]) > 1_000_000


def test_a_worker_stays_between_requests(hostile_levels: Any, make: Make) -> None:
    with Supervisor(hostile_levels, MODULE) as supervisor:
        processes = []
        for number in range(3):
            supervisor.verdicts([make(str(number), "report")])
            processes.append(json.loads((supervisor.client.scratch / "report.json").read_text())["status"]["Pid"])
            (supervisor.client.scratch / "report.json").unlink()
    assert len(set(processes)) == 1


@linux_only
@pytest.mark.parametrize("alone", [False, True], ids=["together", "alone"])
def test_an_aborted_supervisor_waits_for_no_line(hostile_levels: Any, make: Make, change_line: Any, alone: bool) -> None:
    """Ctrl-C arrives in another thread than the one that waits; these lines would take forty seconds."""

    def bring(record: dict[str, Any]) -> None:
        record["python_source"] += "\n# wp.func_native\n"

    lines = [make(str(number), "sleep") for number in range(20)]
    if alone:
        lines = [change_line(line, bring) for line in lines]
    with Supervisor(hostile_levels, MODULE) as supervisor, ThreadPoolExecutor(1) as threads:
        answer = threads.submit(supervisor.verdicts, lines)
        deadline = time.monotonic() + 20.0
        while (busy := supervisor.isolated if alone else supervisor) is None or not living_below(busy.client.folder):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        supervisor.abort()
        with pytest.raises(WarpsmithError, match="the run was ended"):
            answer.result(timeout=10.0)
        assert_nothing_lives(busy.client.folder)


# ----------------------------------------------------------------------------------------------- the environment of a worker


@pytest.fixture
def report(hostile_levels: Any, make: Make, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The worker's view of the system, while the environment of its client contains a secret."""
    monkeypatch.setenv("WARPSMITH_TEST_SECRET", "to be kept")
    with Supervisor(hostile_levels, MODULE) as supervisor:
        verdicts = supervisor.verdicts([make("curious", "report")])
        seen: dict[str, Any] = json.loads((supervisor.client.scratch / "report.json").read_text())
    assert [verdict.status for verdict in verdicts] == PASSED
    return seen


@linux_only
def test_limits_of_a_worker_cannot_be_raised(report: dict[str, Any]) -> None:
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
    """Return whether this system lets a new process leave the network, without the code under test."""
    code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) != 0)"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@linux_only
def test_a_worker_has_no_network(hostile_levels: Any, make: Make, report: dict[str, Any]) -> None:
    if not namespaces_are_allowed():
        pytest.skip("this system does not let processes make namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server, Supervisor(hostile_levels, MODULE) as supervisor:
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5.0).close()
        verdicts = supervisor.verdicts([make("talkative", f"connect|{port}")])
    assert verdicts[1].reason in ("PermissionError", "OSError", "ConnectionRefusedError")
    assert set(report["interfaces"]) <= {"lo"}


@linux_only
@pytest.mark.parametrize("module", ["warpsmith.validation.sandbox.worker", "warpsmith.gpu_checks.worker"])
def test_the_workers_of_the_packages_have_no_network(lines: list[Line], module: str) -> None:
    if not namespaces_are_allowed():
        pytest.skip("this system does not let processes make namespaces")
    with Supervisor(LEVELS[:1], module) as supervisor:
        assert [verdict.status for verdict in supervisor.verdicts(lines[:1])] == ["pass"]
        (child,) = living_below(supervisor.client.folder)
        assert Path(f"/proc/{child}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()


@pytest.mark.parametrize("name", ["orjson", "numpy", "ctypes"])
def test_modules_in_the_working_folder_are_not_imported(
    lines: list[Line], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was run')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with Supervisor(LEVELS[:2]) as supervisor:
        verdicts = supervisor.verdicts(lines[:1])
    assert not (tmp_path / "was run").exists()
    assert [verdict.status for verdict in verdicts] == ["pass", "pass"]


@linux_only
@pytest.mark.usefixtures("hostile_levels")
def test_a_worker_ends_with_its_client(make: Make, tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_bytes(make("slow", "sleep").raw)
    code = (
        "from pathlib import Path\nfrom warpsmith.core.records.jsonl import read_lines\n"
        f"from warpsmith.validation.sandbox.supervisor import Supervisor\nfrom {MODULE} import LEVELS\n"
        f"from dataclasses import replace\nlevels = [LEVELS[0], replace(LEVELS[1], seconds=600.0)]\n"
        f"supervisor = Supervisor(levels, '{MODULE}')\n"
        "print(supervisor.client.folder, flush=True)\nsupervisor.verdicts(list(read_lines(Path('lines.jsonl'))))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        folder = Path(parent.stdout.readline().strip())
        deadline = time.monotonic() + 20.0
        while not living_below(folder) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        assert len(living_below(folder)) == 1
        parent.kill()
    assert_nothing_lives(folder)
    shutil.rmtree(folder)
