"""Every line of a folder gets a verdict, and every difference from the manifest is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.verdict_files import Judge, StoredVerdicts
from warpsmith.core.errors import TargetError
from warpsmith.core.records.verdict import Verdict

BROKEN = {
    "cut short": lambda raw: raw[: len(raw) // 2] + b"\n",
    "not UTF-8": lambda raw: raw.replace(b"wp.kernel", b"wp.k\xff\xfel"),
    "a number": lambda _: b"7\n",
    "a list": lambda _: b"[1, 2]\n",
    "NUL bytes": lambda _: b"\0" * 1000 + b"\n",
    "two on a line": lambda raw: raw.rstrip(b"\n") + raw,
    "10 MB": lambda _: b"x" * 10_000_000 + b"\n",
    "100,000 brackets": lambda _: b"[" * 100_000 + b"\n",
    "a huge number": lambda raw: raw.replace(b'"schema_version":2', b'"schema_version":' + b"1" * 5000),
}
"""Damages to a line, as functions from the original line to the damaged one."""


def check(run: Any, folder: Path, *options: str, expect: int = 0) -> dict[str, Any]:
    done = run("validation", "run", folder, "--json", "--workers", 1, *options, expect=expect)
    assert "Traceback" not in done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def verdicts(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_broken_lines_have_verdicts_and_affect_no_other_line(run: Any, own_small: Path) -> None:
    shard = own_small / "pairs-00001.jsonl"
    raw = shard.read_bytes().splitlines(keepends=True)
    for number, damage in enumerate(BROKEN.values()):
        raw[number] = damage(raw[number])
    raw[9:9] = [b"\n", b"   \n"]
    shard.write_bytes(b"".join(raw).rstrip(b"\n"))

    result = check(run, own_small, expect=1)

    identities = [f"pairs-00001.jsonl:{number + 1}" for number in range(len(BROKEN))]
    assert result["pairs"] == 40
    assert [failure["id"] for failure in result["failures"]] == identities
    assert {failure["level"] for failure in result["failures"]} == {"schema"}
    assert all(failure["reason"] and "\n" not in failure["reason"] for failure in result["failures"])
    assert result["levels"]["schema"] == {"pass": 40 - len(BROKEN), "fail": len(BROKEN)}
    assert result["levels"]["parse"] == {"pass": 40 - len(BROKEN), "skipped": len(BROKEN)}
    assert {line["id"] for line in verdicts(own_small / "verdicts-00001.jsonl") if line["status"] == "fail"} == set(identities)


def test_broken_lines_are_counted_by_the_statistics(run: Any, own_small: Path) -> None:
    shard = own_small / "pairs-00000.jsonl"
    raw = shard.read_bytes().splitlines(keepends=True)
    for number, damage in enumerate(BROKEN.values()):
        raw[number] = damage(raw[number])
    shard.write_bytes(b"".join(raw))
    statistics = json.loads(run("stats", own_small, "--json", "--workers", 1, expect=1).stdout)["statistics"]
    assert (statistics["pairs"], statistics["broken_lines"]) == (40 - len(BROKEN), len(BROKEN))


def test_a_repeated_id_is_a_failure_within_and_across_shards(run: Any, own_small: Path) -> None:
    first, second = own_small / "pairs-00000.jsonl", own_small / "pairs-00001.jsonl"
    raw = first.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join([*raw, raw[3]]))
    second.write_bytes(second.read_bytes() + raw[7])
    failures = check(run, own_small, expect=1)["failures"]
    assert [failure["id"] for failure in failures] == [json.loads(raw[number])["id"] for number in (3, 7, 3, 7)]
    assert [failure["reason"].partition("also in ")[2] for failure in failures] == [
        "pairs-00000.jsonl:11",
        "pairs-00001.jsonl:11",
        "pairs-00000.jsonl:4",
        "pairs-00000.jsonl:8",
    ]
    stored = [verdict for name in ("verdicts-00000.jsonl", "verdicts-00001.jsonl") for verdict in verdicts(own_small / name)]
    assert [verdict["line"] for verdict in stored if verdict["status"] == "fail"] == [4, 8, 11, 11]


@pytest.mark.parametrize("first", ["good", "bad"])
def test_a_good_and_a_bad_line_with_the_same_id_both_fail(run: Any, own_small: Path, first: str) -> None:
    shard = own_small / "pairs-00000.jsonl"
    raw = shard.read_bytes().splitlines(keepends=True)
    twin = raw[0].replace(b"wp.kernel", b"wp.func")
    shard.write_bytes(b"".join([raw[0], twin, *raw[1:]] if first == "good" else [twin, *raw]))
    for _ in range(2):
        assert check(run, own_small, expect=1)["levels"] == {
            "schema": {"pass": 39, "fail": 2},
            "parse": {"pass": 39, "skipped": 2},
        }


# ------------------------------------------------------------------------------------------------------- the manifest


def test_an_unchanged_dataset_has_no_problems(dataset: Path) -> None:
    assert list(Dataset.open(dataset).problems()) == []


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda folder: (folder / "pairs-00002.jsonl").unlink(), "pairs-00002.jsonl is missing"),
        (lambda folder: (folder / "pairs-00009.jsonl").write_text("{}\n"), "pairs-00009.jsonl is not in the manifest"),
        (
            lambda folder: (folder / "pairs-00001.jsonl").write_bytes((folder / "pairs-00001.jsonl").read_bytes()[:-1]),
            "pairs-00001.jsonl is not the file that was made",
        ),
        (
            lambda folder: rewrite(folder / "manifest.json", lambda content: content["shards"][3].update(sha256="0" * 64)),
            "pairs-00003.jsonl is not the file that was made",
        ),
        (lambda folder: (folder / "manifest.json").unlink(), "there is no manifest.json"),
        (
            lambda folder: rewrite(folder / "manifest.json", lambda content: content["shards"].append(content["shards"][0])),
            "the manifest lists a shard twice",
        ),
    ],
    ids=["missing", "surplus", "changed", "other digest", "no manifest", "twice"],
)
def test_differences_from_the_manifest_are_named(own_small: Path, damage: Callable[[Path], object], problem: str) -> None:
    damage(own_small)
    (found,) = Dataset.open(own_small).problems()
    assert found.startswith(problem)


def test_problems_are_printed_and_the_exit_code_is_1(run: Any, own_small: Path) -> None:
    (own_small / "pairs-00002.jsonl").unlink()
    assert check(run, own_small, expect=1)["problems"] == ["pairs-00002.jsonl is missing"]
    assert "dataset: pairs-00002.jsonl is missing" in run("validation", "run", own_small, expect=1).stderr


@pytest.mark.parametrize(
    "content",
    ["", "[]", "7", "{", '{"shards": 7}', '{"shards": [7]}', '{"shards": [{}]}', '{"shards": [{"file": 1, "sha256": 2}]}'],
)
def test_a_damaged_manifest_is_reported_in_one_line_with_a_remedy(run_in_process: Any, own_small: Path, content: str) -> None:
    (own_small / "manifest.json").write_text(content)
    code, _, stderr = run_in_process("run", own_small)
    assert code == 2
    assert stderr.count("\n") == 1
    assert "manifest.json" in stderr
    assert "make the dataset again" in stderr


# --------------------------------------------------------------------------------------------------- what can be opened


def test_a_file_is_a_dataset(run: Any, own_small: Path, tmp_path: Path) -> None:
    target = tmp_path / "alone" / "some.jsonl"
    target.parent.mkdir()
    target.write_bytes((own_small / "pairs-00003.jsonl").read_bytes())
    result = check(run, target)
    assert (result["pairs"], result["problems"]) == (10, [])
    assert sorted(path.name for path in target.parent.iterdir()) == [
        "some.jsonl",
        "verdicts-some.json",
        "verdicts-some.jsonl",
    ]


@pytest.mark.parametrize("make", [lambda _: None, lambda path: path.mkdir(), lambda path: (path.mkdir(), (path / "a").touch())])
def test_a_folder_without_pairs_is_an_error(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "folder")
    with pytest.raises(TargetError, match="folder"):
        Dataset.open(tmp_path / "folder")


def test_files_without_lines_have_no_pairs(run: Any, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    assert check(run, tmp_path / "empty.jsonl", "--level", "parse")["pairs"] == 0
    assert json.loads(run("stats", tmp_path / "empty.jsonl", "--json", "--workers", 1).stdout)["statistics"]["pairs"] == 0


# ------------------------------------------------------------------------------------------------------------ verdicts


def test_written_verdicts_can_be_read(own_small: Path) -> None:
    opened = Dataset.open(own_small)
    shard = opened.shards[0]
    assert opened.read_verdicts(shard) == {}
    judges = {"schema": Judge("1", "1.19.0"), "parse": Judge("2", "1.19.0")}
    verdicts = {
        (1, "schema"): Verdict("1", "schema", "pass", "", 0.25),
        (1, "parse"): Verdict("1", "parse", "fail", 'a "reason" — é', 1.5),
    }
    opened.write_verdicts(shard, verdicts, judges)
    assert opened.verdict_file(shard) == own_small / "verdicts-00000.jsonl"
    assert opened.stored_verdicts(shard) == StoredVerdicts(verdicts, judges)
    assert opened.read_verdicts(opened.shards[1]) == {}


@pytest.mark.parametrize(
    "content", ["{", "7\n", '{"id": "1"}\n', "\0\n", '{"id":"1","level":"schema","status":"good","reason":"","ms":0}\n']
)
def test_damaged_verdicts_are_ignored(own_small: Path, content: str) -> None:
    (own_small / "verdicts-00001.jsonl").write_text(content)
    opened = Dataset.open(own_small)
    assert opened.read_verdicts(opened.shards[1]) == {}


def test_a_damaged_verdict_file_is_replaced(run: Any, own_small: Path) -> None:
    (own_small / "verdicts-00001.jsonl").write_text("{")
    result = check(run, own_small)
    assert result["levels"]["parse"] == {"pass": 40}
    assert len(verdicts(own_small / "verdicts-00001.jsonl")) == 20
