"""The promise: no family stands in two splits, which have the sizes that were asked for; what leaks is what is measured."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export.exports import SPLITS, records_of, rows_of
from warpsmith.core.export.clusters import clusters
from warpsmith.core.export.leakage import leakage
from warpsmith.core.export.manifest import Leak
from warpsmith.core.export.splits import assign
from warpsmith.core.similarity.shingles import ShingleSet

FRACTIONS = (
    st.lists(st.integers(0, 20), min_size=1, max_size=3)
    .filter(any)
    .map(lambda parts: dict(zip(SPLITS, [part / sum(parts) for part in parts])))
)
SIZES = st.dictionaries(st.text(min_size=1, max_size=8), st.integers(1, 12), min_size=1, max_size=80)


@given(sizes=SIZES, fractions=FRACTIONS)
def test_splits_have_the_sizes_that_were_asked_for(sizes: dict[str, int], fractions: dict[str, float]) -> None:
    splits = assign(sizes, fractions)
    filled: Counter[str] = Counter()
    for name, split in splits.items():
        filled[split] += sizes[name]
    assert splits.keys() == sizes.keys()
    for split, fraction in fractions.items():
        assert abs(filled[split] - fraction * sum(sizes.values())) <= (len(fractions) - 1) * max(sizes.values()) + 1
    if set(sizes.values()) == {1}:
        assert all(abs(filled[split] - fraction * len(sizes)) < 1 for split, fraction in fractions.items())
    assert all(filled[split] == 0 for split, fraction in fractions.items() if fraction == 0)


@given(sizes=SIZES, fractions=FRACTIONS, randomness=st.randoms(use_true_random=False))
def test_the_order_does_not_matter(sizes: dict[str, int], fractions: dict[str, float], randomness: random.Random) -> None:
    shuffled = list(sizes.items())
    randomness.shuffle(shuffled)
    assert assign(dict(shuffled), fractions) == assign(sizes, fractions)


def test_small_splits_are_not_made_of_one_family() -> None:
    sizes = {f"large-{number}": 40 for number in range(5)} | {f"small-{number}": 1 for number in range(4800)}
    splits = assign(sizes, {"train": 0.98, "validation": 0.01, "test": 0.01})
    assert Counter(splits.values()) == {"train": 4700 + 5, "validation": 50, "test": 50}
    assert {splits[name] for name in sizes if name.startswith("large")} == {"train"}


def test_families_of_several_pairs_are_in_all_splits() -> None:
    """A split of nothing but pairs that are like no other would be another kind of pairs."""
    sizes = {str(number): 3 for number in range(500)} | {f"single-{number}": 1 for number in range(500)}
    splits = assign(sizes, {"train": 0.9, "validation": 0.1})
    assert Counter(split for name, split in splits.items() if sizes[name] == 3)["validation"] == pytest.approx(50, abs=2)


# -------------------------------------------------------------------------------------------------------------- families


def drawn(randomness: random.Random, count: int) -> tuple[list[str | None], list[ShingleSet | None]]:
    """Structures, some shared, and sets, some of them versions of earlier ones: nearly the same, or two fifths alike."""
    structures, sets = [], []
    for number in range(count):
        structures.append(randomness.choice([None, f"structure {randomness.randrange(count // 2)}", f"own {number}"]))
        kind = randomness.choice(["new", "new", "none", "alike", "different"])
        earlier = [one for one in sets if one is not None]
        if kind == "none":
            sets.append(None)
        elif kind == "new" or not earlier:
            sets.append(np.array(sorted(randomness.sample(range(10**9), 200)), dtype=np.uint32))
        else:
            kept = randomness.sample(list(randomness.choice(earlier)), 198 if kind == "alike" else 115)
            fresh = randomness.sample(range(10**9, 2 * 10**9), 200 - len(kept))
            sets.append(np.array(sorted({*map(int, kept), *fresh}), dtype=np.uint32))
    return structures, sets


def likeness(one: ShingleSet | None, other: ShingleSet | None) -> float:
    """Jaccard by the book."""
    if one is None or other is None:
        return 0.0
    return len(set(one.tolist()) & set(other.tolist())) / len(set(one.tolist()) | set(other.tolist()))


def connected(count: int, linked: Callable[[int, int], bool]) -> set[frozenset[int]]:
    """The parts of a graph, by walking it."""
    links = {number: [other for other in range(count) if other != number and linked(number, other)] for number in range(count)}
    parts, seen = set(), set()
    for start in range(count):
        part, todo = set(), [start]
        while todo and start not in seen:
            number = todo.pop()
            if number not in part:
                part.add(number)
                todo += links[number]
        seen |= part
        parts.add(frozenset(part))
    return parts - {frozenset()}


@pytest.mark.parametrize("seed", range(3))
def test_families_are_what_a_walk_from_one_to_the_next_finds(seed: int) -> None:
    structures, sets = drawn(random.Random(seed), 60)  # noqa: S311 - the same draws every time
    close = {pair: likeness(sets[pair[0]], sets[pair[1]]) for pair in combinations(range(60), 2)}
    assert not [value for value in close.values() if 0.65 < value < 0.78]

    def linked(one: int, other: int) -> bool:
        same = structures[one] is not None and structures[one] == structures[other]
        return same or close[min(one, other), max(one, other)] >= 0.7

    ids = [f"pair-{(number * 37) % 60:02}" for number in range(60)]
    expected = connected(60, linked)
    assert len(expected) < 50
    named = clusters(ids, structures, [sets])
    found = {frozenset(number for number in range(60) if named[number] == name) for name in set(named)}
    assert found == expected
    assert all(name == min(ids[number] for number in range(60) if named[number] == name) for name in named)
    backward = clusters(ids[::-1], structures[::-1], [sets[::-1]])
    assert backward[::-1] == named


def test_leakage_is_what_a_comparison_of_all_pairs_finds() -> None:
    structures, sets = drawn(random.Random(11), 90)  # noqa: S311 - the same draws every time
    members = {"train": range(60), "validation": range(60, 75), "test": range(75, 90)}
    found = leakage(members, structures, {"python": sets})
    assert found.keys() == {"validation", "test"}
    for split, earlier in (("validation", range(60)), ("test", range(75))):
        own = members[split]
        known = {structures[other] for other in earlier} - {None}
        by_structure = sum(structures[one] in known for one in own)
        by_text = sum(any(likeness(sets[one], sets[other]) >= 0.8 for other in earlier) for one in own)
        assert by_structure > 0
        assert by_text > 0
        assert found[split]["structure"] == Leak(pairs=by_structure, share=round(by_structure / 15, 6))
        assert found[split]["python"] == Leak(pairs=by_text, share=round(by_text / 15, 6))


def test_nothing_leaks_from_an_empty_split() -> None:
    assert leakage({"train": [0], "validation": []}, ["a"], {})["validation"]["structure"] == Leak(pairs=0, share=0.0)


# ------------------------------------------------------------------------------------------------------- of real datasets


@pytest.fixture(scope="module")
def doubled(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pairs of `small`, a twin of each in another file, and a nearly equal one without structure."""
    folder = tmp_path_factory.mktemp("doubled")
    lines = []
    for record in records_of(small):
        twin = {**record, "id": f"twin-{record['id']}", "python_source": "# another text altogether\n"}
        twin |= {"cuda_ir_forward": f"int twin_of_{record['id'].replace('-', '_')};", "cuda_ir_backward": None}
        near = {**record, "id": f"near-{record['id']}", "metadata": {**record["metadata"], "structure": None}}
        near["cuda_ir_forward"] = record["cuda_ir_forward"] + "\nint one_more_line;\n"
        lines += [json.dumps(one) + "\n" for one in (record, twin, near)]
    (folder / "pairs.jsonl").write_text("".join(lines))
    (folder / "reversed.jsonl").write_text("".join(reversed(lines)))
    return folder


def test_what_is_alike_stays_together(run: Callable[..., Any], doubled: Path) -> None:
    placed = {}
    for name in ("pairs", "reversed"):
        out = doubled / f"{name}-out"
        done = run("core", "export", doubled / f"{name}.jsonl", "--split", "0.6,0.2,0.2", "-o", out, "--json")
        summary = json.loads(done.stdout)
        placed[name] = {row["id"]: split for split in SPLITS for row in rows_of(out, split)}
        assert summary["families"]["count"] <= 40
        for split in ("validation", "test"):
            assert summary["leakage"][split]["structure"]["pairs"] == 0
            assert summary["leakage"][split]["code"]["pairs"] == 0
    assert placed["pairs"] == placed["reversed"]
    for identity in (name for name in placed["pairs"] if not name.startswith(("twin", "near"))):
        assert len({placed["pairs"][name] for name in (identity, f"twin-{identity}", f"near-{identity}")}) == 1
    assert set(placed["pairs"].values()) == set(SPLITS)
