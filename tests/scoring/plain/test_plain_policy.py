"""The policy for plain CUDA: no directive opens a file besides headers of CUDA and C, and what CUDA has is accepted."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.kept import kept
from scoring.plain.answers import RIGHT, WRONG
from warpsmith.core import Pair
from warpsmith.scoring.plain.plain_policy import MAX_LENGTH, UnsupportedError, check_plain, check_supported
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.policy.violation import Violation

HEAD = "__global__ void add(int dim0, const float* x, float* y)"
KERNEL = f"{HEAD} {{ int i = threadIdx.x; if (i < dim0) y[i] = x[i]; }}\n"

ACCEPTED = (
    KERNEL,
    f'#include <cmath>\n#include <cuda_runtime.h>\n# include "cuda_fp16.h"\n#include <cooperative_groups/reduce.h>\n{KERNEL}',
    f"#include <vector>\n#include <stdint.h> // fixed sizes\n#include <cub/block/block_reduce.cuh>\n{KERNEL}",
    f"#define ADD(a, b) \\\n    ((a) + (b))\n#ifdef ADD\n#undef ADD\n#else\n#error no\n#endif\n{KERNEL}",
    f"#pragma once\n#pragma unroll 4\n#pragma nv_diag_suppress 177\n#\n{KERNEL}",
    f'// #include "/etc/passwd"\n/* #include "/etc/passwd" */\n{KERNEL}',
    f'{KERNEL}const char text[] = "#include <x.h>";',
    f'__device__ void f() {{ asm volatile("membar.gl;"); printf("%d", 1); }}\n{KERNEL}',
)

REFUSED = {
    '#include "/etc/passwd"\n': "'#include",
    "#include </etc/passwd>\n": "'#include",
    '#include "../secret.h"\n': "'#include",
    '#include "cuda/../../secret.h"\n': "'#include",
    '  #  include "/etc/passwd"\n': "'#include",
    '#/**/include "/etc/passwd"\n': "'#include",
    '#inc\\\nlude "/etc/passwd"\n': "'#include",
    '%:include "/etc/passwd"\n': "'#include",
    '/* " */ #include "/etc/passwd"\n': "'#include",
    '"/*"\n#include "/etc/passwd"\n"*/"\n': "'#include",
    "#define X </etc/passwd>\n#include X\n": "'#include",
    "#include_next <math.h>\n": "'#include_next'",
    "#import <math.h>\n": "'#import'",
    '#embed "/etc/passwd"\n': "'#embed'",
    '#pragma GCC dependency "/etc/passwd"\n': "'#pragma",
    '#if __has_include("/etc/passwd")\n#endif\n': "'__has_include'",
    '_Pragma("GCC dependency \\"/etc/passwd\\"")\n': "'_Pragma'",
    'const char* s = R"x(" /* )x";\n#include "/etc/passwd"\n/* */': "raw string",
    "\0": "",
    "\f": "U+000C",
    "x" * (MAX_LENGTH + 1): "characters",
}

UNSUPPORTED = ("#include <unistd.h>\n", "#include <curand_kernel.h>\n", '#include "helper_cuda.h"\n')


@pytest.mark.parametrize("text", ACCEPTED)
def test_cuda_is_accepted(text: str) -> None:
    check_plain(text)
    check_supported(text)


@pytest.mark.parametrize(("text", "reason"), REFUSED.items(), ids=lambda value: value[:40].encode("unicode_escape").decode())
def test_texts_that_open_files_are_refused(text: str, reason: str) -> None:
    for whole in (text + KERNEL, KERNEL + text):
        with pytest.raises(Violation) as refused:
            check_plain(whole)
        assert not isinstance(refused.value, UnsupportedError)
        assert reason in str(refused.value)
        assert str(refused.value).startswith("line ")


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_other_headers_are_unsupported(text: str) -> None:
    with pytest.raises(UnsupportedError, match="is not supported"):
        check_plain(text + KERNEL)


@pytest.mark.parametrize("name", ["tex2D<float>(0, 1, 2)", "surf2Dread(0)", "curand_uniform(0)"])
def test_what_the_machine_lacks_is_unsupported(name: str) -> None:
    with pytest.raises(UnsupportedError, match="is not supported"):
        check_supported(f"{KERNEL}__device__ float f() {{ return {name}; }}")


def test_answers_and_translations_are_accepted(all_samples: list[Pair]) -> None:
    for answer in (*RIGHT.values(), *WRONG.values()):
        check_plain(answer.text(kept(answer.index)))
    texts = [text for pair in all_samples if (text := translate(pair, pair.metadata.kernel_name)) is not None]
    for text in texts:
        check_plain(text)
    assert len(texts) > 0.6 * len(all_samples)


WORDS = ("#", "include", "<a.h>", '"', "'", "/*", "*/", "//", "\\", "\n", 'R"(', "define", "pragma", "x", "%:")


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Violation):
        check_plain(text)
