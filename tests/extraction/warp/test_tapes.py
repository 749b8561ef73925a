"""Where a program calls Warp: frames of all packages of warpsmith are left out."""

from __future__ import annotations

from typing import Any

import pytest

import warpsmith
from warpsmith.extraction.warp import tapes


@pytest.mark.parametrize("folder", list(warpsmith.__path__))
def test_frames_of_warpsmith_are_no_place_of_the_program(folder: str) -> None:
    names: dict[str, Any] = {"tapes": tapes}
    exec(compile("def call():\n    return tapes.call_of_program()\n", f"{folder}/other/module.py", "exec"), names)  # noqa: S102
    assert names["call"]().file == __file__
