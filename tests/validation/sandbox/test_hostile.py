"""The table in `hostile` lists every file of its folder, with the violation that the allowlist reports."""

from __future__ import annotations

import ast

import pytest

from hostile.table import CORPUS, HERE, WHEN_COMPILED, WHEN_RUN, Hostile
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.validation.allowlist.kernel_file import violation


def test_the_table_lists_the_folder() -> None:
    assert sorted(one.name for one in CORPUS) == sorted(path.stem for path in HERE.glob("*.py"))


@pytest.mark.parametrize("hostile", CORPUS, ids=lambda hostile: hostile.name)
def test_the_table_describes_the_source(hostile: Hostile) -> None:
    assert len(hostile.attempts) > 10
    assert (hostile.source("elsewhere") != hostile.source()) == hostile.marker
    assert violation(ast.parse(hostile.source())) == hostile.violation


NATIVE = [one for one in (*WHEN_COMPILED, *WHEN_RUN) if one.extractable]


@pytest.mark.parametrize("hostile", NATIVE, ids=lambda hostile: hostile.name)
def test_warp_generates_text_for_native_attacks(hostile: Hostile) -> None:
    with loaded_kernel(hostile.source("elsewhere")) as kernel:  # only the compiled code is hostile
        assert "hostile" in extract_ir(kernel).forward_code
