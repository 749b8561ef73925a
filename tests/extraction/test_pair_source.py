"""The Python of a pair: names that are taken, attributes that projects give functions, aliases, and options of decorators."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import pytest
import warp as wp
from warp import fem

from warpsmith.core.records.text_format import LINE_COMMENT
from warpsmith.extraction import extract_pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.source.standalone import standalone_source
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.validation.allowlist.kernel_file import violation


def undecorated(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    for k in range(4):
        out[k] = x[k]


def test_options_that_the_decorator_does_not_take_are_left_out() -> None:
    """The modules of `warp.fem` set ``max_unroll`` for kernels."""
    kernel = wp.Kernel(undecorated, options={"max_unroll": 2, "enable_backward": False}, module=wp.get_module("undecorated"))
    pair = extract_pair(kernel, device="cpu")
    assert "@wp.kernel(enable_backward=False)\ndef undecorated(" in pair.python_source
    assert not pair.metadata.has_backward


def kernel_of_size(n: int) -> Any:
    """Return a kernel whose decorator has an option that the closure computes."""

    @wp.kernel(module=f"sweep_{n}")
    def sweep(x: wp.array(dtype=float), out: wp.array(dtype=float)):
        row = wp.tile_load(x, shape=n)
        wp.tile_store(out, row * 2.0)

    return sweep


def test_options_that_a_closure_computes_are_not_copied() -> None:
    """Pairs have no other options than literals: level `parse` fails ``module=f"sweep_{n}"``."""
    pair = extract_pair(kernel_of_size(8), device="cpu")
    assert "@wp.kernel\ndef sweep(" in pair.python_source
    assert violation(ast.parse(pair.python_source)) is None


@wp.func
def halved(x: float):
    return 0.5 * x


def kernel_with_crowded_names() -> Any:
    """Return a kernel whose function ``helper.value`` has no free name: ``value`` and ``helper_value`` are variables."""

    class helper:  # noqa: N801 - the name of a variable
        value = halved

    @wp.kernel
    def crowded(x: wp.array(dtype=float), out: wp.array(dtype=float)):
        helper_value = x[wp.tid()]
        value = helper.value(helper_value)
        out[wp.tid()] = value

    return crowded


def test_a_function_of_an_object_has_a_name_that_no_variable_has() -> None:
    pair = extract_pair(kernel_with_crowded_names(), device="cpu")
    assert "value = helper_value_2(helper_value)" in pair.python_source


@wp.func
def doubled_half(x: float):
    return 2.0 * x


def kernel_with_attributes_of_a_function(function: Any) -> Any:
    @wp.kernel
    def wrapped(x: wp.array(dtype=float), out: wp.array(dtype=float)):
        out[wp.tid()] = function(function.wrappers.half(x[wp.tid()]))

    return wrapped


def test_attributes_that_a_project_gives_a_function() -> None:
    """`warp.fem` keeps structs that its kernels construct in attributes of functions."""
    doubled_half.wrappers = SimpleNamespace(half=halved)
    pair = extract_pair(kernel_with_attributes_of_a_function(doubled_half), device="cpu")
    assert "= function(half(x[wp.tid()]))" in pair.python_source


@wp.kernel
def with_a_function_of_a_class(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[wp.tid()] = fem.Field.evaluated(fem.average.averaged(x[wp.tid()]))


def test_functions_that_are_added_to_objects_of_installed_modules_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fem.Field, "evaluated", halved, raising=False)
    monkeypatch.setattr(fem.average, "averaged", doubled_half, raising=False)
    pair = extract_pair(with_a_function_of_a_class, device="cpu")
    assert "= evaluated(averaged(x[wp.tid()]))" in pair.python_source
    assert "fem" not in pair.python_source


Index = int


@wp.kernel
def with_an_alias(x: wp.array(dtype=Index)):
    x[wp.tid()] = Index(2.5)


def test_an_alias_of_a_builtin_type_is_an_assignment() -> None:
    pair = extract_pair(with_an_alias, device="cpu")
    assert "\nIndex = int\n" in pair.python_source
    assert "builtins" not in pair.python_source


IMPORTED = """import warp as wp
from warp.types import matrix as make_matrix, vector


@wp.kernel
def k(x: wp.array(dtype=float)):
    m = make_matrix(shape=(2, 2), dtype=float)
    v = vector(length=2, dtype=float)
    m[0, 0] = x[0]
    v[1] = m[0, 0]
    x[1] = v[1]
"""


def test_functions_of_private_modules_are_imported_from_the_public_ones() -> None:
    with loaded_kernel(IMPORTED) as kernel:
        expected = _without_comments(kernel)
        text = standalone_source(kernel)
    assert "from warp.types import matrix as make_matrix\n" in text
    assert "from warp.types import vector\n" in text
    with loaded_kernel(text) as again:
        assert _without_comments(again) == expected


def _without_comments(kernel: Any) -> list[str]:
    codes = extract_ir(kernel, "both").codes.values()
    return [LINE_COMMENT.sub("", str(text)) for code in codes for text in (code.forward_code, code.backward_code)]


# warpsmith: intended
@wp.func
def marked_above(x: float):
    return wp.max(x, 0.0)


@wp.func_grad(marked_above)
def adj_marked_above(x: float, adj_ret: float):  # warpsmith: intended
    wp.adjoint[x] += adj_ret


# warpsmith: intended


@wp.func
def unmarked(x: float):
    return x


@wp.kernel
def uses_marked(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    out[wp.tid()] = marked_above(x[wp.tid()]) + unmarked(x[wp.tid()])


def test_the_comment_of_intended_adjoints_is_kept() -> None:
    source = extract_pair(uses_marked, device="cpu").python_source
    assert source.count("# warpsmith: intended") == 2
    assert "# warpsmith: intended\n@wp.func\ndef marked_above(" in source
    assert "adj_ret: float):  # warpsmith: intended\n" in source
