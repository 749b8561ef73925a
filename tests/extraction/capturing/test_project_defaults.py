"""`warpsmith-extract --run` takes the settings of the project in the working directory where the command line has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.capturing.capture_command import CapturedProgram
from warpsmith.extraction.cli import cli
from warpsmith.extraction.launches.launch_limits import DEFAULT_LIMITS

pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[CapturedProgram]:
    """Return the programs that the command would run in an empty folder."""
    received: list[CapturedProgram] = []

    def run(program: CapturedProgram, *_: Any) -> int:
        received.append(program)
        return 0

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(CapturedProgram, "run", run)
    return received


def start(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("sys.argv", ["warpsmith-extract", *words])
    cli.main(list(words), standalone_mode=False)


def test_the_command_line_wins(monkeypatch: pytest.MonkeyPatch, programs: list[CapturedProgram], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.warpsmith]\nonly = ["sim"]\nper-kernel = 7\ncopy-mib = 2\n')
    start(monkeypatch, "--run", "script.py", "--only", "of_the_script")
    start(monkeypatch, "--only", "other", "--per-kernel", "3", "--run", "script.py")
    assert [(one.only, one.limits.launches, one.limits.total_bytes) for one in programs] == [
        (("sim",), 7, 2 << 20),
        (("other",), 3, 2 << 20),
    ]


def test_without_settings_the_defaults_hold(monkeypatch: pytest.MonkeyPatch, programs: list[CapturedProgram]) -> None:
    start(monkeypatch, "--run", "script.py")
    assert (programs[0].only, programs[0].limits) == ((), DEFAULT_LIMITS)


def test_an_unknown_key_is_an_error(monkeypatch: pytest.MonkeyPatch, programs: list[CapturedProgram], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.warpsmith]\nperkernel = 7\n")
    with pytest.raises(WarpsmithError, match="did you mean 'per-kernel'"):
        start(monkeypatch, "--run", "script.py")
    assert programs == []
