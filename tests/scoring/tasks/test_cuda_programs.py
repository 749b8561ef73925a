"""Parts of programs in CUDA: which statements are chosen, their variables, and what they become in C."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spreading_program import SOURCE
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.scoring.tasks.cuda_programs import (
    DIFFERENTIATED,
    FEW_LAUNCHES,
    WITHOUT_FORM,
    CudaProgram,
    NoCudaProgram,
    cuda_program,
)
from warpsmith.scoring.tasks.program_gaps import missing_text

KERNELS = SOURCE[: SOURCE.index("def simulate")]

CLASS = """\
class Rod:
    def __init__(self, size=8, rate=0.25):
        self.rate = rate
        self.counts = list(range(size))
        self.now = wp.zeros(size, dtype=float)
        self.after = wp.zeros(size, dtype=float)
        self.total = wp.zeros(1, dtype=float)

    def step(self, factor, times=2):
        for _ in range(times):
            wp.launch(spread, dim=self.now.shape, inputs=[self.now, factor * self.rate], outputs=[self.after])
            self.now, self.after = self.after, self.now
        if times > 3:
            raise ValueError("too many times")

    def run(self, frames: int):
        scratch = None
        for frame in range(1, frames, 2):
            self.step(0.5)
            self.total.zero_()
            kept = wp.clone(self.now)
            wp.copy(self.after, kept)
            print(f"frame {frame}")
        wp.launch(add_up, dim=len(self.counts), inputs=[self.now], outputs=[self.total])
        return self.total.numpy()[0]
"""

READ_BACK = """\
def run(x, y, total, frames=3):
    history = []
    for _ in range(frames):
        wp.launch(spread, x.size, inputs=[x, 0.1, y])
        wp.launch(spread, x.size, inputs=[y, 0.1, x])
        total.fill_(0.5)
        wp.launch(add_up, x.size, inputs=[x, total])
        history.append(total.numpy()[0])
    return history
"""


def _part(record: ProgramRecord, host: str) -> CudaProgram:
    return cuda_program(replace(record, python_source=KERNELS + host))


def _body(part: CudaProgram) -> list[str]:
    return part.text[part.text.index(part.signature.text) + len(part.signature.text) :].split("\n")[2:-2]


def test_methods_and_their_loops_become_one_function(spreading_record: ProgramRecord) -> None:
    part = _part(spreading_record, CLASS)
    assert part.variables == {
        "now": "self.now",
        "after": "self.after",
        "total": "self.total",
        "rate": "self.rate",
        "frames": "frames",
        "num_counts": "len(self.counts)",
    }
    assert [str(parameter) for parameter in part.signature.parameters][-3:] == ["int frames", "float rate", "int num_counts"]
    assert [line.replace("_kernel::spread", "").replace("_kernel::add_up", "") for line in _body(part)] == [
        "    for (int frame = 1; frame < frames; frame += 2) {",
        "        for (int step = 0; step < 2; step++) {",
        "            spread<<<(now_shape0 + 255) / 256, 256>>>(now, after, 0.5f * rate, now_shape0);",
        "            std::swap(after, now);",
        "        }",
        "        cudaMemset(total, 0, sizeof(float) * total_shape0);",
        "        float* scratch;",
        "        cudaMalloc(&scratch, sizeof(float) * now_shape0);",
        "        cudaMemcpy(scratch, now, sizeof(float) * now_shape0, cudaMemcpyDeviceToDevice);",
        "        cudaMemcpy(after, scratch, sizeof(float) * now_shape0, cudaMemcpyDeviceToDevice);",
        "    }",
        "    add_up<<<(num_counts + 255) / 256, 256>>>(num_counts, now, now_shape0, total, total_shape0);",
    ]


def test_statements_between_results_that_the_host_reads_are_a_part(spreading_record: ProgramRecord) -> None:
    part = _part(spreading_record, READ_BACK)
    text = missing_text(KERNELS + READ_BACK, part.gap)
    assert text.startswith("wp.launch(spread")
    assert text.endswith("inputs=[x, total])\n")
    assert "fill_array<float><<<(total_shape0 + 255) / 256, 256>>>(total, (float)0.5f, total_shape0);" in part.text


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        (READ_BACK.replace("history = []", "tape = wp.Tape()"), DIFFERENTIATED),
        ("def run(x, total):\n    wp.launch(add_up, 3, inputs=[x, total])\n", FEW_LAUNCHES),
        (READ_BACK.replace(", 0.1, ", ", float(total.numpy()[0]), "), WITHOUT_FORM),
        ("def run(:", WITHOUT_FORM),
    ],
)
def test_other_programs_have_a_reason(spreading_record: ProgramRecord, host: str, reason: str) -> None:
    with pytest.raises(NoCudaProgram, match=reason):
        _part(spreading_record, host)
