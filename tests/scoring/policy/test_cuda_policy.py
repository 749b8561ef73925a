"""The allow list for CUDA text: attacks are refused, Warp's texts and honest variants of them are accepted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.kept import kept
from scoring.policy.corpus import BACKWARD, FORWARD, HELPER, REFUSED, Edit, Question, question, questions, samples
from scoring.policy.honest import ACCEPTED
from warpsmith.core import Pair
from warpsmith.scoring.policy.cuda_policy import check_cuda
from warpsmith.scoring.policy.lexer import MAX_LENGTH
from warpsmith.scoring.policy.violation import Violation

TOKENS = (
    *(
        "asm",
        "static",
        "#define f g",
        "&",
        "*",
        "&&",
        "->",
        "::",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "'",
        '"',
        "\\",
        "/*",
        "//",
    ),
    *(
        "goto",
        "this",
        "operator",
        "wp",
        "wp::",
        "wp::array_t<wp::float32>",
        "struct S_1 {",
        "extern",
        "nullptr",
        "=",
        ";",
        ",",
        ":",
    ),
    *(
        ".shape",
        ".data",
        "var_0",
        "threadIdx",
        "static_cast<",
        "1e",
        "0x",
        "\x00",
        "é",
        "??=",
        "%:",
        "const",
        "for (",
        "if",
        "do",
    ),
)


@pytest.mark.parametrize("edit", REFUSED, ids=lambda edit: edit.name)
def test_attacks_are_refused_with_their_line(edit: Edit) -> None:
    """Each message is one line that begins with a line number of the text and names the cause."""
    changed = edit.apply()
    with pytest.raises(Violation, match=re.escape(edit.words)) as error:
        check_cuda(changed.text, changed.entry_point, changed.reference)
    line = re.fullmatch(r"line (\d+): .+", str(error.value))
    assert line is not None
    assert 1 <= int(line[1]) <= changed.text.count("\n") + 1


@pytest.mark.parametrize("edit", ACCEPTED, ids=lambda edit: edit.name)
def test_honest_edits_are_accepted(edit: Edit) -> None:
    changed = edit.apply()
    check_cuda(changed.text, changed.entry_point, changed.reference)


def test_the_tables_are_large_enough_and_their_names_differ() -> None:
    assert len(REFUSED) >= 40
    assert len({edit.name for edit in REFUSED}) == len(REFUSED)


@pytest.mark.parametrize("identity", sorted(samples()))
def test_samples_are_accepted(identity: str) -> None:
    _check_all(samples()[identity])


@pytest.mark.exhaustive
@pytest.mark.parametrize("categories", ["core", "all"])
def test_generated_texts_are_accepted(categories: str) -> None:
    from warpsmith.synthesis import pairs  # noqa: PLC0415 - the samples need no generator

    refused = []
    for pair, _ in zip(pairs(seed=7, categories=categories), range(300), strict=False):
        try:
            _check_all(pair)
        except Violation as violation:
            refused.append(f"{pair.id}: {violation}")
    assert len(refused) <= (6 if categories == "all" else 0)
    assert all(map(NOT_OFFERED.search, refused)), refused


NOT_OFFERED = re.compile(r"'(printf|wp::Mesh|wp::tile_stack_alloc)'")
"""What no answer may contain: output, the members of a mesh behind a handle, and stacks in memory that a block shares."""


def _check_all(pair: Pair) -> None:
    asked = questions(pair)
    assert len(asked) == 1 + (pair.cuda_ir_backward is not None)
    for each in asked:
        check_cuda(each.text, each.entry_point, each.reference)


def rename(text: str) -> str:
    """Return a text with other names for variables and labels, but the same parameters of its kernel."""
    return re.sub(r"\blabel(\d+)\b", r"reverse_\1", re.sub(r"\bvar_(\d+)\b", r"value\1_of", text))


def strip_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def join_lines(text: str) -> str:
    return re.sub(r"\s+", " ", strip_comments(text))


def write_operators(text: str) -> str:
    """Return a text that adds, subtracts and multiplies with operators."""
    for name, operator in (("add", "+"), ("sub", "-"), ("mul", "*")):
        text = re.sub(rf"= wp::{name}\((\w+), (\w+)\);", rf"= \1 {operator} \2;", text)
    return text


def declare_late(text: str) -> str:
    """Return a text whose declarations are in the reverse order."""
    blocks = re.compile(r"((?:^        (?:const )?(?:wp::float32|wp::int32|bool) var_\d+(?: = \S+)?;\n)+)", re.MULTILINE)
    return blocks.sub(lambda found: "".join(reversed(found[1].splitlines(keepends=True))), text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("variant", [rename, strip_comments, join_lines, write_operators, declare_late])
def test_variants_of_samples_are_accepted(variant: Callable[[str], str]) -> None:
    changed = 0
    for pair in samples().values():
        for each in questions(pair):
            text = variant(each.text)
            changed += text != each.text
            check_cuda(text, each.entry_point, each.reference)
    assert changed > 50


def test_the_adjoint_may_use_the_functions_of_the_forward_text() -> None:
    asked = questions(kept(12))[1]
    called = asked.text.replace("var_0 = builtin_tid1d();", "var_0 = builtin_tid1d(); compute_dist_0(1.0);", 1)
    check_cuda(called, asked.entry_point, asked.reference)
    with pytest.raises(Violation, match="'compute_dist_0' is not allowed"):
        check_cuda(called, asked.entry_point, asked.text)


@pytest.mark.parametrize("text", ["", "// nothing", "struct S_1 { int n; };"])
def test_a_text_without_the_kernel_is_refused(text: str) -> None:
    asked = question(FORWARD)
    with pytest.raises(Violation, match="defined 0 times"):
        check_cuda(text, asked.entry_point, asked.reference)


def test_a_kernel_that_is_defined_twice_is_refused() -> None:
    asked = question(FORWARD)
    with pytest.raises(Violation, match="defined 2 times"):
        check_cuda(asked.text * 2, asked.entry_point, asked.reference)


def test_a_reference_without_the_kernel_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="other_cuda_kernel_forward"):
        check_cuda("", "other_cuda_kernel_forward", question(FORWARD).reference)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "text",
    [
        "/" * MAX_LENGTH + "//",
        "{" * 300_000,
        "(" * 300_000,
        "if (1) " * 50_000,
        "/*" * 150_000,
        "wp::vec_t<" * 30_000,
        'extern "C" ' * 30_000,
        '"' + "\\n" * 150_000,
    ],
    ids=lambda text: text[:8].strip(),
)
@pytest.mark.parametrize("where", ["alone", "in the kernel"])
def test_long_texts_are_refused_soon(text: str, where: str) -> None:
    asked = question(FORWARD)
    if where == "in the kernel":
        text = asked.text.replace("var_0 = builtin_tid1d();", text, 1)
    start = time.perf_counter()
    with pytest.raises(Violation):
        check_cuda(text, asked.entry_point, asked.reference)
    assert time.perf_counter() - start < 10.0


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from((FORWARD, BACKWARD, HELPER)),
    inserted=st.lists(st.tuples(st.floats(0, 1), st.sampled_from(TOKENS)), min_size=1, max_size=4),
    removed=st.floats(0, 1),
)
def test_random_edits_are_accepted_or_refused(name: str, inserted: list[tuple[float, str]], removed: float) -> None:
    """A text with random tokens, cut off somewhere, raises no other error."""
    asked = question(name)
    text = asked.text
    for share, token in inserted:
        position = int(share * len(text))
        text = f"{text[:position]} {token} {text[position:]}"
    for candidate in (text, text[: int(removed * len(text))]):
        assert re.match(r"line \d+: |$", _refusal(candidate, asked))


def _refusal(text: str, asked: Question) -> str:
    """Return why a text is refused, or nothing if it is accepted."""
    try:
        check_cuda(text, asked.entry_point, asked.reference)
    except Violation as violation:
        return str(violation)
    return ""
