"""The order of rows: the list of a release, apart from the files that contain the rows."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import asdict

from warpsmith.synthesis.kernel_key import IN_WORK, STATED_VERSION
from warpsmith.synthesis.writing.catalogue.idea_checks import check_files
from warpsmith.synthesis.writing.catalogue.idea_files import all_folders, read_domain, rows_of
from warpsmith.synthesis.writing.catalogue.row_order import ORDER, write_order

DATA = """array values: float32 -1.0..1.0 | values | a value of each element
array results: float32 | results | the result of each element
size n: 24..80 | num_elements | number of elements
index i: n | i tid | element

"""
TWICE = "helper twice\n    def twice(x: float):\n        return x + x\n\n"
FOURFOLD = "helper fourfold\n    def fourfold(x: float):\n        return 2.0 * @twice(x)\n\n"
SCALE = """idea scale
names: scale
purpose: scale each value
categories: arithmetic
    {results}[$i] = @fourfold({values}[$i])

"""
COPY = SCALE.replace("scale", "copy").replace("@fourfold({values}[$i])", "{values}[$i]")


def write(folder: Path, **files: str) -> Path:
    """Write a domain whose files have these texts, and no others; its list stays."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.ideas"):
        path.unlink()
    for name, text in files.items():
        (folder / f"{name}.ideas").write_text(text)
    return folder


def test_released_rows_keep_their_order_in_other_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "elements", all=DATA + TWICE + FOURFOLD + SCALE + COPY)
    write_order([row for row, _ in rows_of(folder)], folder)
    assert (folder / ORDER).read_text() == "idea scale\nidea copy\nhelper twice\nhelper fourfold\n"
    released = read_domain(folder)
    write(folder, a=COPY + FOURFOLD, b=SCALE, c=TWICE + DATA)
    moved = read_domain(folder)
    assert list(map(asdict, moved.ideas)) == list(map(asdict, released.ideas))
    assert moved.helpers == released.helpers
    assert check_files(folder.glob("*.ideas")) == []


def test_other_rows_follow_in_the_order_of_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "elements", later=DATA + COPY)
    write_order([row for row, _ in rows_of(folder)], folder)
    write(folder, first=SCALE + COPY.replace("idea copy", "idea copy_again"), later=DATA + COPY)
    assert [idea.key for idea in read_domain(folder).ideas] == ["copy", "scale", "copy_again"]


def test_a_domain_includes_a_file_of_another_one(tmp_path: Path) -> None:
    write(tmp_path / "elements", data=DATA, ideas=COPY)
    folder = write(tmp_path / "others", ideas=f"include elements/data\n\n{COPY}")
    domain = read_domain(folder)
    assert [row.key for row in domain.parameters] == ["values", "results", "n"]
    assert check_files(tmp_path.glob("*/*.ideas")) == []


def test_the_lists_are_those_of_the_released_catalogue(tmp_path: Path) -> None:
    for folder in all_folders():
        listed = (folder / ORDER).read_text()
        write_order([row for row, _ in rows_of(folder)], tmp_path)
        present = (tmp_path / ORDER).read_text()
        assert present == listed or STATED_VERSION.endswith(IN_WORK)


def test_a_released_helper_may_call_a_new_one(tmp_path: Path) -> None:
    folder = write(tmp_path / "elements", all=DATA + FOURFOLD.replace("@twice(x)", "(x + x)") + SCALE)
    write_order([row for row, _ in rows_of(folder)], folder)
    write(folder, all=DATA + FOURFOLD + TWICE + SCALE)
    assert [helper.key for helper in read_domain(folder).helpers] == ["twice", "fourfold"]


def test_a_helper_that_occurs_twice_is_read_twice(tmp_path: Path) -> None:
    folder = write(tmp_path / "elements", all=DATA + TWICE + SCALE.replace("@fourfold", "@twice"))
    write_order([row for row, _ in rows_of(folder)], folder)
    write(folder, all=DATA + TWICE + TWICE + SCALE.replace("@fourfold", "@twice"))
    assert [row.key for row, _ in rows_of(folder) if row.kind == "helper"] == ["twice", "twice"]
