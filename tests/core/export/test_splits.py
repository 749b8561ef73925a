"""No cluster is divided between splits, splits have the requested sizes, and leakage is measured correctly."""

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

from core.export.exports import SPLITS, Here, records_of, rows_of
from warpsmith.core.export.clusters import clusters
from warpsmith.core.export.export_manifest import Leak
from warpsmith.core.export.leakage import leakage
from warpsmith.core.export.splits import assign
from warpsmith.core.similarity.shingles import ShingleSet

FRACTIONS = (
    st.lists(st.integers(0, 20), min_size=1, max_size=3)
    .filter(any)
    .map(lambda parts: dict(zip(SPLITS, [part / sum(parts) for part in parts])))
)
SIZES = st.dictionaries(st.text(min_size=1, max_size=8), st.integers(1, 12), min_size=1, max_size=80)


@given(sizes=SIZES, fractions=FRACTIONS)
def test_splits_have_the_requested_sizes(sizes: dict[str, int], fractions: dict[str, float]) -> None:
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
def test_the_order_has_no_influence(sizes: dict[str, int], fractions: dict[str, float], randomness: random.Random) -> None:
    shuffled = list(sizes.items())
    randomness.shuffle(shuffled)
    assert assign(dict(shuffled), fractions) == assign(sizes, fractions)


def test_small_splits_do_not_consist_of_one_cluster() -> None:
    sizes = {f"large-{number}": 40 for number in range(5)} | {f"small-{number}": 1 for number in range(4800)}
    splits = assign(sizes, {"train": 0.98, "validation": 0.01, "test": 0.01})
    assert Counter(splits.values()) == {"train": 4700 + 5, "validation": 50, "test": 50}
    assert {splits[name] for name in sizes if name.startswith("large")} == {"train"}


def test_all_splits_contain_clusters_of_several_pairs() -> None:
    """A split without them would have another distribution than the training split."""
    sizes = {str(number): 3 for number in range(500)} | {f"single-{number}": 1 for number in range(500)}
    splits = assign(sizes, {"train": 0.9, "validation": 0.1})
    assert Counter(split for name, split in splits.items() if sizes[name] == 3)["validation"] == pytest.approx(50, abs=2)


# -------------------------------------------------------------------------------------------------------------- clusters


def random_pairs(randomness: random.Random, count: int) -> tuple[list[str | None], list[ShingleSet | None]]:
    """Return structures, some of them shared, and sets, some with a similarity of 0.98 or 0.4 to an earlier one."""
    structures, sets = [], []
    for number in range(count):
        structures.append(randomness.choice([None, f"structure {randomness.randrange(count // 2)}", f"own {number}"]))
        kind = randomness.choice(["new", "new", "none", "similar", "different"])
        earlier = [one for one in sets if one is not None]
        if kind == "none":
            sets.append(None)
        elif kind == "new" or not earlier:
            sets.append(np.array(sorted(randomness.sample(range(10**9), 200)), dtype=np.uint32))
        else:
            kept = randomness.sample(list(randomness.choice(earlier)), 198 if kind == "similar" else 115)
            fresh = randomness.sample(range(10**9, 2 * 10**9), 200 - len(kept))
            sets.append(np.array(sorted({*map(int, kept), *fresh}), dtype=np.uint32))
    return structures, sets


def jaccard(one: ShingleSet | None, other: ShingleSet | None) -> float:
    """Return the exact Jaccard similarity."""
    if one is None or other is None:
        return 0.0
    return len(set(one.tolist()) & set(other.tolist())) / len(set(one.tolist()) | set(other.tolist()))


def connected(count: int, linked: Callable[[int, int], bool]) -> set[frozenset[int]]:
    """Return the connected components of a graph by depth-first search."""
    links = {number: [other for other in range(count) if other != number and linked(number, other)] for number in range(count)}
    components, seen = set(), set()
    for start in range(count):
        component, todo = set(), [start]
        while todo and start not in seen:
            number = todo.pop()
            if number not in component:
                component.add(number)
                todo += links[number]
        seen |= component
        components.add(frozenset(component))
    return components - {frozenset()}


@pytest.mark.parametrize("seed", range(3))
def test_clusters_are_connected_components(seed: int) -> None:
    structures, sets = random_pairs(random.Random(seed), 60)  # noqa: S311 - the same numbers every time
    close = {pair: jaccard(sets[pair[0]], sets[pair[1]]) for pair in combinations(range(60), 2)}
    assert not [value for value in close.values() if 0.65 < value < 0.78]

    def linked(one: int, other: int) -> bool:
        same = structures[one] is not None and structures[one] == structures[other]
        return same or close[min(one, other), max(one, other)] >= 0.7

    ids = [f"pair-{(number * 37) % 60:02}" for number in range(60)]
    expected = connected(60, linked)
    assert len(expected) < 50
    groups = [[(structure,) if structure else () for structure in structures]]
    named = clusters(ids, groups, [sets])
    found = {frozenset(number for number in range(60) if named[number] == name) for name in set(named)}
    assert found == expected
    assert all(name == min(ids[number] for number in range(60) if named[number] == name) for name in named)
    backward = clusters(ids[::-1], [groups[0][::-1]], [sets[::-1]])
    assert backward[::-1] == named


def test_leakage_agrees_with_a_comparison_of_all_pairs() -> None:
    structures, sets = random_pairs(random.Random(11), 90)  # noqa: S311 - the same numbers every time
    members = {"train": range(60), "validation": range(60, 75), "test": range(75, 90)}
    values = [(structure,) if structure else () for structure in structures]
    found = leakage(members, {"structure": values}, {"python": sets})
    assert found.keys() == {"validation", "test"}
    for split, earlier in (("validation", range(60)), ("test", range(75))):
        own = members[split]
        known = {structures[other] for other in earlier} - {None}
        by_structure = sum(structures[one] in known for one in own)
        by_text = sum(any(jaccard(sets[one], sets[other]) >= 0.8 for other in earlier) for one in own)
        assert by_structure > 0
        assert by_text > 0
        assert found[split]["structure"] == Leak(pairs=by_structure, share=round(by_structure / 15, 6))
        assert found[split]["python"] == Leak(pairs=by_text, share=round(by_text / 15, 6))


def test_nothing_leaks_from_an_empty_split() -> None:
    assert leakage({"train": [0], "validation": []}, {"structure": [("a",)]}, {})["validation"]["structure"] == Leak(
        pairs=0, share=0.0
    )


# ------------------------------------------------------------------------------------------------------- real datasets


@pytest.fixture(scope="module")
def doubled(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pairs of `small`, each with a twin of the same structure and a near duplicate without structure."""
    folder = tmp_path_factory.mktemp("doubled")
    lines = []
    for record in records_of(small):
        twin = {**record, "id": f"twin-{record['id']}", "python_source": "# a different text\n"}
        twin |= {"cuda_ir_forward": f"int twin_of_{record['id'].replace('-', '_')};", "cuda_ir_backward": None}
        near = {**record, "id": f"near-{record['id']}", "metadata": {**record["metadata"], "structure": None}}
        near["cuda_ir_forward"] = record["cuda_ir_forward"] + "\nint another_line;\n"
        lines += [json.dumps(one) + "\n" for one in (record, twin, near)]
    (folder / "pairs.jsonl").write_text("".join(lines))
    (folder / "reversed.jsonl").write_text("".join(reversed(lines)))
    return folder


@pytest.mark.exhaustive
def test_similar_pairs_are_in_one_split(run: Callable[..., Any], doubled: Path) -> None:
    splits = {}
    for name in ("pairs", "reversed"):
        out = doubled / f"{name}-out"
        done = run("core", "export", doubled / f"{name}.jsonl", "--split", "0.6,0.2,0.2", "-o", out, "--json")
        summary = json.loads(done.stdout)
        splits[name] = {row["id"]: split for split in SPLITS for row in rows_of(out, split)}
        assert summary["families"]["count"] <= 40
        for split in ("validation", "test"):
            assert summary["leakage"][split]["structure"]["pairs"] == 0
            assert summary["leakage"][split]["code"]["pairs"] == 0
    assert splits["pairs"] == splits["reversed"]
    for identity in (name for name in splits["pairs"] if not name.startswith(("twin", "near"))):
        assert len({splits["pairs"][name] for name in (identity, f"twin-{identity}", f"near-{identity}")}) == 1
    assert set(splits["pairs"].values()) == set(SPLITS)


@pytest.mark.parametrize(("split", "warned"), [("1", False), ("1,0,0", False), ("0.6,0.4", False), ("0.98,0.01,0.01", True)])
def test_a_large_cluster_is_reported_if_the_shares_are_not_met(
    here: Here, small: Path, tmp_path: Path, split: str, warned: bool
) -> None:
    """Of 40 pairs, 16 have one structure: 40%."""
    records = records_of(small)
    for record in records[:16]:
        record["metadata"]["structure"] = "same"
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    code, _, err = here(tmp_path / "pairs.jsonl", "-o", tmp_path / "out", "--format", "jsonl", "--split", split)
    assert code == 0, err
    assert ("splits differ from --split" in err) is warned


@pytest.mark.parametrize("split_by", ["structure", "idea", "domain"])
def test_splits_share_what_they_are_split_by(here: Here, small: Path, tmp_path: Path, split_by: str) -> None:
    """The records have ideas and domains of few values, so that splits by structure share both."""
    records = records_of(small)
    for number, record in enumerate(records):
        record["metadata"] |= {"domain": f"domain {number % 4}", "ideas": [f"idea {number % 20}"], "schema_version": 2}
        record["metadata"]["structure"] = str(number)
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    options = ("--format", "jsonl", "--split", "0.5,0.25,0.25", "--split-by", split_by)
    code, out, err = here(tmp_path / "pairs.jsonl", "-o", tmp_path / "out", *options, "--json")
    assert code == 0, err
    rows = {name: rows_of(tmp_path / "out", name) for name in SPLITS}
    kept = {"idea": lambda row: row["metadata"]["ideas"][0], "domain": lambda row: row["metadata"]["domain"]}
    leaks = json.loads(out)["leakage"]
    for measure, value in kept.items():
        train, test = ({value(row) for row in rows[name]} for name in ("train", "test"))
        shared = sum(value(row) in {value(other) for name in SPLITS[:2] for other in rows[name]} for row in rows["test"])
        assert leaks["test"][measure]["pairs"] == shared
        assert train.isdisjoint(test) is (split_by in (measure, "domain"))
    card = (tmp_path / "out" / "README.md").read_text()
    assert ("--split-by" in card) is (split_by != "idea")
