"""The worker for plain CUDA: its memory contains nothing of a request, so that no fork finds another answer."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from scoring.kept import kept
from scoring.plain.answers import RIGHT
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task, make_task
from warpsmith.validation.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

MARK = "a_name_that_no_other_text_contains"


def task_of(kind: str) -> Task:
    task = make_task(kind, kept(0))
    assert task is not None
    return task


def occurrences(supervisor: Supervisor, wanted: bytes) -> int:
    """Return how often some bytes occur in the memory of a worker."""
    process = supervisor.client.process
    assert process is not None
    folder, found = Path(f"/proc/{process.pid}"), 0
    with (folder / "mem").open("rb", buffering=0) as memory:
        for line in (folder / "maps").read_text().splitlines():
            match = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if match and "[v" not in line:
                memory.seek(int(match[1], 16))
                try:
                    content = memory.read(int(match[2], 16) - int(match[1], 16))
                except OSError:
                    continue
                found += content.count(wanted)
    return found


def test_the_worker_that_forks_reads_no_request(real_scorer: Scorer) -> None:
    plain, warp = task_of("python_to_plain_cuda"), task_of("python_to_cuda")
    answer = RIGHT["arithmetic"]
    assert real_scorer.score(plain, [answer.text(kept(0)).replace("float m ", f"float {MARK} = 1.0f; float m ")])[0].passed
    reference = str(kept(0).cuda_ir_forward)
    assert real_scorer.score(warp, [reference.replace("wp::int32 var_0;", f"wp::int32 var_0; wp::int32 var_{MARK};")])[0].level
    try:
        control = occurrences(real_scorer._candidates, MARK.encode())
    except PermissionError:
        pytest.skip("this system forbids to read the memory of another process")
    assert control > 0
    assert occurrences(real_scorer._plain, b"warpsmith_drive") > 0
    assert occurrences(real_scorer._plain, MARK.encode()) == 0
    assert occurrences(real_scorer._plain, kept(0).metadata.kernel_name.encode()) == 0


def test_an_answer_that_leaves_its_process_fails_and_the_next_one_passes(real_scorer: Scorer) -> None:
    task, right = task_of("python_to_plain_cuda"), RIGHT["arithmetic"].text(kept(0))
    function = "__device__ float deep(float x) { return x < 0.0f ? x : deep(x + 1.0f) + x; }\n"
    endless = right.replace("logits[i];", "logits[i] + 0.0f * deep(1.0f);").replace("\n__global__", function + "__global__")
    scores = real_scorer.score(task, [endless, right])
    assert [score.passed for score in scores] == [False, True]
    assert scores[0].level == "compile"
