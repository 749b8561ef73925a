"""`verify`: an unchanged dataset has no differences, and every change is named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.datasets.sample_size import sample_size
from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, IN_WORK, STATED_VERSION
from warpsmith.synthesis.production.shard_comparison import Comparison
from warpsmith.synthesis.production.synthesis_workers import local_processes
from warpsmith.synthesis.production.verify import verify

SHARD = "pairs-00001.jsonl"  # the second of four shards of the fixture `small`: pairs 10 to 19
CHANGED = f"{SHARD} is not the file that was made: its SHA-256 differs from the manifest's"

Run = Callable[..., Any]
Lines = list[bytes]


def check(folder: Path, sample: str, workers: int = 1) -> Comparison:
    return verify(folder, sample, local_processes(workers))


@pytest.mark.skipif(STATED_VERSION.endswith(IN_WORK), reason="a version of the generator that is in work has no samples")
def test_the_samples_are_those_of_this_generator(root: Path) -> None:
    assert check(root / "data" / "samples", "all", 2).differences == ()


@pytest.mark.exhaustive
def test_categories_profile_and_complexity_come_from_the_manifest(run: Run, tmp_path: Path) -> None:
    chosen = ("--categories", "tile,vector,struct", "--profile", "stress", "--complexity", "small", "--shard-size", 7)
    run("synthesis", "make", "-n", 16, "-d", "cuda", "--workers", 1, *chosen, "-o", tmp_path / "some")
    result = json.loads(run("synthesis", "verify", tmp_path / "some", "--sample", "50%", "--workers", 1, "--json").stdout)
    assert result == {"shards": 3, "pairs": 8, "differences": []}


def change(old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    def changed(lines: Lines) -> Lines:
        assert old in lines[3]
        return [*lines[:3], lines[3].replace(old, new, 1), *lines[4:]]

    return changed


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (change(b'"cpp_forward":"', b'"cpp_forward":" '), [f"{SHARD}: {GENERATOR_VERSION}-2000-13 differs in cpp_forward"]),
        (change(b'"seed":2000', b'"seed":2001'), [f"{SHARD}: {GENERATOR_VERSION}-2000-13 differs in metadata.seed"]),
        (change(b'{"id":', b'{"more":1,"id":'), [f"{SHARD}: {GENERATOR_VERSION}-2000-13 differs in more"]),
        (change(b'{"id":', b'{"id" :'), [f"{SHARD}: {GENERATOR_VERSION}-2000-13 is written in another way"]),
        (
            change(f'"{GENERATOR_VERSION}-2000-13"'.encode(), f'"{GENERATOR_VERSION}-2000-99"'.encode()),
            [f"{GENERATOR_VERSION}-2000-13 is missing", f"{GENERATOR_VERSION}-2000-99 does not belong there"],
        ),
        (lambda lines: lines[1:], [f"{SHARD}: {GENERATOR_VERSION}-2000-10 is missing"]),
        (lambda lines: [lines[0], *lines], [f"{SHARD}: {GENERATOR_VERSION}-2000-10 occurs more than once"]),
        (lambda lines: [*lines[:-1], lines[-1][:500]], [f"{GENERATOR_VERSION}-2000-19 is missing", "a line that is no pair"]),
        (lambda lines: [*lines, b"7\n", b"{}\n"], ["a line that is no pair"]),
        (lambda _: [], [f"{GENERATOR_VERSION}-2000-10 is missing", f"{GENERATOR_VERSION}-2000-19 is missing"]),
        (lambda lines: lines[::-1], []),
    ],
)
def test_every_change_is_named(own_small: Path, damage: Callable[[Lines], Lines], expected: list[str]) -> None:
    path = own_small / SHARD
    path.write_bytes(b"".join(damage(path.read_bytes().splitlines(keepends=True))))
    first, *others = check(own_small, "0").differences
    assert first == CHANGED
    for message in expected:
        assert any(other.endswith(message) for other in others), others
    assert bool(others) == bool(expected)


def test_a_changed_pair_with_a_matching_manifest(own_small: Path) -> None:
    """Digests reveal nothing if they were updated with the change; pairs that are generated again do."""
    path = own_small / SHARD
    path.write_bytes(path.read_bytes().replace(b"wp::add(", b"wp::sub(", 1))
    update_digest(own_small)
    assert check(own_small, "0").differences == ()
    (difference,) = check(own_small, "all").differences
    assert " differs in cpp_" in difference


def update_digest(folder: Path) -> None:
    """Write the digest of `SHARD` into the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text())
    content = (folder / SHARD).read_bytes()
    manifest["shards"][1] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("stage", "expected"),
    [("build", []), ("generate", [f"{SHARD}: {GENERATOR_VERSION}-2000-13 is no longer what was rejected: generate: E"])],
)
def test_rejects_are_compared_unless_a_build_failed(own_small: Path, stage: str, expected: list[str]) -> None:
    path = own_small / SHARD
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    reject = {"id": f"{GENERATOR_VERSION}-2000-13", "seed": 2000, "index": 13, "stage": stage, "error": "E"}
    (own_small / "rejects.jsonl").write_text(json.dumps(reject) + "\n")
    update_digest(own_small)
    manifest = json.loads((own_small / "manifest.json").read_text())
    manifest["shards"][1]["rejects"] = 1
    (own_small / "manifest.json").write_text(json.dumps(manifest))
    assert list(check(own_small, "all").differences) == expected


def test_missing_and_unlisted_files(run: Run, own_small: Path) -> None:
    (own_small / SHARD).rename(own_small / "pairs-00009.jsonl")
    done = run("synthesis", "verify", own_small, "--workers", 1, expect=1)
    assert f"differs: {SHARD} is missing\ndiffers: pairs-00009.jsonl is not in the manifest\n" in done.stderr
    assert done.stdout == "4 shards and 1 pairs compared: 2 differences\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda manifest: manifest["versions"].update(warp="1.18.0"), "verify it with warp-lang==1.18.0"),
        (lambda manifest: manifest["versions"].update(generator="1"), "verify it with a warpsmith of generator version 1"),
        (lambda manifest: manifest.pop("versions"), "does not say which versions made the dataset"),
        (
            lambda manifest: manifest["arguments"].pop("seed"),
            "of a filtered dataset, only the dataset it was taken from can be verified",
        ),
        (lambda manifest: manifest["arguments"].update(shard_size=0), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(count=400), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(categories=["unheard_of"]), "unknown category unheard_of"),
        (lambda manifest: manifest["shards"].pop(), "contradicts itself"),
        (lambda manifest: manifest["shards"][0].pop("sha256"), "is damaged"),
        (lambda manifest: manifest.update(shards=7), "is damaged"),
        (lambda manifest: manifest["arguments"].update(count=10**18), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(count=10**400), "is damaged"),
        (lambda manifest: manifest["arguments"].update(count=10**12, shard_size=250 * 10**9), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(count=40 * 10**7, shard_size=10**8), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(shard_size=10**400), "is damaged"),
        (lambda manifest: manifest["arguments"].update(seed=10**400), "is damaged"),
        (lambda manifest: manifest["arguments"].update(seed=-1), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(profile="odd"), "contradicts itself"),
        (lambda manifest: manifest["arguments"].update(categories=["vector"] * 100_000), "contradicts itself"),
        (lambda manifest: manifest["shards"][0].update(rejects=-1), "is damaged"),
        (lambda manifest: manifest["shards"][0].update(rejects=10**30), "is damaged"),
        (lambda manifest: manifest["shards"][0].update(pairs=10**30), "is damaged"),
        (lambda manifest: manifest["shards"][0].update(bytes=-1), "is damaged"),
    ],
)
def test_an_unusable_manifest_is_an_error(own_small: Path, change: Callable[[dict[str, Any]], Any], message: str) -> None:
    manifest = json.loads((own_small / "manifest.json").read_text())
    change(manifest)
    (own_small / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(WarpsmithError) as error:
        check(own_small, "0")
    assert message in str(error.value)
    assert str(own_small) in str(error.value) or "category" in message
    assert error.value.exit_code == 2


def claim(folder: Path, count: int, shard_size: int) -> None:
    """Make the manifest claim that there are more pairs than the shards contain."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["arguments"].update(count=count, shard_size=shard_size)
    for number, shard in enumerate(manifest["shards"]):
        shard["pairs"] = min(shard_size, count - number * shard_size)
    manifest["pairs"] = count
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_pairs_that_a_manifest_only_claims_are_not_generated(own_small: Path) -> None:
    claim(own_small, 4_000, 1_000)
    path = own_small / SHARD
    path.write_bytes(path.read_bytes() + b"\n")
    comparison = check(own_small, "2000")
    assert comparison.pairs < 40
    assert any(difference.startswith(f"{SHARD}: {GENERATOR_VERSION}-2000-1") for difference in comparison.differences)


def test_a_claim_of_many_pairs_takes_no_time(own_small: Path) -> None:
    claim(own_small, 100_000_000, 25_000_000)
    with pytest.raises(WarpsmithError, match="contradicts itself"):
        check(own_small, "1%")


def test_a_folder_without_a_manifest(run: Run, tmp_path: Path) -> None:
    (error,) = run("synthesis", "verify", tmp_path, expect=2).stderr.splitlines()
    assert error.endswith("has no manifest.json to compare it with: choose the folder of a complete dataset")


@pytest.mark.parametrize(
    ("text", "size"),
    [("1%", 3), ("0.1%", 1), ("100%", 250), ("0%", 0), ("all", 250), ("17", 17), ("999", 250), ("0", 0), ("9" * 5000, 250)],
)
def test_sample_sizes(text: str, size: int) -> None:
    assert sample_size(text, 250) == size


@pytest.mark.parametrize("text", ["", "x", "-1", "101%", "1.5", "%", "1 %", "1e3", "9" * 5000 + "%"])
def test_invalid_sample_sizes(text: str) -> None:
    with pytest.raises(WarpsmithError, match="--sample is a number of pairs, a percentage such as 1%, or 'all'"):
        sample_size(text, 250)
