"""Writes the manifest of a dataset, and reads the summaries of its shards back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import UNSET

from warpsmith.core.datasets.dataset_card import card, program_card
from warpsmith.core.datasets.manifest import Manifest, Shard, Versions
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import TARGETS, Device
from warpsmith.core.records.jsonl import first_line
from warpsmith.core.records.pair import SCHEMA_VERSION, Reject
from warpsmith.core.records.program_record import PROGRAM_SCHEMA_VERSION
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.dataset_plan import Plan
from warpsmith.synthesis.production.ptx_texts import nvrtc_version
from warpsmith.synthesis.production.synthesis_workers import run_in_worker
from warpsmith.synthesis.programs.program_key import PROGRAM_VERSION


def versions(of_programs: bool = False, has_ptx: bool = False) -> Versions:
    """Return the versions that determine the bytes of a dataset, together with its arguments; loads Warp.

    Args:
        of_programs: whether the dataset consists of programs.
        has_ptx: whether the records have PTX, so that NVRTC is one of these.
    """
    import warp as wp  # only in a worker

    if of_programs:
        return Versions(warp=wp.__version__, generator=PROGRAM_VERSION, schema=PROGRAM_SCHEMA_VERSION)
    nvrtc = nvrtc_version() if has_ptx else UNSET
    return Versions(warp=wp.__version__, generator=GENERATOR_VERSION, schema=SCHEMA_VERSION, nvrtc=nvrtc)


def preambles(device: Device) -> dict[str, str]:
    """Return the text that all generated files start with, by target; loads Warp."""
    from warpsmith.extraction.warp import codegen  # loads Warp

    return {target: codegen.preamble(target) for target in TARGETS[device]}


def write_manifest(plan: Plan, summaries: Sequence[Summary], folder: Path) -> Manifest:
    """Write rejects, the dataset card and the manifest, in this order, and return the manifest."""
    rejects = [reject for summary in summaries for reject in summary.rejects]
    categories: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for summary in summaries:
        categories.update(summary.categories)
        plain.update(summary.plain)
    installed = run_in_worker(versions, plan.makes_programs, plan.ptx is not None)
    manifest = Manifest(
        arguments=plan.stated(),
        versions=installed,
        pairs=sum(summary.pairs for summary in summaries),
        rejects=len(rejects),
        bytes=sum(summary.bytes for summary in summaries),
        text_bytes=sum(summary.text_bytes for summary in summaries),
        categories={name: categories[name] for name in plan.categories},
        plain=dict(sorted(plain.items())) if plan.plain else UNSET,
        preambles=run_in_worker(preambles, plan.device),
        shards=tuple(_shard(summary) for summary in summaries),
    )
    write_atomic(folder / "rejects.jsonl", b"".join(encode(reject) for reject in rejects))
    write_atomic(folder / "README.md", _card(plan, installed, manifest, folder).encode())
    manifest.write(folder)
    return manifest


def _card(plan: Plan, installed: Versions, manifest: Manifest, folder: Path) -> str:
    example = first_line(folder / shard.file for shard in manifest.shards)
    return (program_card if plan.makes_programs else card)(plan, installed, manifest, example)


def _shard(summary: Summary) -> Shard:
    return Shard(
        file=summary.file,
        pairs=summary.pairs,
        bytes=summary.bytes,
        text_bytes=summary.text_bytes,
        sha256=summary.sha256,
        categories=summary.categories,
        rejects=len(summary.rejects),
        plain=summary.plain or UNSET,
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
        plain=shard.plain or {},
    )
