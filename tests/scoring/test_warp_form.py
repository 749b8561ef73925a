"""Answers in Warp's form in the words of people: deduced types, local arrays, functions of C, and names of types."""

from __future__ import annotations

import sys

import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.fault_search import may_have_faults
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.prompts import cuda_signature
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

FORWARD = """{signature}
{{
    for (size_t _idx = static_cast<size_t>(blockDim.x) * static_cast<size_t>(blockIdx.x) + static_cast<size_t>(threadIdx.x);
         _idx < dim.size;
         _idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x))
    {{
        const auto i = builtin_tid1d();
        if (i >= var_n) continue;
        auto address = wp::address(var_x, i);
        auto value = wp::load(address);
        float powers[3] = {{1.0f}};  // not int x[2] = {{
        int last[1] = {{}};
        for (auto j = 1; j < 3; ++j)
            powers[j] = powers[j - 1] * value;
        wp::vec2 terms(var_k * powers[2], 1.0f + 0.0f * min(fabsf(cosf(value)), sqrt(fmaxf(i, 1))));
        auto sum = wp::extract(terms, 0) + wp::extract(terms, 1) + float(last[0]);
        wp::array_store(var_y, i, sum);
        wp::atomic_add(var_sums, wp::load(wp::address(var_bins, i)), value);
    }}
}}
"""

BREAKS = {
    "an index behind a local array": ("powers[2]", "powers[3 + (i & 0)]", "compile"),
    "an index before a local array": ("powers[j - 1]", "powers[j - 2]", "compile"),
    "a wrong value in a local array": ("{1.0f}", "{1.5f}", "run"),
    "a deduced integer": ("auto sum = ", "auto sum = 1 / 2 + ", "right"),
    "a deduced integer in place of a float": ("1.0f + 0.0f *", "1 / 2 + 0.0f *", "run"),
}
"""Edits of the answer, with the level that they reach."""


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair(100)


def answer(task: Task) -> str:
    return FORWARD.format(signature=cuda_signature(task.reference, task.entry_point))


def test_an_answer_in_the_words_of_people_is_right(real_scorer: Scorer, pair: Pair) -> None:
    task = task_of("python_to_cuda", pair)
    texts = [answer(task), *(answer(task).replace(old, new) for old, new, _ in BREAKS.values())]
    assert len(set(texts)) == len(BREAKS) + 1
    right, *broken = real_scorer.score(task, [f"```cuda\n{text}```\n" for text in texts])
    assert right.reward == 1.0, right.reason
    assert {name: score.level for name, score in zip(BREAKS, broken, strict=True)} == {
        name: level for name, (_, _, level) in BREAKS.items()
    }, [score.reason for score in broken]


def test_a_python_answer_may_have_no_adjoint(real_scorer: Scorer, pair: Pair) -> None:
    task = task_of("cuda_to_python", pair)
    options = ("(enable_backward=False)", "(enable_backward = False, module='unique')", "()", "(enable_backward=True)")
    texts = [task.reference.replace("@wp.kernel", f"@wp.kernel{option}") for option in options]
    assert [(score.reward, score.reason) for score in real_scorer.score(task, texts)] == [(1.0, "")] * len(options)


def test_a_store_in_place_of_an_atomic_sum_is_a_race(real_scorer: Scorer, pair: Pair) -> None:
    """On a CPU threads run in turn, so that the sums are right."""
    task = task_of("python_to_cuda", pair)
    atomic = "wp::atomic_add(var_sums, wp::load(wp::address(var_bins, i)), value);"
    stores = """const int bin = wp::load(wp::address(var_bins, i));
        wp::array_store(var_sums, bin, wp::load(wp::address(var_sums, bin)) + value);"""
    text = FORWARD.format(signature=cuda_signature(task.reference, task.entry_point))
    assert atomic in text
    right, wrong = real_scorer.score(task, [f"```cuda\n{each}```" for each in (text, text.replace(atomic, stores))])
    assert right.passed, right.reason
    assert (wrong.passed, wrong.level, wrong.status) == (False, "compile", "fail")
    assert wrong.reason.startswith("global_race: ")
    assert "sums" in wrong.reason
    assert wrong.reason.endswith("(forward pass)")


def test_a_sum_that_is_not_atomic_in_a_python_answer_is_a_race(real_scorer: Scorer, pair: Pair) -> None:
    task = task_of("cuda_to_python", pair)
    atomic = "wp.atomic_add(sums, bins[i], x[i])"
    assert atomic in task.reference
    (score,) = real_scorer.score(task, task.reference.replace(atomic, "sums[bins[i]] = sums[bins[i]] + x[i]"))
    assert (score.passed, score.status) == (False, "fail"), score.reason


@pytest.mark.parametrize("stores", [True, False])
def test_only_doubtful_answers_run_on_the_machine(pair: Pair, stores: bool) -> None:
    task = task_of("forward_to_adjoint", pair)
    text = "wp::array_store(adj_x, i, g);" if stores else "wp::atomic_add(adj_x, i, g); wp::array_store(var_y, i, g);"
    assert may_have_faults(task, text) == stores
    assert not may_have_faults(task, task.reference)
