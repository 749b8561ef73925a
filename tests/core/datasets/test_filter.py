"""`warpsmith-dataset filter` copies pairs byte for byte, with their verdicts, to a complete dataset."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from made_datasets import BOTH
from warpsmith.core.datasets.conditions import Condition
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.filter import filter_dataset
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.verdict import STATUSES, Verdict

LEVELS = ("schema", "parse", "gradient")
JUDGE = Judge("1", "1.19.0")


@pytest.fixture(scope="module")
def checked(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset with invented verdicts: each status of `gradient` in turn; all pairs pass the earlier levels."""
    folder = tmp_path_factory.mktemp("checked") / "both"
    folder.mkdir()
    for path in dataset.iterdir():
        if path.is_file() and not path.name.startswith("verdicts"):
            (folder / path.name).write_bytes(path.read_bytes())
    opened = Dataset.open(folder)
    for shard in opened.shards:
        verdicts = {}
        for number, identity in enumerate(ids(shard), start=1):
            for level in LEVELS:
                status: Any = "pass" if level != "gradient" else status_of(identity)
                reason = "" if status == "pass" else f"why of {identity}"
                verdicts[number, level] = Verdict(identity, level, status, reason, 1.5)
        opened.write_verdicts(shard, verdicts, dict.fromkeys(LEVELS, JUDGE))
    return folder


def status_of(identity: str) -> str:
    """Return the invented status of a pair; no pair of the third shard passes."""
    number = int(identity.rpartition("-")[2])
    return STATUSES[number % len(STATUSES)] if not 50 <= number < 75 else "fail"


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def raw_lines(folder: Path) -> list[bytes]:
    return [line for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_bytes().splitlines(keepends=True)]


def wanted(folder: Path, statuses: set[str]) -> list[bytes]:
    return [line for line in raw_lines(folder) if status_of(json.loads(line)["id"]) in statuses]


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("options", "statuses"),
    [
        (["--require", "gradient=pass"], {"pass", "not_applicable"}),
        (["--only", "gradient=pass"], {"pass"}),
        (["--only", "gradient=fail"], {"fail"}),
        (["--require", "gradient=fail"], {"fail"}),
        (["--require", "gradient=pass", "--only", "gradient=not_applicable", "--require", "parse=pass"], {"not_applicable"}),
        (["--only", "schema=pass"], set(STATUSES) - {"fail"}),
    ],
)
def test_pairs_that_meet_the_conditions_are_copied(
    run: Any, checked: Path, tmp_path: Path, options: list[str], statuses: set[str]
) -> None:
    before = digests(checked)
    done = run("core", "filter", checked, *options, "-o", tmp_path / "new", "--json")
    expected = wanted(checked, statuses)
    assert 0 < len(expected) <= 100
    assert raw_lines(tmp_path / "new") == expected
    categories = Counter(json.loads(line)["metadata"]["category"] for line in expected)
    assert json.loads(done.stdout) == {
        "pairs": 100,
        "taken": len(expected),
        "categories": dict(sorted(categories.items())),
        "repeated_ids": 0,
        "not_records": 0,
    }
    assert digests(checked) == before


@pytest.fixture(scope="module")
def clean(run: Any, checked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clean") / "deep" / "er"
    run("core", "filter", checked, "--only", "gradient=pass", "-o", folder)
    return folder


def test_the_result_is_a_complete_dataset(run: Any, clean: Path, checked: Path, tmp_path: Path) -> None:
    opened = Dataset.open(clean)
    assert list(opened.problems()) == []
    manifest = json.loads((clean / "manifest.json").read_text())
    source = json.loads((checked / "manifest.json").read_text())
    assert [entry["file"] for entry in manifest["shards"]] == ["pairs-00000.jsonl", "pairs-00001.jsonl", "pairs-00003.jsonl"]
    for entry in manifest["shards"]:
        content = (clean / entry["file"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert (entry["pairs"], entry["bytes"]) == (content.count(b"\n"), len(content))
    categories = Counter(json.loads(line)["metadata"]["category"] for line in raw_lines(clean))
    assert manifest["categories"] == dict(sorted(categories.items()))
    assert sum((Counter(entry["categories"]) for entry in manifest["shards"]), Counter()) == categories
    assert manifest["pairs"] == sum(categories.values()) == 15
    assert manifest["bytes"] == sum(map(len, raw_lines(clean)))
    assert (manifest["versions"], manifest["preambles"]) == (source["versions"], source["preambles"])
    assert (manifest["arguments"]["require"], manifest["arguments"]["only"]) == ([], ["gradient=pass"])
    assert manifest["arguments"]["of"] == {entry["file"]: entry["sha256"] for entry in source["shards"]}
    result = json.loads(run("validation", "run", copied(clean, tmp_path / "copy"), "--level", "schema", "--json").stdout)
    assert (result["problems"], result["pairs"]) == ([], 15)


def test_verdicts_are_kept(clean: Path, checked: Path) -> None:
    opened, source = Dataset.open(clean), Dataset.open(checked)
    for shard in opened.shards:
        kept, all_ = opened.read_verdicts(shard), source.read_verdicts(checked / shard.name)
        assert [number for number, _ in kept] == [number for number in range(1, len(ids(shard)) + 1) for _ in LEVELS]
        by_id = {(verdict.id, level): verdict for (_, level), verdict in all_.items()}
        assert [*kept.values()] == [by_id[identity, level] for identity in ids(shard) for level in LEVELS]


def test_copied_verdicts_are_not_computed_again(run: Any, own_dataset: Path, tmp_path: Path) -> None:
    run("validation", "run", own_dataset, "--level", "parse")
    clean = tmp_path / "clean"
    run("core", "filter", own_dataset, "--require", "parse=pass", "-o", clean)
    stamps = {path: path.stat().st_mtime_ns for path in clean.glob("verdicts-*")}
    result = json.loads(run("validation", "run", clean, "--json").stdout)
    assert (result["levels"]["parse"], result["reused"], result["discarded"]) == ({"pass": 100}, 100, {})
    assert {path: path.stat().st_mtime_ns for path in clean.glob("verdicts-*")} == stamps


def test_the_card_describes_the_selection(clean: Path) -> None:
    card = (clean / "README.md").read_text()
    _, front, body = card.split("---\n", 2)
    assert "data_files: pairs-*.jsonl" in front
    assert "15 pairs" in body
    assert "`gradient=pass`" in body
    checks = body.partition("## Checks")[2]
    categories = body.partition("## Fields")[0]
    assert sum(int(line.split("|")[2]) for line in categories.splitlines() if re.match(r"\| (?!category)", line)) == 15
    assert "| gradient | 15 | 0 | 0 | 0 | 0 | 0 |" in checks


def test_the_card_says_where_the_pairs_come_from(run: Any, own_small: Path, tmp_path: Path) -> None:
    opened = Dataset.open(own_small)
    for shard in opened.shards:
        verdicts = {
            (line.number, "gradient"): Verdict(
                line.identity, "gradient", "not_applicable" if line.number < 4 else "pass", "", 1.0
            )
            for line in read_lines(shard)
        }
        opened.write_verdicts(shard, verdicts, {"gradient": Judge("1", "1.19.0")})
    run("core", "filter", own_small, "--require", "gradient=pass", "-o", tmp_path / "new")
    card = " ".join((tmp_path / "new" / "README.md").read_text().split())
    versions = json.loads((own_small / "manifest.json").read_text())["versions"]
    assert "40 pairs, selected from 40 by their verdicts: `gradient=pass` (12 of these pairs are not applicable" in card
    assert "Licence: Apache-2.0." in card
    for name, version in versions.items():
        assert f"{name} {version}" in card
    assert "Seed: 2000." in card
    assert "warpsmith-synthesize make --count 40 --seed 2000 --device both --backward" in card


def test_a_filter_of_a_filtered_dataset_keeps_the_first_filter(run: Any, clean: Path, tmp_path: Path) -> None:
    first = json.loads((clean / "manifest.json").read_text())
    assert "filters" not in first
    run("core", "filter", clean, "--only", "parse=pass", "-o", tmp_path / "two")
    run("core", "filter", tmp_path / "two", "--require", "schema=pass", "-o", tmp_path / "three")
    second, third = (json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("two", "three"))
    assert second["filters"] == [first["arguments"]]
    assert third["filters"] == [first["arguments"], second["arguments"]]
    assert third["source"] == first["source"]
    card = (tmp_path / "three" / "README.md").read_text()
    assert card.index("filter DIR --only gradient=pass`") < card.index("filter DIR --only parse=pass`")


def test_a_table_is_printed(run: Any, checked: Path, tmp_path: Path) -> None:
    done = run("core", "filter", checked, "--only", "gradient=pass", "-o", tmp_path / "new")
    assert "15 of 100 pairs are in" in done.stdout
    assert done.stderr == "" or "filter: 100/100 lines" in done.stderr


def test_synthesize_does_not_continue_a_filtered_dataset(run: Any, clean: Path) -> None:
    before = digests(clean)
    done = run("synthesis", "make", *BOTH, "-o", clean, "--workers", 1, expect=2)
    assert "error:" in done.stderr
    assert str(clean) in done.stderr.replace("\n", "")
    assert "Traceback" not in done.stderr
    assert digests(clean) == before


def test_no_pair_meets_the_conditions(run: Any, checked: Path, tmp_path: Path) -> None:
    done = run("core", "filter", checked, "--only", "parse=fail", "-o", tmp_path / "new", "--json")
    result = json.loads(done.stdout)
    assert (result["pairs"], result["taken"], result["categories"]) == (100, 0, {})
    assert json.loads((tmp_path / "new" / "manifest.json").read_text())["pairs"] == 0
    assert "holds no pairs-*.jsonl" in run("validation", "run", tmp_path / "new", expect=2).stderr


# ------------------------------------------------------------------------------------------------ repeated calls and errors


def copied(folder: Path, to: Path) -> Path:
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to


def test_the_same_command_finds_its_result(run: Any, checked: Path, tmp_path: Path) -> None:
    command = ("core", "filter", checked, "--only", "gradient=pass", "-o", tmp_path / "new", "--json")
    first = run(*command).stdout
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "new").iterdir()}
    assert run(*command).stdout == first
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "new").iterdir()} == stamps


@pytest.mark.parametrize("options", [["--require", "gradient=pass"], ["--only", "gradient=fail"]])
def test_other_conditions_are_refused(run: Any, checked: Path, tmp_path: Path, options: list[str]) -> None:
    run("core", "filter", checked, "--only", "gradient=pass", "-o", tmp_path / "new")
    before = digests(tmp_path / "new")
    done = run("core", "filter", checked, *options, "-o", tmp_path / "new", expect=2)
    assert "is not an empty folder" in done.stderr
    assert digests(tmp_path / "new") == before


def test_other_verdicts_are_refused(run: Any, checked: Path, tmp_path: Path) -> None:
    """After a new validation with other results, the old result is not returned."""
    copy = copied(checked, tmp_path / "copy")
    command = ("core", "filter", copy, "--only", "gradient=fail", "-o", tmp_path / "new")
    run(*command)
    opened = Dataset.open(copy)
    shard = opened.shards[2]
    verdicts = {key: replace(verdict, status="pass") for key, verdict in opened.read_verdicts(shard).items()}
    opened.write_verdicts(shard, verdicts, dict.fromkeys(LEVELS, JUDGE))
    assert "is not an empty folder" in run(*command, expect=2).stderr


def test_missing_verdicts_are_an_error_that_names_the_command(run: Any, checked: Path, tmp_path: Path) -> None:
    done = run("core", "filter", checked, "--require", "emulate=pass", "-o", tmp_path / "new", expect=2)
    first = ids(checked / "pairs-00000.jsonl")[0]
    assert done.stderr.splitlines()[-1] == (
        f"error: {first} has no verdict of the level 'emulate': run warpsmith-validate run {checked} --level emulate first"
    )
    assert done.stdout == ""


def test_an_unknown_level_is_an_error_that_names_the_levels(run: Any, checked: Path, tmp_path: Path) -> None:
    done = run("core", "filter", checked, "--require", "bogus=pass", "-o", tmp_path / "new", expect=2)
    assert done.stderr.splitlines()[-1].startswith("error: there is no level 'bogus': choose from schema, parse, regenerate, ")


def test_a_single_missing_verdict_is_an_error(checked: Path, tmp_path: Path) -> None:
    copy = copied(checked, tmp_path / "copy")
    opened = Dataset.open(copy)
    shard = opened.shards[1]
    verdicts = opened.read_verdicts(shard)
    (missing,) = (key for key, verdict in verdicts.items() if verdict.id.endswith("-37") and verdict.level == "gradient")
    del verdicts[missing]
    opened.write_verdicts(shard, verdicts, dict.fromkeys(LEVELS, JUDGE))
    with pytest.raises(WarpsmithError, match="-37 has no verdict of the level 'gradient'"):
        filter_dataset(Dataset.open(copy), [Condition("gradient", "pass")], [], tmp_path / "new")


def test_verdicts_of_a_changed_shard_are_ignored(run: Any, own_small: Path, tmp_path: Path) -> None:
    (own_small / "pairs-00003.jsonl").replace(own_small / "alone.jsonl")
    own_small /= "alone.jsonl"
    run("validation", "run", own_small, "--level", "schema", "--workers", 1)
    own_small.write_bytes(own_small.read_bytes().replace(b"wp.tid()", b"wp.tid( )", 1))
    done = run("core", "filter", own_small, "--require", "schema=pass", "-o", tmp_path / "new", expect=2)
    assert "has no verdict of the level 'schema'" in done.stderr


@pytest.mark.parametrize("holds", ["file", "hidden", "itself"])
def test_a_folder_that_is_not_empty_is_refused(run: Any, checked: Path, tmp_path: Path, holds: str) -> None:
    folder = tmp_path / "new"
    if holds == "file":
        folder.write_text("no folder")
    elif holds == "hidden":
        folder.mkdir()
        (folder / ".hidden").write_text("something")
    else:
        folder = checked
    before = digests(checked)
    done = run("core", "filter", checked, "--only", "gradient=pass", "-o", folder, expect=2)
    expected = "is a file: choose another folder" if holds == "file" else "is not an empty folder"
    assert f"{folder} {expected}" in done.stderr.replace("\n", "")
    assert digests(checked) == before


@pytest.mark.parametrize("text", ["gradient", "gradient=", "=pass", "gradient=good", "gradient==pass", ""])
def test_invalid_conditions_are_rejected(text: str) -> None:
    with pytest.raises(WarpsmithError, match="is not LEVEL=STATUS"):
        Condition.read(text)


@pytest.mark.parametrize("status", STATUSES)
def test_valid_conditions_are_read(status: str) -> None:
    assert str(Condition.read(f"emulate={status}")) == f"emulate={status}"


def test_a_full_disk_is_one_line(checked: Path, tmp_path: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
        "from warpsmith.core.commands.dataset import main; main()"
    )
    arguments = ["filter", str(checked), "--only", "gradient=pass", "-o", str(tmp_path / "new")]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "error: cannot write" in done.stderr
    assert "free space" in done.stderr
    assert not list(tmp_path.glob("*new*"))


def test_a_folder_that_cannot_be_made(checked: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(TargetError, match="choose another folder"):
        filter_dataset(Dataset.open(checked), [Condition("gradient", "pass")], [], tmp_path / "file" / "new")


def test_a_file_alone_can_be_filtered(run: Any, checked: Path, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes((checked / "pairs-00000.jsonl").read_bytes())
    run("validation", "run", file, "--level", "schema")
    run("core", "filter", file, "--require", "schema=pass", "-o", tmp_path / "new")
    assert (tmp_path / "new" / "some.jsonl").read_bytes() == file.read_bytes()
    assert json.loads((tmp_path / "new" / "manifest.json").read_text())["pairs"] == 25
