"""Answers in CUDA for a part of a program: right ones score 1 in several forms, and each way of being wrong scores 0."""

from __future__ import annotations

import pytest

from selected import selected
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.program_task import ProgramTask, make_program_task

ANSWER = """\
__global__ void spread(const float* x, float rate, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] + rate * (x[max(i - 1, 0)] + x[min(i + 1, n - 1)] - 2.0f * x[i]);
}

__global__ void add_up(const float* x, float* total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, x[i]);
}

SIGNATURE
{
    float *x = now, *y = after;
    for (int step = 0; step < steps; step++) {
        spread<<<(size + 63) / 64, 64>>>(x, rate, y, size);
        float* z = x;
        x = y;
        y = z;
    }
    add_up<<<1, 256>>>(x, total, size);
}
"""

RIGHT = {
    "written by hand": ANSWER,
    "with a copy in place of the exchange": ANSWER.replace(
        """        float* z = x;
        x = y;
        y = z;
    }
""",
        """        if (step + 1 < steps) {
            float* z = x;
            x = y;
            y = z;
        }
    }
    x = y;
""",
    ),
}

WRONG = {
    "a launch is dropped": (ANSWER.replace("    add_up<<<1, 256>>>(x, total, size);\n", ""), "total is 0.0"),
    "the buffers are not exchanged": (ANSWER.replace("        x = y;\n        y = z;\n", ""), "is"),
    "the buffers are the wrong way around": (ANSWER.replace("(x, rate, y, size)", "(y, rate, x, size)"), "is"),
    "wrong constant": (ANSWER.replace("2.0f", "2.001f"), "is"),
    "a time step is missing": (ANSWER.replace("step < steps", "step < steps - 1"), "is"),
    "sizes of the file as literals": (ANSWER.replace("step < steps", "step < 5"), "other parameters"),
    "a result as a literal": (
        ANSWER.replace("y[i] = x[i] + rate", "y[i] = 0.5f; if (n != 12) y[i] = x[i] + rate"),
        "at the end",
    ),
    "a write outside of an array": (ANSWER.replace("if (i >= n)", "if (i > n)"), "out_of_bounds"),
    "a sum that races": (ANSWER.replace("atomicAdd(total, x[i])", "total[0] += x[i]"), "global_race"),
    "results are left to the host": (ANSWER.replace("int step = 0;", "int step = (int)now[0];"), "out_of_bounds"),
    "another function": (ANSWER.replace("SIGNATURE", "RENAMED"), "no function 'simulate_cuda'"),
    "Python": ("for _ in range(steps):\n    pass\n", ""),
}


@pytest.fixture(scope="module")
def task(spreading_record: ProgramRecord) -> ProgramTask:
    found = make_program_task("program_to_cuda", spreading_record)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def scores(task: ProgramTask, real_scorer: Scorer, request: pytest.FixtureRequest) -> dict[str, Score]:
    """The scores of the answers of all tests, judged in one batch."""
    texts = {"the reference": task.reference, **RIGHT, **{name: text for name, (text, _) in WRONG.items()}}
    texts = selected(request, texts)
    assert task.part.cuda is not None
    signature = task.part.cuda.signature.text
    renamed = signature.replace("simulate_cuda", "other")
    answers = [f"```cuda\n{text.replace('SIGNATURE', signature).replace('RENAMED', renamed)}\n```" for text in texts.values()]
    return dict(zip(texts, real_scorer.score(task, answers), strict=True))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["the reference", *RIGHT])
def test_right_answers_score_1(scores: dict[str, Score], name: str) -> None:
    assert (scores[name].reason, scores[name].reward, scores[name].status) == ("", 1.0, "pass")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", WRONG)
def test_each_way_of_being_wrong_scores_0(scores: dict[str, Score], name: str) -> None:
    score = scores[name]
    assert WRONG[name][0] != ANSWER
    assert (score.reward, score.passed, score.status) == (0.0, False, "fail")
    assert WRONG[name][1] in score.reason
