"""The lines of a dataset that an export may contain, and what determines their splits and rows; workers make them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from warpsmith.core.datasets.conditions import by_line, meets
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.execution.executor import Report
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.export_reading import Reading
from warpsmith.core.export.token_counts import Length, count_tokens
from warpsmith.core.export.training_tasks import exchanges
from warpsmith.core.records.jsonl import TOO_LONG, Line, decode, raw_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.core.similarity.shingles import ShingleSet, shingles
from warpsmith.core.similarity.tokens import pair_tokens, python_tokens

TEXTS = (
    "python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward",
    "ptx_forward", "ptx_backward", "cuda_plain",
)  # fmt: skip

NOT_RECORD, REPEATED_ID, FAILED_CONDITION = "not a record", "a repeated id", "a failed condition"
"""Why a line is no candidate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that meets the conditions.

    Attributes:
        id: the id.
        structure: the structure digest, or nothing.
        ideas: the ideas.
        domain: the domain, or nothing.
        python: the shingles of the Python.
        code: the shingles of the CUDA, or of the C++ where there is no CUDA.
        tokens: the number of tokens of each text that the pair has.
        rows: the lengths of its exchanges by task.
        verdicts: level and status of its verdicts.
        close: the benchmark file that it is close to, or None.
    """

    id: str
    structure: tuple[str, ...]
    ideas: tuple[str, ...]
    domain: tuple[str, ...]
    python: ShingleSet | None
    code: ShingleSet | None
    tokens: Mapping[str, int]
    rows: Mapping[str, Length]
    verdicts: tuple[tuple[str, str], ...]
    close: str | None


@dataclass(frozen=True, slots=True)
class Part:
    """Some lines of a shard.

    Attributes:
        shard: the file.
        sha256: the SHA-256 of its content.
        first: the number of the first line.
        last: the number of the last line.
        repeated: the numbers of lines whose id another line has.
        count: how many lines are not empty.
    """

    shard: Path
    sha256: str
    first: int
    last: int
    repeated: frozenset[int]
    count: int


def read_part(reading: Reading, part: Part, report: Report) -> list[Candidate | str]:
    """Return a candidate for each line of a part, or why there is none.

    Raises:
        TargetError: if the shard cannot be read.
        WarpsmithError: if a pair lacks a verdict that a condition names.
    """
    verdicts = _verdicts(reading.dataset, part.shard, part.sha256, reading.inputs)
    found: list[Candidate | str] = []
    for line in _lines(part):
        found.append(_candidate(reading, line, verdicts.get(line.number, {}), line.number in part.repeated))
        report(1)
    return found


@lru_cache(maxsize=2)
def _verdicts(dataset: Dataset, shard: Path, sha256: str, _inputs: tuple[str, ...]) -> Mapping[int, Mapping[str, Verdict]]:
    return by_line(dataset.stored_verdicts(shard, sha256).verdicts)


def _lines(part: Part) -> Iterator[Line]:
    for number, raw in raw_lines(part.shard):
        if number > part.last:
            return
        if number >= part.first:
            yield Line(part.shard, number, b"", None, TOO_LONG) if raw is None else decode(raw, part.shard, number)


def _candidate(reading: Reading, line: Line, verdicts: Mapping[str, Verdict], is_repeated: bool) -> Candidate | str:
    if line.pair is None:
        return NOT_RECORD
    if is_repeated:
        return REPEATED_ID
    if not meets(line, verdicts, reading.required, reading.only):
        return FAILED_CONDITION
    pair, metadata = line.pair, line.pair.metadata
    close = benchmarks_of(reading).close(pair)
    return Candidate(
        id=pair.id,
        structure=(metadata.structure,) if metadata.structure else (),
        ideas=metadata.ideas,
        domain=(metadata.domain,) if metadata.domain else (),
        python=_shingles(python_tokens(pair.python_source, metadata.kernel_name)) if close is None else None,
        code=_shingles(pair_tokens(pair, "cuda") or pair_tokens(pair, "cpu")) if close is None else None,
        tokens=_text_tokens(pair, reading.tokenizer),
        rows=_rows(pair, reading),
        verdicts=tuple((verdict.level, verdict.status) for verdict in verdicts.values()),
        close=close,
    )


def benchmarks_of(reading: Reading) -> Benchmarks:
    """Return the texts of the benchmark files; a process reads them once."""
    return _benchmarks(reading.exclude, reading.inputs)


@lru_cache(maxsize=1)
def _benchmarks(paths: tuple[Path, ...], _inputs: tuple[str, ...]) -> Benchmarks:
    return Benchmarks(paths)


def _shingles(tokens: Sequence[str] | None) -> ShingleSet | None:
    return shingles(tokens) if tokens else None


def _text_tokens(pair: Pair, tokenizer: str) -> dict[str, int]:
    texts = {name: text for name in TEXTS if (text := getattr(pair, name)) is not None}
    return dict(zip(texts, count_tokens(tokenizer, list(texts.values())), strict=True))


def _rows(pair: Pair, reading: Reading) -> dict[str, Length]:
    present = list(exchanges(pair, reading.tasks))
    counts = iter(count_tokens(reading.tokenizer, [text for each in present for text in (each.question, each.text)]))
    return {each.task: Length(next(counts), next(counts)) for each in present}
