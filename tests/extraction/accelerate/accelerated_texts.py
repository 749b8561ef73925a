"""Prints a digest of the text of each kernel: of Warp's code generation as it is, one by one; or accelerated, side by side.

Run as a process of its own.

python accelerated_texts.py stock|accelerated COUNT   [CATEGORY…]     kernels of synthesis, COUNT of each category
python accelerated_texts.py stock|accelerated examples                 the kernels of warp.examples
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import warnings
from collections.abc import Iterator

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import KernelIR
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.harvest import harvest
from warpsmith.extraction.interleave import Steps, run_interleaved
from warpsmith.extraction.loading import extract_source_stepwise, loaded_kernel
from warpsmith.extraction.targets import import_target
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories
from warpsmith.synthesis.writing.generate import Sample, write_kernel

SEED = 31
BATCH = 25


def written(count: int, names: list[str], together: bool) -> Iterator[tuple[str, str]]:
    """Id and text, or error, of kernels of synthesis."""
    core = [category.name for category in core_categories()]
    samples = []
    for category in all_categories():
        for number in range(count) if not names or category.name in names else ():
            if category.name in core:
                samples.append(write_kernel(KernelKey(SEED, number * len(core) + core.index(category.name))))
            else:
                samples.append(write_kernel(KernelKey(SEED, number, category=category.name)))
    if not together:
        return ((sample.id, alone(sample)) for sample in samples)
    samples = RandomStream("neighbours").shuffled(samples)  # of any category
    batches = (samples[start : start + BATCH] for start in range(0, len(samples), BATCH))
    return (
        (sample.id, text)
        for batch in batches
        for sample, text in zip(batch, run_interleaved(map(side_by_side, batch)), strict=True)
    )


def alone(sample: Sample) -> str:
    try:
        with loaded_kernel(sample.source, sample.kernel_name, dict(sample.options)) as kernel:
            return repr_of(extract_ir(kernel, "both"))
    except KernelRejected as error:
        return str(error)


def side_by_side(sample: Sample) -> Steps[str]:
    try:
        ir = yield from extract_source_stepwise(sample.source, sample.kernel_name, dict(sample.options), "both", True)
    except KernelRejected as error:
        return str(error)
    return repr_of(ir)


def repr_of(ir: KernelIR) -> str:
    return repr([(code.forward_code, code.backward_code) for code in ir.codes.values()])


def found() -> Iterator[tuple[str, str]]:
    """The same of the kernels that come with Warp."""
    for result in harvest(import_target("warp.examples"), "both", include_backward=True):
        yield result.id, repr(result if isinstance(result, Pair) else result.error)


def main(how: str, what: str, *names: str) -> None:
    warnings.simplefilter("ignore")
    with accelerated(how == "accelerated") as on, contextlib.redirect_stdout(sys.stderr):
        assert on == (how == "accelerated"), "this Warp is not one that was compared"
        texts = found() if what == "examples" else written(int(what), list(names), on)
        digests = {identity: hashlib.sha256(text.encode()).hexdigest() for identity, text in texts}
    print(json.dumps(digests))


if __name__ == "__main__":
    main(*sys.argv[1:])
