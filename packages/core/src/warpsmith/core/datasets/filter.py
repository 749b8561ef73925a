"""The filter: a new dataset from the pairs that have certain verdicts, such as all verified pairs or all compiler errors."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from msgspec import UNSET

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.card import category_table, front_matter
from warpsmith.core.datasets.conditions import Condition, meets
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.datasets.manifest import FilterArguments, Manifest, Shard
from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import Line, read_lines, write_atomic
from warpsmith.core.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class FilterResult:
    """The number of pairs in the original dataset, and of pairs taken, in total and by category."""

    pairs: int
    taken: int
    categories: dict[str, int]


def filter_dataset(dataset: Dataset, required: Sequence[Condition], only: Sequence[Condition], output: Path) -> FilterResult:
    """Write the lines of ``dataset`` that meet all conditions, byte for byte, with their verdicts.

    Args:
        dataset: a dataset with verdicts.
        required: conditions for which ``not_applicable`` counts as ``pass``.
        only: conditions that must hold exactly.
        output: a folder that does not exist or is empty; the finished result of the same call is returned as it is.

    Raises:
        TargetError: if the folder cannot be used.
        WarpsmithError: if pairs lack the verdicts that the conditions name.
    """
    origin = _origin(dataset, required, only)
    if (finished := _finished(output, origin)) is not None:
        return finished
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise TargetError(f"{output} is not an empty folder: choose another, or delete it")
    output.mkdir(parents=True, exist_ok=True)
    total = sum(1 for _ in dataset.lines())
    shards: list[Shard] = []
    with progress("filter", total, "lines") as advance:
        for shard in dataset.shards:
            verdicts = dataset.read_verdicts(shard)
            taken: list[Line] = []
            for line in read_lines(shard):
                if meets(line, verdicts, required, only):
                    taken.append(line)
                advance()
            if taken:
                shards.append(_write_shard(taken, verdicts, shard.name, output))
    return _write_manifest(dataset, FilterArguments(**origin, pairs=total), shards, output)


def _origin(dataset: Dataset, required: Sequence[Condition], only: Sequence[Condition]) -> dict[str, Any]:
    """Return all members of `FilterArguments` but ``pairs``, which is known only after reading the dataset."""
    return {"require": tuple(map(str, required)), "only": tuple(map(str, only)), **dataset.digests()}


def _finished(output: Path, origin: dict[str, Any]) -> FilterResult | None:
    """Return the result of an earlier call with the same arguments, None if there is none."""
    try:
        manifest = Manifest.read(output)
    except (TargetError, OSError):
        return None
    arguments = manifest.filter_arguments if manifest else None
    if manifest is None or arguments is None or asdict(arguments) != origin | {"pairs": arguments.pairs}:
        return None
    return FilterResult(arguments.pairs, manifest.pairs, manifest.categories)


def _write_shard(lines: list[Line], verdicts: dict[tuple[str, str], Verdict], name: str, output: Path) -> Shard:
    content = b"".join(line.raw if line.raw.endswith(b"\n") else line.raw + b"\n" for line in lines)
    write_atomic(output / name, content)
    identities = {line.identity for line in lines}
    kept = (verdict for (identity, _), verdict in verdicts.items() if identity in identities)
    Dataset(output, (), None).write_verdicts(output / name, kept)
    categories = Counter(line.pair.metadata.category for line in lines if line.pair is not None)
    return Shard(
        file=name,
        pairs=len(lines),
        bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        categories=dict(sorted(categories.items())),
    )


def _write_manifest(dataset: Dataset, arguments: FilterArguments, shards: list[Shard], output: Path) -> FilterResult:
    source = dataset.manifest
    categories: Counter[str] = Counter()
    for shard in shards:
        categories.update(shard.categories)
    manifest = Manifest(
        arguments=asdict(arguments),
        versions=source.versions if source else UNSET,
        preambles=source.preambles if source else UNSET,
        source=(source.source or source.arguments or None) if source else None,
        pairs=sum(categories.values()),
        bytes=sum(shard.bytes for shard in shards),
        categories=dict(sorted(categories.items())),
        shards=tuple(shards),
    )
    write_atomic(output / "README.md", "".join(_card(arguments, manifest)).encode())
    manifest.write(output)
    return FilterResult(arguments.pairs, manifest.pairs, manifest.categories)


def _card(arguments: FilterArguments, manifest: Manifest) -> Iterator[str]:
    yield front_matter(manifest.pairs, "pairs-*.jsonl") + "\n"
    yield "# Warp kernels and the code generated for them\n\n"
    yield f"{manifest.pairs:,} pairs, selected from a larger dataset by their verdicts: "
    yield f"{' and '.join(f'`{condition}`' for condition in [*arguments.require, *arguments.only])}.\n"
    yield "`verdicts-*.jsonl` contains the verdict of each check on each pair.\n"
    yield "\n" + category_table(manifest.categories)
