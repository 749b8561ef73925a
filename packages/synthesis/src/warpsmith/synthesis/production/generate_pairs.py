"""Generates pairs from kernel keys, and the chunks of a dataset. Loads Warp: only workers import this module."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import warp as wp

from warpsmith.core.errors import KernelRejected, WarpsmithError, describe
from warpsmith.core.execution.executor import Report
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.program_record import ProgramRecord, encode_program_record
from warpsmith.extraction.plain_texts import AddPlain, plain_writer
from warpsmith.extraction.targets.loading import extract_source_stepwise
from warpsmith.extraction.warp.interleave import Steps, run_interleaved
from warpsmith.extraction.warp.runtime import start_runtime
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, KernelKey
from warpsmith.synthesis.language.rules import RuleError
from warpsmith.synthesis.production.build import build_errors
from warpsmith.synthesis.production.chunks import WORK_FOLDER, Summary, summary_path
from warpsmith.synthesis.production.dataset_plan import Chunk, Key, Plan, chunk_file
from warpsmith.synthesis.production.program_records import ProgramOptions, program_record
from warpsmith.synthesis.production.ptx_texts import PLAIN, with_ptx
from warpsmith.synthesis.programs.program_key import ProgramKey
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError
from warpsmith.synthesis.writing.generate import write_stepwise

PAIRS_PER_BATCH = 25
"""Pairs that are generated in interleaved steps, and between two reports of progress."""


def generate_chunk(plan: Plan, chunk: Chunk, folder: Path, device: str | None, report: Report) -> Summary:
    """Generate a chunk in the work folder. The summary is written last: a chunk with a summary is complete.

    Args:
        plan: the plan of the dataset.
        chunk: the pairs to generate.
        folder: the folder of the dataset.
        device: where to build the kernels, such as ``"cpu"`` or ``"cuda:0"``; None if they are not built.
        report: receives the number of finished pairs after each batch.
    """
    if device is not None:
        start_runtime()
    if plan.makes_programs:
        return _generate_programs(plan, chunk, folder, report)
    pairs: list[Pair] = []
    rejects: list[Reject] = []
    keys = plan.keys(range(chunk.start, chunk.stop))
    with plain_writer(plan.plain, PLAIN) as add_plain:
        for start in range(0, len(keys), PAIRS_PER_BATCH):
            results = generate_pairs(plan, keys[start : start + PAIRS_PER_BATCH], add_plain)
            pairs += [result for result in results if isinstance(result, Pair)]
            rejects += [result for result in results if isinstance(result, Reject)]
            report(len(results))
    if device is not None:
        work = folder / WORK_FOLDER if storage.is_local(folder) else None  # the next run removes what a killed one leaves
        errors = build_errors({pair.id: pair.python_source for pair in pairs}, device, plan.backward, work)
        rejects += [
            Reject(id=pair.id, seed=plan.seed, index=pair.metadata.index, stage="build", error=errors[pair.id])
            for pair in pairs
            if pair.id in errors
        ]
        pairs = [pair for pair in pairs if pair.id not in errors]
    return _write_chunk(chunk, pairs, rejects, folder)


def _generate_programs(plan: Plan, chunk: Chunk, folder: Path, report: Report) -> Summary:
    """Generate a chunk of programs, see `generate_chunk`."""
    results: list[ProgramRecord | Reject] = []
    for key in plan.keys(range(chunk.start, chunk.stop)):
        results += program_records(plan, [key])
        report(1)
    programs = [result for result in results if isinstance(result, ProgramRecord)]
    kernels = [pair for program in programs for pair in program.kernels]
    counts = _Counts(sum(map(_text_bytes, kernels)), Counter(program.metadata.domain for program in programs), {})
    rejects = [result for result in results if isinstance(result, Reject)]
    return _write_lines(chunk, [encode_program_record(program) for program in programs], counts, rejects, folder)


def _write_chunk(chunk: Chunk, pairs: Sequence[Pair], rejects: Sequence[Reject], folder: Path) -> Summary:
    counts = _Counts(
        sum(map(_text_bytes, pairs)),
        Counter(pair.metadata.category for pair in pairs),
        Counter(pair.metadata.plain.status for pair in pairs if pair.metadata.plain is not None),
    )
    return _write_lines(chunk, [encode(pair) for pair in pairs], counts, rejects, folder)


class _Counts(NamedTuple):
    """Figures of the records of a chunk, see `Summary`."""

    text_bytes: int
    categories: Mapping[str, int]
    plain: Mapping[str, int]


def _write_lines(chunk: Chunk, lines: Sequence[bytes], counts: _Counts, rejects: Sequence[Reject], folder: Path) -> Summary:
    content = b"".join(lines)
    summary = Summary(
        file=chunk_file(chunk),
        pairs=len(lines),
        bytes=len(content),
        text_bytes=counts.text_bytes,
        sha256=hashlib.sha256(content).hexdigest(),
        categories=dict(counts.categories),
        plain=dict(counts.plain),
        rejects=tuple(sorted(rejects, key=lambda reject: reject.index or 0)),
    )
    write_atomic(folder / WORK_FOLDER / summary.file, content)
    write_atomic(summary_path(folder, summary.file), encode(summary))
    return summary


def generate_pairs(plan: Plan, keys: Sequence[Key], add_plain: AddPlain = list) -> list[Pair | Reject]:
    """Generate the pairs of ``keys`` in interleaved steps; a key that has no pair yields a `Reject`.

    Args:
        plan: the plan of their dataset.
        keys: the keys.
        add_plain: adds stand-alone CUDA to the pairs, see `plain_writer`.
    """
    results = run_interleaved(_generate_stepwise(plan, key) for key in keys if isinstance(key, KernelKey))
    if plan.ptx is not None:
        results = [with_ptx(result, plan.ptx) if isinstance(result, Pair) else result for result in results]
    added = iter(add_plain([result for result in results if isinstance(result, Pair)]))
    return [next(added) if isinstance(result, Pair) else result for result in results]


def program_records(plan: Plan, keys: Sequence[Key]) -> list[ProgramRecord | Reject]:
    """Generate the programs of ``keys``; a key that has no program yields a `Reject`."""
    options = ProgramOptions(plan.device, plan.backward)
    return [program_record(key, options) for key in keys if isinstance(key, ProgramKey)]


def _generate_stepwise(plan: Plan, key: KernelKey) -> Steps[Pair | Reject]:
    try:
        sample, code = yield from write_stepwise(key)
    except CatalogueError:
        raise  # a mistake in the catalogue is no property of one kernel
    except (RuleError, WarpsmithError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        return _reject(key, "generate", describe(error))
    yield
    options: dict[str, bool | int | float | str | None] = {**dict(sample.options)}
    if not plan.backward:
        options["enable_backward"] = False
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
        domain=sample.domain,
        ideas=sample.ideas,
        codegen_only=plan.codegen_only,
        # Without a build the bytes must not depend on the machine.
        cuda_available=False if plan.codegen_only else wp.is_cuda_available(),
    )


def _reject(key: KernelKey, stage: str, error: str) -> Reject:
    return Reject(id=key.id, seed=key.seed, index=key.index, stage=stage, error=error)


def _text_bytes(pair: Pair) -> int:
    texts = (pair.cpp_forward, pair.cpp_backward, pair.cuda_ir_forward, pair.cuda_ir_backward)
    return sum(len(text.encode()) for text in texts if text)
