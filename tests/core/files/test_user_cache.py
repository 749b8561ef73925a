"""Cached files: what was kept is read back, and nothing that is damaged or that others could have written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from warpsmith.core.files.user_cache import VARIABLE, keep, read_cached


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_kept_file_is_read_back(folder: Path) -> None:
    assert read_cached("table-1.bin") is None
    keep("table-1.bin", b"content", 2)
    assert read_cached("table-1.bin") == b"content"
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damaged", [b"", b"short", None])
def test_a_damaged_file_counts_as_none(folder: Path, damaged: bytes | None) -> None:
    keep("table-1.bin", b"content", 2)
    path = folder / "table-1.bin"
    path.write_bytes(path.read_bytes()[:-1] + b"T" if damaged is None else damaged)
    assert read_cached("table-1.bin") is None


def test_a_folder_that_others_can_write_to_is_not_used(folder: Path) -> None:
    keep("table-1.bin", b"content", 2)
    folder.chmod(0o777)
    assert read_cached("table-1.bin") is None
    keep("table-2.bin", b"content", 2)
    assert not (folder / "table-2.bin").exists()


def test_the_files_written_last_stay(folder: Path) -> None:
    for number in range(4):
        keep(f"table-{number}.bin", b"content", 2)
        os.utime(folder / f"table-{number}.bin", (number, number))
    keep("other-0.bin", b"content", 2)
    assert sorted(path.name for path in folder.iterdir()) == ["other-0.bin", "table-2.bin", "table-3.bin"]


@pytest.mark.parametrize("setting", ["", "/dev/null/cache"])
def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv(VARIABLE, setting)
    keep("table-1.bin", b"content", 2)
    assert read_cached("table-1.bin") is None
