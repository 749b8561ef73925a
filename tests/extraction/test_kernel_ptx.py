"""`warpsmith-extract --ptx`: the PTX of a kernel is that of the dataset that the kernel comes from."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction import kernel_ptx
from warpsmith.synthesis import generate

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def made() -> Pair:
    """A pair with PTX as `warpsmith-synthesize make --ptx` writes it."""
    return generate(seed=7, index=0, category="vector", device="cuda", ptx="sm_80")


def test_the_ptx_of_a_kernel_is_that_of_its_dataset(run: Run, made: Pair, tmp_path: Path) -> None:
    source, output = tmp_path / "kernels.py", tmp_path / "pairs.jsonl"
    source.write_text(made.python_source)
    run("extraction", source, "-d", "cuda", "-b", "--guess-launches", "--ptx", "sm_80", "-o", output)
    (record,) = map(orjson.loads, output.read_bytes().splitlines())
    assert record["ptx_forward"] == made.ptx_forward
    assert record["ptx_backward"] == made.ptx_backward
    figures = made.metadata.ptx
    assert figures is not None
    assert figures.backward is not None
    assert record["metadata"]["ptx"]["arch"] == "sm_80"
    for name, kernel in (("forward", figures.forward), ("backward", figures.backward)):
        found = record["metadata"]["ptx"][name]
        assert (found["registers"], found["spill_stores"], found["instructions"]) == (
            kernel.registers, kernel.spill_stores, kernel.instructions,
        )  # fmt: skip
        assert found["counts"].keys() == set(type(kernel.counts).__dataclass_fields__)
        assert found["counts"]["global_requests"] > 0


@pytest.mark.exhaustive
def test_launches_of_a_program_have_ptx(run: Run, tmp_path: Path) -> None:
    program, output = tmp_path / "program.py", tmp_path / "pairs.jsonl"
    program.write_text(
        "import warp as wp\n\n\n@wp.kernel\ndef scale(x: wp.array(dtype=float)):\n    i = wp.tid()\n    x[i] = x[i] * 2.0\n\n\n"
        'wp.launch(scale, dim=8, inputs=[wp.ones(8, dtype=float, device="cpu")], device="cpu")\n'
    )
    run("extraction", "-d", "cuda", "--ptx", "sm_90", "-o", output, "--run", program)
    (record,) = map(orjson.loads, output.read_bytes().splitlines())
    assert ".target sm_90" in record["ptx_forward"]
    assert "ptx_backward" not in record or record["ptx_backward"] is None
    assert record["metadata"]["ptx"]["forward"]["counts"]["global_requests"] > 0


def test_code_that_nvrtc_rejects_is_a_reject(made: Pair) -> None:
    damaged = replace(made, cuda_ir_forward=f"{made.cuda_ir_forward}\nnonsense")
    found = kernel_ptx.with_ptx(damaged, "sm_80")
    assert isinstance(found, Reject)
    assert found.stage == "ptx"


def test_errors_say_what_to_do(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "kernels.py"
    source.write_text("")
    assert "choose the device cuda or both" in run("extraction", source, "--ptx", "sm_80", expect=2).stderr
    assert "'80'" in run("extraction", source, "-d", "cuda", "--ptx", "80", expect=2).stderr
    monkeypatch.setattr("importlib.import_module", _missing)
    with pytest.raises(WarpsmithError, match=r"--ptx needs the extra warpsmith-extraction\[ptx\]"):
        kernel_ptx.require_ptx("sm_80", "cuda")


def _missing(name: str) -> None:
    raise ImportError(name)
