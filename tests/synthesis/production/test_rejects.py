"""The promise for what goes wrong while a dataset is made: a pair that cannot be made is a line of `rejects.jsonl` and costs no
other pair; a disk that fills up, at whatever file, costs nothing that was finished.

Shards are made in this process here, so that things can be made to go wrong.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plans import core_plan
from warpsmith.core.commands import options
from warpsmith.core.errors import KernelRejected, TargetError
from warpsmith.synthesis.cli import cli
from warpsmith.synthesis.language.rules import RuleError
from warpsmith.synthesis.production import generate_pairs as making_module
from warpsmith.synthesis.production import run as run_module
from warpsmith.synthesis.production.chunks import Summary, finished_part
from warpsmith.synthesis.production.generate_pairs import make_part
from warpsmith.synthesis.production.local import Workers
from warpsmith.synthesis.production.plan import Part, Plan
from warpsmith.synthesis.production.run import produce

PLAN = core_plan(30, device="cuda", backward=False, shard_size=10)
Files = Callable[[Path], dict[str, str]]


@contextlib.contextmanager
def in_this_process() -> Iterator[None]:
    def run_parts(
        plan: Plan, parts: list[Part], folder: Path, workers: Workers, advance: Callable[[int], None]
    ) -> Iterator[tuple[Part, Summary]]:
        for part in parts:
            yield part, make_part(plan, part, folder, advance, workers.device)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_module, "run_parts", run_parts)
        yield


@pytest.fixture
def in_process() -> Iterator[None]:
    with in_this_process():
        yield


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed") / "data"
    with in_this_process():
        produce(PLAN, folder, 1, None)
    return folder


def break_index(monkeypatch: pytest.MonkeyPatch, broken: int, error: Exception) -> None:
    real = making_module.generating

    def generating(seed: int, index: int, *which: Any) -> Any:
        if index == broken:
            yield
            raise error
        return (yield from real(seed, index, *which))

    monkeypatch.setattr(making_module, "generating", generating)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.usefixtures("in_process")
def test_reject_is_told_and_costs_no_other_pair(monkeypatch: pytest.MonkeyPatch, undisturbed: Path, tmp_path: Path) -> None:
    break_index(monkeypatch, 13, RuleError("a hole\nwas left"))
    produce(PLAN, tmp_path / "data", 1, None)

    assert records(tmp_path / "data" / "rejects.jsonl") == [
        {"id": "2-2000-13", "seed": 2000, "index": 13, "stage": "generate", "error": "RuleError: a hole was left"}
    ]
    for name in ("pairs-00000.jsonl", "pairs-00002.jsonl"):
        assert (tmp_path / "data" / name).read_bytes() == (undisturbed / name).read_bytes()
    rest = [line for line in (undisturbed / "pairs-00001.jsonl").read_bytes().splitlines() if b'"id":"2-2000-13"' not in line]
    assert (tmp_path / "data" / "pairs-00001.jsonl").read_bytes().splitlines() == rest
    assert len(rest) == 9


@pytest.mark.usefixtures("in_process")
def test_manifest_and_card_count_rejects_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    break_index(monkeypatch, 13, ValueError("no factor"))
    outcome = produce(PLAN, tmp_path / "data", 1, None)
    manifest = json.loads((tmp_path / "data" / "manifest.json").read_text())
    assert (manifest["pairs"], manifest["rejects"], outcome.made) == (29, 1, 29)
    assert [(shard["pairs"], shard["rejects"]) for shard in manifest["shards"]] == [(10, 0), (9, 1), (10, 0)]
    present = Counter(pair["metadata"]["category"] for path in (tmp_path / "data").glob("pairs-*") for pair in records(path))
    assert manifest["categories"] == present
    assert min(present.values()) == 2
    assert "29 pairs" in (tmp_path / "data" / "README.md").read_text()


@pytest.mark.usefixtures("in_process")
def test_rejects_outlive_a_shard_that_is_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "data"
    break_index(monkeypatch, 13, RuleError("broken"))
    produce(PLAN, folder, 1, None)
    before = files(folder)
    (folder / "pairs-00002.jsonl").unlink()
    assert produce(PLAN, folder, 1, None).made == 10
    assert files(folder) == before


@pytest.mark.usefixtures("in_process")
def test_command_ends_with_the_code_for_some_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    break_index(monkeypatch, 3, RuleError("broken"))
    arguments = ["-n", "5", "-d", "cuda", "--codegen-only", "--json", "-o", str(tmp_path / "data")]
    monkeypatch.setattr("sys.argv", ["warpsmith-synthesize", "make", *arguments])
    assert options.run(cli) == 1
    summary = json.loads(capsys.readouterr().out)
    assert (summary["pairs"], summary["rejects"], summary["made"]) == (4, 1, 4)


def test_a_part_of_a_shard_that_was_divided_otherwise_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / ".work").mkdir()
    part = Part(0, 0, 0, 4)
    summary = make_part(PLAN, part, tmp_path, lambda _: None, None)
    assert finished_part(part, tmp_path) == summary
    assert finished_part(Part(0, 0, 0, 5), tmp_path) is None


def test_what_warp_refuses_is_a_reject_with_warps_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: Any) -> None:
        raise KernelRejected("codegen", "WarpCodegenError: no such overload")

    monkeypatch.setattr(making_module, "extract_source_stepwise", refuse)
    (tmp_path / ".work").mkdir()
    summary = make_part(PLAN, Part(0, 0, 0, 4), tmp_path, lambda _: None, None)
    assert summary.pairs == 0
    assert [(reject.id, reject.stage) for reject in summary.rejects] == [(f"2-2000-{index}", "codegen") for index in range(4)]
    assert {reject.error for reject in summary.rejects} == {"WarpCodegenError: no such overload"}


def test_what_the_toolchain_refuses_is_a_reject(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[str, bool]] = []

    def refused(sources: dict[str, str], device: str, backward: bool) -> dict[str, str]:
        asked.append((device, backward))
        return dict.fromkeys(list(sources)[1:2], "RuntimeError: no such GPU")

    monkeypatch.setattr(making_module, "refused", refused)
    (tmp_path / ".work").mkdir()
    summary = make_part(PLAN, Part(0, 0, 0, 4), tmp_path, lambda _: None, "cuda:0")
    assert asked == [("cuda:0", False)]
    (reject,) = summary.rejects
    assert (reject.id, reject.index, reject.stage, reject.error) == ("2-2000-1", 1, "build", "RuntimeError: no such GPU")
    content = (tmp_path / ".work" / summary.file).read_bytes()
    assert [json.loads(line)["metadata"]["index"] for line in content.splitlines()] == [0, 2, 3]
    assert (summary.pairs, summary.bytes, summary.sha256) == (3, len(content), hashlib.sha256(content).hexdigest())


def test_progress_is_told_along_the_way(tmp_path: Path) -> None:
    (tmp_path / ".work").mkdir()
    told: list[int] = []
    make_part(PLAN, Part(0, 0, 0, 60), tmp_path, told.append, None)
    assert told == [25, 25, 10]


@contextlib.contextmanager
def full_disk(name: str) -> Iterator[None]:
    """While this lasts, a file of this name cannot be put in its place."""
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if Path(target).name == name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        yield


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    ("name", "left"),
    [("plan.json", 30), ("pairs-00001-000.jsonl", 20), ("pairs-00001-000.jsonl.json", 20), ("pairs-00001.jsonl", 10)],
)
def test_disk_that_is_full_at_a_shard(undisturbed: Path, tmp_path: Path, files: Files, name: str, left: int) -> None:
    folder = tmp_path / "data"
    with full_disk(name), pytest.raises(TargetError, match=f"{name}: No space left on device; free space"):
        produce(PLAN, folder, 1, None)
    assert not list(folder.rglob("*.tmp"))
    assert produce(PLAN, folder, 1, None).made == left
    assert files(folder) == files(undisturbed)


@pytest.mark.parametrize("name", ["rejects.jsonl", "README.md", "manifest.json"])
def test_disk_that_is_full_after_the_last_shard(undisturbed: Path, tmp_path: Path, files: Files, name: str) -> None:
    folder = tmp_path / "data"
    with in_this_process(), full_disk(name), pytest.raises(TargetError, match=name):
        produce(PLAN, folder, 1, None)
    assert produce(PLAN, folder, 1, None).made == 0
    assert files(folder) == files(undisturbed)


@pytest.mark.usefixtures("in_process")
def test_disk_that_is_full_when_a_shard_is_to_be_made_again(undisturbed: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "data"
    produce(PLAN, folder, 1, None)
    (folder / "pairs-00001.jsonl").unlink()
    with full_disk("plan.json"), pytest.raises(TargetError):
        produce(PLAN, folder, 1, None)
    assert produce(PLAN, folder, 1, None).made == 10
    assert files(folder) == files(undisturbed)


@pytest.mark.usefixtures("in_process")
def test_half_a_file_of_a_killed_run_goes_away(undisturbed: Path, tmp_path: Path, files: Files) -> None:
    folder = tmp_path / "data"
    with full_disk("pairs-00001.jsonl"), pytest.raises(TargetError):
        produce(PLAN, folder, 1, None)
    (folder / ".pairs-00001.jsonl.4194305.tmp").write_bytes(b"half a sha")
    produce(PLAN, folder, 1, None)
    assert files(folder) == files(undisturbed)
