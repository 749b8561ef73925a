"""Folders for temporary files: empty at the start, gone at the end, and used by one run at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpsmith.core.errors import TargetError
from warpsmith.core.files.new_folder import scratch


def test_a_folder_is_removed_at_the_end_and_after_an_error(tmp_path: Path) -> None:
    with scratch(tmp_path / "out") as folder:
        (folder / "rows").write_bytes(b"1")
        assert folder.parent == tmp_path
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TargetError):
        fail_inside(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def fail_inside(output: Path) -> None:
    with scratch(output) as folder:
        (folder / "rows").write_bytes(b"1")
        raise TargetError("a full disk")


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".out.scratch"
    left.mkdir()
    (left / "rows").write_bytes(b"1")
    with scratch(tmp_path / "out") as folder:
        assert folder == left
        assert not (folder / "rows").exists()


def test_a_second_run_is_an_error(tmp_path: Path) -> None:
    with (
        scratch(tmp_path / "out"),
        pytest.raises(TargetError, match="another run is at work on"),
        scratch(tmp_path / "out"),
    ):
        pass
