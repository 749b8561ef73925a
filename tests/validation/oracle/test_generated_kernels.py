"""Generated kernels are supported, give the results of Warp, and reveal swapped operators."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from oracle_kernels import run_with_warp
from warpsmith.core.inputs.values import make_inputs
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.synthesis.writing.sample import Sample
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


def samples(first: int, count: int) -> list[Sample]:
    """Return generated kernels; ten consecutive kernels have ten categories."""
    return [write_kernel(KernelKey(2000, index)) for index in range(first, first + count)]


def test_generated_kernels_of_all_categories() -> None:
    chosen = samples(40, 10)
    assert len({sample.category for sample in chosen}) == 10
    unsupported = []
    for sample in chosen:
        values = make_inputs(sample.launch, sample.id)
        try:
            results = interpret(sample.source, sample.kernel_name, sample.launch, values)
        except Unsupported as reason:
            unsupported.append((sample.id, str(reason)))
            continue
        expected = run_with_warp(sample.source, sample.kernel_name, sample.launch, values)
        assert disagreement(results, expected) is None, sample.source
    assert len(unsupported) <= 1, unsupported


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [2000, 2001, 2002, 2003])
def test_nearly_every_generated_kernel_is_supported(seed: int) -> None:
    unsupported: list[tuple[str, str]] = []
    for index in range(0, 490, 10):
        sample = write_kernel(KernelKey(seed, index + seed % 10))
        values = make_inputs(sample.launch, sample.id)
        before = {name: array.copy() for name, array in values.items()}
        try:
            results = interpret(sample.source, sample.kernel_name, sample.launch, values)
        except Unsupported as reason:
            unsupported.append((sample.id, str(reason)))
            continue
        kinds = ("array", "indexed_array")
        arrays = {argument.name: argument for argument in sample.launch.args if argument.kind in kinds}
        for pack in sample.launch.args:
            if pack.kind == "struct":
                arrays |= {f"{pack.name}.{member.name}": member for member in pack.fields if member.kind == "array"}
        assert results.keys() == arrays.keys()
        for name, array in results.items():
            assert (array.shape, array.dtype) == (values[name].shape, values[name].dtype)
            assert np.array_equal(values[name], before[name])
            assert np.array_equal(array, before[name]) or arrays[name].role != "input", (sample.id, name)
    assert len(unsupported) <= 2, unsupported


def test_nearly_all_kernels_of_other_categories_are_supported() -> None:
    """Two kernels of each category; those whose results Warp leaves open are the exception."""
    categories = [one.name for one in all_categories() if one not in core_categories()]
    unsupported = []
    for name in categories:
        for index in (0, 1):
            sample = write_kernel(KernelKey(2000, index, category=name))
            values = make_inputs(sample.launch, sample.id)
            block = int(str(dict(sample.options).get("block_dim", BLOCK)))
            try:
                interpret(sample.source, sample.kernel_name, sample.launch, values, block=block)
            except Unsupported as reason:
                unsupported.append((sample.id, str(reason)))
    assert len(unsupported) <= len(categories) // 10, unsupported


SWAPS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


def operators(tree: ast.AST) -> list[ast.BinOp]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and type(node.op) in SWAPS]


def swap_operator(text: str, number: int) -> str:
    """Return the source with one operator swapped."""
    tree = ast.parse(text)
    node = operators(tree)[number]
    node.op = SWAPS[type(node.op)]()
    return ast.unparse(tree)


@pytest.mark.parametrize("swaps", [16, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_a_swapped_operator_changes_the_result(swaps: int) -> None:
    """At most so many operators of each kernel, evenly spaced."""
    seen, hidden = 0, []
    for sample in samples(140, 12):
        values = make_inputs(sample.launch, sample.id)
        right = interpret(sample.source, sample.kernel_name, sample.launch, values)
        count = len(operators(ast.parse(sample.source)))
        for number in sorted({index * count // swaps for index in range(swaps)} if count > swaps else range(count)):
            broken = swap_operator(sample.source, number)
            try:
                results = interpret(broken, sample.kernel_name, sample.launch, values)
            except Unsupported:
                continue  # no longer an integer index, or an operation that the types do not support
            if all(np.array_equal(results[name], right[name]) for name in right):
                continue  # the operator has no effect, for example in a branch that is not taken
            if disagreement(results, right):
                seen += 1
            else:
                hidden.append((sample.id, number))
    assert seen > 40
    assert len(hidden) <= seen // 50, hidden


def test_a_swapped_operator_differs_from_warp() -> None:
    (sample,) = samples(40, 1)
    values = make_inputs(sample.launch, sample.id)
    expected = run_with_warp(sample.source, sample.kernel_name, sample.launch, values)
    broken = swap_operator(sample.source, 0)
    assert disagreement(interpret(broken, sample.kernel_name, sample.launch, values), expected)
