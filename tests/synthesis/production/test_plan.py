"""Which kernels a plan asks for: turns of the categories, counted apart from the formula that deals them out."""

from __future__ import annotations

from collections import Counter

import pytest

from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.production.plan import PART_SIZE, Plan, chosen_categories
from warpsmith.synthesis.writing.catalogue.categories import all_categories, core_categories
from warpsmith.synthesis.writing.generate import category_of

CORE = [category.name for category in core_categories()]
ALL = [category.name for category in all_categories()]
RARE = [category.name for category in all_categories() if category.every == 2]


def planned(count: int, *names: str, shard_size: int = 1000) -> list[KernelKey]:
    """The kernels of a dataset, in order."""
    chosen = chosen_categories(names)
    plan = Plan(count=count, seed=1, device="cuda", backward=True, codegen_only=True, categories=chosen, shard_size=shard_size)
    return [which for shard in plan.shards for part in plan.parts(shard) for which in plan.kernels(part)]


def name_of(which: KernelKey) -> str:
    return category_of(which.index, which.category).name


def test_the_core_takes_the_indices_in_order() -> None:
    assert planned(2345, "core") == [KernelKey(1, index) for index in range(2345)]


@pytest.mark.parametrize("names", [("all",), ("tiles",), ("tiles", "geometry"), ("core", "tile"), ("atomic", "struct")])
def test_each_category_gets_its_kernels_one_after_the_other(names: tuple[str, ...]) -> None:
    met: Counter[str] = Counter()
    for which in planned(1500, *names):
        name = name_of(which)
        core = name in CORE
        index = met[name] * len(CORE) + CORE.index(name) if core else met[name]
        assert which == KernelKey(1, index, category="" if core else name)
        met[name] += 1
    assert set(met) == set(chosen_categories(names))


def test_what_real_code_seldom_does_takes_every_other_turn() -> None:
    assert set(RARE) == {name for name in ALL if name.startswith("tile")}
    rounds = 7
    counts = Counter(map(name_of, planned(rounds * (2 * len(ALL) - len(RARE)), "all")))
    assert counts == {name: rounds if name in RARE else 2 * rounds for name in ALL}


def test_a_choice_of_rare_ones_alone_is_balanced() -> None:
    counts = Counter(map(name_of, planned(5 * len(RARE), "tiles")))
    assert counts == dict.fromkeys(RARE, 5)


@pytest.mark.parametrize("shard_size", [1, 7, PART_SIZE + 1, 5000])
def test_shards_and_parts_only_cut(shard_size: int) -> None:
    assert planned(1111, "all", shard_size=shard_size) == planned(1111, "all")


def test_a_longer_dataset_begins_with_the_shorter() -> None:
    assert planned(3000, "all")[:777] == planned(777, "all")
