"""The assignment of whole clusters to splits, such that the splits have the requested sizes.

Large clusters are assigned first, and clusters of one size in the order of a digest of their name. Each cluster goes to the
split with the lowest fill relative to its size, among the splits with enough space. Every split therefore has large and small
clusters, and the many clusters of one pair fill the remaining space. A small split gets no cluster larger than a tenth of its
size unless no other split has enough space.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

_LARGEST_SHARE = 10


def assign(sizes: Mapping[str, int], fractions: Mapping[str, float]) -> dict[str, str]:
    """Return the split of each cluster; it depends on names and sizes, not on their order.

    Args:
        sizes: the number of pairs of each cluster, by a name that is the same in every run.
        fractions: the share of pairs of each split; they add up to 1.

    Examples:
        >>> assign({"a": 3, "b": 1}, {"train": 0.75, "test": 0.25})
        {'a': 'train', 'b': 'test'}
    """
    targets = _targets(sum(sizes.values()), fractions)
    main = max(targets, key=lambda split: targets[split])
    filled = dict.fromkeys(targets, 0)
    splits: dict[str, str] = {}
    for name in sorted(sizes, key=lambda name: (-sizes[name], _digest(name))):
        size = sizes[name]
        fitting = [
            split
            for split, target in targets.items()
            if filled[split] + size <= target and (split == main or size <= max(1, target // _LARGEST_SHARE))
        ]
        if fitting:
            split = min(fitting, key=lambda split: filled[split] / targets[split])
        else:
            split = max(targets, key=lambda split: targets[split] - filled[split])
        splits[name] = split
        filled[split] += size
    return splits


def _targets(pairs: int, fractions: Mapping[str, float]) -> dict[str, int]:
    """Return whole numbers that add up to ``pairs``; the largest remainders are rounded up."""
    targets = {split: int(pairs * fraction + 1e-9) for split, fraction in fractions.items()}
    by_remainder = sorted(fractions, key=lambda split: targets[split] - pairs * fractions[split])
    for split in by_remainder[: pairs - sum(targets.values())]:
        targets[split] += 1
    return targets


def _digest(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=16).digest()
