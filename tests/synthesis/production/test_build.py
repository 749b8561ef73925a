"""Builds with ``--build``: every kernel is built and loaded, and kernels that the toolchain rejects are named."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import warp as wp

from warpsmith.core.errors import DeviceError
from warpsmith.synthesis.production.build import build_errors, require_device

KERNEL = """import warp as wp


@wp.kernel
def double(values: wp.array(dtype=float), results: wp.array(dtype=float)):
    i = wp.tid()
    results[i] = {value}
"""


@pytest.fixture(autouse=True)
def keep_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    wp.init()  # it sets the folder, which would be None for later tests otherwise
    monkeypatch.setattr(wp.config, "kernel_cache_dir", wp.config.kernel_cache_dir)


def test_only_faulty_kernels_are_rejected() -> None:
    sources = {
        "good": KERNEL.format(value="2.0 * values[i]"),
        "no such name": KERNEL.format(value="2.0 * value[i]"),
        "good too": KERNEL.format(value="values[i] + values[i]"),
        "no such overload": KERNEL.format(value="wp.dot(values[i], 2.0)"),
    }
    errors = build_errors(sources, "cpu", backward=False)
    assert set(errors) == {"no such name", "no such overload"}
    assert "value" in errors["no such name"]
    assert "dot" in errors["no such overload"]
    assert all(len(error.splitlines()) == 1 for error in errors.values())


@pytest.mark.exhaustive
def test_a_built_dataset_has_the_same_pairs_as_one_of_code_only(run: Callable[..., Any], tmp_path: Path) -> None:
    arguments = ("-n", 2, "-d", "cpu", "--categories", "arithmetic", "--json")
    run("synthesis", "make", *arguments, "-o", tmp_path / "text")
    done: subprocess.CompletedProcess[str] = run("synthesis", "make", *arguments, "--build", "-o", tmp_path / "built")
    built, text = (
        [json.loads(line) for line in (tmp_path / name / "pairs-00000.jsonl").read_text().splitlines()]
        for name in ("built", "text")
    )
    assert len(built) == 2
    for pair, other in zip(built, text, strict=True):
        assert pair["metadata"].pop("codegen_only") is False
        assert other["metadata"].pop("codegen_only") is True
        assert pair["metadata"].pop("cuda_available") is wp.is_cuda_available()
        assert other["metadata"].pop("cuda_available") is False
        assert pair == other
    assert json.loads(done.stdout)["made"] == 2
    assert len(done.stderr.splitlines()) == len(set(done.stderr.splitlines())) == 1


def test_the_cpu_has_a_name_in_warp() -> None:
    assert wp.get_device(require_device("cpu")).is_cpu


def test_a_missing_device_is_an_error_with_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wp, "is_cuda_available", lambda: False)
    with pytest.raises(DeviceError, match="--build") as error:
        require_device("cuda")
    assert error.value.exit_code == 3
