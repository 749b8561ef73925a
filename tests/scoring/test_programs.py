"""Programs: answers with several kernels and the function that launches them, and their twins with one mistake each."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.scoring.judging.plain.program_launches import RecordedLaunch, RecordedOperation, read_records
from warpsmith.scoring.plain.program_unit import COPY, KERNEL, SET, with_recorded_launches, without_main
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import Task
from warpsmith.simt.launches.kernel_arguments import LaunchError

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

PROGRAM = """#include <cuda_runtime.h>
#include <cstdio>

template <int SIZE> __global__ void squares(const float* x, float k, float* y, int n) {
    int i = blockIdx.x * SIZE + threadIdx.x;
    if (i < n) y[i] = k * x[i] * x[i] + 1.0f;
}
__device__ int step;  // a later kernel sees what an earlier one has stored
__global__ void advance() { step += 7; }
__global__ void sum_bins(const float* x, const int* bins, float* part, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && step == 7) atomicAdd(&part[bins[i]], x[i]);
}
__global__ void finish(const float* part, float* sums, int m) {
    extern __shared__ float values[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[threadIdx.x] = i < m ? part[i] : 0.0f;
    __syncthreads();
    if (i < m) sums[i] += values[threadIdx.x];
}
static inline int blocks_of(int n, int size) { return (n + size - 1) / size; }

SIGNATURE
{
    const int count = min(dim0, n), bytes = sums_shape0 * sizeof(float);
    if (count <= 0) return;
    float *part, *copy;
    cudaMalloc(&part, bytes);
    cudaMalloc((void**)&copy, bytes);
    cudaMemset(part, 0, bytes);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    squares<128><<<blocks_of(count, 128), 128, 0, stream>>>(x, k, y, count);
    advance<<<1, 1>>>();
    sum_bins<<<blocks_of(count, 64), dim3(64)>>>(x, bins, part, count);
    cudaMemcpyAsync(copy, part, bytes, cudaMemcpyDeviceToDevice, stream);
    finish<<<blocks_of(sums_shape0, 32), 32, 32 * sizeof(float)>>>(copy, sums, sums_shape0);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("%s\\n", cudaGetErrorString(error));
    cudaDeviceSynchronize();
    cudaFree(part);
    cudaFree(copy);
}

int main() { std::vector<float> x(10); return 0; }
"""

MISTAKES = {
    # mistake: the text that is replaced, what it becomes, and what the reason of the score contains
    "the last kernel is not launched": ("    finish<<<", "    if (false) finish<<<", "sums["),
    "allocated memory is not cleared": ("    cudaMemset(part, 0, bytes);\n", "", "sums["),
    "a sum is not atomic": ("atomicAdd(&part[bins[i]], x[i])", "part[bins[i]] += x[i]", "global_race"),
    "a grid is empty": ("advance<<<1, 1>>>", "advance<<<0, 1>>>", "an empty grid"),
    "a block is too large": ("dim3(64)", "dim3(64, 32)", "larger than the 1024"),
    "the host reads memory of the device": ("if (count <= 0)", "if (x[0] > 1.0e9f)", "out_of_bounds"),
    "the host writes memory of the device": ("    advance<<<", "    y[0] = 1.0f;\n    advance<<<", "out_of_bounds"),
    "an allocation is too small": ("cudaMalloc(&part, bytes)", "cudaMalloc(&part, 9 << 20)", "out_of_bounds"),
    "a copy is too long": ("(copy, part, bytes,", "(copy, part, 9 << 20,", "an operation of the host writes 9,437,184 bytes"),
    "an input is written": ("cudaMemset(part,", "cudaMemset((void*)x,", "an operation of the host writes"),
    "results are copied to the host": ("cudaMemcpyDeviceToDevice", "cudaMemcpyDeviceToHost", "trap"),
    "shared memory is missing": ("32, 32 * sizeof(float)>>>", "32>>>", "out_of_bounds"),
    "too few blocks": ("blocks_of(count, 64)", "count / 64", ""),
    "the function has another name": ("SIGNATURE", "RENAMED", "no function 'shift_launch'"),
    "a launch is not complete": ("advance<<<1, 1>>>();", "advance<<<1, 1>>();", "a launch is 'kernel<<<"),
    "a kernel is called": ("advance<<<1, 1>>>()", "advance()", "the kernel 'advance' is called"),
}


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of("python_to_program", make_pair(100))


@pytest.fixture(scope="module")
def scores(real_scorer: Scorer, task: Task) -> dict[str, Score]:
    texts = {"": PROGRAM, "reference": task.reference}
    for name, (old, new, _) in MISTAKES.items():
        assert old in PROGRAM, old
        texts[name] = PROGRAM.replace(old, new)
    signature = task.signature.text
    answers = [
        f"```cuda\n{text.replace('SIGNATURE', signature).replace('RENAMED', signature.replace('shift_launch', 'other'))}\n```"
        for text in texts.values()
    ]
    return dict(zip(texts, real_scorer.score(task, answers), strict=True))


@linux_only
@pytest.mark.parametrize("name", ["", "reference"])
def test_a_program_of_several_kernels_is_right(scores: dict[str, Score], name: str) -> None:
    assert (scores[name].reason, scores[name].reward, scores[name].speed) == ("", 1.0, None)


@linux_only
@pytest.mark.parametrize("name", MISTAKES)
def test_a_program_with_a_mistake_is_not(scores: dict[str, Score], name: str) -> None:
    score = scores[name]
    assert (score.passed, score.status) == (False, "fail"), score
    assert score.reward <= 0.2
    assert MISTAKES[name][2] in score.reason, score.reason


@pytest.mark.parametrize(
    ("text", "recorded"),
    [
        ("f<<<1, 32>>>(x);", "warpsmith::launch(f, 1, 32)(x);"),
        ("a::f<T, 4> <<< g(1, 2),\n b >>> (x);", "warpsmith::launch(a::f<T, 4>,  g(1, 2),\n b ) (x);"),
        ("f<<<1, 2, 3, s>>>(); g<<<1, 2>>>(y);", "warpsmith::launch(f, 1, 2, 3, s)(); warpsmith::launch(g, 1, 2)(y);"),
        ('// f<<<1, 2>>>(x)\nputs("<<<");', '// f<<<1, 2>>>(x)\nputs("<<<");'),
        ("x = 1 << 3 >> 2;", "x = 1 << 3 >> 2;"),
    ],
)
def test_launches_become_calls_on_the_same_lines(text: str, recorded: str) -> None:
    assert with_recorded_launches(text) == recorded


@pytest.mark.parametrize("text", ["f<<<1, 2>>(x);", "\n<<<1, 2>>>(x);"])
def test_an_incomplete_launch_is_named_with_its_line(text: str) -> None:
    with pytest.raises(Violation, match=r"line [12]: a launch is"):
        with_recorded_launches(text)


def test_main_is_left_out_and_lines_stay() -> None:
    text = "int f();\nint main(int n, char** a) {\n  if (n) { f(); }\n}\nint g();"
    assert without_main(text).split() == ["int", "f();", "int", "g();"]
    assert [len(line) for line in without_main(text).split("\n")] == [len(line) for line in text.split("\n")]


def test_records_are_read_in_order() -> None:
    launch = [KERNEL, 77, 2, 1, 1, 32, 4, 1, 16, 2, 4, 5, 12, 1, 2]
    words = np.array([len(launch) + 10, 0, *launch, SET, 100, 255, 8, COPY, 200, 300, 16], np.uint64)
    first, second, third = read_records(words)
    four, twelve = (5).to_bytes(4, "little"), (1).to_bytes(8, "little") + (2).to_bytes(4, "little")
    assert first == RecordedLaunch(77, (2, 1, 1), (32, 4, 1), 16, (four, twelve))
    assert (second, third) == (RecordedOperation(SET, 100, 255, 8), RecordedOperation(COPY, 200, 300, 16))


@pytest.mark.parametrize(
    "words", [[4, 0, 9, 0], [4, 0, KERNEL, 1], [5, 0, KERNEL, 1, 1], [3, 0, SET], [11, 0, SET, 1, 2, 3, COPY]]
)
def test_damaged_records_are_an_error(words: list[int]) -> None:
    with pytest.raises(LaunchError, match="overwritten its records"):
        list(read_records(np.array(words, np.uint64)))
