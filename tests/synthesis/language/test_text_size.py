"""The size estimate from the Python text, compared with the text that Warp generates."""

from __future__ import annotations

import ast
import math
import statistics

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.interleave import run_alone
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language import text_size
from warpsmith.synthesis.writing.catalogue.categories import all_categories
from warpsmith.synthesis.writing.generate import write_draft, write_kernel
from warpsmith.synthesis.writing.policy import ATTEMPTS
from warpsmith.synthesis.writing.sample import Sample

SEED = 2000

pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated in Warp:DeprecationWarning")  # kernels use these builtins, too


def text_bytes(sample: Sample) -> int:
    """Return the length of the CUDA text, forward and adjoint, that Warp generates for a kernel."""
    with loaded_kernel(sample.source, sample.kernel_name, dict(sample.options)) as kernel:
        code = extract_ir(kernel, "cuda").codes["cuda"]
    return len(code.forward_code) + len(code.backward_code or "")


def operations(sample: Sample) -> int:
    """Return the operations of a kernel whose statements are in one line each, as the generator counts them."""
    return text_size.count_operations(ast.unparse(ast.parse(sample.source)))


@pytest.fixture(scope="module")
def measured() -> list[tuple[int, int]]:
    """Return operations and bytes of two kernels of each category outside the core."""
    names = [category.name for category in all_categories() if category.group != "core"]
    samples = [write_kernel(KernelKey(SEED, index, category=name)) for name in names for index in range(2)]
    with_adjoint = [sample for sample in samples if "enable_backward=False" not in sample.source]
    return [(operations(sample), text_bytes(sample)) for sample in with_adjoint]


def test_operations_predict_the_length_of_the_text(measured: list[tuple[int, int]]) -> None:
    ratios = [length / operations for operations, length in measured]
    assert 190 <= statistics.median(ratios) <= 240
    assert statistics.correlation(*zip(*((math.log(a), math.log(b)) for a, b in measured), strict=True)) > 0.85


def test_library_functions_in_python_count() -> None:
    """The generated text of a kernel contains the Warp functions that it calls and that are written in Python."""
    plain = "import warp as wp\n\n@wp.kernel\ndef turn(q: wp.array(dtype=wp.quat)):\n    i = wp.tid()\n    q[i] = {}\n"
    there_and_back = "wp.quat_from_euler(wp.quat_to_euler(q[i], 0, 1, 2), 0, 1, 2)"
    sources = [plain.format("wp.normalize(q[i])"), plain.format(there_and_back)]
    assert not text_size.is_too_long(sources[1], tail=False)
    lengths = []
    for source in sources:
        with loaded_kernel(source, "turn") as kernel:
            lengths.append(len(extract_ir(kernel, "cuda").codes["cuda"].forward_code))
    assert lengths[1] > 5 * lengths[0]
    many = sources[1] + "    q[i] = q[i] * q[i] + q[i]\n" * 31  # these alone use less than half of the limit
    assert text_size.count_operations(many) < text_size.MAX_OPERATIONS / 2
    assert text_size.is_too_long(many, tail=False)
    assert not text_size.is_too_long(many, tail=True)


@pytest.mark.parametrize(("trips", "counted"), [("4", 4), ("16", 16), ("17", 1), ("2, 6", 4), ("6, 2", 1)])
def test_loops_count_as_often_as_warp_unrolls_them(trips: str, counted: int) -> None:
    def loop(body: str) -> int:
        return text_size.count_operations(f"for i in range({trips}):\n    {body}")

    assert loop("y = x * x") - loop("pass") == counted * (
        text_size.count_operations("y = x * x") - text_size.count_operations("pass")
    )


def test_kernels_that_are_too_long_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [write_kernel(KernelKey(SEED, index, category="sph")) for index in range(8)]
    first = sorted(samples, key=operations)[4]
    key = KernelKey(SEED, int(first.id.split("-")[-1]), category="sph")
    plain = text_size.count_operations(run_alone(write_draft(key))[0].plain)
    monkeypatch.setattr(text_size, "MAX_OPERATIONS", plain - 1)
    assert run_alone(write_draft(key))[1] == "it is too long"
    again = write_kernel(key)
    assert again.id == first.id
    assert again.source != first.source
    assert any(
        draft.sample == again and text_size.count_operations(draft.plain) < plain
        for draft, reason in (run_alone(write_draft(key, attempt)) for attempt in range(ATTEMPTS))
        if reason is None
    )
    monkeypatch.setattr(text_size, "MAX_OPERATIONS", 0)
    with pytest.raises(WarpsmithError, match="it is too long"):
        write_kernel(key)
