"""`warpsmith-simt`: exit codes, printed findings, files and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from fake_simt import FakeFinding, FakeModule
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


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "saxpy.cu").write_text(SAXPY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file_launches, "load_module", FakeModule)
    monkeypatch.setattr(file_launches, "_traffic", lambda: None)
    FakeModule.launched.clear()
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
    (launched,) = FakeModule.launched
    assert (launched["grid"], launched["block"], launched["shared"]) == ((1,), (64,), 0)
    assert int(launched["arguments"][0]) == 64


@pytest.fixture
def finding(monkeypatch: pytest.MonkeyPatch) -> FakeFinding:
    found = FakeFinding("out_of_bounds", "reads 4 bytes", "saxpy.cu", 4, thread=(63, 0, 0), argument=2, element=63)
    monkeypatch.setattr(FakeModule, "findings", (found,))
    monkeypatch.setattr(FakeModule, "printed", "hello\n")
    return found


@pytest.mark.usefixtures("finding")
def test_findings_name_file_and_line(invoke: Invoke, file: Path) -> None:
    result = invoke("check", file, *ARGUMENTS)
    assert result.return_value == 1
    assert result.output.splitlines() == [
        "hello",
        "saxpy.cu:4: out_of_bounds: reads 4 bytes (block (0, 0, 0), thread (63, 0, 0))",
        "saxpy with grid 1 and block 64: 1 finding: 1 out_of_bounds",
    ]
    found = json.loads(invoke("check", file, *ARGUMENTS, "--json").stdout_bytes)
    assert found["findings"][0]["line"] == 4
    assert (found["kernel"], found["grid"], found["block"], found["printed"]) == ("saxpy", [1], [64], "hello\n")


@pytest.mark.usefixtures("finding")
def test_arrays_and_pages_are_written(invoke: Invoke, file: Path) -> None:
    invoke("check", file, *ARGUMENTS, "--save", "results", "--html", "pages/page.html")
    assert sorted(path.name for path in Path("results").iterdir()) == ["x.npy", "y.npy"]
    assert np.load("results/y.npy").tolist() == [2.0 * index for index in range(64)]
    assert "reads 4 bytes" in Path("pages/page.html").read_text()
    again = invoke("check", file, *ARGUMENTS[:-2], "--arg", "y=@results/y.npy")
    assert again.return_value == 1


def test_a_profile(invoke: Invoke, file: Path) -> None:
    result = invoke("profile", file, *ARGUMENTS)
    assert result.return_value == 0
    for text in ("divergent branches", "1 of 4", "4.00", "registers of a thread", "occupancy", "µs, limited by", "H100"):
        assert text in result.output
    found = json.loads(invoke("profile", file, *ARGUMENTS, "--json").stdout_bytes)
    assert found["counts"]["global_sectors"] == 24
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
    text = '#include "more.cuh"\n#include "beside.cuh"\n__global__ void f(int* x) { *x = VALUE + OTHER + THIRD; }\n'
    (tmp_path / "f.cu").write_text(text)
    words = ["--include", "more", "--define", "THIRD=3", "--grid", "2,3,4", "--block", "8,2", "--shared", 64, "--limit", 99]
    result = invoke("check", "f.cu", *words, "--arg", "x=int32[1]")
    assert result.output == "f with grid 2 x 3 x 4 and block 8 x 2: no findings\n"
    (launched,) = FakeModule.launched
    assert (launched["grid"], launched["block"], launched["shared"], launched["limit"]) == ((2, 3, 4), (8, 2), 64, 99)


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
    assert launch.arrays["x"].tolist() == [2.0] * 64
    profile = file_launches.profile(file, block=(64, 1), arguments=["int32:64", "float32:2", x, y])
    assert profile.occupancy is not None
    assert profile.occupancy.limit == "warps"
