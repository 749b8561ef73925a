"""Many texts are compiled as one unit, and an error names only its own text."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.warp.compiler_log import Log
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.batch import CompileError
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import plain
from warpsmith.validation.levels.context import BatchContext

TARGETS = ("cpu", "cuda")

COUNT = 20


def change(part: UnitPart, direction: str, old: str, new: str) -> UnitPart:
    """Return `part` with the last `old` in one of its texts replaced."""
    name = f"{direction}_code"
    before, found, after = getattr(part.code, name).rpartition(old)
    assert found, f"{part.key} has no {old!r}"
    return replace(part, code=replace(part.code, **{name: before + new + after}))


DEEP = "wp::length_sq(wp::vec_t<3, int*>());"
"""A statement whose error is reported in a header, where a product of two pointers is three templates deep."""

DAMAGES: dict[str, tuple[Callable[[UnitPart], UnitPart], str, str]] = {
    # error: (damage, text in clang's message, text in NVRTC's message)
    "syntax": (lambda part: change(part, "forward", ");\n", ")\n"), "expected ';'", 'expected a ";"'),
    "unknown name": (
        lambda part: change(part, "backward", "wp::", "wp::undefined_name_"),
        "undefined_name_",
        "undefined_name_",
    ),
    "deep in a template": (
        lambda part: change(part, "forward", "// forward\n", f"// forward\n{DEEP}\n"),
        "invalid operands",
        "must have arithmetic",
    ),
    "wrong type": (
        lambda part: change(part, "forward", "// forward\n", '// forward\nint nothing = "text";\n'),
        "cannot initialize",
        "cannot be used to initialize",
    ),
    "an unbalanced brace": (lambda part: change(part, "backward", "// reverse", "if (true) } {"), "error", "error"),
}
"""Damages of one text of a unit."""


def parts_of(lines: Sequence[Line], target: str, count: int = COUNT) -> list[UnitPart]:
    context = BatchContext(Path())
    found = [context.unit_part(line, target) for line in lines[:count]]
    return [part for part in found if part is not None]


@pytest.fixture(scope="module")
def check(scratch: Path) -> Callable[[Sequence[UnitPart]], dict[str, str]]:
    """Return a function that returns the errors of the compiler for the target of the parts, by key."""

    def errors(parts: Sequence[UnitPart]) -> dict[str, str]:
        if parts[0].target == "cuda":
            return nvrtc.check_parts(parts, scratch)
        library = Library("cpp", parts, scratch)
        for part in parts:
            if part.key not in library.errors:
                assert library.address(part, "forward")
                assert library.address(part, "backward")
        library.close()
        return library.errors

    return errors


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", TARGETS)
def test_errors_name_their_texts(lines: list[Line], check: Any, target: str) -> None:
    good = parts_of(lines, target)
    assert len(good) == COUNT
    assert check(good) == {}
    damages = list(DAMAGES.values())
    bad = [damages[position // 4][0](part) if position % 4 == 1 else part for position, part in enumerate(good)]
    errors = check(bad)
    assert sorted(errors) == sorted(part.key for part in good[1::4])
    for number, part in enumerate(good[1::4]):
        assert damages[number][1 + TARGETS.index(target)] in errors[part.key]
        assert part.key not in errors[part.key], "messages must not contain internal names"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("culprit", [0, 2, 4])
def test_a_brace_too_few_or_too_many(lines: list[Line], check: Any, target: str, culprit: int) -> None:
    """Level parse counts brackets; if it misses one, the next text is not reported."""
    good = parts_of(lines, target, 5)
    for old, new in (("}\n", "\n"), ("}\n", "}\n}\n")):
        bad = [change(part, "backward", old, new) if position == culprit else part for position, part in enumerate(good)]
        assert list(check(bad)) == [good[culprit].key]


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", TARGETS)
def test_texts_that_conflict_with_each_other(lines: list[Line], check: Any, target: str) -> None:
    """Two C functions have the same name; each compiles alone, and no text is reported."""
    good = parts_of(lines, target, 5)
    kinds = {1: "int", 3: "float"}
    clashing = [
        change(part, "forward", "\n", f'\nextern "C" {kinds[position]} warpsmith_clash(int);\n') if position in kinds else part
        for position, part in enumerate(good)
    ]
    assert check([clashing[1]]) == check([clashing[3]]) == {}
    assert check(clashing) == {}


@pytest.mark.parametrize("target", TARGETS)
def test_equal_names_in_two_texts(lines: list[Line], check: Any, target: str) -> None:
    """Kernels, structs and helper functions with equal names do not conflict."""
    part = parts_of(lines, target, 1)[0]
    assert check([part, replace(part, key="K7"), replace(part, key="K8")]) == {}


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_wheel", lambda: None)


def needs_wheel() -> None:
    if nvrtc._wheel() is None:
        pytest.skip("the extra nvrtc is not installed")


@pytest.mark.exhaustive
def test_the_wheel_and_the_compiler_inside_warp_agree(
    lines: list[Line], scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_wheel()
    good = parts_of(lines, "cuda", 12)
    damages = list(DAMAGES.values())
    texts = [damages[position // 2 % 5][0](part) if position % 2 else part for position, part in enumerate(good)]
    of_wheel = [nvrtc.check_parts([part], scratch) for part in texts]
    monkeypatch.setattr(nvrtc, "_wheel", lambda: None)
    of_warp = [nvrtc.check_parts([part], scratch) for part in texts]
    assert of_wheel == of_warp
    assert [bool(errors) for errors in of_wheel] == 6 * [False, True]


@pytest.mark.exhaustive
@pytest.mark.usefixtures("no_wheel")
def test_without_the_wheel_warp_compiles(lines: list[Line], scratch: Path) -> None:
    good = parts_of(lines, "cuda", 4)
    bad = [good[0], DAMAGES["unknown name"][0](good[1]), *good[2:]]
    errors = nvrtc.check_parts(bad, scratch)
    assert list(errors) == [good[1].key]
    assert "undefined_name_" in errors[good[1].key]
    assert nvrtc.check_binary(good[0], 80, scratch) is None
    assert "undefined_name_" in (nvrtc.check_binary(bad[1], 80, scratch) or "")


@pytest.mark.parametrize("missing", ["cuda", "cuda.bindings", "cuda.bindings.nvrtc"])
def test_a_missing_wheel_is_not_used(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in [name for name in sys.modules if name == "cuda" or name.startswith("cuda.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert nvrtc._wheel.__wrapped__() is None


@pytest.mark.exhaustive
@pytest.mark.parametrize("arch", nvrtc.BINARY_ARCHS)
def test_binaries_find_errors_that_the_front_end_does_not(lines: list[Line], scratch: Path, arch: int) -> None:
    """The text is correct CUDA with an unknown assembler instruction."""
    (part,) = parts_of(lines, "cuda", 1)
    odd = change(part, "forward", "// forward\n", '// forward\nasm volatile("bogus.instruction;");\n')
    assert nvrtc.check_binary(part, arch, scratch) is None
    log = nvrtc.check_binary(odd, arch, scratch)
    assert log is not None
    assert "bogus" in log
    if nvrtc._wheel() is not None:
        assert nvrtc.check_parts([odd], scratch) == {}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "message",
    ["Catastrophic error: unable to obtain mapped memory", "unit(1): catastrophic error: unable to obtain mapped memory"],
)
def test_a_precompiled_header_whose_addresses_are_in_use(
    lines: list[Line], scratch: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    compile_ = nvrtc._compile

    def fail_with_header(text: str, options: Sequence[str]) -> None:
        if "--pch" in options:
            raise CompileError(message)
        compile_(text, options)

    monkeypatch.setattr(nvrtc, "_compile", fail_with_header)
    good, bad = parts_of(lines, "cuda", 2)
    assert list(nvrtc.check_parts([good, DAMAGES["syntax"][0](bad)], scratch)) == [bad.key]


def test_a_unit_that_fails_leaves_the_precompiled_header(lines: list[Line], scratch: Path) -> None:
    (part,) = parts_of(lines, "cpu", 1)
    Library("cpp", [part], scratch).close()
    (header,) = scratch.glob("headers_256.pch")
    before = header.stat()
    library = Library("cpp", [DAMAGES["syntax"][0](part)], scratch)
    assert list(library.errors) == [part.key]
    library.close()
    after = header.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)
    assert not list(scratch.glob("warpsmith_*.o"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", TARGETS)
def test_other_block_sizes(lines: list[Line], check: Any, target: str) -> None:
    (part,) = parts_of(lines, target, 1)
    asserting = change(part, "forward", "\n", "\nstatic_assert(WP_TILE_BLOCK_DIM == 64);\n")
    small = replace(asserting, options=(("block_dim", 64),))
    assert (part.block_dim, small.block_dim) == (256, 64)
    assert "WP_TILE_BLOCK_DIM 64" in plain([small])
    assert check([small]) == {}
    assert "static" in check([asserting])[part.key]


@pytest.mark.usefixtures("tile_headers")
def test_one_library_with_several_block_sizes(lines: list[Line], scratch: Path) -> None:
    one, two = parts_of(lines, "cpu", 2)
    small = replace(change(two, "forward", "\n", "\nstatic_assert(WP_TILE_BLOCK_DIM == 32);\n"), options=(("block_dim", 32),))
    library = Library("cpp", [one, small], scratch)
    assert library.errors == {}
    assert library.address(one, "forward") != library.address(small, "forward") != 0
    library.close()


def test_a_text_without_backward_has_no_backward_entry(lines: list[Line], scratch: Path) -> None:
    (part,) = parts_of(lines, "cuda", 1)
    forward = replace(part, code=replace(part.code, backward_code=None))
    library = Library("emulated", [forward, replace(part, key="K9")], scratch)
    assert library.errors == {}
    assert library.address(forward, "forward", "_grid")
    assert library.address(forward, "backward", "_grid") == 0
    assert library.address(replace(part, key="K9"), "backward", "_grid")
    library.close()


def test_output_of_compilers_is_captured(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.write(1, b"before ")
    with Log(tmp_path) as log:
        os.write(1, b"inside ")
        os.write(2, b"as well \xff")
    os.write(1, b"after")
    assert capfd.readouterr().out == "before after"
    assert "inside" in log.text()
    assert "as well" in log.text()
