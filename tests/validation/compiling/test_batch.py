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


def test_a_log_without_names_and_no_part_that_fails_alone() -> None:
    def compile_unit(parts: Sequence[UnitPart]) -> None:
        if len(parts) > 1:
            raise CompileError("fatal error: a limit was exceeded\n")

    message = "only together with others: fatal error: a limit was exceeded"
    assert compile_parts(parts_named("K0", "K1"), compile_unit) == {"K0": message, "K1": message}


def test_the_last_compilation_is_the_result() -> None:
    done = []

    def compile_unit(parts: Sequence[UnitPart]) -> None:
        if any(part.key == "K2" for part in parts):
            raise CompileError("K2:3:4: error: no\nK0:1:1: note: not an error\n")
        done.append([part.key for part in parts])

    assert list(compile_parts(parts_named("K0", "K1", "K2", "K3"), compile_unit)) == ["K2"]
    assert done == [["K0", "K1", "K3"]]
    assert first_error("nothing to see") == "the compiler gave no message"
