"""CUDA texts whose statements NVRTC accepts one by one compile as a whole, too; the others are compiled for their errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.calls.cuda_statements import CudaStatements
from warpsmith.validation.calls.statement_table import Signature
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.batch import CompileError
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import opening
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels import compile as compile_level

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

FLOAT = "wp::float32"
RIGHT = {
    "sum": Signature("$ = wp::add($, $)", (FLOAT, f"const {FLOAT}", FLOAT)),
    "condition": Signature("if $", (f"const {FLOAT}", "bool")),
    "coordinate": Signature("$ = builtin_tid1d()", ("wp::int32", "wp::launch_bounds_t<1>", "size_t")),
    "type": "wp::vec_t<3,wp::float32>",
}
WRONG = {
    "no such function": Signature("$ = wp::add_up($, $)", (FLOAT, FLOAT, FLOAT)),
    "a constant that changes": Signature("$ = wp::add($, $)", (f"const {FLOAT}", FLOAT, FLOAT)),
    "two types": Signature("$ = wp::add($, $)", (FLOAT, FLOAT, "wp::vec_t<3,wp::float32>")),
    "no such type": "wp::vector_of_three",
    "a function of the CPU": Signature("wp::vprintf($, $)", (FLOAT, FLOAT)),
}


def test_wrong_statements_are_identified_in_one_unit(scratch: Path) -> None:
    statements = CudaStatements(opening("cuda"), lambda text: nvrtc.compile_unit_text(text, scratch))
    texts = {name: frozenset({subject}) for name, subject in (RIGHT | WRONG).items()}
    assert statements.accepted(texts) == RIGHT.keys()
    assert statements.accepted({"both": texts["sum"] | texts["two types"], "right": texts["sum"]}) == {"right"}


def test_statements_are_compiled_once() -> None:
    compiled: list[str] = []
    statements = CudaStatements(opening("cuda"), compiled.append)
    texts = {name: frozenset({subject}) for name, subject in RIGHT.items()}
    assert statements.accepted(texts) == statements.accepted(texts) == RIGHT.keys()
    assert len(compiled) == 1


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[UnitPart]:
    """Return the CUDA texts that are compiled as a whole."""
    found: list[UnitPart] = []
    check_parts = nvrtc.check_parts

    def recorded(parts: Sequence[UnitPart], scratch: Path) -> dict[str, str]:
        found.extend(parts)
        return check_parts(parts, scratch)

    monkeypatch.setattr(nvrtc, "check_parts", recorded)
    return found


def test_few_texts_are_compiled_as_a_whole(lines: list[Line], run_levels: Callable[..., Any], compiled: list[UnitPart]) -> None:
    assert {finding.status for finding in run_levels(lines[:20], "compile")["compile"]} == {"pass"}
    assert len(compiled) <= 4


def test_accepted_texts_compile_as_a_whole(
    lines: list[Line], run_levels: Callable[..., Any], compiled: list[UnitPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_level, "SHARE", 1)
    assert {finding.status for finding in run_levels(lines[:8], "compile")["compile"]} == {"pass"}
    assert len(compiled) == 8


def test_a_text_that_nvrtc_rejects_despite_its_statements_is_no_verdict(
    lines: list[Line], run_levels: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reject(parts: Sequence[UnitPart], _: Path) -> dict[str, str]:
        return {part.key: "error: rejected" for part in parts}

    monkeypatch.setattr(compile_level, "SHARE", 1)
    monkeypatch.setattr(nvrtc, "check_parts", reject)
    with pytest.raises(MachineProblem, match=r"accepts the statements of .* but not its text"):
        run_levels(lines[:3], "compile")


def test_a_statement_that_nvrtc_alone_rejects_is_an_error_of_the_text(
    lines: list[Line], run_levels: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_unit_text = nvrtc.compile_unit_text

    def without_loads(text: str, scratch: Path) -> None:
        before, load, _ = text.partition("= wp::load(")
        if load:
            key = before.rpartition('#line 1 "')[2].partition('"')[0]
            raise CompileError(f"{key}(1): error: no loads")
        compile_unit_text(text, scratch)

    monkeypatch.setattr(nvrtc, "compile_unit_text", without_loads)
    loading = [line for line in lines if line.pair and "= wp::load(" in (line.pair.cuda_ir_forward or "")][:2]
    findings = run_levels(loading, "compile")["compile"]
    assert [(finding.status, "cuda: " in finding.reason and "no loads" in finding.reason) for finding in findings] == [
        ("fail", True),
        ("fail", True),
    ]
