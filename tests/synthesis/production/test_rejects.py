"""Failures while a dataset is made: rejected kernels are recorded, and a full disk loses no finished work.

Shards are made in this process, so that tests can inject failures.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plans import core_plan
from warpsmith.core.commands import options
from warpsmith.core.errors import KernelRejected, TargetError
from warpsmith.core.execution.executor import InProcess, ignore
from warpsmith.synthesis.cli import cli
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, KernelKey
from warpsmith.synthesis.language.rules import RuleError
from warpsmith.synthesis.production import generate_pairs as generation
from warpsmith.synthesis.production import synthesis_workers
from warpsmith.synthesis.production.chunks import finished_chunk
from warpsmith.synthesis.production.dataset_plan import Chunk
from warpsmith.synthesis.production.generate_pairs import generate_chunk
from warpsmith.synthesis.production.produce import produce

PLAN = core_plan(30, device="cuda", backward=False, shard_size=10)
Files = Callable[[Path], dict[str, str]]

produce_here = partial(produce, PLAN, executor=InProcess())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    produce_here(folder)
    return folder


def break_index(monkeypatch: pytest.MonkeyPatch, broken: int, error: Exception) -> None:
    write = generation.write_stepwise

    def write_stepwise(key: KernelKey) -> Any:
        if key.index == broken:
            yield
            raise error
        return (yield from write(key))

    monkeypatch.setattr(generation, "write_stepwise", write_stepwise)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_reject_is_recorded_and_affects_no_other_pair(
    monkeypatch: pytest.MonkeyPatch, undisturbed: Path, tmp_path: Path
) -> None:
    break_index(monkeypatch, 13, RuleError("a hole\nwas left"))
    produce_here(tmp_path / "data")

    assert records(tmp_path / "data" / "rejects.jsonl") == [
        {
            "id": f"{GENERATOR_VERSION}-2000-13",
            "seed": 2000,
            "index": 13,
            "stage": "generate",
            "error": "RuleError: a hole was left",
        }
    ]
    for name in ("pairs-00000.jsonl", "pairs-00002.jsonl"):
        assert (tmp_path / "data" / name).read_bytes() == (undisturbed / name).read_bytes()
    rest = [
        line
        for line in (undisturbed / "pairs-00001.jsonl").read_bytes().splitlines()
        if f'"id":"{GENERATOR_VERSION}-2000-13"'.encode() not in line
    ]
    assert (tmp_path / "data" / "pairs-00001.jsonl").read_bytes().splitlines() == rest
    assert len(rest) == 9


def test_manifest_and_card_exclude_rejects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    break_index(monkeypatch, 13, ValueError("no factor"))
    outcome = produce_here(tmp_path / "data")
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert (manifest["pairs"], manifest["rejects"], outcome.made) == (29, 1, 29)
    assert [(shard["pairs"], shard["rejects"]) for shard in manifest["shards"]] == [(10, 0), (9, 1), (10, 0)]
    present = Counter(pair["metadata"]["category"] for path in (tmp_path / "data").glob("pairs-*") for pair in records(path))
    assert manifest["categories"] == present
    assert min(present.values()) == 2
    assert "29 pairs" in (tmp_path / "data" / "README.md").read_text()


def test_rejects_are_kept_when_a_shard_is_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "data"
    break_index(monkeypatch, 13, RuleError("broken"))
    produce_here(folder)
    before = files(folder)
    (folder / "pairs-00002.jsonl").unlink()
    assert produce_here(folder).made == 10
    assert files(folder) == before


def test_the_exit_code_reports_rejects(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    break_index(monkeypatch, 3, RuleError("broken"))
    monkeypatch.setattr(synthesis_workers, "executor_for", lambda *_: InProcess())
    arguments = ["-n", "5", "-d", "cuda", "--json", "-o", str(tmp_path / "data")]
    monkeypatch.setattr("sys.argv", ["warpsmith-synthesize", "make", *arguments])
    assert options.run(cli) == 1
    summary = json.loads(capsys.readouterr().out)
    assert (summary["pairs"], summary["rejects"], summary["made"]) == (4, 1, 4)


def test_a_run_that_rejects_every_kernel_names_the_file_of_rejects(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    break_index(monkeypatch, 0, RuleError("broken"))
    monkeypatch.setattr(synthesis_workers, "executor_for", lambda *_: InProcess())
    arguments = ["-n", "1", "-d", "cuda", "-o", str(tmp_path / "data")]
    monkeypatch.setattr("sys.argv", ["warpsmith-synthesize", "make", *arguments])
    rejected = f"1 kernel was rejected: see {tmp_path / 'data' / 'rejects.jsonl'}"
    for complete in ([], ["already complete: no pair was missing"]):
        assert options.run(cli) == 1
        remarks = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("synthesize: ")]
        assert remarks == [*complete, rejected]


def test_a_chunk_of_another_size_is_not_reused(tmp_path: Path) -> None:
    (tmp_path / ".work").mkdir()
    chunk = Chunk(0, 0, 0, 4)
    summary = generate_chunk(PLAN, chunk, tmp_path, None, ignore)
    assert finished_chunk(chunk, tmp_path) == summary
    assert finished_chunk(Chunk(0, 0, 0, 5), tmp_path) is None


def test_a_kernel_that_warp_rejects_is_recorded_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def reject(*_: Any) -> None:
        raise KernelRejected("codegen", "WarpCodegenError: no such overload")

    monkeypatch.setattr(generation, "extract_source_stepwise", reject)
    (tmp_path / ".work").mkdir()
    summary = generate_chunk(PLAN, Chunk(0, 0, 0, 4), tmp_path, None, ignore)
    assert summary.pairs == 0
    assert [(reject.id, reject.stage) for reject in summary.rejects] == [
        (f"{GENERATOR_VERSION}-2000-{index}", "codegen") for index in range(4)
    ]
    assert {reject.error for reject in summary.rejects} == {"WarpCodegenError: no such overload"}


def test_a_kernel_that_the_toolchain_rejects_is_recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[str, bool]] = []

    def build_errors(sources: dict[str, str], device: str, backward: bool, _: Path | None = None) -> dict[str, str]:
        calls.append((device, backward))
        return dict.fromkeys(list(sources)[1:2], "RuntimeError: no such GPU")

    monkeypatch.setattr(generation, "build_errors", build_errors)
    (tmp_path / ".work").mkdir()
    summary = generate_chunk(PLAN, Chunk(0, 0, 0, 4), tmp_path, "cuda:0", ignore)
    assert calls == [("cuda:0", False)]
    (reject,) = summary.rejects
    assert (reject.id, reject.index, reject.stage, reject.error) == (
        f"{GENERATOR_VERSION}-2000-1",
        1,
        "build",
        "RuntimeError: no such GPU",
    )
    content = (tmp_path / ".work" / summary.file).read_bytes()
    assert [json.loads(line)["metadata"]["index"] for line in content.splitlines()] == [0, 2, 3]
    assert (summary.pairs, summary.bytes, summary.sha256) == (3, len(content), hashlib.sha256(content).hexdigest())


def test_progress_is_reported_after_each_batch(tmp_path: Path) -> None:
    (tmp_path / ".work").mkdir()
    reports: list[int] = []
    generate_chunk(PLAN, Chunk(0, 0, 0, 60), tmp_path, None, reports.append)
    assert reports == [25, 25, 10]


@contextlib.contextmanager
def full_disk(name: str) -> Iterator[None]:
    """Let the final rename of a file with this name fail."""
    rename = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if Path(target).name == name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        yield


@pytest.mark.parametrize(
    ("name", "missing"),
    [("plan.json", 30), ("pairs-00001-000.jsonl", 20), ("pairs-00001-000.jsonl.json", 20), ("pairs-00001.jsonl", 10)],
)
def test_a_full_disk_while_a_shard_is_written(undisturbed: Path, tmp_path: Path, files: Files, name: str, missing: int) -> None:
    folder = tmp_path / "data"
    with full_disk(name), pytest.raises(TargetError, match=f"{name}: No space left on device; free space"):
        produce_here(folder)
    assert not list(folder.rglob("*.tmp"))
    assert produce_here(folder).made == missing
    assert files(folder) == files(undisturbed)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["rejects.jsonl", "README.md", "manifest.json"])
def test_a_full_disk_after_the_last_shard(undisturbed: Path, tmp_path: Path, files: Files, name: str) -> None:
    folder = tmp_path / "data"
    with full_disk(name), pytest.raises(TargetError, match=name):
        produce_here(folder)
    assert produce_here(folder).made == 0
    assert files(folder) == files(undisturbed)


def test_a_full_disk_before_a_missing_shard_is_made_again(undisturbed: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "data"
    produce_here(folder)
    (folder / "pairs-00001.jsonl").unlink()
    with full_disk("plan.json"), pytest.raises(TargetError):
        produce_here(folder)
    assert produce_here(folder).made == 10
    assert files(folder) == files(undisturbed)


def test_a_partial_file_of_a_killed_run_is_removed(undisturbed: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "data"
    with full_disk("pairs-00001.jsonl"), pytest.raises(TargetError):
        produce_here(folder)
    (folder / ".pairs-00001.jsonl.4194305.tmp").write_bytes(b"half a sha")
    produce_here(folder)
    assert files(folder) == files(undisturbed)
