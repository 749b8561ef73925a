"""The corpus of hostile records and folders, tried with every command among harmless pairs."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hostile import folders, launches, lines, loading, matching, native, python, sources, texts
from hostile.folder_trials import folder_problems, make_dataset
from hostile.harness import COMMANDS, Alone, alone, problems
from hostile.row import Row, Setting
from warpsmith.validation.allowlist.kernel_file import source_violation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

TABLES = {
    "python": python.ROWS,
    "loading": loading.ROWS,
    "matching": matching.ROWS,
    "native": native.ROWS,
    "texts": texts.ROWS,
    "launches": launches.ROWS,
    "lines": lines.ROWS,
    "sources": sources.rows(),
}
EVERY = [row for rows in TABLES.values() for row in rows]

REPRESENTATIVE = """
    json_two_records json_surrogate id_escapes metadata_category_markup twice_good_and_bad twice_bad_and_good
    launch_of_one_name text_with_a_constructor annotation_named method_iter hidden_by_form_feed string_closes_the_kernel
    function_of_text array_of_a_neighbour
""".split()
"""One record of each type of attack that takes little time; all of them take many minutes."""

REPRESENTATIVE_FOLDERS = "shard_pipe manifest_with_a_path verdicts_of_another_shard filter_to_pipe".split()

CHUNK = 20


def chunks() -> list[tuple[str, int]]:
    """Return the table and the first row of each chunk of rows."""
    return [(name, start) for name, rows in TABLES.items() for start in range(0, len(rows), CHUNK)]


def assert_no_problems(rows: Sequence[Row], good: Alone, root: Path, commands: Sequence[str], seconds: float) -> None:
    root.mkdir()
    found = [str(problem) for problem in problems(rows, good, root, commands, seconds)]
    assert found == []


def test_the_corpus_is_complete() -> None:
    names = [row.name for row in EVERY] + [row.name for row in folders.ROWS]
    assert len(EVERY) >= 150
    assert len(set(names)) == len(names)
    assert all(row.attempts for row in (*EVERY, *folders.ROWS))


@pytest.mark.parametrize("row", [*python.ROWS, *loading.ROWS, *matching.ROWS, *texts.STRINGS], ids=lambda row: row.name)
def test_hostile_python_is_refused_before_it_is_loaded(row: Row) -> None:
    source = json.loads(row.content(Setting(Path("/nowhere"), ())))["python_source"]
    assert row.level != "parse" or _refusal(source)


def _refusal(source: str) -> str | None:
    try:
        return source_violation(source, ast.parse(source))
    except SyntaxError as error:
        return str(error)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    return alone(tmp_path_factory.mktemp("alone"), count=3, commands=("validate",))


@pytest.fixture(scope="module")
def twenty(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    return alone(tmp_path_factory.mktemp("alone"))


@pytest.mark.exhaustive
def test_representative_records_among_harmless_ones(good: Alone, tmp_path: Path) -> None:
    rows = [row for row in EVERY if row.name in REPRESENTATIVE]
    assert_no_problems(rows, good, tmp_path / "root", ("validate", "filter", "export", "stats", "report"), 120.0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("table", "start"), chunks())
def test_all_records_among_harmless_ones(table: str, start: int, twenty: Alone, tmp_path: Path) -> None:
    assert_no_problems(TABLES[table][start : start + CHUNK], twenty, tmp_path / "root", COMMANDS, 1800.0)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_dataset(tmp_path_factory.mktemp("checked"))


def test_representative_folders(checked: Path, tmp_path: Path) -> None:
    rows = [replace(row, commands=("filter",)) for row in folders.ROWS if row.name in REPRESENTATIVE_FOLDERS]
    found = [f"{row.name}: {problem}" for row in rows for problem in _of_first(row, checked, tmp_path)]
    assert found == []


def _of_first(row: folders.FolderRow, checked: Path, root: Path) -> list[str]:
    return [str(problem) for problem in folder_problems(row, checked, root / "root", 60.0)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("row", folders.ROWS, ids=lambda row: row.name)
def test_all_folders(row: folders.FolderRow, checked: Path, tmp_path: Path) -> None:
    assert _of_first(row, checked, tmp_path) == []
