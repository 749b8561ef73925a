"""Atomic writes: a file is complete or absent, even on a full disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import write_atomic

FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import write_atomic
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomic(Path(sys.argv[1]), b"new" * 1000)
except TargetError as error:
    print(error)
"""


def test_new_content_replaces_old(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"first", b"second", b""):
        write_atomic(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")
    done = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=True)
    assert "free space or choose another folder" in done.stdout
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path / "none" / "x", tmp_path / "file" / "x"):
        with pytest.raises(TargetError, match="choose another folder"):
            write_atomic(target, b"content")
