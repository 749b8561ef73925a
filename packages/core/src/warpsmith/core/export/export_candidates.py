"""The lines of a dataset that an export may contain, and what determines their splits and rows; workers make them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import orjson

from warpsmith.core.datasets.conditions import by_line, meets
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.execution.executor import Report
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.export_reading import Reading
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.export.row_places import Place, RowFile, row_file
from warpsmith.core.export.token_counts import Length, count_tokens
from warpsmith.core.export.training_tasks import exchanges
from warpsmith.core.records.jsonl import TOO_LONG, Line, LineStart, decode, placed_lines
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
class Row:
    """An exchange of a pair: its length, and the place of its row in each format."""

    length: Length
    places: Mapping[str, Place]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair that meets the conditions.

    Attributes:
        id: the id.
        place: the place of its record.
        category: the category.
        structure: the structure digest, or nothing.
        ideas: the ideas.
        domain: the domain, or nothing.
        python: the shingles of the Python.
        code: the shingles of the CUDA, or of the C++ where there is no CUDA.
        tokens: the number of tokens of each text that the pair has.
        rows: its exchanges by task.
        verdicts: level and status of its verdicts.
        close: the benchmark file that it is close to, or None.
    """

    id: str
    place: Place
    category: str
    structure: tuple[str, ...]
    ideas: tuple[str, ...]
    domain: tuple[str, ...]
    python: ShingleSet | None
    code: ShingleSet | None
    tokens: Mapping[str, int]
    rows: Mapping[str, Row]
    verdicts: tuple[tuple[str, str], ...]
    close: str | None


@dataclass(frozen=True, slots=True)
class Part:
    """Some lines of a shard.

    Attributes:
        shard: the file.
        sha256: the SHA-256 of its content.
        first: where the first line begins.
        last: the number of the last line.
        repeated: the numbers of lines whose id another line has.
        count: how many lines are not empty.
    """

    shard: Path
    sha256: str
    first: LineStart
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
    with _row_file(reading, part) as rows:
        for line, place in _lines(part):
            is_repeated = line.number in part.repeated
            found.append(_candidate(reading, line, place, verdicts.get(line.number, {}), is_repeated, rows))
            report(1)
    return found


def _row_file(reading: Reading, part: Part) -> AbstractContextManager[RowFile | None]:
    if reading.folder is None:
        return nullcontext()
    return row_file(reading.folder / f"{part.shard.stem}-{part.first.number}.rows")


@lru_cache(maxsize=2)
def _verdicts(dataset: Dataset, shard: Path, sha256: str, _inputs: tuple[str, ...]) -> Mapping[int, Mapping[str, Verdict]]:
    return by_line(dataset.stored_verdicts(shard, sha256).verdicts)


def _lines(part: Part) -> Iterator[tuple[Line, Place]]:
    for (number, offset), raw in placed_lines(part.shard, start=part.first):
        if number > part.last:
            return
        line = Line(part.shard, number, b"", None, TOO_LONG) if raw is None else decode(raw, part.shard, number)
        yield line, Place(part.shard, offset, len(line.raw))


def _candidate(
    reading: Reading, line: Line, place: Place, verdicts: Mapping[str, Verdict], is_repeated: bool, rows: RowFile | None
) -> Candidate | str:
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
        place=place,
        category=metadata.category,
        structure=(metadata.structure,) if metadata.structure else (),
        ideas=metadata.ideas,
        domain=(metadata.domain,) if metadata.domain else (),
        python=_shingles(python_tokens(pair.python_source, metadata.kernel_name)) if close is None else None,
        code=_shingles(pair_tokens(pair, "cuda") or pair_tokens(pair, "cpu")) if close is None else None,
        tokens=_text_tokens(pair, reading.tokenizer),
        rows=_rows(pair, reading, rows) if rows is not None else {},
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


def _rows(pair: Pair, reading: Reading, file: RowFile) -> dict[str, Row]:
    """Write the rows of a pair in all formats."""
    present = list(exchanges(pair, reading.tasks))
    counts = iter(count_tokens(reading.tokenizer, [text for each in present for text in (each.question, each.text)]))
    found = {}
    for each in present:
        length = Length(next(counts), next(counts))
        tokens = {"prompt_tokens": length.prompt, "answer_tokens": length.answer}
        places = {}
        for form in reading.forms:
            row = FORMATS[form].row
            if row is not None:
                places[form] = file.add(orjson.dumps({**row(pair, each), **tokens}, option=orjson.OPT_APPEND_NEWLINE))
        found[each.task] = Row(length, places)
    return found
