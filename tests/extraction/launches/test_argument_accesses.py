"""Roles of arguments from generated code agree with what a reader of the Python sees."""

from __future__ import annotations

import numpy as np
import pytest
import warp as wp

import launched_kernels
from warpsmith.extraction import extract_ir
from warpsmith.extraction.launches.argument_accesses import accesses_of
from warpsmith.extraction.launches.code_expressions import Call, Member, Name, parse_expression


@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("name", launched_kernels.ROLES)
def test_the_role_of_every_leaf(name: str, target: str) -> None:
    code = extract_ir(getattr(launched_kernels, name), target, include_backward=False).codes[target]
    accesses = accesses_of(code, target)
    roles = launched_kernels.ROLES[name]
    assert {leaf: accesses.role(leaf) for leaf in roles} == roles


@pytest.mark.exhaustive
def test_an_array_that_a_launch_changes_is_no_input() -> None:
    changed = {"x", "u"}
    values = {name: np.arange(8, dtype=np.float32).reshape(4, 2) for name in "xyzu"}
    arrays = {name: wp.array(value, dtype=float, device="cpu") for name, value in values.items()}
    wp.launch(launched_kernels.views, 4, inputs=list(arrays.values()), device="cpu")
    accesses = accesses_of(extract_ir(launched_kernels.views, "cpu").codes["cpu"], "cpu")
    seen = {name for name, array in arrays.items() if array.numpy().tobytes() != values[name].tobytes()}
    assert changed <= seen
    assert not {name for name in seen if accesses.role(name) == "input"}


def test_expressions_keep_calls_and_members() -> None:
    text = "wp::store(&(wp::index(var_e, var_0).p.component_ref(var_10)), var_7)"
    element = Member(Call("wp::index", (Name("var_e"), Name("var_0"))), "p")
    assert parse_expression(text) == Call("wp::store", (Call("component_ref", (element, Name("var_10"))), Name("var_7")))
    assert parse_expression("wp::tile_load<wp::float32, true, 32>(var_1, -1.5e-5f)") == Call(
        "wp::tile_load", (Name("var_1"), parse_expression("0"))
    )
