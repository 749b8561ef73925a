"""A failing unit is compiled again in parts until every error has a text, also if the compiler's log names no text."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.core.records.ir import Code
from warpsmith.validation.compiling.batch import CompileError, compile_parts, first_error
from warpsmith.validation.compiling.part import UnitPart


def parts_named(*keys: str) -> list[UnitPart]:
    return [UnitPart(key, "cpu", Code("k", "", None)) for key in keys]


def test_a_log_without_names() -> None:
    compiled = []

    def compile_unit(parts: Sequence[UnitPart]) -> None:
        compiled.append([part.key for part in parts])
        if any(part.key == "K1" for part in parts):
            raise CompileError("error: a message without a location")

    assert compile_parts(parts_named("K0", "K1", "K2"), compile_unit) == {"K1": "error: a message without a location"}
    assert compiled == [["K0", "K1", "K2"], ["K0"], ["K1"], ["K2"], ["K0", "K2"]]


def test_parts_that_compile_alone_but_not_together_have_no_error() -> None:
    kept = []

    def compile_unit(parts: Sequence[UnitPart]) -> None:
        if {"K1", "K3"} <= {part.key for part in parts}:
            raise CompileError("K3:1:1: error: K1 has opened a brace\n")

    parts = parts_named("K0", "K1", "K2", "K3", "K4")
    assert compile_parts(parts, compile_unit, lambda unit: kept.append([part.key for part in unit])) == {}
    assert kept == [["K0", "K1", "K2"], ["K3", "K4"]]


def test_a_limit_that_all_parts_exceed_together() -> None:
    compiled = []

    def compile_unit(parts: Sequence[UnitPart]) -> None:
        compiled.append(len(parts))
        if len(parts) > 1:
            raise CompileError("fatal error: a limit was exceeded\n")

    assert compile_parts(parts_named("K0", "K1", "K2", "K3"), compile_unit) == {}
    assert len(compiled) == 11  # the whole, each alone once, two halves, and the units of the result


def test_each_unit_of_the_result_is_kept_once() -> None:
    kept = []

    def compile_unit(parts: Sequence[UnitPart]) -> None:
        if any(part.key == "K2" for part in parts):
            raise CompileError("K2:3:4: error: no\nK0:1:1: note: not an error\n")

    parts = parts_named("K0", "K1", "K2", "K3")
    assert list(compile_parts(parts, compile_unit, lambda unit: kept.append([part.key for part in unit]))) == ["K2"]
    assert kept == [["K0", "K1", "K3"]]
    assert first_error("nothing to see") == "the compiler gave no message"
