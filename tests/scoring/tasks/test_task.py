"""Tasks: which pairs carry them, and their rows."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core import Pair
from warpsmith.core.errors import RecordError, WarpsmithError
from warpsmith.core.export.training_tasks import TASKS
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.task_making import tasks_of
from warpsmith.scoring.tasks.task import Task, make_task, read_tasks
from warpsmith.scoring.tasks.task_kinds import KINDS

OFFERED = {
    "python_to_cuda": 1.0, "forward_to_adjoint": 1.0, "cuda_to_python": 0.95, "python_to_plain_cuda": 0.75,
    "python_to_program": 0.75,
}  # fmt: skip
"""The least share of pairs that have a task; some functions have no plain form, and answers may contain no native code."""

PLAIN = ("python_to_plain_cuda", "python_to_program")
"""The kinds whose answers are plain CUDA."""

FIELDS = ["task_id", "task", "prompt", "messages", "category", "pair", "entry_point"]


@pytest.mark.parametrize("kind", KINDS)
def test_rows_come_back_as_tasks(all_samples: list[Pair], kind: str, tmp_path: Path) -> None:
    tasks = [task for pair in all_samples if (task := make_task(kind, pair))]
    assert len(tasks) >= OFFERED[kind] * len(all_samples)
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"".join(encode(task.to_row()) for task in tasks))
    assert list(read_tasks(path)) == tasks
    row = json.loads(path.read_text().splitlines()[0])
    assert list(row) == FIELDS
    assert row["messages"] == [{"role": "user", "content": row["prompt"]}]
    pair = next(pair for pair in all_samples if make_task(kind, pair))
    assert row["task_id"] == f"{kind}/{pair.id}"
    assert row["category"] == pair.metadata.category
    assert row["pair"]["cuda_ir_forward"] == pair.cuda_ir_forward


def test_tasks_of_benchmark_seeds_are_marked(samples: list[Pair], tmp_path: Path) -> None:
    pair = samples[0]
    rows = {}
    for seed in (7_000_000, 7_000_999, 7_001_000, 6_999_999, None):
        task = make_task("python_to_cuda", replace(pair, metadata=replace(pair.metadata, seed=seed)))
        assert task is not None
        rows[seed] = task.to_row()
        path = tmp_path / "tasks.jsonl"
        path.write_bytes(encode(rows[seed]))
        assert list(read_tasks(path)) == [task]
    assert [seed for seed, row in rows.items() if "not for training" in row.get("canary", "")] == [7_000_000, 7_000_999]


def test_entry_points_are_the_functions_of_the_reference(samples: list[Pair]) -> None:
    pair = samples[0]
    name = pair.metadata.kernel_name
    forward, backward, python, plain, program = (make_task(kind, pair) for kind in KINDS)
    assert forward is not None
    assert f'extern "C" __global__ void {forward.entry_point}(' in str(pair.cuda_ir_forward)
    assert backward is not None
    assert f'extern "C" __global__ void {backward.entry_point}(' in str(pair.cuda_ir_backward)
    assert python is not None
    assert python.entry_point == name
    assert plain is not None
    assert plain.entry_point == name
    assert program is not None
    assert program.entry_point == f"{name}_launch"
    assert f"\nvoid {name}_launch(" in program.reference
    tasks = (forward, backward, python, plain, program)
    assert [task.language for task in tasks] == ["cuda", "cuda", "python", "cuda", "cuda"]


@pytest.mark.parametrize(
    ("changes", "carried"),
    [
        ({}, set(KINDS)),
        ({"cuda_ir_backward": None}, {"python_to_cuda", "cuda_to_python", *PLAIN}),
        ({"cuda_ir_forward": None, "cuda_ir_backward": None}, set()),
        ({"cuda_ir_forward": None}, set()),
        ({"launch": None}, set()),
        ({"kernel_name": "other"}, set()),
        ({"python_source": "def f(:"}, {"python_to_cuda", "forward_to_adjoint", *PLAIN}),
        ({"python_source": "import warp as wp\n"}, {"python_to_cuda", "forward_to_adjoint", *PLAIN}),
    ],
)
def test_pairs_that_lack_something_carry_fewer_tasks(samples: list[Pair], changes: dict[str, Any], carried: set[str]) -> None:
    pair = samples[0]
    inner = {name: value for name, value in changes.items() if name in ("launch", "kernel_name")}
    outer = {name: value for name, value in changes.items() if name not in inner}
    changed = replace(pair, metadata=replace(pair.metadata, **inner), **outer)
    assert {kind for kind in KINDS if make_task(kind, changed)} == carried


def test_kernels_that_an_answer_may_not_contain_are_no_tasks_for_python(samples: list[Pair]) -> None:
    pair = samples[0]
    changed = replace(pair, python_source=f"{pair.python_source}\nN = wp.static(3)\n")
    assert {kind for kind in KINDS if make_task(kind, changed)} == set(KINDS) - {"cuda_to_python"}


def test_tasks_of_an_endless_iterator(samples: list[Pair]) -> None:
    endless = tasks_of(itertools.cycle(samples[:2]), ["cuda_to_python", "python_to_cuda"])
    first, second = samples[0].id, samples[1].id
    assert [task.task_id for task in itertools.islice(endless, 5)] == [
        f"cuda_to_python/{first}",
        f"python_to_cuda/{first}",
        f"cuda_to_python/{second}",
        f"python_to_cuda/{second}",
        f"cuda_to_python/{first}",
    ]


def test_an_unknown_kind_names_those_that_exist(samples: list[Pair]) -> None:
    with pytest.raises(WarpsmithError, match="unknown task 'no': choose from python_to_cuda, forward_to_adjoint"):
        make_task("no", samples[0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"task": "no"}, "unknown task 'no'"),
        ({"task": 3}, "task is not a text"),
        ({"prompt": None}, "prompt is not a text"),
        ({"entry_point": "main"}, "entry_point is 'main', and the pair has '"),
        ({"pair": None}, "pair: Expected `object`"),
        ({"pair": {}}, "pair: Object missing required field `id`"),
    ],
)
def test_a_broken_row_says_what_is_wrong(samples: list[Pair], changes: dict[str, Any], message: str) -> None:
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    row = json.loads(encode(task.to_row()))
    with pytest.raises(RecordError, match=message):
        Task.from_row({**row, **changes})


@pytest.mark.parametrize("field", ["task_id", "task", "prompt", "pair", "entry_point"])
def test_a_missing_field_is_named(samples: list[Pair], field: str) -> None:
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    row = {name: value for name, value in task.to_row().items() if name != field}
    with pytest.raises(RecordError, match=f"{field} is missing"):
        Task.from_row(row)


def test_other_fields_and_another_prompt_are_allowed(samples: list[Pair]) -> None:
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    row = {**json.loads(encode(task.to_row())), "split": "test", "prompt": "Please."}
    assert Task.from_row(row) == replace(task, prompt="Please.")


def test_ids_are_unique_in_a_file(samples: list[Pair], tmp_path: Path) -> None:
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(encode(task.to_row()) * 2)
    with pytest.raises(RecordError, match=r"tasks\.jsonl:2: the id .* is also in line 1"):
        list(read_tasks(path))


def test_a_pair_with_an_unknown_field_is_rejected(samples: list[Pair]) -> None:
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    row = json.loads(encode(task.to_row()))
    row["pair"]["more"] = 1
    with pytest.raises(RecordError, match=r"pair: Unknown field \$\.more"):
        Task.from_row(row)


def test_exports_have_tasks_of_the_same_names() -> None:
    assert TASKS.keys() & set(KINDS) == {"python_to_cuda", "forward_to_adjoint", "cuda_to_python", "python_to_plain_cuda"}
    assert all("_to_" in name for name in (*TASKS, *KINDS))
