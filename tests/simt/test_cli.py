"""`warpsmith-simt`: exit codes, printed findings, files and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.cli import cli
from warpsmith.simt.launches import file_launches

SAXPY = """__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""
ARGUMENTS = "--block 64 --arg n=int32:64 --arg a=float32:2 --arg x=float32[64] --arg y=float32[64]:arange".split()
BEYOND = "--grid 2 --block 64 --arg n=int32:65 --arg a=float32:2 --arg x=float32[64] --arg y=float32[65]".split()
"""The second block reads an element after the end of x."""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "saxpy.cu").write_text(SAXPY)
    monkeypatch.chdir(tmp_path)
    return Path("saxpy.cu")


Invoke = Callable[..., Any]


@pytest.fixture
def invoke(file: Path) -> Invoke:  # noqa: ARG001 - the working directory
    def call(*words: object) -> Any:
        result = CliRunner().invoke(cli, [str(word) for word in words], standalone_mode=False)
        if result.exception is not None and not isinstance(result.exception, WarpsmithError):
            raise result.exception
        return result

    return call


def test_a_clean_launch(invoke: Invoke, file: Path) -> None:
    result = invoke("check", file, *ARGUMENTS)
    assert result.return_value == 0
    assert result.output == "saxpy with grid 1 and block 64: no findings\n"


def test_findings_name_file_line_and_parameter(invoke: Invoke, file: Path) -> None:
    result = invoke("check", file, *BEYOND)
    assert result.return_value == 1
    message = "a thread reads 4 bytes outside of its memory, at element 64 of x"
    assert result.output.splitlines() == [
        f"saxpy.cu:4: out_of_bounds: {message} (block (1, 0, 0), thread (0, 0, 0))",
        "saxpy with grid 2 and block 64: 1 finding: 1 out_of_bounds",
    ]
    found = json.loads(invoke("check", file, *BEYOND, "--json").stdout_bytes)
    (finding,) = found["findings"]
    assert (finding["kind"], finding["line"], finding["argument"], finding["element"]) == ("out_of_bounds", 4, 2, 64)
    assert (found["kernel"], found["grid"], found["block"], found["completed"]) == ("saxpy", [2], [64], False)
    assert found["arguments"] == ["n", "a", "x", "y"]


UNROLLED = """__global__ void block_sum(float* x) {
    __shared__ float sums[256];
    int t = threadIdx.x;
    sums[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2)
        if (t < half)
            sums[t] += sums[t + half];
    if (t == 0)
        x[0] = sums[0];
}
"""


def test_a_line_of_an_unrolled_loop_has_one_finding_of_a_kind(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "sum.cu").write_text(UNROLLED)
    result = invoke("check", "sum.cu", "--block", "256", "--arg", "x=float32[256]")
    *lines, summary = result.output.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [["sum.cu:8", "shared_race"]]
    assert summary.endswith("1 finding: 1 shared_race")
    launch = file_launches.check("sum.cu", block=256, arguments=["float32[256]"])
    assert sum(finding.count for finding in launch.findings) == sum(finding.count for finding in launch.run.findings)
    assert len(launch.run.findings) > 2


def test_output_of_the_kernel_is_printed(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "hello.cu").write_text('#include <cstdio>\n__global__ void hello() { printf("thread %d\\n", threadIdx.x); }\n')
    result = invoke("check", "hello.cu", "--block", "2")
    assert result.output == "thread 0\nthread 1\nhello with grid 1 and block 2: no findings\n"
    assert json.loads(invoke("check", "hello.cu", "--block", "1", "--json").stdout_bytes)["printed"] == "thread 0\n"


def test_arrays_are_written_and_read(invoke: Invoke, file: Path) -> None:
    invoke("check", file, *ARGUMENTS, "--save", "results")
    assert sorted(path.name for path in Path("results").iterdir()) == ["x.npy", "y.npy"]
    x, y = (np.load(f"results/{name}.npy") for name in "xy")
    assert np.array_equal(y, 2 * x + np.arange(64, dtype=np.float32))
    again = [*ARGUMENTS[:-4], "--arg", "x=@results/x.npy", "--arg", "y=@results/y.npy", "--save", "more/again"]
    assert invoke("check", file, *again).return_value == 0
    assert np.array_equal(np.load("more/again/y.npy"), 2 * x + y)
    invoke("check", file, *ARGUMENTS, "--seed", 1, "--save", "results")
    assert not np.array_equal(np.load("results/x.npy"), x)


def test_a_page_is_written(invoke: Invoke, file: Path) -> None:
    invoke("check", file, *BEYOND, "--html", "pages/page.html")
    page = Path("pages/page.html").read_text()
    assert "element 64 of x" in page
    assert '<tr id="L4" class="found">' in page


def test_a_launch_ends_at_its_limit(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "endless.cu").write_text("__global__ void endless(volatile int* x) { while (*x == 0); }\n")
    result = invoke("check", "endless.cu", "--arg", "x=int32[1]:0", "--limit", 1000)
    assert result.return_value == 1
    assert "endless.cu:1: step_limit" in result.output


def test_a_profile(invoke: Invoke, file: Path) -> None:
    result = invoke("profile", file, *ARGUMENTS)
    assert result.return_value == 0
    for text in ("divergent branches", "0 of ", "4.00", "registers of a thread", "occupancy", "µs, limited by", "H100"):
        assert text in result.output
    found = json.loads(invoke("profile", file, *ARGUMENTS, "--json").stdout_bytes)
    assert found["counts"]["global_sectors"] == 24  # 2 warps, 3 accesses, 4 sectors
    assert found["resources"]["registers"] > 0
    assert found["occupancy"]["blocks"] > 0
    assert found["time"]["microseconds"] > 0


def test_ptx(invoke: Invoke, file: Path) -> None:
    printed = invoke("ptx", file, "--arch", "80").output
    assert ".target sm_80" in printed
    assert '"saxpy.cu"' in printed
    invoke("ptx", file, "-o", "saxpy.ptx")
    assert ".target sm_90" in Path("saxpy.ptx").read_text()
    words = [word.rpartition("=")[2] if "=" in word else word for word in ARGUMENTS]
    assert invoke("check", "saxpy.ptx", *words).return_value == 0
    profile = invoke("profile", "saxpy.ptx", *words)
    assert "unknown for PTX" in profile.output


def test_options_reach_the_compiler_and_the_machine(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "more.cuh").write_text("#define VALUE 1\n")
    (tmp_path / "beside.cuh").write_text("#define OTHER 2\n")
    text = """
#include "more.cuh"
#include "beside.cuh"
extern __shared__ int dynamic[];
__global__ void f(int* x) {
    dynamic[threadIdx.x] = VALUE + OTHER + THIRD;
    if (blockIdx.z == 3 && threadIdx.y == 1) x[threadIdx.x] = dynamic[threadIdx.x];
}
"""
    (tmp_path / "f.cu").write_text(text)
    words = ["--include", "more", "--define", "THIRD=3", "--grid", "1,1,4", "--block", "8,2", "--arg", "x=int32[8]"]
    result = invoke("check", "f.cu", *words, "--shared", 32, "--save", "r")
    assert result.output.splitlines()[-1].startswith("f with grid 1 x 1 x 4 and block 8 x 2: ")
    assert np.load("r/x.npy").tolist() == [6] * 8
    assert "out_of_bounds" in invoke("check", "f.cu", *words, "--shared", 16).output


def error(result: Any) -> str:
    assert isinstance(result.exception, WarpsmithError)
    assert result.exception.exit_code == 2
    return str(result.exception)


def test_kernels_are_listed_if_the_name_is_wrong(invoke: Invoke, tmp_path: Path) -> None:
    text = SAXPY + "__global__ void other() {}\n__global__ void twice(int a) {}\n__global__ void twice(float a) {}\n"
    (tmp_path / "many.cu").write_text(text)
    assert "no kernel is named 'saxpi': saxpy, other, _Z5twicei, _Z5twicef" in error(
        invoke("check", "many.cu", "--kernel", "saxpi")
    )
    assert "several kernels, name one with --kernel: saxpy, other" in error(invoke("check", "many.cu"))
    assert "several kernels are named 'twice'" in error(invoke("check", "many.cu", "--kernel", "twice"))
    assert invoke("check", "many.cu", "--kernel", "_Z5twicef", "--arg", "a=float32:1").return_value == 0
    assert invoke("check", "many.cu", "--kernel", "other").return_value == 0
    (tmp_path / "none.cu").write_text("__device__ int f() { return 1; }\n")
    assert "contains no kernel" in error(invoke("check", "none.cu"))


def test_wrong_arguments_show_the_signature(invoke: Invoke, file: Path) -> None:
    message = error(invoke("check", file, "--arg", "n=int32:1"))
    assert "saxpy(int n, float a, float* x, float* y) has 4 parameters, and 1 arguments are given: missing: a, x, y" in message


def test_errors_of_nvrtc_show_its_log(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text("__global__ void f() { undefined(); }\n")
    result = invoke("check", "wrong.cu")
    assert "NVRTC rejects wrong.cu" in error(result)
    assert 'wrong.cu(1): error: identifier "undefined" is undefined' in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--grid", "0"],
        ["--grid", "1,2,3,4"],
        ["--block", "1025"],
        ["--block", "1,1,65"],
        ["--block", "64,32"],
        ["--grid", "x"],
        ["--shared", "-1"],
    ],
)
def test_sizes_are_checked(file: Path, words: list[str]) -> None:
    result = CliRunner().invoke(cli, ["check", str(file), *words])
    assert result.exit_code == 2
    assert words[0] in result.output


def test_the_functions_beside_the_commands(file: Path) -> None:
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    launch = file_launches.check(file, "saxpy", 1, 64, [64, 2.0, x, y])
    assert launch.names == ("n", "a", "x", "y")
    assert launch.arrays["y"].tolist() == [2.0] * 64
    assert y.tolist() == [0.0] * 64
    profile = file_launches.profile(file, block=(64, 1), arguments=["int32:64", "float32:2", x, y])
    assert profile.occupancy is not None
    assert profile.occupancy.limit == "warps"
