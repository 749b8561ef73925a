"""Atomic writes: a file is complete or absent, even on a full disk."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from warpsmith.core.errors import TargetError
from warpsmith.core.files.atomic import replacing, write_atomic

FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from warpsmith.core.errors import TargetError
from warpsmith.core.files.atomic import write_atomic
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


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "none" / "deeper" / "x"
    write_atomic(path, b"content")
    assert path.read_bytes() == b"content"


@pytest.mark.parametrize(("target", "reason"), [("file/x", "Not a directory|File exists"), ("n" * 300, "File name too long")])
def test_only_a_full_disk_asks_for_space(tmp_path: Path, target: str, reason: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TargetError, match=f"cannot write .*({reason}); choose another folder"):
        write_atomic(tmp_path / target, b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def bind_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(path))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda path: path.mkdir(), "a folder"),
        (os.mkfifo, "a FIFO"),
        (bind_socket, "a socket"),
        (lambda path: path.symlink_to("elsewhere"), "a link"),
        (lambda path: path.symlink_to(path.name), "a link"),
        (lambda path: path.symlink_to("/dev/null"), "a link"),
    ],
    ids=["folder", "FIFO", "socket", "dangling link", "looping link", "link to a device"],
)
def test_only_regular_files_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object], kind: str
) -> None:
    monkeypatch.chdir(tmp_path)  # the paths of sockets are short
    path = Path("file")
    make(path)
    mode = path.lstat().st_mode
    with pytest.raises(TargetError, match=f"file is {kind}, not a file"):
        write_atomic(path, b"content")
    assert path.lstat().st_mode == mode
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_device_is_not_replaced() -> None:
    with pytest.raises(TargetError, match="/dev/null is a device"):
        write_atomic(Path("/dev/null"), b"content")
    with pytest.raises(TargetError, match="cannot write"):
        write_atomic(Path("/proc/self/new"), b"content")


def test_an_error_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
