"""A kernel that no file contains is explained in one line; other errors keep their traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from warpsmith.extraction.codegen.unsaved import EXPLANATION

IMPORTS = "import warp as wp\nfrom warpsmith.extraction import extract_ir\n"
KERNEL = "@wp.kernel\ndef scale(x: wp.array(dtype=float)):\n    x[wp.tid()] = 2.0\n\n"
PROGRAM = f"{IMPORTS}{KERNEL}print(extract_ir(scale).forward_code)\n"


def run(*arguments: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], input=stdin, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="from Python 3.13 on, the source of such a program is found")
def test_a_program_of_the_command_line_is_explained() -> None:
    done = run("-c", PROGRAM)
    assert (done.returncode, done.stderr) == (1, f"{EXPLANATION}\n")


def test_a_program_on_stdin_is_explained() -> None:
    done = run("-", stdin=PROGRAM)
    assert (done.returncode, done.stderr) == (1, f"{EXPLANATION}\n")


def test_the_same_program_in_a_file_works(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert "scale_cpu_kernel_forward" in run(tmp_path / "program.py").stdout


@pytest.mark.parametrize("error", ["RuntimeError('exec() is not supported')", "ValueError('exec()')"])
def test_other_errors_keep_their_traceback(error: str) -> None:
    stderr = run("-c", f"{IMPORTS}raise {error}").stderr
    assert "Traceback" in stderr
    assert EXPLANATION not in stderr
