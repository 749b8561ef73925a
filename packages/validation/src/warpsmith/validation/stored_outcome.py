"""`stored_outcome`: the result of a run that would check nothing, without reading the shards again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.validation.dataset_run import judge
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.sampling import selects
from warpsmith.validation.outcome import Outcome


def stored_outcome(dataset: Dataset, levels: Sequence[Level], sample: int | None = None) -> Outcome | None:
    """Return what the stored verdicts say; None if a pair has none, a shard has another size, or the checks have changed.

    Args:
        dataset: the dataset.
        levels: the levels, in order of cost.
        sample: the number of pairs that must have verdicts; None for all.
    """
    digests = dataset.stated_digests()
    if digests is None or dataset.manifest is None:
        return None
    judges = {level.name: judge(level) for level in levels}
    outcome = Outcome.of_levels(levels)
    by_name = {level.name: level for level in levels}
    selected: Counter[str] = Counter()
    for shard in dataset.shards:
        stored = dataset.stored_verdicts(shard, digests[shard.name])
        current = {name for name, stored_judge in stored.judges.items() if judges.get(name) == stored_judge}
        for verdict in stored.verdicts.values():
            if verdict.level in current and selects(by_name[verdict.level], verdict.id):
                outcome.count_verdict(verdict)
            if verdict.level == levels[0].name:
                selected.update(name for name in outcome.shares if selects(by_name[name], verdict.id))
    wanted = min(sample or dataset.manifest.pairs, dataset.manifest.pairs)
    if any(
        counts.total() < (selected[name] if name in outcome.shares else wanted) for name, counts in outcome.statuses.items()
    ):
        return None
    outcome.pairs = outcome.reused = wanted
    return outcome
