"""Writes the manifest of a dataset, and reads the summaries of its shards back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import msgspec

from warpsmith.core.datasets.dataset_card import card, program_card
from warpsmith.core.datasets.manifest import Manifest, Shard, Versions
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import TARGETS, Device
from warpsmith.core.records.pair import SCHEMA_VERSION, Reject
from warpsmith.core.records.program_record import PROGRAM_SCHEMA_VERSION
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.dataset_plan import Plan
from warpsmith.synthesis.production.synthesis_workers import run_in_worker
from warpsmith.synthesis.programs.program_key import PROGRAM_VERSION


def versions(of_programs: bool = False) -> Versions:
    """Return the versions that determine the bytes of a dataset, together with its arguments; loads Warp.

    Args:
        of_programs: whether the dataset consists of programs.
    """
    import warp as wp  # only in a worker

    if of_programs:
        return Versions(warp=wp.__version__, generator=PROGRAM_VERSION, schema=PROGRAM_SCHEMA_VERSION)
    return Versions(warp=wp.__version__, generator=GENERATOR_VERSION, schema=SCHEMA_VERSION)


def preambles(device: Device) -> dict[str, str]:
    """Return the text that all generated files start with, by target; loads Warp."""
    from warpsmith.extraction.warp import codegen  # loads Warp

    return {target: codegen.preamble(target) for target in TARGETS[device]}


def write_manifest(plan: Plan, summaries: Sequence[Summary], folder: Path) -> Manifest:
    """Write rejects, the dataset card and the manifest, in this order, and return the manifest."""
    rejects = [reject for summary in summaries for reject in summary.rejects]
    categories: Counter[str] = Counter()
    for summary in summaries:
        categories.update(summary.categories)
    installed = run_in_worker(versions, plan.makes_programs)
    manifest = Manifest(
        arguments=asdict(plan),
        versions=installed,
        pairs=sum(summary.pairs for summary in summaries),
        rejects=len(rejects),
        bytes=sum(summary.bytes for summary in summaries),
        text_bytes=sum(summary.text_bytes for summary in summaries),
        categories={name: categories[name] for name in plan.categories},
        preambles=run_in_worker(preambles, plan.device),
        shards=tuple(_shard(summary) for summary in summaries),
    )
    write_atomic(folder / "rejects.jsonl", b"".join(encode(reject) for reject in rejects))
    text = program_card(plan, installed, manifest) if plan.makes_programs else card(plan, installed, manifest)
    write_atomic(folder / "README.md", text.encode())
    manifest.write(folder)
    return manifest


def _shard(summary: Summary) -> Shard:
    return Shard(
        file=summary.file,
        pairs=summary.pairs,
        bytes=summary.bytes,
        text_bytes=summary.text_bytes,
        sha256=summary.sha256,
        categories=summary.categories,
        rejects=len(summary.rejects),
    )


def summaries_of(manifest: Manifest, folder: Path) -> dict[str, Summary]:
    """Return the summaries of a complete dataset by file, with their rejects from `rejects.jsonl`."""
    path = folder / "rejects.jsonl"
    lines = path.read_bytes().splitlines() if path.is_file() else []
    try:
        rejects = iter([msgspec.json.decode(line, type=Reject) for line in lines])
        return {shard.file: _summary(shard, rejects) for shard in manifest.shards}
    except msgspec.DecodeError as error:
        raise WarpsmithError(f"{path} is damaged ({error}); choose another --output, or empty the folder") from error


def _summary(shard: Shard, rejects: Iterator[Reject]) -> Summary:
    return Summary(
        file=shard.file,
        pairs=shard.pairs,
        bytes=shard.bytes,
        text_bytes=shard.text_bytes or 0,
        sha256=shard.sha256,
        categories=shard.categories,
        rejects=tuple(islice(rejects, shard.rejects or 0)),
    )
