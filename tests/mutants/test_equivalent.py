"""Proofs of equivalence: changes with a proof, changes without one, and the verdicts on the former."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import warp

from mutants import checking, equivalent, mutate
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
    ("if (var_14)", "if (!(var_14)) {", FORWARD, "no statement reads the result of the branch"),
    ("var_15 =", "var_15 = wp::cos(var_13);", FORWARD, "no statement reads it"),
    ("var_16 =", "var_16 = wp::sub(var_s, var_13);", FORWARD, "a square does not depend on the sign"),
    ("var_6 =", "var_6 = wp::mul(var_3, var_5);", BACKWARD, "the operands commute"),
    ("wp::adj_float", None, BACKWARD, "the adjoint of an integer is not used"),
    ("adj_5 = {}", None, BACKWARD, "the adjoint of a constant is not used"),
    ("adj_9 = {}", None, COPIED, "the copy clears it in every iteration"),
    ("wp::adj_sub", "wp::adj_sub(var_5, var_3, adj_3, adj_5, adj_6);", BACKWARD, "the adjoint reads no operand"),
    ("wp::adj_sub", "wp::adj_add(var_3, var_5, adj_3, adj_5, adj_6);", BACKWARD, "the operand that differs is a constant"),
    (
        "wp::adj_mul(var_5, var_3",
        "wp::adj_mul(var_5, var_s, adj_5, adj_3, adj_6);",
        BACKWARD,
        "only the adjoint of a constant reads it",
    ),
    ("var_12 =", "var_12 = {};", BACKWARD, "no statement reads it"),
]

NOT_EQUIVALENT = [
    ("var_3 = wp::mul", "var_3 = wp::add(var_4, var_s);", FORWARD, "another value"),
    ("var_8 =", "var_8 = wp::div(var_5, var_3);", FORWARD, "division does not commute"),
    ("var_11 =", "var_11 = wp::vec_t<3, wp::float32>(var_5, var_8, var_6);", FORWARD, "var_8 is no constant"),
    ("if (var_1)", "if (!(var_1)) {", FORWARD, "the branch leaves the kernel"),
    ("wp::assign", None, FORWARD, "the next iteration reads it"),
    ("var_16 =", "var_16 = wp::add(var_s, var_13);", FORWARD, "a sum is not a difference"),
    ("var_1 =", "var_1 = (var_0 > var_n);", FORWARD, "an input may lie on the boundary"),
    ("wp::array_store", None, FORWARD, "an array is not written"),
    ("var_3 = wp::mul", "var_3 = {};", SINE, "the adjoint of the sine reads it"),
    ("var_4 =", "var_4 = {};", BACKWARD, "the adjoint of a plain argument reads it"),
    ("wp::adj_array_store", None, BACKWARD, "it is the first contribution"),
    ("wp::adj_sub", None, BACKWARD, "an adjoint that matters lacks a contribution"),
    (
        "wp::adj_mul(var_5, var_3",
        "wp::adj_mul(var_3, var_5, adj_5, adj_3, adj_6);",
        BACKWARD,
        "the adjoint of the other operand reads the constant",
    ),
    ("wp::adj_mul(var_4", "wp::adj_mul(var_4, var_s, adj_s, adj_2, adj_3);", BACKWARD, "the factors differ"),
    ("wp::adj_address", None, BACKWARD, "an array of floats lacks a contribution"),
    ("adj_9 = {}", None, BACKWARD, "the previous iteration has set it"),
]


@pytest.mark.parametrize(("line", "after", "where", "why"), EQUIVALENT)
def test_provably_equivalent(line: str, after: str | None, where: str, why: str) -> None:
    assert proved(line, after, where), why


@pytest.mark.parametrize(("line", "after", "where", "why"), NOT_EQUIVALENT)
def test_no_proof(line: str, after: str | None, where: str, why: str) -> None:
    assert not proved(line, after, where), why


def test_unused_loads_are_proved_for_valid_indices() -> None:
    number = next(number for number, line in enumerate(BACKWARD.split("\n")) if "wp::address(var_ids" in line)
    assert equivalent.prove(BACKWARD, number, "var_10 = wp::address(var_ids, var_n);") == equivalent.UNCHECKED


@pytest.mark.parametrize("name", ["add", "sub", "neg", "vec_t", "mat_t", "cast_float"])
def test_linear_adjoints_in_the_headers_read_no_operand(name: str) -> None:
    """Every definition without branches uses operands only as parameters, or as arguments of another adjoint."""
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
def outcomes(dataset: Path) -> list[checking.Outcome]:
    """Return the outcomes of a dozen mutants with a proof, by several rules, and last of a mutant that stores nothing."""
    by_rule: dict[str, list[tuple[Pair, mutate.Mutant]]] = {}
    pairs = list(read_pairs(min(dataset.glob("pairs-*.jsonl"))))[:4]
    for pair in pairs:
        for one in mutate.mutants(pair):
            if (proof := checking.proof(one, pair)) and proof != equivalent.UNCHECKED:
                by_rule.setdefault(proof, []).append((pair, one))
    assert len(by_rule) >= 4
    proved = [one for mutants in by_rule.values() for one in sorted(mutants, key=lambda one: one[1].rank)[:4]]
    stores = (one for one in mutate.mutants(pairs[0], ("forward",)) if one.before.startswith("wp::array_store"))
    mutated = next(one for one in stores if one.after is None)
    return list(checking.check_mutants([*proved, (pairs[0], mutated)], workers=1))


@pytest.mark.exhaustive  # `nox -s mutants` covers all of them
def test_no_level_catches_a_mutant_with_a_proof(outcomes: list[checking.Outcome]) -> None:
    assert len(outcomes) > 12
    assert {one.state for one in outcomes[:-1]} == {"equivalent"}


@pytest.mark.exhaustive
def test_a_wrong_proof_is_detected(outcomes: list[checking.Outcome]) -> None:
    assert (outcomes[-1].state, outcomes[-1].caught) == ("caught", "emulate")
    assert replace(outcomes[-1], proof="because").state == "disproved"
