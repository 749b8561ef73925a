"""The first pass: the selection of pairs, and the data that determines the split of each. Texts become shingles."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.datasets.conditions import by_line, meets
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import ShardIndex, index_dataset
from warpsmith.core.errors import TargetError
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.export_request import SPLIT_BY, Request
from warpsmith.core.export.training_tasks import exchanges
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.core.similarity.shingles import ShingleSet, shingles
from warpsmith.core.similarity.tokens import pair_tokens, python_tokens
from warpsmith.core.terminal import Advance, progress

TEXTS = ("python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")


@dataclass(slots=True)
class Scan:
    """The result of the first pass.

    Attributes:
        taken: for each line, whether its pair is exported.
        digests: the SHA-256 of each shard.
        ids: the ids of these pairs.
        groups: by property of `SPLIT_BY`, its values of these pairs.
        python: the shingles of their Python.
        code: the shingles of their CUDA, or of their C++ where there is no CUDA.
        texts: the number of these pairs that have each text.
        verdicts: the number of their verdicts, by level and status.
        failed_conditions: the number of pairs that do not meet the conditions on verdicts.
        without_task: the number of pairs that lack the texts of all tasks.
        close: the number of pairs that are close to a benchmark text, by its file.
        repeated_ids: the number of lines whose id another line has.
        not_records: the number of lines that are no records.
    """

    taken: list[bool] = field(default_factory=list)
    digests: dict[Path, str] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    groups: dict[str, list[tuple[str, ...]]] = field(default_factory=lambda: {name: [] for name in SPLIT_BY})
    python: list[ShingleSet | None] = field(default_factory=list)
    code: list[ShingleSet | None] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    failed_conditions: int = 0
    without_task: int = 0
    close: Counter[str] = field(default_factory=Counter)
    repeated_ids: int = 0
    not_records: int = 0

    def take(self, pair: Pair, verdicts: Sequence[Verdict]) -> None:
        """Add a pair that is exported, and count its verdicts."""
        self.ids.append(pair.id)
        metadata = pair.metadata
        self.groups["structure"].append((metadata.structure,) if metadata.structure else ())
        self.groups["idea"].append(metadata.ideas)
        self.groups["domain"].append((metadata.domain,) if metadata.domain else ())
        self.python.append(_shingles(python_tokens(pair.python_source, metadata.kernel_name)))
        self.code.append(_shingles(pair_tokens(pair, "cuda") or pair_tokens(pair, "cpu")))
        self.texts.update(name for name in TEXTS if getattr(pair, name) is not None)
        for verdict in verdicts:
            self.verdicts.setdefault(verdict.level, Counter())[verdict.status] += 1


def _shingles(tokens: Sequence[str] | None) -> ShingleSet | None:
    return shingles(tokens) if tokens else None


def scan(dataset: Dataset, request: Request, benchmarks: Benchmarks) -> Scan:
    """Read a dataset once, after an index of it is made.

    Raises:
        TargetError: if a shard cannot be read, or changes while it is read.
        WarpsmithError: if pairs lack the verdicts that conditions name.
    """
    scanned = Scan()
    indexes = index_dataset(dataset.shards)
    with progress("read", sum(len(index.numbers) for index in indexes), "pairs") as advance:
        for index in indexes:
            _scan_shard(dataset, index, request, benchmarks, scanned, advance)
    return scanned


def _scan_shard(
    dataset: Dataset, index: ShardIndex, request: Request, benchmarks: Benchmarks, scanned: Scan, advance: Advance
) -> None:
    scanned.digests[index.shard] = index.sha256
    verdicts = by_line(dataset.stored_verdicts(index.shard, index.sha256).verdicts)
    read = hashlib.sha256()
    for line in read_lines(index.shard, read):
        line_verdicts = verdicts.get(line.number, {})
        taken = _is_record(line, index, scanned) and _is_taken(
            line, line.checked(), line_verdicts, request, benchmarks, scanned
        )
        scanned.taken.append(taken)
        if taken:
            scanned.take(line.checked(), list(line_verdicts.values()))
        advance()
    if read.hexdigest() != index.sha256:
        raise TargetError(f"{index.shard} changed while it was read: run the command again")


def _is_record(line: Line, index: ShardIndex, scanned: Scan) -> bool:
    """Return whether a line is a record with an id that no other has; ``scanned`` counts the reason if it is not."""
    if line.pair is None:
        scanned.not_records += 1
    elif line.number in index.repeated:
        scanned.repeated_ids += 1
    else:
        return True
    return False


def _is_taken(
    line: Line,
    pair: Pair,
    verdicts: Mapping[str, Verdict],
    request: Request,
    benchmarks: Benchmarks,
    scanned: Scan,
) -> bool:
    """Return whether a pair is exported; ``scanned`` counts the reason if it is not."""
    if not meets(line, verdicts, request.required, request.only):
        scanned.failed_conditions += 1
    elif request.tasks and not any(exchanges(pair, request.tasks)):
        scanned.without_task += 1
    elif (name := benchmarks.close(pair)) is not None:
        scanned.close[name] += 1
    else:
        return True
    return False
