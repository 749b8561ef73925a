"""The first pass: which pairs are taken, and what decides the split of each. Of texts only sets of shingles are kept."""

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
from warpsmith.core.similarity.shingles import Set, shingles
from warpsmith.core.similarity.tokens import pair_tokens, python_tokens

TEXTS = ("python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")


@dataclass(slots=True)
class Scan:
    """What is known of a dataset's pairs after one reading.

    Attributes:
        taken: for each line whether its pair is taken.
        ids, structures, python, code: of the pairs that are taken: names, structures, shingles of the Python and of the CUDA
            text, or else the C++ text.
        texts: how many of these pairs have each text.
        proofs: by level and status, the verdicts on these pairs.
        unproven: pairs without the verdicts that were asked for.
        without_task: pairs that lack the texts of all tasks.
        close: pairs close to a benchmark's text, by its file.
    """

    taken: list[bool] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    structures: list[str | None] = field(default_factory=list)
    python: list[Set | None] = field(default_factory=list)
    code: list[Set | None] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    proofs: dict[str, Counter[str]] = field(default_factory=dict)
    unproven: int = 0
    without_task: int = 0
    close: Counter[str] = field(default_factory=Counter)

    def take(self, pair: Pair, verdicts: Sequence[Verdict]) -> None:
        """Count a pair and what was said of it."""
        self.ids.append(pair.id)
        self.structures.append(pair.metadata.structure)
        self.python.append(_set(python_tokens(pair.python_source, pair.metadata.kernel_name)))
        self.code.append(_set(pair_tokens(pair, "cuda") or pair_tokens(pair, "cpu")))
        self.texts.update(name for name in TEXTS if getattr(pair, name) is not None)
        for verdict in verdicts:
            self.proofs.setdefault(verdict.level, Counter())[verdict.status] += 1


def _set(tokens: Sequence[str] | None) -> Set | None:
    return shingles(tokens) if tokens else None


def scan(dataset: Dataset, request: Request, benchmarks: Benchmarks) -> Scan:
    """Read a dataset once.

    Raises:
        RecordError: at the first line that is no record.
        WarpsmithError: if pairs lack verdicts that are asked for.
    """
    found = Scan()
    with progress("read", sum(_lines_of(shard) for shard in dataset.shards), "pairs") as advance:
        for shard in dataset.shards:
            verdicts = dataset.read_verdicts(shard)
            own: defaultdict[str, list[Verdict]] = defaultdict(list)
            for verdict in verdicts.values():
                own[verdict.id].append(verdict)
            for line in read_lines(shard):
                pair = line.checked()
                taken = _is_taken(line, pair, verdicts, request, benchmarks, found)
                found.taken.append(taken)
                if taken:
                    found.take(pair, own[pair.id])
                advance()
    return found


def _lines_of(shard: Path) -> int:
    with shard.open("rb") as file:
        return sum(1 for raw in file if raw.strip())


def _is_taken(
    line: Line,
    pair: Pair,
    verdicts: Mapping[tuple[str, str], Verdict],
    request: Request,
    benchmarks: Benchmarks,
    found: Scan,
) -> bool:
    """Whether a pair is exported; if not, ``found`` counts why."""
    if not meets(line, verdicts, request.required, request.only):
        found.unproven += 1
    elif request.tasks and not any(exchanges(pair, request.tasks)):
        found.without_task += 1
    elif (name := benchmarks.close(pair)) is not None:
        found.close[name] += 1
    else:
        return True
    return False
