"""Compares a shard with its manifest entry, and pairs of the shard with the same pairs generated again."""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.datasets.manifest import changed_file, missing_file
from warpsmith.core.execution.executor import Report
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.program_record import ProgramRecord, encode_program_record
from warpsmith.synthesis.production.chunks import Summary
from warpsmith.synthesis.production.dataset_plan import Key, Plan
from warpsmith.synthesis.production.ptx_texts import PLAIN

MAX_DIFFERENCES = 20
"""Differences of one shard that are listed; the remaining ones are counted."""

Lines = Mapping[str, Sequence[bytes]]
"""The lines of a shard by pair id; lines without an id are listed under the empty string."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        shards: the number of files whose digests were checked.
        pairs: the number of pairs that were generated again.
        differences: one line each, in the order of the dataset.
    """

    shards: int
    pairs: int
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShardSample:
    """The positions of the pairs of one shard that are generated again."""

    shard: int
    positions: tuple[int, ...]


def compare(plan: Plan, folder: Path, summaries: dict[str, Summary], sample: ShardSample, report: Report) -> Comparison:
    """Compare one shard of ``folder`` with its summary, and the pairs of ``sample`` with pairs that are generated now.

    If the digest of the shard differs, all pairs that it contains are generated, to name those that differ. Pairs that only the
    manifest claims are missing, and are not generated.
    """
    name = plan.shard_file(sample.shard)
    differences, pairs = [missing_file(name)], 0
    if (folder / name).is_file():
        content = (folder / name).read_bytes()
        positions = plan.positions(sample.shard)
        keys = dict(zip(positions, plan.keys(positions), strict=True))
        changed = hashlib.sha256(content).hexdigest() != summaries[name].sha256
        differences = [changed_file(name)] * changed
        lines = _lines_by_id(content)
        differences += _compare_ids(keys.values(), summaries[name], lines)
        known = lines.keys() | {reject.id for reject in summaries[name].rejects}
        chosen = [keys[position] for position in (positions if changed else sample.positions) if keys[position].id in known]
        pairs = len(chosen)
        differences += _compare_pairs(plan, chosen, summaries[name], lines)
    report(1)
    rest = len(differences) - MAX_DIFFERENCES
    return Comparison(1, pairs, (*differences[:MAX_DIFFERENCES], *([f"{name}: and {rest} more"] if rest > 0 else ())))


def _lines_by_id(content: bytes) -> Lines:
    lines: dict[str, list[bytes]] = {}
    for line in io.BytesIO(content):
        lines.setdefault(_id(line), []).append(line)
    return lines


def _id(line: bytes) -> str:
    try:
        return str(orjson.loads(line)["id"])
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return ""


def _compare_ids(keys: Iterable[Key], summary: Summary, lines: Lines) -> Iterator[str]:
    """Yield the ids that the shard lacks, repeats or should not contain."""
    expected = Counter(key.id for key in keys) - Counter(reject.id for reject in summary.rejects)
    present = Counter({identity: len(group) for identity, group in lines.items()})
    for identity in expected - present:
        yield f"{summary.file}: {identity} is missing"
    for identity in present - expected:
        if not identity:
            yield f"{summary.file}: a line that is no pair"
        elif expected[identity]:
            yield f"{summary.file}: {identity} occurs more than once"
        else:
            yield f"{summary.file}: {identity} does not belong there"


def _compare_pairs(plan: Plan, keys: Sequence[Key], summary: Summary, lines: Lines) -> Iterator[str]:
    """Yield the difference of each pair of ``keys`` whose line is not the one that is generated now."""
    from warpsmith.extraction.plain_texts import plain_writer  # loads Warp
    from warpsmith.synthesis.production.generate_pairs import PAIRS_PER_BATCH, generate_pairs, program_records

    rejects = {reject.id: reject for reject in summary.rejects}
    with plain_writer(plan.plain and bool(keys), PLAIN) as add_plain:
        for start in range(0, len(keys), PAIRS_PER_BATCH):
            batch = keys[start : start + PAIRS_PER_BATCH]
            made = program_records(plan, batch) if plan.makes_programs else generate_pairs(plan, batch, add_plain)
            for generated in made:
                if generated.id in rejects:
                    difference = _compare_reject(generated, rejects[generated.id])
                else:
                    difference = _compare_lines(generated, lines.get(generated.id, []), plan.codegen_only)
                if difference:
                    yield f"{summary.file}: {generated.id} {difference}"


def _compare_reject(generated: Pair | ProgramRecord | Reject, recorded: Reject) -> str:
    if recorded.stage == "build" or generated == recorded:  # nothing is built here
        return ""
    return f"is no longer what was rejected: {recorded.stage}: {recorded.error}"


def _compare_lines(generated: Pair | ProgramRecord | Reject, lines: Sequence[bytes], codegen_only: bool) -> str:
    if isinstance(generated, Reject):
        return f"cannot be made: {generated.stage}: {generated.error}"
    for line in lines:
        recorded = _Fields.read(line)
        if (expected := _expected(generated, recorded, codegen_only)) != line:
            fields = ", ".join(_Fields.read(expected).differing(recorded))
            return f"differs in {fields}" if fields else "is written in another way"
    return ""


def _expected(generated: Pair | ProgramRecord, recorded: _Fields, codegen_only: bool) -> bytes:
    """Return the line that a pair or program should have."""
    if isinstance(generated, ProgramRecord):
        return encode_program_record(generated)
    return encode(generated if codegen_only else _with_cuda_available(generated, recorded.cuda_available))


def _with_cuda_available(pair: Pair, available: bool) -> Pair:
    """Return the pair with another ``cuda_available``, which describes the machine that built the kernel."""
    return replace(pair, metadata=replace(pair.metadata, cuda_available=available))


_MISSING = object()


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a line.

    Attributes:
        values: the values by name; those of the metadata have names such as ``metadata.seed``.
        cuda_available: whether the metadata says that the machine had CUDA.
    """

    values: dict[str, Any]
    cuda_available: bool

    @classmethod
    def read(cls, line: bytes) -> _Fields:
        """Return the fields of a line that is JSON, but perhaps no record of this release."""
        record = orjson.loads(line)
        metadata = record.get("metadata")
        if not isinstance(metadata, dict):
            return cls(record, cuda_available=False)
        members = {f"metadata.{name}": value for name, value in metadata.items()}
        return cls({**record, "metadata": None} | members, cuda_available=metadata.get("cuda_available") is True)

    def differing(self, other: _Fields) -> list[str]:
        """Return the names of the fields with different values."""
        names = {*self.values, *other.values}
        return sorted(name for name in names if self.values.get(name, _MISSING) != other.values.get(name, _MISSING))
