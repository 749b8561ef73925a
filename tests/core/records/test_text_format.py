"""The layout that `text_format` describes is that of the installed Warp."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

from warpsmith.core.records import entry_format, text_format
from warpsmith.core.records.entry_format import has_entry
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

SOURCE = """
import warp as wp

@wp.func
def half(x: wp.float32) -> wp.float32:
    return 0.5 * x

@wp.kernel
def scale(values: wp.array(dtype=wp.float32), factor: wp.float32):
    i = wp.tid()
    while values[i] > 1.0:
        values[i] = half(values[i]) * factor
"""


@pytest.fixture(scope="module")
def codes() -> Any:
    with loaded_kernel(SOURCE) as kernel:
        return extract_ir(kernel, "both").codes


def test_examples() -> None:
    assert doctest.testmod(text_format).failed == 0
    assert doctest.testmod(entry_format).failed == 0


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_names_and_constructs(codes: Any, target: str) -> None:
    code = codes[target]
    for direction, text in zip(text_format.DIRECTIONS, (code.forward_code, code.backward_code), strict=True):
        assert text_format.entry_opening("scale", target, direction) in text
        assert text_format.kernel_opening("scale", target, direction) in text
        assert has_entry(text, "scale", target, direction)
        assert text_format.PYTHON_COMMENT_LINE.search(text)
    assert text_format.SECTION_RULE in code.forward_code
    sections = (text_format.PRIMAL_SECTION, text_format.DUAL_SECTION, text_format.FORWARD_SECTION, text_format.REVERSE_SECTION)
    assert all(section in code.backward_code for section in sections)


def test_kernels_are_found(codes: Any) -> None:
    cpp, cuda = codes["cpu"].forward_code, codes["cuda"].forward_code
    structure, kernel = text_format.ARGUMENT_STRUCT.search(cpp), text_format.CPU_KERNEL.search(cpp)
    assert structure is not None
    assert kernel is not None
    assert (structure[1], kernel["name"], kernel["direction"], kernel["adjoint"]) == ("scale", "scale", "forward", None)
    assert [name for _, name in text_format.STRUCT_FIELD.findall(structure[2])] == ["values", "factor"]
    (parameters,) = text_format.CUDA_PARAMETERS["forward"].findall(cuda)
    assert [line.split()[-1].rstrip(",") for line in parameters.splitlines()] == ["dim", "var_values", "var_factor"]
    lines = [stripped for line in cuda.splitlines() if (stripped := line.strip())]
    start = lines.index(text_format.GRID_STRIDE_LOOP[1]) - 1
    assert tuple(lines[start : start + len(text_format.GRID_STRIDE_LOOP)]) == text_format.GRID_STRIDE_LOOP


def test_loops_and_helpers_are_found(codes: Any) -> None:
    text = codes["cuda"].forward_code
    assert {match[1] for line in text.splitlines() if (match := text_format.BLOCK_LABEL.match(line))} == {"start", "end"}
    assert any(text_format.NEXT_ITERATION.match(line) for line in text.splitlines())
    assert "half_0(" in text
    assert text_format.ARRAY_WRITE.search(text)
    assert not text_format.BLOCK_OPERATION.search(text)


@pytest.mark.parametrize("options", ["grid_stride=False", "launch_bounds=128", "launch_bounds=(128, 2)"])
def test_options_of_a_kernel_change_its_entry(options: str) -> None:
    with loaded_kernel(SOURCE.replace("@wp.kernel", f"@wp.kernel({options})")) as kernel:
        for target, code in extract_ir(kernel, "both").codes.items():
            for direction, text in zip(text_format.DIRECTIONS, (code.forward_code, code.backward_code), strict=True):
                assert has_entry(text, "scale", target, direction)
