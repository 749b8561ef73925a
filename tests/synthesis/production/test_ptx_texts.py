"""Datasets with PTX: the same bytes for any number of workers, and another architecture is another dataset."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.pair import to_dict
from warpsmith.synthesis import generate
from warpsmith.synthesis.production.ptx_texts import nvrtc_version

Run = Callable[..., subprocess.CompletedProcess[str]]
Files = Callable[[Path], dict[str, str]]


OPTIONS = ("--seed", 7, "-d", "cuda", "-b", "--complexity", "small", "--shard-size", 2)


@pytest.fixture(scope="module")
def made(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pairs with PTX for sm_80, made by two workers."""
    folder = tmp_path_factory.mktemp("ptx") / "cuda"
    run("synthesis", "make", "-n", 4, *OPTIONS, "--ptx", "sm_80", "--workers", 2, "-o", folder)
    return folder


def test_the_manifest_has_the_architecture_and_the_compiler(run: Run, made: Path) -> None:
    manifest = orjson.loads((made / "manifest.json").read_bytes())
    assert manifest["arguments"]["ptx"] == "sm_80"
    assert manifest["versions"]["nvrtc"] == nvrtc_version()
    assert "--ptx sm_80" in (made / "README.md").read_text()
    refused = run("synthesis", "make", "-n", 4, *OPTIONS, "--ptx", "sm_90", "-o", made, expect=2)
    assert "ptx is 'sm_80' there and 'sm_90' now" in refused.stderr


def test_records_differ_by_their_ptx_only(run: Run, made: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    run("synthesis", "make", "-n", 4, *OPTIONS, "--workers", 1, "-o", plain)
    manifest = orjson.loads((plain / "manifest.json").read_bytes())
    assert "ptx" not in manifest["arguments"]
    assert "nvrtc" not in manifest["versions"]
    for path in sorted(plain.glob("pairs-*.jsonl")):
        pairs = zip(path.read_bytes().splitlines(), (made / path.name).read_bytes().splitlines(), strict=True)
        for without, line in ((orjson.loads(one), orjson.loads(other)) for one, other in pairs):
            assert line.pop("ptx_forward").count(".entry") == 1
            backward = line.pop("ptx_backward", None)
            assert (backward or "").count(".entry") == without["metadata"]["has_backward"]
            figures = line["metadata"].pop("ptx")
            assert figures["arch"] == "sm_80"
            counts, kinds = figures["forward"]["counts"], {one["kind"] for one in line["metadata"]["launch"]["args"]}
            assert counts["global_requests"] > 0 if kinds <= {"array", "value", "struct"} else counts is None
            assert line == without


@pytest.mark.exhaustive
def test_a_larger_count_gives_the_bytes_of_one_run(run: Run, made: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "cuda"
    for count in (2, 4):
        run("synthesis", "make", "-n", count, *OPTIONS, "--ptx", "sm_80", "--workers", 1, "-o", folder)
    assert files(folder) == files(made)
    run("synthesis", "verify", folder, "--sample", 1)
    refused = run("synthesis", "make", "-n", 4, *OPTIONS, "-o", folder, expect=2)
    assert "ptx is 'sm_80' there and None now" in refused.stderr


def test_bad_requests(run: Run, tmp_path: Path) -> None:
    done = run("synthesis", "make", "-d", "cpu", "--ptx", "sm_80", "-o", tmp_path / "cpu", expect=2)
    assert "choose the device cuda or both" in done.stderr
    done = run("synthesis", "make", "-d", "cuda", "--ptx", "80", "-o", tmp_path / "cuda", expect=2)
    assert "write it as sm_80" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("module", ["warpsmith.simt", "cuda.bindings.nvrtc", "warpsmith.validation"])
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(WarpsmithError, match=r"--ptx needs the extra warpsmith-synthesis\[ptx\]: .* install "):
        generate(seed=7, index=0, device="cuda", ptx="sm_80")


def test_one_pair() -> None:
    pair = generate(seed=7, index=0, category="vector", device="cuda", backward=False, ptx="sm_90")
    assert ".target sm_90" in (pair.ptx_forward or "")
    assert pair.ptx_backward is None
    assert pair.metadata.ptx is not None
    assert pair.metadata.ptx.backward is None
    assert {name for name, value in to_dict(pair).items() if value is None} == {
        "cpp_forward",
        "cpp_backward",
        "cuda_ir_backward",
        "ptx_backward",
    }
