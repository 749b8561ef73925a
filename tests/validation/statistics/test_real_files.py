"""Folders of real code are parsed, never imported, and files that cannot be parsed are counted."""

from __future__ import annotations

import json
from pathlib import Path

from warpsmith.core.similarity.tokens import MAX_CHARACTERS
from warpsmith.validation.statistics.real_files import measure_files, merge, python_files, read_file, unread

KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef {0}(x: wp.array(dtype=float)):\n    x[0] = 1.0\n"


def test_python_files_below_a_folder_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.py", "a/c.py", "a/d.txt", ".git/e.py", "a/.venv/f.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder.py").mkdir()
    assert python_files([tmp_path, tmp_path / "a" / "d.txt"]) == [tmp_path / name for name in ("a/c.py", "b.py", "a/d.txt")]


def test_files_that_are_not_python_are_counted(tmp_path: Path) -> None:
    contents = {
        "one.py": KERNEL.format("one").encode(),
        "bom.py": b"\xef\xbb\xbf" + KERNEL.format("bom").replace("\n", "\r\n").encode(),
        "latin.py": "# é\n".encode("latin-1"),
        "broken.py": b"def f(:\n",
        "zero.py": b"x = 1\0",
        "deep.py": b"x = " + b"(" * 100_000,
        "empty.py": b"",
        "effect.py": f"import pathlib; pathlib.Path({str(tmp_path / 'ran')!r}).touch()\n".encode(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    lines = [line for path in python_files([tmp_path]) if (line := read_file(path)) is not None]
    measured = measure_files(lines)
    assert (measured["files"], measured["unread_files"], measured["realism"]["kernels"]) == (8, 4, 2)
    assert measured["realism"]["texts"][0] == KERNEL.format("bom").partition("\n\n\n")[2]
    assert not (tmp_path / "ran").exists()
    assert merge([measure_files(lines[:3]), json.loads(json.dumps(measure_files(lines[3:]))), unread([])]) == measured


def test_files_that_are_too_long_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_bytes(b"#" * (MAX_CHARACTERS + 1))
    assert read_file(tmp_path / "long.py") is None
    assert read_file(tmp_path / "missing.py") is None
    assert merge([unread([1, 2])])["unread_files"] == 2
