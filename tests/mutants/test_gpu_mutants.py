"""The SIMT machine sees each mutant of Warp's headers whose fault only a GPU has."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants.gpu_mutants import MUTANTS, PACKAGE, GpuMutant, machine_difference

DEFAULT = ("reduction: no barrier after the sums of warps", "minimum: the maximum", "atomic add: a plain sum")


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=mutant.name, marks=[] if mutant.name in DEFAULT else pytest.mark.exhaustive)
        for mutant in MUTANTS
    ],
)
def test_the_machine_sees_a_mutant(mutant: GpuMutant, tmp_path: Path) -> None:
    """The machine has a finding or other results than with Warp's headers."""
    assert machine_difference(mutant, tmp_path)


@pytest.mark.parametrize("number", range(len(MUTANTS)))
def test_mutants_edit_one_place(number: int, tmp_path: Path) -> None:
    """Each mutant changes its header."""
    mutant = MUTANTS[number]
    header = tmp_path / mutant.file
    header.write_text((PACKAGE / "native" / mutant.file).read_text(encoding="utf-8"), encoding="utf-8")
    before = header.read_text(encoding="utf-8")
    mutant.apply(tmp_path)
    assert header.read_text(encoding="utf-8") != before
