"""Forks that load the Python of pairs: the same texts as in this process, and no traces in it."""

from __future__ import annotations

import os
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import Code, KernelIR
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import linked_functions
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.linked import compiled_before
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels import regenerate
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.running.kernel_loader import Source, extract_in_fork, extract_together

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of forks requires Linux")

KERNEL = """
@wp.kernel
def victim(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 2.0 * x[i]
"""

FORGING = """import os
import msgspec
import warp as wp
texts = {"cpu": ("forged", None), "cuda": ("forged", None)}
one = {"kernel_name": "victim", "codes": texts, "note": None, "rejected": None}
os.write(3, msgspec.json.encode([one] * COUNT))
os._exit(0)
"""


PRINTING = """import sys
import warp as wp
print("noise" * 50_000, flush=True)
print("noise" * 50_000, file=sys.stderr, flush=True)
"""

CALLING = """import warp as wp
A = wp.constant(wp.sin(1.0))
B = wp.vec3(1.0, 2.0, 3.0) * 2.0
"""


def source_of(text: str) -> Source:
    return Source(text, "victim", {}, "both", False)


@pytest.mark.parametrize("statements", [PRINTING, CALLING], ids=["prints", "calls Warp"])
def test_output_and_calls_of_warp_do_not_end_loading(statements: str, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():  # the stream of the test has a descriptor that a fork closes
        texts = [
            extract_in_fork(source_of(source + KERNEL)).codes["cpu"].forward_code
            for source in ("import warp as wp\n", statements)
        ]
    plain, other = (re.sub(r" *//.*", "", text) for text in texts)
    assert plain == other


def test_the_reason_of_an_error_is_its_own() -> None:
    source = "import warp as wp\n\n\n@wp.kernel\ndef victim(x: wp.array(dtype=float)):\n    x[0] = deed(x[0])\n"
    with pytest.raises(KernelRejected, match="deed"):
        extract_in_fork(source_of(source))


@pytest.fixture(scope="module")
def samples(root: Path) -> list[Pair]:
    return [line.checked() for line in read_lines(root / "data" / "samples" / "pairs-00000.jsonl")][::5]


def test_texts_of_forks_are_those_of_this_process(samples: list[Pair]) -> None:
    sources = [Source(pair.python_source, pair.metadata.kernel_name, {}, "both", True) for pair in samples]
    expected = []
    for pair in samples:
        with loaded_kernel(pair.python_source, pair.metadata.kernel_name) as kernel:
            expected.append(extract_ir(kernel, "both", True))
    assert extract_together(sources) == expected
    assert extract_in_fork(sources[0]) == expected[0]


def test_python_changes_nothing_outside_of_its_fork(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    attempts = f"""import os
import socket
import sys
import warp as wp
sys.modules["forged"] = sys
os.environ["FORGED"] = "yes"
failed = []
for attempt in (
    lambda: open({str(marker)!r}, "w"),
    lambda: os.kill({os.getpid()}, 9),
    lambda: os.kill(os.getppid(), 9),
    lambda: os.fork(),
    lambda: socket.socket(),
    lambda: os.execv("/bin/true", ["true"]),
    lambda: open("/proc/{os.getpid()}/mem", "r+b"),
):
    try:
        attempt()
        failed.append("done")
    except OSError:
        pass
assert not failed, failed
"""
    ir = extract_in_fork(source_of(attempts + KERNEL))
    assert "victim_cpu_kernel_forward" in ir.cpp.forward_code
    assert not marker.exists()
    assert "forged" not in sys.modules
    assert "FORGED" not in os.environ


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("while True:\n    pass\n", "it took more than 1 s"),
        ("import time\ntime.sleep(60)\n", "it took more than 1 s"),
        ("import os\nos._exit(0)\n", "nonsense"),
        ("import os\nos._exit(7)\n", "exit code 7"),
        ("import os\nos.write(1, b'{}')\nos._exit(0)\n", "nonsense"),
        ("import ctypes\nctypes.string_at(0)\n", "SIGSEGV"),
        pytest.param(
            "import os\nwhile True:\n    os.write(1, bytes(1 << 24))\n", "gave more than 64 MiB", marks=pytest.mark.exhaustive
        ),
        ("x = bytes(8 << 30)\n", "MemoryError"),
        ("raise SystemExit(0)\n", "exit code 1"),
        (FORGING.replace("COUNT", "2"), "nonsense"),
    ],
)
def test_python_that_ends_its_fork_is_rejected(text: str, reason: str) -> None:
    with pytest.raises(KernelRejected, match=reason):
        extract_in_fork(source_of(text + KERNEL), seconds=1.0 if "1 s" in reason else 10.0)


def test_a_file_cannot_change_the_verdicts_of_others_in_its_fork(root: Path) -> None:
    lines = list(read_lines(root / "data" / "samples" / "pairs-00000.jsonl"))[:4]
    for hostile in (  # not plain, so that each is loaded alone
        FORGING.replace("COUNT", "4") + KERNEL,
        "import os\nos._exit(0)\n" + KERNEL,
        "import warpsmith.validation.running.kernel_loader as loader\nloader._answer = None\nimport warp as wp\n" + KERNEL,
    ):
        pair = lines[1].checked()
        changed = type(lines[1])(lines[1].path, 2, b"", replace(pair, python_source=hostile), None)
        batch = [lines[0], changed, *lines[2:]]
        context = BatchContext(Path())
        level = regenerate.LEVEL
        context.begin(level, batch)
        statuses = [next(regenerate.check([line], context)).status for line in batch]
        assert statuses == ["pass", "fail", "pass", "pass"]


IN_CODEGEN = """import os

def size():
    return os.fstat(77).st_size

@wp.func
def f(x: float):
    return x * float(wp.static(size()))
"""


@pytest.mark.parametrize("text", ["import os\nos.fstat(77)\n", IN_CODEGEN], ids=["load", "codegen"])
def test_a_fault_of_the_process_says_nothing_about_the_pair(text: str) -> None:
    text = "import warp as wp\n" + text + (KERNEL.replace("2.0 * x[i]", "f(x[i])") if "f(x" in text else KERNEL)
    assert extract_together([source_of(text)]) == [None]
    with pytest.raises(MachineProblem, match="Bad file descriptor"):
        extract_in_fork(source_of(text))


def test_a_refused_access_is_a_fault_of_the_source() -> None:
    with pytest.raises(KernelRejected, match="PermissionError"):
        extract_in_fork(source_of("import os\nimport warp as wp\nos.mkdir('made')\n" + KERNEL))


def test_a_fork_that_another_process_kills_is_a_problem_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    fork = os.fork

    def killed_fork() -> int:
        process = fork()
        if process:
            os.kill(process, signal.SIGKILL)
        return process

    monkeypatch.setattr(os, "fork", killed_fork)
    with pytest.raises(MachineProblem, match="another process killed"):
        extract_in_fork(source_of("import time\ntime.sleep(20)\nimport warp as wp\n" + KERNEL))


def test_answers_of_a_shared_fork_count_only_if_they_are_the_recorded_text(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A neighbour that forged answers would be noticed: those pairs are loaded again, alone."""
    lines = list(read_lines(root / "data" / "samples" / "pairs-00000.jsonl"))[:3]
    forged = KernelIR("victim", "both", {target: Code("victim", "forged", None) for target in ("cpu", "cuda")}, None)
    monkeypatch.setattr(regenerate, "extract_together", lambda sources, _: [forged, None, forged][: len(sources)])
    monkeypatch.setattr(regenerate, "is_plain", lambda source: "hostile" not in source)
    context = BatchContext(Path())
    context.begin(regenerate.LEVEL, lines)
    assert [next(regenerate.check([line], context)).status for line in lines] == ["pass"] * 3
    alone = replace(lines[0].checked(), python_source="# hostile\n" + lines[0].checked().python_source)
    first = type(lines[0])(lines[0].path, 1, b"", alone, None)
    context.clear()
    context.begin(regenerate.LEVEL, [first, *lines[1:]])
    statuses = [next(regenerate.check([line], context)).status for line in (first, *lines[1:])]
    assert statuses[1:] == ["pass", "pass"]


TRANSFORM = """import warp as wp

@wp.kernel
def victim(x: wp.array2d(dtype=wp.vec2d)):
    t = wp.tile_load(x, shape=(4, 8))
    wp.tile_fft(t)
    wp.tile_store(x, t)
"""

FORWARD, INVERSE = "fft_8_2_90_forward_6", "fft_8_2_90_inverse_6"


def test_functions_of_libmathdx_are_not_compiled_in_a_fork() -> None:
    options, device = {"block_dim": 4}, "cuda"
    with loaded_kernel(TRANSFORM, "victim", options) as kernel, compiled_before({FORWARD: 512, INVERSE: 0}):
        expected = extract_ir(kernel, device, True)
    text = expected.codes["cuda"].forward_code
    assert linked_functions(text) == {FORWARD: 512, INVERSE: 0}
    assert extract_in_fork(Source(TRANSFORM, "victim", options, device, True, linked_functions(text))) == expected
    for functions in ({}, {FORWARD: 512}):
        with pytest.raises(KernelRejected):
            extract_in_fork(Source(TRANSFORM, "victim", options, device, True, functions))


@pytest.mark.exhaustive
def test_texts_with_functions_of_libmathdx_are_those_of_warp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wp.config, "kernel_cache_dir", str(tmp_path))
    with loaded_kernel(TRANSFORM, "victim", {"block_dim": 4}) as kernel:
        real = extract_ir(kernel, "cuda", True)
    linked = linked_functions(real.codes["cuda"].forward_code)
    assert set(linked) == {FORWARD, INVERSE}
    assert linked[FORWARD] > 0
    assert extract_in_fork(Source(TRANSFORM, "victim", {"block_dim": 4}, "cuda", True, linked)) == real
