"""Proofs of equivalence: those that hold, those that must not be given, and what the ladder says of the former."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import warp

from mutants import equivalent, judging, mutate
from mutants.handmade import BACKWARD, FORWARD
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair

HEADERS = Path(warp.__file__).parent / "native"

COPIED = BACKWARD.replace("wp::adj_mul(var_5, var_6, adj_5, adj_6, adj_9);", "wp::adj_copy(var_6, adj_6, adj_9);")
SINE = BACKWARD.replace("adj_s, adj_3);", "adj_s, adj_3);\n        wp::adj_sin(var_3, adj_s, adj_3);")


def proved(line: str, after: str | None, where: str, nth: int = 0) -> bool:
    numbers = [number for number, code in enumerate(where.split("\n")) if code.strip().startswith(line)]
    return equivalent.prove(where, numbers[nth], after) is not None


EQUIVALENT = [
    ("var_3 = wp::mul", "var_3 = wp::mul(var_s, var_4);", FORWARD, "the operands commute"),
    ("var_11 =", "var_11 = wp::vec_t<3, wp::float32>(var_6, var_5, var_8);", FORWARD, "two names of one constant"),
    ("if (var_14)", "if (!(var_14)) {", FORWARD, "the branch computes what nobody reads"),
    ("var_15 =", "var_15 = wp::cos(var_13);", FORWARD, "nobody reads it"),
    ("var_16 =", "var_16 = wp::sub(var_s, var_13);", FORWARD, "a square does not see the sign"),
    ("var_6 =", "var_6 = wp::mul(var_3, var_5);", BACKWARD, "the operands commute"),
    ("wp::adj_float", None, BACKWARD, "a whole number's adjoint goes nowhere"),
    ("adj_5 = {}", None, BACKWARD, "a constant's adjoint goes nowhere"),
    ("adj_9 = {}", None, COPIED, "the copy clears it in every turn"),
    ("wp::adj_sub", "wp::adj_sub(var_5, var_3, adj_3, adj_5, adj_6);", BACKWARD, "it reads no operand"),
    ("wp::adj_sub", "wp::adj_add(var_3, var_5, adj_3, adj_5, adj_6);", BACKWARD, "the operand that differs is a constant"),
    (
        "wp::adj_mul(var_5, var_3",
        "wp::adj_mul(var_5, var_s, adj_5, adj_3, adj_6);",
        BACKWARD,
        "only a constant's adjoint reads it",
    ),
    ("var_12 =", "var_12 = {};", BACKWARD, "nobody reads it"),
]

NOT_EQUIVALENT = [
    ("var_3 = wp::mul", "var_3 = wp::add(var_4, var_s);", FORWARD, "another value"),
    ("var_8 =", "var_8 = wp::div(var_5, var_3);", FORWARD, "division does not commute"),
    ("var_11 =", "var_11 = wp::vec_t<3, wp::float32>(var_5, var_8, var_6);", FORWARD, "var_8 is no constant"),
    ("if (var_1)", "if (!(var_1)) {", FORWARD, "it leaves the kernel"),
    ("wp::assign", None, FORWARD, "the next turn reads it"),
    ("var_16 =", "var_16 = wp::add(var_s, var_13);", FORWARD, "a sum is no difference"),
    ("var_1 =", "var_1 = (var_0 > var_n);", FORWARD, "a boundary may be met"),
    ("wp::array_store", None, FORWARD, "an array is left as it was"),
    ("var_3 = wp::mul", "var_3 = {};", SINE, "a sine's adjoint reads it"),
    ("var_4 =", "var_4 = {};", BACKWARD, "a plain argument's adjoint reads it"),
    ("wp::adj_array_store", None, BACKWARD, "it begins what flows back"),
    ("wp::adj_sub", None, BACKWARD, "an adjoint that matters gets less"),
    (
        "wp::adj_mul(var_5, var_3",
        "wp::adj_mul(var_3, var_5, adj_5, adj_3, adj_6);",
        BACKWARD,
        "the constant is what the other reads",
    ),
    ("wp::adj_mul(var_4", "wp::adj_mul(var_4, var_s, adj_s, adj_2, adj_3);", BACKWARD, "factors differ"),
    ("wp::adj_address", None, BACKWARD, "an array of floats gets less"),
    ("adj_9 = {}", None, BACKWARD, "the turn before left something"),
]


@pytest.mark.parametrize(("line", "after", "where", "why"), EQUIVALENT)
def test_provably_equivalent(line: str, after: str | None, where: str, why: str) -> None:
    assert proved(line, after, where), why


@pytest.mark.parametrize(("line", "after", "where", "why"), NOT_EQUIVALENT)
def test_no_proof(line: str, after: str | None, where: str, why: str) -> None:
    assert not proved(line, after, where), why


def test_idle_loads_are_proved_for_indices_in_range() -> None:
    number = next(place for place, line in enumerate(BACKWARD.split("\n")) if "wp::address(var_ids" in line)
    assert equivalent.prove(BACKWARD, number, "var_10 = wp::address(var_ids, var_n);") == equivalent.UNCHECKED


@pytest.mark.parametrize("name", ["add", "sub", "neg", "vec_t", "mat_t", "cast_float"])
def test_headers_bear_out_that_linear_adjoints_read_no_operand(name: str) -> None:
    """Every straight definition mentions operands in its parameters only, or to hand them on to another adjoint."""
    found = 0
    for header in ("builtin.h", "vec.h", "mat.h"):
        source = re.sub(r"\\\n|//.*", "\n", (HEADERS / header).read_text())
        for match in re.finditer(rf"void (?:CUDA_CALLABLE )?adj_{name}\(([^)]*)\)\s*\{{([^{{}}]*)\}}", source):
            read_only = [one for one in match[1].split(",") if "const" in one or "&" not in one]
            operands = [name for one in read_only if not (name := one.split()[-1]).startswith("adj_")]
            body = re.sub(r"adj_\w+\([^()]*\)", "", match[2])
            assert not [one for one in operands if re.search(rf"(?<![\w.]){one}\b", body)], match[0]
            found += 1
    assert found


@pytest.fixture(scope="module")
def outcomes(dataset: Path) -> list[judging.Outcome]:
    """A dozen mutants that are proved equivalent, by as many rules as there are, and last one that stores nothing."""
    by_rule: dict[str, list[tuple[Pair, mutate.Mutant]]] = {}
    pairs = list(read_pairs(min(dataset.glob("pairs-*.jsonl"))))[:4]
    for pair in pairs:
        for one in mutate.mutants(pair):
            if (proof := judging.proof(one, pair)) and proof != equivalent.UNCHECKED:
                by_rule.setdefault(proof, []).append((pair, one))
    assert len(by_rule) >= 4
    proved = [one for some in by_rule.values() for one in sorted(some, key=lambda one: one[1].rank)[:4]]
    stores = (one for one in mutate.mutants(pairs[0], ("forward",)) if one.before.startswith("wp::array_store"))
    broken = next(one for one in stores if one.after is None)
    return list(judging.judge([*proved, (pairs[0], broken)], workers=1))


@pytest.mark.exhaustive  # as `nox -s mutants` sees for all of them
def test_the_ladder_catches_none_that_is_proved_equivalent(outcomes: list[judging.Outcome]) -> None:
    assert len(outcomes) > 12
    assert {one.state for one in outcomes[:-1]} == {"equivalent"}


@pytest.mark.exhaustive
def test_a_wrong_proof_is_noticed(outcomes: list[judging.Outcome]) -> None:
    assert (outcomes[-1].state, outcomes[-1].caught) == ("caught", "emulate")
    assert replace(outcomes[-1], proof="because").state == "disproved"
