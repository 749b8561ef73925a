"""Two texts are the same code if only quoted Python, numbers of functions and names of outer functions differ."""

from __future__ import annotations

import pytest

from warpsmith.extraction.same_code import same_code

TEXT = """// kernel.py:5
static void step_0(
    wp::float32 var_x)
{
    // return x * 2.0                 <L 5>
    var_0 = wp::mul(var_x, var_1);
}
static void adj_step_0(
    wp::float32 & adj_x)
{ }
struct wp_args_k {
    wp::float32 x;
};
static void k_cpu_kernel_forward(
    struct wp_args_k *_wp_args)
{ step_0(var_2); }
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// kernel.py:5", "// /elsewhere/kernel.py:17"),
        ("return x * 2.0                 <L 5>", "return 2.0 * x <L 99>"),
        ("step_0", "step_3"),
        ("step_0", "outer__locals__step_0"),
        ("wp_args_k", "wp_args_outer__locals__k"),
    ],
)
def test_differences_that_are_ignored(old: str, new: str) -> None:
    other = TEXT.replace(old, new)
    if "locals" in new:
        other = TEXT.replace("adj_step_0", "adj_outer__locals__step_0").replace(" step_0", " outer__locals__step_0")
        other = other.replace("wp_args_k", "wp_args_outer__locals__k").replace(" k_cpu", " outer__locals__k_cpu")
    assert other != TEXT
    assert same_code(TEXT, other)


@pytest.mark.parametrize(
    ("old", "new"),
    [("mul", "add"), ("var_1)", "var_2)"), ("float32", "float64"), ("{ step_0", "{ other_0"), ("adj_step_0", "adj_step_1")],
)
def test_differences_that_count(old: str, new: str) -> None:
    assert old in TEXT
    assert not same_code(TEXT, TEXT.replace(old, new, 1))


def test_none_is_equal_to_none_only() -> None:
    assert same_code(None, None)
    assert not same_code(TEXT, None)
    assert not same_code(None, TEXT)
