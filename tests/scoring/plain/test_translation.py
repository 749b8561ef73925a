"""The references of plain tasks: translations of Warp's CUDA text pass, and broken ones do not."""

from __future__ import annotations

import re
import sys

import pytest
import warp as wp

from warpsmith.core import Pair
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import Task, make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

SOURCE = """import warp as wp


@wp.struct
class Body:
    mass: float
    at: wp.vec3


@wp.func
def heavier(a: float, b: float):
    return wp.max(a, b)


@wp.kernel
def move(
    bodies: wp.array(dtype=Body), step: wp.vec3, turn: wp.mat33, first: Body, grid: wp.array3d(dtype=wp.float64),
    total: wp.array(dtype=wp.vec3), most: wp.array(dtype=float)
):
    i, j, k = wp.tid()
    body = bodies[i]
    place = turn * wp.lerp(body.at + step, step, body.mass) - first.at
    scale = wp.float64(wp.length(place)) * wp.float64(j + 1)
    if k % 2 == 0:
        scale = -scale
    for n in range(j, i + k + 3, 2):
        scale += wp.float64(n // 2)
    grid[i, j, k] = scale + wp.float64(heavier(body.mass, first.mass))
    wp.atomic_add(total, 0, place)
    wp.atomic_max(most, j, body.mass * float(k))
"""


def argument(name: str, kind: str, dtype: str, role: str, shape: tuple[int, ...] = (), **more: object) -> Argument:
    domain = None if more else Domain(kind="uniform", low=0.0 if role == "input" else 0.5, high=1.0 if role == "input" else 0.5)
    return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=domain, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def bodies() -> Pair:
    """Return a pair with structs by value and in an array, vectors and matrices by value, three dimensions and atomics."""
    fields = (argument("mass", "value", "float32", "input"), argument("at", "value", "vec3f", "input"))
    launch = Launch(
        dim=(5, 6, 7),
        args=(
            argument("bodies", "array", "Body", "input", (6,), fields=fields),
            argument("step", "value", "vec3f", "input"),
            argument("turn", "value", "mat33f", "input"),
            argument("first", "struct", "Body", "input", fields=fields),
            argument("grid", "array", "float64", "output", (6, 7, 8)),
            argument("total", "array", "vec3f", "inout", (1,)),
            argument("most", "array", "float32", "inout", (7,)),
        ),
    )
    with loaded_kernel(SOURCE, "move") as kernel:
        ir = extract_ir(kernel, "both", include_backward=False)
    return Pair.from_ir(
        ir, identity="bodies", python_source=SOURCE, category="test", warp_version=str(wp.__version__), generator_version="1",
        launch=launch, description="A test.",
    )  # fmt: skip


def item(pair: Pair) -> tuple[Task, str]:
    task = make_task("python_to_plain_cuda", pair)
    assert task is not None
    text = translate(pair, task.entry_point)
    assert text is not None
    return task, text


def failed(scores: list[Score]) -> list[Score]:
    return [score for score in scores if not score.passed or score.reward != 1.0]


def test_the_references_of_one_sample_of_each_category_pass(real_scorer: Scorer, all_samples: list[Pair]) -> None:
    offered = [pair for pair in all_samples if make_task("python_to_plain_cuda", pair)]
    chosen = list({pair.metadata.category: pair for pair in reversed(offered)}.values())
    assert len(chosen) == 10
    assert failed(real_scorer.score_all([item(pair) for pair in chosen])) == []


@pytest.mark.exhaustive
def test_the_references_of_all_samples_pass(real_scorer: Scorer, all_samples: list[Pair]) -> None:
    offered = [pair for pair in all_samples if make_task("python_to_plain_cuda", pair)]
    assert failed(real_scorer.score_all([item(pair) for pair in offered])) == []


def test_structs_vectors_by_value_and_three_dimensions(real_scorer: Scorer, bodies: Pair) -> None:
    task, text = item(bodies)
    assert "struct Body { float mass; float at[3]; };" in text
    assert "const Body* bodies" in text
    assert "const float* turn" in text
    broken = [
        text.replace("thread2 >= dim2", "thread2 > dim2"),
        text.replace("int thread1 = blockIdx.y * blockDim.y", "int thread1 = 0 * blockDim.y"),
        re.sub(r"atomicAdd\(p, v\)", "*p = *p + v", text),
        text.replace("const Body* bodies", "Body* bodies"),
    ]
    assert text not in broken
    first, *others = real_scorer.score(task, [text, *broken])
    assert (first.reason, first.reward) == ("", 1.0)
    assert [score.level for score in others] == ["compile", "run", "compile", "read"]


def test_texts_that_cannot_be_translated_give_no_task(bodies: Pair) -> None:
    for before, after in (
        ("wp.length(place)", "wp.noise(wp.rand_init(1, i), place)"),
        ("heavier(body.mass, first.mass)", "wp.poisson(wp.rand_init(1, i), 2.0)"),
    ):
        source = SOURCE.replace(before, after)
        assert source != SOURCE
        with loaded_kernel(source, "move") as kernel:
            ir = extract_ir(kernel, "both", include_backward=False)
        pair = Pair.from_ir(
            ir, identity="other", python_source=source, category="test", warp_version=str(wp.__version__),
            generator_version="1", launch=bodies.metadata.launch, description="A test.",
        )  # fmt: skip
        assert make_task("python_to_cuda", pair) is not None
        assert make_task("python_to_plain_cuda", pair) is None


def test_what_the_machine_lacks_does_not_pay(real_scorer: Scorer, samples: list[Pair]) -> None:
    task, text = item(samples[0])
    textured = text.replace("    int thread0", "    float texel = tex1D<float>(0, 1.0f);\n    int thread0")
    (score,) = real_scorer.score(task, [textured])
    assert (score.status, score.reward, score.passed) == ("unsupported", 0.0, False)
    assert "'tex1D' is not supported" in score.reason
