"""Datasets with stand-alone CUDA: records differ by it only, and the manifest counts what became of it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis import generate

Run = Callable[..., subprocess.CompletedProcess[str]]

OPTIONS = ("--seed", 7, "-d", "cuda", "-n", 4, "--shard-size", 2, "--workers", 1)


def test_stand_alone_cuda_needs_cuda_to_compare_with(run: Run, tmp_path: Path) -> None:
    refused = run("synthesis", "make", "-n", 1, "-d", "cpu", "--plain", "-o", tmp_path / "cpu", expect=2)
    assert "choose the device cuda or both" in refused.stderr
    with pytest.raises(WarpsmithError, match="choose the device cuda or both"):
        generate(seed=7, index=0, device="cpu", plain=True)


@pytest.mark.exhaustive
def test_records_differ_by_the_text_only(run: Run, tmp_path: Path) -> None:
    printed = run("synthesis", "make", *OPTIONS, "--plain", "-o", tmp_path / "plain").stdout
    run("synthesis", "make", *OPTIONS, "-o", tmp_path / "without")
    manifest = orjson.loads((tmp_path / "plain" / "manifest.json").read_bytes())
    assert manifest["arguments"]["plain"] is True
    assert sum(manifest["plain"].values()) == 4
    assert f"stand-alone CUDA: {manifest['plain']['verified']} of 4 pairs" in printed
    assert "--plain" in (tmp_path / "plain" / "README.md").read_text()
    assert "plain" not in (tmp_path / "without" / "manifest.json").read_text()
    for path in sorted((tmp_path / "without").glob("pairs-*.jsonl")):
        pairs = zip(path.read_bytes().splitlines(), (tmp_path / "plain" / path.name).read_bytes().splitlines(), strict=True)
        for without, line in ((orjson.loads(before), orjson.loads(after)) for before, after in pairs):
            outcome, text = line["metadata"].pop("plain"), line.pop("cuda_plain", None)
            assert (text is None) == (outcome["problem"] != "")
            assert line == without
    again = run("synthesis", "verify", tmp_path / "plain", "--sample", "all", "--workers", 1)
    assert "no differences" in again.stdout
