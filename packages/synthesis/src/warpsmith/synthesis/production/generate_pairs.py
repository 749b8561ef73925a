"""Makes pairs, and the parts of a shard: generate, extract, encode."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.errors import KernelRejected, WarpsmithError, describe
from warpsmith.core.records.jsonl import encode, write_atomic
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction.interleave import Steps, run_interleaved
from warpsmith.extraction.loading import extract_source_stepwise
from warpsmith.extraction.warp.runtime import start_runtime
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, KernelKey
from warpsmith.synthesis.language.rules import RuleError
from warpsmith.synthesis.production.build import refused
from warpsmith.synthesis.production.chunks import WORK_FOLDER, Summary, summary_path
from warpsmith.synthesis.production.plan import Part, Plan, part_file
from warpsmith.synthesis.writing.generate import write_stepwise

STEP = 25
"""Pairs that are made side by side, and between two reports of progress."""


def make_part(plan: Plan, part: Part, folder: Path, advance: Callable[[int], None], device: str | None) -> Summary:
    """Make a part and write it to the work folder; its summary is written last, so that a part with a summary is whole.

    Args:
        plan: of the dataset.
        part: which pairs.
        folder: of the dataset.
        advance: is called now and then with the number of pairs made.
        device: where to build the kernels, such as ``"cpu"`` or ``"cuda:0"``; None to leave them unbuilt.
    """
    if device is not None:
        start_runtime()
    pairs: list[Pair] = []
    rejects: list[Reject] = []
    kernels = plan.kernels(part)
    for start in range(0, len(kernels), STEP):
        results = make_pairs(plan, kernels[start : start + STEP])
        pairs += [result for result in results if isinstance(result, Pair)]
        rejects += [result for result in results if isinstance(result, Reject)]
        advance(len(results))
    if device is not None:
        errors = refused({pair.id: pair.python_source for pair in pairs}, device, plan.backward)
        rejects += [
            Reject(id=pair.id, seed=plan.seed, index=pair.metadata.index, stage="build", error=errors[pair.id])
            for pair in pairs
            if pair.id in errors
        ]
        pairs = [pair for pair in pairs if pair.id not in errors]
    content = b"".join(encode(pair) for pair in pairs)
    summary = Summary(
        file=part_file(part),
        pairs=len(pairs),
        bytes=len(content),
        text_bytes=sum(_text_bytes(pair) for pair in pairs),
        sha256=hashlib.sha256(content).hexdigest(),
        categories=dict(Counter(pair.metadata.category for pair in pairs)),
        rejects=tuple(sorted(rejects, key=lambda reject: reject.index or 0)),
    )
    write_atomic(folder / WORK_FOLDER / summary.file, content)
    write_atomic(summary_path(folder, summary.file), encode(summary))
    return summary


def make_pairs(plan: Plan, kernels: Sequence[KernelKey]) -> list[Pair | Reject]:
    """Make the pairs of ``kernels``, side by side, or say why there is none."""
    return run_interleaved(_making(plan, key) for key in kernels)


def _making(plan: Plan, key: KernelKey) -> Steps[Pair | Reject]:
    try:
        sample, code = yield from write_stepwise(key)
    except (RuleError, WarpsmithError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        return _reject(key, "generate", describe(error))
    yield
    options: dict[str, Any] = dict(sample.options) | ({} if plan.backward else {"enable_backward": False})
    try:
        ir = yield from extract_source_stepwise(sample.source, sample.kernel_name, options, plan.device, plan.backward, code)
    except KernelRejected as error:
        return _reject(key, error.stage, error.reason)
    return Pair.from_ir(
        ir,
        identity=key.id,
        python_source=sample.source,
        category=sample.category,
        warp_version=wp.__version__,
        generator_version=GENERATOR_VERSION,
        module_options=options,
        launch=sample.launch,
        seed=key.seed,
        index=key.index,
        features=sample.features,
        description=sample.description,
        structure=sample.structure,
        codegen_only=plan.codegen_only,
        # A run that builds nothing does not look for CUDA: its bytes are the same on every machine.
        cuda_available=False if plan.codegen_only else wp.is_cuda_available(),
    )


def _reject(key: KernelKey, stage: str, error: str) -> Reject:
    return Reject(id=key.id, seed=key.seed, index=key.index, stage=stage, error=error)


def _text_bytes(pair: Pair) -> int:
    texts = (pair.cpp_forward, pair.cpp_backward, pair.cuda_ir_forward, pair.cuda_ir_backward)
    return sum(len(text.encode()) for text in texts if text)
