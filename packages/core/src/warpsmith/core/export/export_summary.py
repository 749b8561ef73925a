"""The manifest of an export, computed from what was read and written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.export.clusters import SIMILAR
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.export_candidates import TEXTS
from warpsmith.core.export.export_manifest import (
    ClusterCounts,
    ExcludedCounts,
    ExportArguments,
    ExportManifest,
    LeftOut,
    Source,
    SplitCounts,
)
from warpsmith.core.export.first_pass import Scan
from warpsmith.core.export.leakage import leakage
from warpsmith.core.export.second_pass import Written
from warpsmith.core.export.token_counts import Quantiles
from warpsmith.core.export.training_tasks import TASKS


def summarize(
    dataset: Dataset,
    arguments: ExportArguments,
    scanned: Scan,
    benchmarks: Benchmarks,
    clusters: Sequence[str],
    splits: Sequence[str],
    written: Written,
) -> ExportManifest:
    """Return the manifest of a written export.

    Args:
        dataset: the dataset that was exported.
        arguments: the arguments of the export.
        scanned: the result of the first pass.
        benchmarks: the texts that pairs were compared with.
        clusters: the cluster of each pair.
        splits: the split of each pair, in the order of writing.
        written: the files that were written.
    """
    sizes = Counter(clusters)
    return ExportManifest(
        arguments=arguments,
        source=Source.of(dataset.manifest),
        pairs=len(scanned.ids),
        lines=sum(split.lines for split in written.splits.values()),
        bytes=sum(file.bytes for file in written.files),
        texts={name: scanned.texts[name] for name in sorted(scanned.texts)},
        left_out=left_out(scanned, benchmarks),
        splits=_splits(written, clusters, splits),
        families=ClusterCounts(
            count=len(sizes),
            of_several=sum(size > 1 for size in sizes.values()),
            largest=max(sizes.values()),
            jaccard=SIMILAR,
        ),
        leakage=leakage(
            {split: [number for number, assigned in enumerate(splits) if assigned == split] for split in written.splits},
            scanned.groups,
            {"python": scanned.python, "code": scanned.code},
        ),
        proofs={level: dict(sorted(counts.items())) for level, counts in scanned.verdicts.items()},
        files=tuple(written.files),
        tokens={name: Quantiles.of(scanned.tokens[name]) for name in (*TASKS, *TEXTS) if name in scanned.tokens},
    )


def left_out(scanned: Scan, benchmarks: Benchmarks) -> LeftOut:
    """Return the number of pairs that were left out, by reason."""
    return LeftOut(
        by_verdict=scanned.failed_conditions,
        without_texts_of_tasks=scanned.without_task,
        close_to={
            name: ExcludedCounts(pairs=scanned.close[name], texts=count, too_short=benchmarks.short[name])
            for name, count in benchmarks.texts.items()
        },
        too_long=scanned.too_long,
        long_rows=scanned.long_rows,
        repeated_ids=scanned.repeated_ids,
        not_records=scanned.not_records,
    )


def _splits(written: Written, clusters: Sequence[str], splits: Sequence[str]) -> dict[str, SplitCounts]:
    cluster_counts = Counter(split for _, split in set(zip(clusters, splits, strict=True)))
    return {
        name: SplitCounts(
            pairs=split.pairs,
            share=round(split.pairs / len(splits), 6),
            lines=split.lines,
            families=cluster_counts[name],
            bytes=sum(file.bytes for file in written.files if file.split == name),
            categories=dict(sorted(split.categories.items())),
            tasks=dict(split.tasks),
        )
        for name, split in written.splits.items()
    }
