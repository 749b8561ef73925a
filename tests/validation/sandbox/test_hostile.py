"""The table in `hostile` lists every file of its folder, with the violation that the allowlist reports."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.validation.sandbox.allowlist import violation

FOLDER = Path(__file__).with_name("hostile")

_spec = importlib.util.spec_from_file_location("hostile_corpus", FOLDER / "corpus.py")
assert _spec is not None
assert _spec.loader is not None
corpus = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = corpus  # dataclasses look up their module
_spec.loader.exec_module(corpus)


def test_the_table_lists_the_folder() -> None:
    assert sorted(one.name for one in corpus.CORPUS) == sorted(
        path.stem for path in FOLDER.glob("*.py") if path.stem != "corpus"
    )


@pytest.mark.parametrize("hostile", corpus.CORPUS, ids=lambda hostile: hostile.name)
def test_the_table_describes_the_source(hostile: corpus.Hostile) -> None:
    assert len(hostile.attempts) > 10
    assert (hostile.source("elsewhere") != hostile.source()) == hostile.marker
    assert violation(ast.parse(hostile.source())) == hostile.violation


NATIVE = [one for one in (*corpus.WHEN_COMPILED, *corpus.WHEN_RUN) if one.extractable]


@pytest.mark.parametrize("hostile", NATIVE, ids=lambda hostile: hostile.name)
def test_warp_generates_text_for_native_attacks(hostile: corpus.Hostile) -> None:
    with loaded_kernel(hostile.source("elsewhere")) as kernel:  # only the compiled code is hostile
        assert "hostile" in extract_ir(kernel).forward_code
