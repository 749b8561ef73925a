"""Edits of handwritten texts, of each kind, and mutants of generated pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants import adjoint_operators, mutate, operators
from mutants.handmade import BACKWARD, FORWARD
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.scoring.mutants import cuda_edits, edits, text


def edited(kind: str, line: str, where: str = FORWARD) -> list[str | None]:
    """Return the edits of a kind to the first line that starts with ``line``."""
    (function,) = text.functions(where)
    statement = next(one for one in function.statements if one.code.startswith(line))
    edit: edits.Edit = (cuda_edits.FORWARD | cuda_edits.BACKWARD | operators.EDITS | adjoint_operators.EDITS)[kind]
    return list(edit(statement, function))


ATOMIC = FORWARD.replace("wp::array_store(var_y, var_0, var_17)", "wp::atomic_add(var_y, var_0, var_7, var_17)")
CAST = FORWARD.replace("wp::mul(var_4, var_s)", "wp::float(var_4)")
CLAMP = FORWARD.replace("wp::mul(var_4, var_s)", "wp::clamp(var_4, var_5, var_s)")
ALSO = FORWARD.replace("var_1 = (var_0 >= var_n);", "var_1 = var_1 || var_14;")
JUMP = FORWARD.replace("var_15 = wp::sin(var_13);", "goto end_for_1;")
MATRIX = FORWARD.replace("wp::vec_t<3, wp::float32>", "wp::mat_t<3,3,wp::float32>").replace(
    "wp::extract(var_11, var_7)", "wp::extract(var_11, var_10, var_7)"
)
PRODUCT = MATRIX.replace("wp::extract(var_11, var_10, var_7)", "wp::mul(var_11, var_8)")
ADJOINT_MATRIX = BACKWARD.replace("wp::float32 var_4;", "wp::mat_t<3,3,wp::float32> var_4;")
COMPONENT = ADJOINT_MATRIX.replace("const wp::float32 var_5 = 2.0;", "const wp::int32 var_5 = 2;").replace(
    "wp::adj_sub(var_3, var_5, adj_3, adj_5, adj_6)", "wp::adj_extract(var_4, var_5, adj_4, adj_5, adj_6)"
)

EDITS = [
    ("operator", "var_16 =", FORWARD, ["var_16 = wp::add(var_13, var_s);"]),
    ("operator", "var_15 =", FORWARD, ["var_15 = wp::cos(var_13);"]),
    ("operator", "var_1 =", FORWARD, ["var_1 = (var_0 > var_n);"]),
    ("index", "var_13 =", FORWARD, ["var_13 = wp::extract(var_11, 2);"]),
    ("index", "wp::array_store", FORWARD, [f"wp::array_store(var_y, {one}, var_17);" for one in ("var_n", "var_10", "var_7")]),
    ("constant", "const wp::float32 var_5", FORWARD, ["const wp::float32 var_5 = 2.2;"]),
    ("constant", "const wp::int32 var_7", FORWARD, ["const wp::int32 var_7 = 2;"]),
    ("branch", "if (var_14)", FORWARD, ["if (!(var_14)) {", "if (false && (var_14)) {"]),
    ("loop bound", "var_9 =", FORWARD, ["var_9 = wp::range(var_n - 1);", "var_9 = wp::range(var_n + 1);"]),
    ("argument order", "var_8 =", FORWARD, ["var_8 = wp::div(var_5, var_3);"]),
    ("argument order", "var_13 =", FORWARD, []),
    ("dropped statement", "wp::assign", FORWARD, [None]),
    ("dropped statement", "var_3 =", FORWARD, ["var_3 = {};"]),
    ("dropped statement", "var_2 =", FORWARD, []),
    ("dropped adjoint", "wp::adj_sub", BACKWARD, [None]),
    ("dropped adjoint", "adj_9 = {}", BACKWARD, []),
    ("other adjoint", "wp::adj_sub", BACKWARD, ["wp::adj_add(var_3, var_5, adj_3, adj_5, adj_6);"]),
    ("dropped reset", "adj_9 = {}", BACKWARD, [None]),
    ("store or atomic", "wp::array_store", FORWARD, ["wp::atomic_add(var_y, var_0, var_17);"]),
    ("store or atomic", "wp::atomic", ATOMIC, ["wp::array_store(var_y, var_0, var_7, var_17);"]),
    ("wrong stride", "wp::atomic", ATOMIC, ["wp::atomic_add(var_y, var_7, var_0, var_17);"]),
    ("wrong stride", "wp::array_store", FORWARD, []),
    ("dropped accumulation", "var_12 =", FORWARD, ["var_12 = wp::copy(var_6);"]),
    ("dropped accumulation", "var_3 =", FORWARD, []),
    ("cast width", "var_3 =", CAST, ["var_3 = wp::float(wp::float16(var_4));"]),
    ("swapped arguments", "var_3 =", CLAMP, ["var_3 = wp::clamp(var_s, var_5, var_4);"]),
    ("swapped arguments", "var_3 =", FORWARD, []),
    ("other variable", "var_8 =", FORWARD, ["var_8 = wp::div(var_4, var_5);", "var_8 = wp::div(var_3, var_4);"]),
    ("other variable", "if (var_14)", FORWARD, ["if (var_1) {"]),
    ("other variable", "wp::array_store", FORWARD, []),
    ("negated condition", "var_1 =", FORWARD, ["var_1 = !((var_0 >= var_n));"]),
    ("dropped condition", "var_14 =", FORWARD, ["var_14 = (var_13 < var_s);", "var_14 = (var_s < var_8);"]),
    ("dropped condition", "var_1 =", ALSO, ["var_1 = var_1;", "var_1 = var_14;"]),
    ("dropped jump", "continue;", FORWARD, [None]),
    ("dropped jump", "goto start_for_1;", FORWARD, []),
    ("dropped jump", "goto end_for_1;", JUMP, [None]),
    ("other jump", "goto end_for_1;", JUMP, ["goto start_for_1;"]),
    ("one-sided clamp", "var_3 =", CLAMP, ["var_3 = wp::min(var_4, var_s);", "var_3 = wp::max(var_4, var_5);"]),
    (
        "near constant",
        "const wp::float32 var_5",
        FORWARD,
        [f"const wp::float32 var_5 = {one};" for one in ("2.01", "1.99", "2.04", "1.96")],
    ),
    ("near constant", "const wp::int32", FORWARD, []),
    ("half rounding", "var_3 =", FORWARD, ["var_3 = wp::float32(wp::float16(wp::mul(var_4, var_s)));"]),
    ("half rounding", "var_11 =", FORWARD, []),
    ("wrong component", "var_13 =", MATRIX, ["var_13 = wp::extract(var_11, var_10, 2);"]),
    ("transposition", "var_13 =", MATRIX, ["var_13 = wp::extract(var_11, var_7, var_10);"]),
    ("transposition", "var_13 =", PRODUCT, ["var_13 = wp::mul(wp::transpose(var_11), var_8);"]),
    ("doubled adjoint", "wp::adj_sub", BACKWARD, [" ".join(2 * ["wp::adj_sub(var_3, var_5, adj_3, adj_5, adj_6);"])]),
    ("half adjoint", "wp::adj_float", BACKWARD, []),
    (
        "half adjoint",
        "wp::adj_mul(var_4",
        BACKWARD,
        [
            f"wp::adj_mul(var_4, var_s, adj_2, adj_s, adj_3); {one} = wp::float32(wp::float16({one}));"
            for one in ("adj_2", "adj_s")
        ],
    ),
    (
        "other adjoint variable",
        "wp::adj_float",
        BACKWARD,
        ["wp::adj_float(var_11, adj_10, adj_9);"],
    ),
    ("adjoint component", "wp::adj_extract", COMPONENT, ["wp::adj_extract(var_4, 0, adj_4, adj_5, adj_6);"]),
    (
        "adjoint transposition",
        "wp::adj_mul(var_4",
        ADJOINT_MATRIX,
        ["wp::adj_mul(wp::transpose(var_4), var_s, adj_2, adj_s, adj_3);"],
    ),
]


@pytest.mark.parametrize(("kind", "line", "where", "expected"), EDITS)
def test_edits(kind: str, line: str, where: str, expected: list[str | None]) -> None:
    assert edited(kind, line, where) == expected


def test_each_operator_of_a_comparison_is_edited() -> None:
    assert len(edited("operator", "var_14 =")) == 3


def test_adjoints_and_operands_are_swapped() -> None:
    assert "wp::adj_mul(var_5, var_3, adj_3, adj_5, adj_6);" in edited("swapped adjoint", "wp::adj_mul(var_5, var_3", BACKWARD)
    assert "wp::adj_mul(var_3, var_5, adj_5, adj_3, adj_6);" in edited("swapped adjoint", "wp::adj_mul(var_5, var_3", BACKWARD)


def test_statements_that_depend_on_each_other_are_swapped() -> None:
    swapped = [one for one in operators.edits_of(FORWARD) if one.kind == operators.SWAPPED]
    assert "var_12 = wp::add(var_8, var_6);" in {one.before for one in swapped}
    assert all(one.after and one.after.endswith(one.before) for one in swapped)


def test_lines_of_the_reverse_pass_that_depend_on_each_other_are_swapped() -> None:
    swapped = [one for one in adjoint_operators.edits_of(BACKWARD) if one.kind == adjoint_operators.SWAPPED_LINES]
    first, second, third, last = "wp::adj_add(", "wp::adj_sub(", "wp::adj_mul(var_4", "wp::adj_address("
    expected = [(first, "wp::adj_mul(var_5, var_6"), (second, third), (third, last)]
    for one, (before, following) in zip(swapped, expected, strict=True):
        assert one.before.startswith(before)
        assert (one.after or "").startswith(following)
        assert (one.after or "").endswith(one.before)


def test_a_function_without_statements_has_no_edits() -> None:
    empty = "static CUDA_CALLABLE void nothing_0(\n    wp::int32 var_n)\n{\n}\n"
    assert [one.name for one in text.functions(empty)] == ["nothing_0"]
    assert not [*operators.edits_of(empty), *adjoint_operators.edits_of(empty)]


def test_members_of_one_type_are_confused() -> None:
    struct = "struct Body_1\n{\n    wp::float32 mass;\n    wp::float32 radius;\n    wp::int32 n;\n\n"
    read = FORWARD.replace("var_2 = wp::address(var_x, var_0);", "var_2 = &((var_body).mass);")
    found = [one.after for one in operators.edits_of(struct + read) if one.kind == "wrong member"]
    assert found == ["var_2 = &((var_body).radius);"]


@pytest.mark.exhaustive
def test_mutants_of_real_pairs_change_one_line_of_each_text(dataset: Path) -> None:
    for pair in list(read_pairs(min(dataset.glob("pairs-*.jsonl"))))[:6]:
        mutants = mutate.mutants(pair)
        assert {one.family for one in mutants} == set(mutate.FAMILIES)
        for one in sorted(mutants, key=lambda one: one.rank)[:20]:
            changed = mutate.apply(one, pair)
            assert len(changed) == len(mutate.FAMILIES[one.family][1])
            for name, after in changed.items():
                before = getattr(pair, name).split("\n")
                different = [
                    (old.strip(), new.strip()) for old, new in zip(before, after.split("\n"), strict=True) if old != new
                ]
                if one.exchanges:
                    assert [old for old, _ in different] == [new for _, new in different][::-1]
                    assert different[0] == (one.before, (one.after or "").split("\n")[0])
                else:
                    assert different == [(one.before, one.after or "")]


@pytest.mark.exhaustive
def test_the_choice_is_reproducible_and_spread_over_the_kinds(dataset: Path) -> None:
    pairs = list(read_pairs(min(dataset.glob("pairs-*.jsonl"))))[:8]
    for family in mutate.FAMILIES:
        taken = [mutate.choose_mutants(pair, family, 2, turn) for turn, pair in enumerate(pairs)]
        assert taken == [mutate.choose_mutants(pair, family, 2, turn) for turn, pair in enumerate(pairs)]
        assert all(len(set(some)) == 2 for some in taken)
        assert len({one.kind for some in taken for one in some}) >= 4
