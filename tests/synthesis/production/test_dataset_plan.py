"""The kernels of a plan: categories take turns, counted here independently of the formula of `Plan.keys`."""

from __future__ import annotations

from collections import Counter

import pytest

from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.production.dataset_plan import CHUNK_SIZE, Plan, chosen_categories
from warpsmith.synthesis.writing.catalogue.categories import all_categories, category_of, core_categories

CORE = [category.name for category in core_categories()]
ALL = [category.name for category in all_categories()]
EVERY = {category.name: category.every for category in all_categories()}


def planned(count: int, *names: str, shard_size: int = 1000) -> list[KernelKey]:
    """Return the keys of a dataset, in order."""
    chosen = chosen_categories(names)
    plan = Plan(count=count, seed=1, device="cuda", backward=True, codegen_only=True, categories=chosen, shard_size=shard_size)
    chunks = [chunk for shard in plan.shards for chunk in plan.chunks(shard)]
    return [key for chunk in chunks for key in plan.keys(range(chunk.start, chunk.stop))]


def name_of(key: KernelKey) -> str:
    return category_of(key.index, key.category).name


def test_core_kernels_have_consecutive_indices() -> None:
    assert planned(2345, "core") == [KernelKey(1, index) for index in range(2345)]


@pytest.mark.parametrize("names", [("all",), ("tiles",), ("tiles", "geometry"), ("core", "tile"), ("atomic", "struct")])
def test_each_category_has_consecutive_kernels(names: tuple[str, ...]) -> None:
    counts: Counter[str] = Counter()
    for key in planned(1500, *names):
        name = name_of(key)
        core = name in CORE
        index = counts[name] * len(CORE) + CORE.index(name) if core else counts[name]
        assert key == KernelKey(1, index, category="" if core else name)
        counts[name] += 1
    assert set(counts) == set(chosen_categories(names))


def test_rare_categories_take_every_second_fourth_or_eighth_turn() -> None:
    assert set(EVERY.values()) == {1, 2, 4, 8}
    rounds = 3
    counts = Counter(map(name_of, planned(rounds * sum(8 // EVERY[name] for name in ALL), "all")))
    assert counts == {name: rounds * 8 // EVERY[name] for name in ALL}


def test_a_selection_of_rare_categories_is_balanced() -> None:
    tiles = [name for name in ALL if name.startswith("tile")]
    counts = Counter(map(name_of, planned(5 * sum(8 // EVERY[name] for name in tiles), "tiles")))
    assert counts == {name: 5 * 8 // EVERY[name] for name in tiles}


@pytest.mark.parametrize("shard_size", [1, 7, CHUNK_SIZE + 1, 5000])
def test_the_shard_size_does_not_change_the_kernels(shard_size: int) -> None:
    assert planned(1111, "all", shard_size=shard_size) == planned(1111, "all")


def test_a_longer_dataset_starts_with_the_shorter_one() -> None:
    assert planned(3000, "all")[:777] == planned(777, "all")
