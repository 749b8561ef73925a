"""A report of hostile texts: bounded time and size, valid HTML, and no statistics of other programs."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from report_datasets import LEVELS, lines_of
from report_page import Page
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.validation.report import sheets
from warpsmith.validation.report.linemap import python_lines
from warpsmith.validation.report.write import write_report
from warpsmith.validation.sandbox.client import Client
from warpsmith.validation.statistics.measure import known_statistics, measure

Record = dict[str, Any]
ODD = "\x00\x07\x1b[31m\u0085\u202e\u2066\u2028\u200f"


def written(folder: Path, *records: Record) -> Path:
    (folder / "pairs-00000.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return folder


def report_of(folder: Path, measured: Any = None) -> Page:
    return Page(write_report(Dataset.open(folder), measured, LEVELS, 20).path.read_text())


def text_of(lines: list[list[str]]) -> str:
    return "\n".join("".join(line[1::2]) for line in lines)


@pytest.fixture
def record(small: Path) -> Record:
    return json.loads(json.dumps(lines_of(small)[0]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("python_source", " \n" * 40_000),
        ("python_source", "x = 1\n" * 100_000),
        ("cpp_forward", 'R"(' * 30_000),
        ("cpp_forward", "/*\n" * 60_000),
        ("cuda_ir_forward", f"// a <L {'9' * 5000}>\n"),
        ("cuda_ir_forward", "// def a():   <L 7>\n" * 12_000),
        ("cpp_backward", "a::" * 90_000 + "\n{" * 1000),
    ],
)
def test_slow_texts_are_shown_soon(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, field: str, text: str
) -> None:
    monkeypatch.setattr(sheets, "SHEET_SECONDS", 1.0)
    record[field] = text
    start = time.monotonic()
    sheet = report_of(written(tmp_path, record)).sheet(0)
    assert time.monotonic() - start < 12.0
    shown = sheet["python"] if field == "python_source" else sheet["code"]["cuda" in field]["parts"]["backward" in field]
    assert text.startswith(text_of(shown["lines"]))
    assert len(text_of(shown["lines"])) > min(len(text), 299_000) - 2


def test_a_sheet_whose_worker_is_killed_is_made_again(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undisturbed = report_of(written(tmp_path, record)).sheet(0)
    answer, killed = Client.answer, []

    def kill_first(client: Client, seconds: float) -> Any:
        if not killed and client.is_running and client.process is not None:
            killed.append(client.process.pid)
            os.kill(client.process.pid, signal.SIGKILL)
        return answer(client, seconds)

    monkeypatch.setattr(Client, "answer", kill_first)
    assert report_of(tmp_path).sheet(0) == undisturbed
    assert len(killed) == 1


def test_without_a_worker_texts_are_plain_and_the_page_says_so(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "MAX_FAILURES", 0)
    sheet = report_of(written(tmp_path, record)).sheet(0)
    assert sheet["note"] == sheets.FAILED
    assert text_of(sheet["python"]["lines"]) == record["python_source"].removesuffix("\n")


def test_what_a_worker_answers_is_checked() -> None:
    for text in (None, 7, "</script>", "aaa"):
        with pytest.raises(ValueError, match="not a sheet"):
            sheets._checked(text)
    assert sheets._checked("YWFh") == "YWFh"


def test_control_characters_are_visible_and_the_page_is_valid(record: Record, tmp_path: Path) -> None:
    record["id"] = record["metadata"]["category"] = record["metadata"]["description"] = f"a{ODD}</script>"
    record["metadata"]["features"] = [ODD]
    record["python_source"] += f"# {ODD}\n"
    record["cpp_forward"] += f"// {ODD}\n"
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\x1b"))
    folder.mkdir()
    path = write_report(Dataset.open(written(folder, record)), None, LEVELS, 3).path
    text = path.read_bytes().decode()
    assert not [character for character in text if not character.isprintable() and character != "\n"]
    page = Page(text)
    assert page.cards()[0]["id"].startswith("a\\x00\\x07\\x1b[31m")
    sheet = page.sheet(0)
    for lines in (sheet["python"]["lines"], sheet["code"][0]["parts"][0]["lines"]):
        assert "\\x00\\x07\\x1b[31m\\x85\\u202e\\u2066\\u2028\\u200f" in text_of(lines)


def test_many_names_do_not_break_the_page(record: Record, tmp_path: Path) -> None:
    record["metadata"]["features"] = [f"feature{number}" for number in range(200_000)]
    others = []
    for number in range(2_000):
        other = {**record, "id": f"3-2000-{number}", "metadata": {**record["metadata"], "features": ["f" * 100_000]}}
        other["metadata"]["category"] = f"category{number}"
        others.append({**other, "cpp_forward": "x", "cpp_backward": "x", "cuda_ir_forward": "x", "cuda_ir_backward": "x"})
    folder = written(tmp_path, {**record, "id": "i" * 100_000}, *others[:300])
    page = report_of(folder)
    text = " ".join(page.text)
    assert "and 201 others" in text
    assert "199,977 more" in text
    assert "and 199,001 others" in text
    assert (folder / "report.html").stat().st_size < 1_000_000
    assert max(len(card["features"]) for card in page.cards()) <= 61


@pytest.mark.parametrize(
    "foreign",
    [
        lambda path, _: path.mkdir(),
        lambda path, _: os.mkfifo(path),
        lambda path, _: path.symlink_to(path),
        lambda path, _: path.symlink_to("/dev/zero"),
        lambda path, _: path.write_text("[" * 100_000),
        lambda path, _: path.write_text('{"pages": 7}'),
        lambda path, _: path.write_bytes(b"\xff\xfe"),
        lambda path, good: path.write_text(json.dumps(good | {"pairs": "many"})),
        lambda path, good: path.write_text(json.dumps(good | {"pairs": -1})),
        lambda path, good: path.write_text(json.dumps(good | {"pairs": 10**30})),
        lambda path, good: path.write_text(json.dumps(good | {"builtins": []})),
        lambda path, good: path.write_text(json.dumps(good | {"syntax": {"kinds": {}, "nesting": {"deep": 1}}})),
        lambda path, good: path.write_text(
            json.dumps(good | {"builtins": good["builtins"] | {"saturation": [good["builtins"]["saturation"][0]] * 5000}})
        ),
        lambda path, good: path.write_text(json.dumps(good | {"shards": {}})),
    ],
)
def test_foreign_statistics_are_not_used(
    own_small: Path, good: dict[str, Any], capsys: pytest.CaptureFixture[str], foreign: Callable[[Path, Any], object]
) -> None:
    path = own_small / "stats.json"
    path.unlink(missing_ok=True)  # of another test on the same dataset
    foreign(path, good)
    assert known_statistics(Dataset.open(own_small)) is None
    shown = capsys.readouterr().err
    assert shown.endswith(": measuring again\n")
    assert shown.count("\n") == 1


@pytest.fixture(scope="module")
def good(small: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the statistics of `small`."""
    folder = tmp_path_factory.mktemp("measured")
    for path in small.glob("pairs-*.jsonl"):
        (folder / path.name).write_bytes(path.read_bytes())
    measured = dict(measure(Dataset.open(folder), 1))
    assert known_statistics(Dataset.open(folder)) == measured
    return measured


def test_the_line_map_takes_linear_time() -> None:
    start = time.monotonic()
    generated = ["{", *["// def a():   <L 7>"] * 20_000]
    python_lines(generated, ["def b():"] * 20_000 + ["def a():"])
    assert time.monotonic() - start < 2.0
