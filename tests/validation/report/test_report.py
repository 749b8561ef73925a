"""A report is one reproducible file with the figures of the dataset, which loads and runs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report_datasets import HOSTILE, LEVELS, hostile_dataset, lines_of, write_verdicts
from report_page import Page
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.validation.report.dataset_scan import Entry
from warpsmith.validation.report.page_choice import choose
from warpsmith.validation.report.write import write_report
from warpsmith.validation.statistics.measure import known_statistics


def page_of(folder: Path, measured: dict[str, Any] | None = None, count: int = 20) -> Page:
    return Page(write_report(Dataset.open(folder), measured, LEVELS, count).path.read_text())


@pytest.fixture(scope="module")
def judged(small: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("judged") / "both"
    folder.mkdir()
    for path in small.iterdir():
        if path.is_file() and not path.name.startswith(("verdicts", "stats", "report")):
            (folder / path.name).write_bytes(path.read_bytes())
    return folder, write_verdicts(folder)


@pytest.fixture(scope="module")
def reported(judged: tuple[Path, list[dict[str, Any]]], run: Any) -> tuple[Path, dict[str, Any]]:
    """Return a dataset with its report, and the output of the command."""
    done = run("report", judged[0], "--report-pairs", 12, "--json", "--workers", 1)
    return judged[0], json.loads(done.stdout)


@pytest.mark.exhaustive
def test_the_command_measures_but_does_not_check(reported: tuple[Path, dict[str, Any]]) -> None:
    folder, printed = reported
    content = (folder / "report.html").read_bytes()
    assert printed["report"] == {"path": str(folder / "report.html"), "bytes": len(content), "pairs": 40, "shown": 12}
    assert json.loads((folder / "stats.json").read_text())["pairs"] == 40
    assert "levels" not in printed
    assert "12 of 40 pairs are in this page" in content.decode()


@pytest.mark.exhaustive
def test_reports_are_reproducible(reported: tuple[Path, dict[str, Any]], run: Any) -> None:
    folder, _ = reported
    before, measured = (folder / "report.html").read_bytes(), (folder / "stats.json").stat().st_mtime_ns
    run("report", folder, "--report-pairs", 12, "--workers", 1)
    assert (folder / "report.html").read_bytes() == before
    assert (folder / "stats.json").stat().st_mtime_ns == measured


def test_statistics_of_other_files_are_not_used(reported: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    assert known_statistics(Dataset.open(reported[0])) is not None
    one = tmp_path / "one.jsonl"
    one.write_bytes((reported[0] / "pairs-00000.jsonl").read_bytes())
    assert known_statistics(Dataset.open(one)) is None
    (tmp_path / "stats.json").write_bytes((reported[0] / "stats.json").read_bytes())
    assert known_statistics(Dataset.open(one)) is None
    (tmp_path / "stats.json").write_text("{")
    assert known_statistics(Dataset.open(one)) is None
    digest = hashlib.sha256(one.read_bytes()).hexdigest()
    measured = json.loads((reported[0] / "stats.json").read_text())
    (tmp_path / "stats.json").write_text(json.dumps(measured | {"shards": {"one.jsonl": digest}}))
    assert known_statistics(Dataset.open(one)) is not None
    (tmp_path / "stats.json").write_text(json.dumps([digest]))
    assert known_statistics(Dataset.open(one)) is None


def test_statistics_depend_on_the_content_of_the_shards_not_on_dates(
    reported: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(reported[0], folder)
    os.utime(folder / "stats.json", (0, 0))
    assert known_statistics(Dataset.open(folder)) is not None, "an older date does not make statistics outdated"
    shard = folder / "pairs-00000.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"wp.float32", b"wp.float64"))
    for path in (shard, folder / "stats.json"):
        os.utime(path, (1, 1))
    assert known_statistics(Dataset.open(folder)) is None, "other content of the same size and date does"


def test_figures_equal_those_of_the_lines(reported: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = reported
    text = (folder / "report.html").read_text()
    records = lines_of(folder)
    lists = re.findall(r'<ul class="bars" aria-label="([^"]*)">(.*?)</ul>', text, re.DOTALL)
    pattern = r'class="name">(?:<a href="[^"]*">)?([^<]*)<.*?class="end">([^<]*)<'
    bars = {label: dict(re.findall(pattern, body)) for label, body in lists}
    categories = Counter(record["metadata"]["category"] for record in records)
    assert bars["Pairs by category"] == {name: str(count) for name, count in categories.items()}
    features = Counter(name for record in records for name in set(record["metadata"]["features"]))
    assert bars["Pairs by feature"].items() <= {name: str(count) for name, count in features.items()}.items()
    assert len(bars["Pairs by feature"]) == min(24, len(features))
    others = {name: int(count) for name, count in re.findall(r'feature=[^"]*">([^<]*)</a> <b>([^<]*)</b>', text)}
    assert {**{name: int(count) for name, count in bars["Pairs by feature"].items()}, **others} == features
    measured = json.loads((folder / "stats.json").read_text())
    assert bars["Pairs by builtin"] == {name: str(measured["builtins"]["pairs"][name]) for name in bars["Pairs by builtin"]}
    assert sum(map(int, bars["Pairs by depth of nesting"].values())) == 40
    lines = sorted(record["python_source"].count("\n") for record in records)
    sizes = re.search(r"<figcaption>Python</figcaption>.*?</figure>", text, re.DOTALL)
    assert sizes
    assert re.findall(r"<dd>([^<]*)</dd>", sizes[0])[-1] == str(lines[-1])
    assert len(re.findall("<figcaption>", text)) == 3


def test_verdicts_are_counted_by_level(judged: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, verdicts = judged
    text = write_report(Dataset.open(folder), None, LEVELS, 5).path.read_text()
    rows = {
        name: re.findall(r"<td(?: class=\"none\")?>(?:<a href=\"[^\"]*\">)?([^<]*)<", row)
        for name, row in re.findall(r'<tr><th scope="row">([a-z-]+)</th><td class="wide">(.*?)</tr>', text)
    }
    assert list(rows) == list(LEVELS)
    for level, cells in rows.items():
        mine = [verdict for verdict in verdicts if verdict["level"] == level]
        order = ("pass", "fail", "inconclusive", "not_applicable", "skipped")
        assert int(cells[0]) == len(mine)
        assert [int(cell) for cell in cells[1:6]] == [sum(one["status"] == status for one in mine) for status in order]
        times = [one["ms"] for one in mine if one["status"] in {"pass", "fail", "inconclusive"}]
        assert float(cells[6]) == pytest.approx(statistics.median(times), rel=0.01)
        assert float(cells[7]) == pytest.approx(sum(times) / 1000, abs=0.05)
        assert float(cells[8]) == pytest.approx(1000 * len(times) / sum(times), rel=0.03)


def test_a_pair_is_shown_with_its_texts_and_verdicts(judged: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, verdicts = judged
    page = page_of(folder, count=12)
    records = {record["id"]: record for record in lines_of(folder)}
    assert len({card["id"] for card in page.cards()} & set(records)) == len(page.cards()) == 12
    for number, card in enumerate(page.cards()):
        record, sheet = records[card["id"]], page.sheet(number)
        assert card["verdicts"] == {one["level"]: one["status"] for one in verdicts if one["id"] == card["id"]}
        assert [card[name] for name in ("category", "description")] == [
            record["metadata"][name] for name in ("category", "description")
        ]
        shown = {"Python": sheet["python"]} | {
            f"{code['name']} {direction}": part
            for code in sheet["code"]
            for direction, part in zip("fb", code["parts"], strict=True)
        }
        names = {"Python": "python_source", "C++ f": "cpp_forward", "C++ b": "cpp_backward", "CUDA f": "cuda_ir_forward",
                 "CUDA b": "cuda_ir_backward"}  # fmt: skip
        texts = {key: "\n".join("".join(line[1::2]) for line in part["lines"]) for key, part in shown.items()}
        assert texts == {key: record[name].removesuffix("\n") for key, name in names.items()}


def test_hostile_fields_are_escaped(small: Path, tmp_path: Path) -> None:
    folder = hostile_dataset(tmp_path / "<img src=x onerror=alert(1)>", lines_of(small)[0])
    page = page_of(folder)
    assert page.count("img") == 0
    assert not [name for tag, attributes in page.tags for name in attributes if name.startswith("on")]
    assert page.count("script") == 3
    assert sorted(page.scripts) == ["cards", "run", "sheet-0"]
    assert page.cards()[0]["id"] == f"1{HOSTILE}"
    assert page.cards()[0]["description"] == f"description {HOSTILE}"
    assert any(HOSTILE in text for text in page.text)
    assert not [text for text in page.text if text == "49"]


def test_the_page_loads_nothing_and_runs_one_script(judged: tuple[Path, list[dict[str, Any]]]) -> None:
    text = write_report(Dataset.open(judged[0]), None, LEVELS, 3).path.read_text()
    page = Page(text)
    policy = next(
        attributes["content"] for tag, attributes in page.tags if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        content = text.rpartition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    for tag, attributes in page.tags:
        assert tag not in {"link", "iframe", "object", "embed", "base", "audio", "video", "image"}
        assert not attributes.keys() & {"src", "srcset", "action", "ping", "background"}
        assert (attributes.get("href") or "#").startswith("#")
        assert "style" not in attributes
    assert "@import" not in text
    assert "url(" not in text.partition("<style>")[2].partition("</style>")[0]


def test_a_file_without_manifest_and_statistics_names_what_is_missing(small: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.jsonl"
    first = (small / "pairs-00000.jsonl").read_bytes()
    plain.write_bytes(first + first.splitlines(keepends=True)[0] + b"{}\n")
    page = page_of(plain, count=200)
    text = " ".join(page.text)
    assert "warpsmith-validate run DIR --level gradient" in text
    assert "warpsmith-dataset stats DIR" in text
    assert "no manifest" in text
    assert "1 lines are not pairs" in text
    assert "10 of 11 pairs are in this page" in text  # one id occurs twice
    assert len(page.cards()) == 10


@pytest.mark.sampled(1)
@pytest.mark.parametrize("library", ["jinja2", "pygments.lexers", "matplotlib"])
def test_without_the_extra_the_command_names_it(
    dataset_report: Any, small: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, library, None)
        code, stdout, stderr = dataset_report(small)
    assert (code, stdout) == (2, "")
    assert "a report needs the extra warpsmith-validation[report]: " in stderr
    assert " pip install " in stderr
    assert not (small / "report.html").exists()


def test_a_report_of_no_pairs_is_an_error(dataset_report: Any, small: Path) -> None:
    code, _, stderr = dataset_report(small, "--report-pairs", 0)
    assert code == 2
    assert "1<=x<=2147483647" in stderr


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    places = draw(st.lists(st.tuples(st.integers(0, 40), st.sampled_from("abc")), max_size=40))
    category = dict(reversed(places))
    return [Entry(f"pair-{identity}", category[identity], Path("p"), number) for number, (identity, _) in enumerate(places, 1)]


@given(entries(), st.sets(st.integers(0, 40)), st.integers(1, 30), st.randoms(use_true_random=False))
def test_a_sample_is_balanced_and_starts_with_failures(
    found_entries: list[Entry], numbers: set[int], count: int, random: Any
) -> None:
    failing = {f"pair-{number}" for number in numbers}
    positions = {entry.position for entry in found_entries if entry.identity in failing}
    chosen = choose(found_entries, positions, count)
    names = [entry.identity for entry in chosen]
    categories = {entry.identity: entry.category for entry in reversed(found_entries)}
    assert len(set(names)) == len(names) == min(count, len(categories))
    are_failing = [name in failing for name in names]
    assert are_failing == sorted(are_failing, reverse=True)
    passing = [name for name in categories if name not in failing]
    assert sum(are_failing) <= max(count // 2, count - len(passing))
    assert sum(are_failing) >= min(count // 2, len(categories) - len(passing))
    chosen_counts, available = (
        Counter(categories[name] for name in names if name not in failing),
        Counter(categories[name] for name in passing),
    )
    for category, number in available.items():
        if chosen_counts[category] < number:
            assert chosen_counts[category] >= max(chosen_counts.values()) - 1
    random.shuffle(found_entries)
    assert {entry.identity for entry in choose(found_entries, positions, count)} == set(names)


@given(entries(), st.sets(st.integers(0, 40)), st.integers(1, 30))
def test_judged_pairs_are_preferred(found_entries: list[Entry], numbers: set[int], count: int) -> None:
    first = {entry.identity: entry.position for entry in reversed(found_entries)}
    judged = {first[name] for number in numbers if (name := f"pair-{number}") in first}
    chosen = {entry.position for entry in choose(found_entries, (), count, judged)}
    assert len(chosen) == min(count, len(first))
    assert judged <= chosen or chosen <= judged
