"""The first pass: the selection of pairs, and the data that determines the split of each. Texts become shingles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.conditions import meets
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.request import Request
from warpsmith.core.export.tasks import exchanges
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.core.similarity.shingles import ShingleSet, shingles
from warpsmith.core.similarity.tokens import pair_tokens, python_tokens

TEXTS = ("python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")


@dataclass(slots=True)
class Scan:
    """The result of the first pass.

    Attributes:
        taken: for each line, whether its pair is exported.
        ids: the ids of these pairs.
        structures: their structures.
        python: the shingles of their Python.
        code: the shingles of their CUDA, or of their C++ where there is no CUDA.
        texts: the number of these pairs that have each text.
        verdicts: the number of their verdicts, by level and status.
        failed_conditions: the number of pairs that do not meet the conditions on verdicts.
        without_task: the number of pairs that lack the texts of all tasks.
        close: the number of pairs that are close to a benchmark text, by its file.
    """

    taken: list[bool] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    structures: list[str | None] = field(default_factory=list)
    python: list[ShingleSet | None] = field(default_factory=list)
    code: list[ShingleSet | None] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    failed_conditions: int = 0
    without_task: int = 0
    close: Counter[str] = field(default_factory=Counter)

    def take(self, pair: Pair, verdicts: Sequence[Verdict]) -> None:
        """Add a pair that is exported, and count its verdicts."""
        self.ids.append(pair.id)
        self.structures.append(pair.metadata.structure)
        self.python.append(_shingles(python_tokens(pair.python_source, pair.metadata.kernel_name)))
        self.code.append(_shingles(pair_tokens(pair, "cuda") or pair_tokens(pair, "cpu")))
        self.texts.update(name for name in TEXTS if getattr(pair, name) is not None)
        for verdict in verdicts:
            self.verdicts.setdefault(verdict.level, Counter())[verdict.status] += 1


def _shingles(tokens: Sequence[str] | None) -> ShingleSet | None:
    return shingles(tokens) if tokens else None


def scan(dataset: Dataset, request: Request, benchmarks: Benchmarks) -> Scan:
    """Read a dataset once.

    Raises:
        RecordError: at the first line that is not a valid record.
        WarpsmithError: if pairs lack the verdicts that conditions name.
    """
    scanned = Scan()
    with progress("read", sum(_line_count(shard) for shard in dataset.shards), "pairs") as advance:
        for shard in dataset.shards:
            verdicts = dataset.read_verdicts(shard)
            own: defaultdict[str, list[Verdict]] = defaultdict(list)
            for verdict in verdicts.values():
                own[verdict.id].append(verdict)
            for line in read_lines(shard):
                pair = line.checked()
                taken = _is_taken(line, pair, verdicts, request, benchmarks, scanned)
                scanned.taken.append(taken)
                if taken:
                    scanned.take(pair, own[pair.id])
                advance()
    return scanned


def _line_count(shard: Path) -> int:
    with shard.open("rb") as file:
        return sum(1 for raw in file if raw.strip())


def _is_taken(
    line: Line,
    pair: Pair,
    verdicts: Mapping[tuple[str, str], Verdict],
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
