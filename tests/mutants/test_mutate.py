"""Edits of handwritten texts, of each kind, and mutants of generated pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants import mutate, operators
from mutants.handmade import BACKWARD, FORWARD
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.scoring.mutants import cuda, edits, text


def edited(kind: str, line: str, where: str = FORWARD) -> list[str | None]:
    """Return the edits of a kind to the first line that starts with ``line``."""
    (function,) = text.functions(where)
    statement = next(one for one in function.statements if one.code.startswith(line))
    edit: edits.Edit = (cuda.FORWARD | cuda.BACKWARD | operators.EDITS)[kind]
    return list(edit(statement, function))


ATOMIC = FORWARD.replace("wp::array_store(var_y, var_0, var_17)", "wp::atomic_add(var_y, var_0, var_7, var_17)")
CAST = FORWARD.replace("wp::mul(var_4, var_s)", "wp::float(var_4)")

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


def test_members_of_one_type_are_confused() -> None:
    struct = "struct Body_1\n{\n    wp::float32 mass;\n    wp::float32 radius;\n    wp::int32 n;\n\n"
    read = FORWARD.replace("var_2 = wp::address(var_x, var_0);", "var_2 = &((var_body).mass);")
    found = [one.after for one in operators.edits_of(struct + read) if one.kind == "wrong member"]
    assert found == ["var_2 = &((var_body).radius);"]


def test_mutants_of_real_pairs_change_one_line_of_each_text(dataset: Path) -> None:
    for pair in list(read_pairs(min(dataset.glob("pairs-*.jsonl"))))[:20]:
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
                if one.kind == operators.SWAPPED:
                    assert [old for old, _ in different] == [new for _, new in different][::-1]
                    assert different[0] == (one.before, (one.after or "").split("\n")[0])
                else:
                    assert different == [(one.before, one.after or "")]


def test_the_choice_is_reproducible_and_spread_over_the_kinds(dataset: Path) -> None:
    pairs = list(read_pairs(min(dataset.glob("pairs-*.jsonl"))))[:30]
    for family in mutate.FAMILIES:
        taken = [mutate.choose_mutants(pair, family, 2, turn) for turn, pair in enumerate(pairs)]
        assert taken == [mutate.choose_mutants(pair, family, 2, turn) for turn, pair in enumerate(pairs)]
        assert all(len(set(some)) == 2 for some in taken)
        assert len({one.kind for some in taken for one in some}) >= 4
