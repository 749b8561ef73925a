"""Puts families into splits, whole, so that the splits have the sizes that were asked for.

Large families come first, those of one size in the order of a digest of their name. Each goes to the split that is least full
for its size, among those that have room for it. So every split gets its part of the large and of the small families, and the
many families of one pair fill up what is left. A small split takes no family larger than a tenth of it while others have room.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

_LARGEST_SHARE = 10


def assign(sizes: Mapping[str, int], fractions: Mapping[str, float]) -> dict[str, str]:
    """Return the split of each family; it depends on names and sizes, not on their order.

    Args:
        sizes: pairs of each family, by a name that stays from run to run.
        fractions: of pairs, by split; they add up to 1.
    """
    targets = _targets(sum(sizes.values()), fractions)
    main = max(targets, key=lambda split: targets[split])
    filled = dict.fromkeys(targets, 0)
    found: dict[str, str] = {}
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
        found[name] = split
        filled[split] += size
    return found


def _targets(pairs: int, fractions: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers that add up to ``pairs``; what rounding down leaves goes to the largest remainders."""
    targets = {split: int(pairs * fraction + 1e-9) for split, fraction in fractions.items()}
    rest = sorted(fractions, key=lambda split: targets[split] - pairs * fractions[split])
    for split in rest[: pairs - sum(targets.values())]:
        targets[split] += 1
    return targets


def _digest(name: str) -> bytes:
    return hashlib.blake2b(name.encode(), digest_size=16).digest()
