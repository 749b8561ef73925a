"""Adjoints that share the forward code of their task get the scores that they get alone."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from scoring.kept import kept
from scoring_datasets import task_of
from warpsmith.core.records.ir import Code
from warpsmith.scoring.judging.forward_sharing import can_share, share_forward_code
from warpsmith.scoring.scorer import Scorer
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import emulation, plain

KERNEL = 'extern "C" __global__ void k_cuda_kernel_backward(\n    wp::launch_bounds_t<1> dim)\n{\n    { f(1); }\n}\n'
FORWARD = "static CUDA_CALLABLE float f(float x) { return g(x); }\n" + KERNEL.replace("backward", "forward")
HELPER = "static CUDA_CALLABLE void {}(float x)\n{{\n    if (f(x)) {{ g(x); }}\n}}\n"


@pytest.mark.parametrize(
    ("head", "shared"),
    [
        ("", True),
        ("// f(x) {\n", True),
        (HELPER.format("adj_f"), True),
        (HELPER.format("f"), False),
        (HELPER.format("adj_f") + HELPER.format("g"), False),
        ("static CUDA_CALLABLE void f(int x);\n", False),
        ("struct own { float x; };\n", False),
    ],
)
def test_an_adjoint_that_declares_a_name_of_the_forward_code_does_not_share(head: str, shared: bool) -> None:
    assert can_share(FORWARD, head + KERNEL) == shared


def test_functions_of_structs_are_found_by_their_arguments() -> None:
    with_struct = "struct body { float mass; };\n" + FORWARD
    assert can_share(with_struct, KERNEL)
    assert not can_share(with_struct, HELPER.format("adj_f") + KERNEL)


def test_a_unit_compiles_shared_forward_code_once() -> None:
    code = Code("k", FORWARD, KERNEL)
    parts = [UnitPart(f"K{number}", "cuda", code) for number in range(3)]
    own = UnitPart("K3", "cuda", Code("k", FORWARD, HELPER.format("f") + KERNEL))
    other = UnitPart("K4", "cuda", Code("k", FORWARD.replace("g(x)", "x"), KERNEL))
    shared = share_forward_code([*parts, own, other])
    assert [part.forward_key for part in shared] == ["F0", "F0", "F0", "", ""]
    for write in (plain, emulation):
        assert write(shared).count("return g(x);") == 2
        assert write(shared[1:2]).count("return g(x);") == 1


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")
def test_scores_of_adjoints_together_are_those_alone(real_scorer: Scorer) -> None:
    pair = kept(12)
    task = task_of("forward_to_adjoint", pair)
    forward_function = (pair.cuda_ir_forward or "").partition('extern "C"')[0]
    texts = [
        task.reference,
        re.sub(r"\bvar_(\d+)\b", r"t_\1", task.reference),
        re.sub(r"^ +wp::adj_\w+\(.*\);$", "", task.reference, count=2, flags=re.MULTILINE),
        re.sub(r"(wp::adj_(?:mul|add)\(.*), \w+\);", r"\1);", task.reference, count=1),
        forward_function + task.reference,
    ]
    together = real_scorer.score(task, texts)
    alone = [real_scorer.score(task, [text])[0] for text in texts]
    assert [_without_line(one) for one in together] == [_without_line(one) for one in alone]
    assert [one.level for one in together] == ["right", "right", "run", "read", "read"]


def _without_line(score: Any) -> Any:
    return score.reward, score.level, score.counterexample, re.sub(r"K\d+", "K", score.reason)
