"""Stored verdicts are about one line, one content of the shard and one judge; others are reported and not reused."""

from __future__ import annotations

import contextlib
import hashlib
import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.execution.executor import InProcess
from warpsmith.core.records.verdict import MACHINE, Verdict
from warpsmith.validation import dataset_run
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.levels.registry import Level, judge_version, levels_to


def check(run: Any, path: Path, *options: str, expect: int = 0) -> dict[str, Any]:
    done = run("validation", "run", path, "--level", "schema", "--json", "--workers", 1, *options, expect=expect)
    assert "Traceback" not in done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.fixture
def shard(small: Path, tmp_path: Path) -> Path:
    """A file of ten pairs, a dataset of its own."""
    path = tmp_path / "alone" / "some.jsonl"
    path.parent.mkdir()
    path.write_bytes((small / "pairs-00000.jsonl").read_bytes())
    return path


def rows_of(shard: Path) -> Path:
    return shard.with_name("verdicts-some.jsonl")


def origin_of(shard: Path) -> Path:
    return shard.with_name("verdicts-some.json")


def test_the_origin_states_digests_and_judges(run: Any, shard: Path) -> None:
    assert check(run, shard)["reused"] == 0
    origin = json.loads(origin_of(shard).read_text())
    assert origin["shard"] == "some.jsonl"
    assert origin["shard_sha256"] == hashlib.sha256(shard.read_bytes()).hexdigest()
    assert origin["rows_sha256"] == hashlib.sha256(rows_of(shard).read_bytes()).hexdigest()
    assert origin["rows"] == 10
    assert list(origin["levels"]) == ["schema"]
    assert set(origin["levels"]["schema"]) == {"version", "warp"}


def test_reused_verdicts_are_counted_and_redone_with_again(run: Any, shard: Path) -> None:
    check(run, shard)
    first = rows_of(shard).stat().st_mtime_ns
    again = check(run, shard)
    assert (again["reused"], again["discarded"], rows_of(shard).stat().st_mtime_ns) == (10, {}, first)
    printed = run("validation", "run", shard, "--level", "schema").stderr
    assert "10 of 10 pairs keep the verdicts of an earlier run" in printed
    assert check(run, shard, "--again")["reused"] == 0
    assert rows_of(shard).stat().st_mtime_ns > first


def forge(shard: Path) -> None:
    rows_of(shard).write_bytes(rows_of(shard).read_bytes().replace(b'"fail"', b'"pass"'))


def cut_rows(shard: Path) -> None:
    rows = rows_of(shard).read_bytes().splitlines(keepends=True)
    rows_of(shard).write_bytes(b"".join(rows[:-1]))


def flip_byte(shard: Path) -> None:
    content = bytearray(shard.read_bytes())
    content[content.index(b"wp.tid()")] ^= 1
    shard.write_bytes(content)


def swap_lines(shard: Path) -> None:
    first, second, *rest = shard.read_bytes().splitlines(keepends=True)
    shard.write_bytes(b"".join([second, first, *rest]))


def of_older_release(shard: Path) -> None:
    rows = [json.loads(line) for line in rows_of(shard).read_text().splitlines()]
    for row in rows:
        del row["line"]
    rows_of(shard).write_text("".join(json.dumps(row) + "\n" for row in rows))
    origin_of(shard).unlink()
    digest = hashlib.sha256(shard.read_bytes()).hexdigest()
    rows_of(shard).with_suffix(".sha256").write_text(f"{digest}  {shard.name}\n")


def change_origin(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def damage(shard: Path) -> None:
        origin = json.loads(origin_of(shard).read_text())
        change(origin)
        origin_of(shard).write_text(json.dumps(origin))

    return damage


def other_judge(field: str) -> Callable[[Path], None]:
    return change_origin(lambda origin: origin["levels"]["schema"].update({field: "0"}))


@pytest.fixture(scope="module")
def checked_once(run: Any, small: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a file of ten pairs with verdicts, one of which is a failure, and the output of the command that checked it."""
    path = tmp_path_factory.mktemp("checked") / "some.jsonl"
    content = (small / "pairs-00000.jsonl").read_bytes()
    path.write_bytes(content.replace(b'"schema_version":2', b'"schema_version":7', 1))
    return path, check(run, path, expect=1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("damage", "count", "reason"),
    [
        (forge, 10, "their files are damaged or changed"),
        (cut_rows, 9, "their files are damaged or changed"),
        (change_origin(lambda origin: origin.update(rows=2**70)), 10, "their files are damaged or changed"),
        (change_origin(lambda origin: origin.update(levels={})), 10, "their files are damaged or changed"),
        (lambda shard: origin_of(shard).write_text("["), 10, "their files are damaged or changed"),
        (lambda shard: origin_of(shard).unlink(), 10, "the file that states their origin is missing"),
        (flip_byte, 10, "the shard changed since"),
        (swap_lines, 10, "the shard changed since"),
        (of_older_release, 10, "an older release wrote them, without line numbers"),
        (other_judge("version"), 10, "0 with Warp "),
        (other_judge("warp"), 10, " with Warp 0 made them"),
    ],
    ids=[
        "forged", "truncated", "absurd count", "no levels", "no JSON", "no origin", "flipped byte", "swapped lines",
        "older release", "other judge", "other Warp",
    ],
)  # fmt: skip
def test_verdicts_that_may_not_be_reused(
    run: Any,
    checked_once: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    damage: Callable[[Path], None],
    count: int,
    reason: str,
) -> None:
    path, before = checked_once
    shard = Path(shutil.copytree(path.parent, tmp_path / "copy"), path.name)
    rows = json.loads(origin_of(shard).read_text())["rows_sha256"]
    damage(shard)
    after = check(run, shard, expect=1)
    ((given, discarded),) = after["discarded"].items()
    assert reason in given
    assert (after["reused"], discarded) == (0, count)
    assert after["levels"] == before["levels"] == {"schema": {"pass": 9, "fail": 1}}
    assert json.loads(origin_of(shard).read_text())["rows_sha256"] != rows
    assert not rows_of(shard).with_suffix(".sha256").exists()
    final = check(run, shard, expect=1)
    assert (final["reused"], final["discarded"]) == (10, {})


def test_discarded_verdicts_are_reported_in_one_line(run: Any, shard: Path) -> None:
    check(run, shard)
    flip_byte(shard)
    printed = run("validation", "run", shard, "--level", "schema").stderr
    assert "10 stored verdicts were not used: the shard changed since" in printed.splitlines()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("gap", [b"\n", b"\r\n", b" \t \n"])
def test_empty_lines_and_crlf_keep_the_numbers(run: Any, shard: Path, gap: bytes) -> None:
    lines = [line.rstrip(b"\n") + b"\r\n" for line in shard.read_bytes().splitlines(keepends=True)]
    shard.write_bytes(gap + lines[0] + gap + gap + b"{broken\r\n" + lines[1] + lines[2].rstrip())
    assert check(run, shard, expect=1)["levels"] == {"schema": {"pass": 3, "fail": 1}}
    rows = [json.loads(row) for row in rows_of(shard).read_text().splitlines()]
    assert [(row["line"], row["status"]) for row in rows] == [(2, "pass"), (5, "fail"), (6, "pass"), (7, "pass")]
    assert rows[1]["id"] == "some.jsonl:5"
    assert check(run, shard, expect=1)["reused"] == 4
    run("core", "filter", shard, "--require", "schema=pass", "-o", shard.parent / "new")
    kept = Dataset(shard.parent / "new", (shard.parent / "new" / "some.jsonl",), None)
    assert list(kept.read_verdicts(kept.shards[0])) == [(1, "schema"), (2, "schema"), (3, "schema")]
    assert [line.number for line in kept.lines()] == [1, 2, 3]


def test_a_line_that_is_too_long_fails_and_its_neighbours_pass(shard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shard.read_bytes().splitlines(keepends=True)
    longest = max(map(len, lines))
    monkeypatch.setattr("warpsmith.core.records.jsonl.MAX_LINE_BYTES", longest + 1)
    shard.write_bytes(b"".join([lines[0], b" " * (3 << 20) + lines[1], *lines[2:]]))
    outcome = validate_dataset(Dataset.open(shard), levels_to("schema"))
    assert outcome.statuses == {"schema": {"pass": 9, "fail": 1}}
    assert [(failure.id, failure.reason) for failure in outcome.failures] == [("some.jsonl:2", "longer than 64 MiB")]


# ---------------------------------------------------------------------------------------------------------- repeated ids


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("sample", [None, 6])
def test_repeated_ids_fail_in_any_shard_and_sample(own_small: Path, workers: int, sample: int | None) -> None:
    shards = [own_small / f"pairs-{number:05}.jsonl" for number in range(4)]
    lines = [shard.read_bytes().splitlines(keepends=True) for shard in shards]
    for shard, content in zip(shards, lines):  # every pair has a twin in the first shard
        shard.write_bytes(b"".join(content))
    shards[0].write_bytes(b"".join(line for content in (lines[0], *lines) for line in content))
    outcome = validate_dataset(Dataset.open(own_small), levels_to("parse"), sample=sample, executor=InProcess(workers))
    count = sample or 80
    assert outcome.pairs == count
    assert outcome.statuses == {"schema": {"fail": count}, "parse": {"skipped": count}}
    assert {failure.reason.partition(":")[0] for failure in outcome.failures} == {"the id occurs more than once"}


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


class Elsewhere:
    """An executor of another machine: tasks, items and results are pickled, and finish in another order."""

    remote = True
    workers = None

    def session(self) -> contextlib.AbstractContextManager[object]:
        return contextlib.nullcontext()

    def run(self, task: Any, items: Any, report: Any) -> Any:
        for item in reversed(list(items)):
            yield item, pickled(pickled(task)(pickled(item), report))


def test_repeated_ids_fail_on_other_machines(own_small: Path, tmp_path: Path) -> None:
    with (own_small / "pairs-00003.jsonl").open("ab") as shard:
        shard.write((own_small / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)[0])
    here = tmp_path / "here"
    shutil.copytree(own_small, here)
    outcomes = [
        validate_dataset(Dataset.open(folder), levels_to("schema"), sample=30, executor=executor)
        for folder, executor in ((here, InProcess()), (own_small, Elsewhere()))
    ]
    assert outcomes[0].statuses == outcomes[1].statuses
    reasons = [[failure.reason for failure in outcome.failures] for outcome in outcomes]
    assert reasons[0] == reasons[1] != []
    again = validate_dataset(Dataset.open(own_small), levels_to("schema"), executor=Elsewhere())
    assert again.statuses == {"schema": {"pass": 39, "fail": 2}}
    assert again.reused == 30 - len(reasons[0])


def test_a_line_is_checked_again_when_its_twin_has_gone(run: Any, own_small: Path) -> None:
    last = own_small / "pairs-00003.jsonl"
    content = last.read_bytes()
    last.write_bytes(content + (own_small / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)[4])
    check(run, own_small, expect=1)
    stored = [json.loads(row) for row in (own_small / "verdicts-00000.jsonl").read_text().splitlines()]
    assert [row["line"] for row in stored if row["status"] == "fail"] == [5]
    last.write_bytes(content)
    result = check(run, own_small)
    assert (result["levels"]["schema"], result["reused"]) == ({"pass": 40}, 29)


def test_a_twin_that_appears_later_overrules_stored_verdicts(run: Any, own_small: Path) -> None:
    check(run, own_small)
    (own_small / "manifest.json").unlink()
    twin = (own_small / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)[4]
    (own_small / "pairs-00004.jsonl").write_bytes(twin)
    result = check(run, own_small, expect=1)
    assert (result["levels"]["schema"], result["reused"]) == ({"pass": 39, "fail": 2}, 39)
    stored = [json.loads(row) for row in (own_small / "verdicts-00000.jsonl").read_text().splitlines()]
    assert [row["line"] for row in stored if row["status"] == "fail"] == [5]


# ------------------------------------------------------------------------------------------------------------ the machine


class FullDisk:
    """A supervisor of a machine that lacks something at the second level, for every third line."""

    def __init__(self, levels: Any, *_: Any, **__: Any) -> None:
        self.levels, self.finished = levels, dict[Any, Any]()
        self.client = SimpleNamespace(report=None)

    def check(self, lines: Any) -> list[list[Verdict]]:
        found = []
        for line in lines:
            lacks = line.number % 3 == 0
            first = Verdict(line.identity, "schema", "pass", "", 1.0)
            second = ("inconclusive", f"{MACHINE}no space left on device") if lacks else ("pass", "")
            found.append([first, Verdict(line.identity, "parse", second[0], second[1], 1.0)])  # type: ignore[arg-type]
        return found

    def close(self) -> None:
        """Do nothing."""

    abort = close


def test_verdicts_about_the_machine_are_not_stored(
    run: Any, shard: Path, monkeypatch: pytest.MonkeyPatch, run_in_process: Any
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("warpsmith.validation.sandbox.pool.Supervisor", FullDisk)
        code, stdout, stderr = run_in_process("run", shard, "--workers", "1")
        assert code == 2
        assert "3 of 10 pairs were not checked: no space left on device" in stderr
        assert "inconclusive" in stdout
        outcome = validate_dataset(Dataset.open(shard), levels_to("parse"))
    assert (outcome.not_checked, outcome.machine, outcome.reused) == (3, "no space left on device", 7)
    assert outcome.statuses == {"schema": {"pass": 10}, "parse": {"pass": 7}}
    assert MACHINE.encode() not in rows_of(shard).read_bytes()
    result = json.loads(run("validation", "run", shard, "--json").stdout)
    assert (result["reused"], result["levels"]["parse"], result["not_checked"]) == (7, {"pass": 10}, 0)


# --------------------------------------------------------------------------------------------------------------- judges


def test_the_judge_changes_with_a_file_that_verdicts_depend_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_checks"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "level.py").write_text("def check(): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    level = Level("other", 1.0, check="some_checks.level:check")
    versions = []
    for text in ("def check(): ...\n", "def check(): pass\n"):
        (package / "level.py").write_text(text)
        dataset_run.judge_version.__globals__["_digest"].cache_clear()
        versions.append(judge_version(level))
    own = {judge_version(level) for level in levels_to("oracle")}
    assert len({*versions, *own}) == 3
    assert len(own) == 1


def test_verdicts_of_another_device_are_not_reused(shard: Path, hostile_levels: Any) -> None:
    opened = Dataset.open(shard)
    reused = [
        validate_dataset(opened, hostile_levels, module="hostile_levels", device=device).reused
        for device in ("cpu", "cpu", "cuda:0")
    ]
    assert reused == [0, 10, 0]
