"""Two texts are the same code if only quoted Python, numbers of functions and names of outer functions differ."""

from __future__ import annotations

import pytest

from warpsmith.core.records.ir import Code
from warpsmith.extraction.codegen.same_code import same_code


def same_text(left: str, right: str) -> bool:
    return same_code(Code("k", left, None), Code("k", right, None))


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
    assert same_text(TEXT, other)


@pytest.mark.parametrize(
    ("old", "new"),
    [("mul", "add"), ("var_1)", "var_2)"), ("float32", "float64"), ("{ step_0", "{ other_0"), ("adj_step_0", "adj_step_1")],
)
def test_differences_that_count(old: str, new: str) -> None:
    assert old in TEXT
    assert not same_text(TEXT, TEXT.replace(old, new, 1))


def test_backward_code_is_compared_too() -> None:
    adjoint = "static void adj_step_0(\n    x)\n{ }\n"
    both = Code("k", TEXT, adjoint)
    assert same_code(both, Code("k", TEXT.replace("step_0", "step_3"), adjoint.replace("step_0", "step_3")))
    assert not same_code(both, Code("k", TEXT.replace("step_0", "step_3"), adjoint))
    assert not same_code(both, Code("k", TEXT, None))
    assert not same_code(Code("k", TEXT, None), both)


BOTH = """struct Body_0a1b
{
    wp::vec_t<3, wp::float32> position;
};
static CUDA_CALLABLE void adj_Body_0a1b(wp::vec_t<3, wp::float32> const&) { }
static wp::float32 length_0(
    Body_0a1b & var_b)
{ return Body_0a1b(var_b); }
static wp::float32 length_1(
    wp::float32 var_x)
{ return length_0(var_x); }
"""


def test_structures_and_functions_may_have_other_names() -> None:
    other = BOTH.replace("Body_0a1b", "made_Body_77ff").replace("length_1", "other_length_0")
    assert same_text(BOTH, other)
    swapped = BOTH.replace("length_0", "length_9").replace("length_1", "length_0").replace("length_9", "length_1")
    assert same_text(BOTH, swapped)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("length_1", "length_0"),  # two functions become one
        ("return length_0(", "return length_1("),  # another function of the same text
        ("adj_Body_0a1b(", "adj_Body_0a1c("),
        ("return Body_0a1b(", "return Body_0a1c("),
        ("position", "velocity"),
        ("static CUDA_CALLABLE void adj_Body_0a1b", "static CUDA_CALLABLE void replay_Body_0a1b"),
    ],
)
def test_a_renaming_is_one_to_one(old: str, new: str) -> None:
    assert old in BOTH
    assert not same_text(BOTH, BOTH.replace(old, new))
    assert not same_text(BOTH.replace(old, new), BOTH)


def test_the_quoted_python_of_an_assertion_is_no_code() -> None:
    text = 'assert(((void)"assert cfg.LIMIT < x, \\"big\\"",var_1));'
    assert same_text(text, text.replace("cfg.LIMIT", "LIMIT"))
    assert not same_text(text, text.replace("var_1", "var_2"))


def test_names_in_equal_lines_keep_their_meaning() -> None:
    definitions = "void a_0(\n)\nvoid a_1(\n)\n"
    swapped = "void a_1(\n)\nvoid a_0(\n)\n"
    assert same_text(f"{definitions}a_0(x);", f"{swapped}a_1(x);")
    assert not same_text(f"{definitions}a_0(x);", f"{swapped}a_0(x);")
    assert not same_text(f"{definitions}a_0(x);\na_0(y);", f"{swapped}a_1(x);\na_0(y);")
