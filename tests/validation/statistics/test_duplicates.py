"""Near duplicates equal those of an exact comparison of all pairs of texts, in every process."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.similarity.minhash import available, earlier_similar, jaccard
from warpsmith.core.similarity.shingles import SHINGLE_TOKENS, THRESHOLD, shingles
from warpsmith.validation.statistics import duplicates
from warpsmith.validation.statistics.duplicates import MISSING
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.sections import measure_lines, merge, summarize

needs_library = pytest.mark.skipif(not available(), reason=MISSING)


def exact(one: list[str], other: list[str]) -> float:
    """Return the Jaccard index of sets of word tuples."""
    sets = [
        {tuple(words[start : start + SHINGLE_TOKENS]) for start in range(len(words) - SHINGLE_TOKENS + 1)}
        for words in (one, other)
    ]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def varied(tokens: list[str], share: float, randomness: random.Random) -> list[str]:
    """Return the tokens with a ``share`` of them changed."""
    return [f"other_{token}" if randomness.random() < share else token for token in tokens]


@pytest.fixture(scope="module")
def texts(lines: list[Line]) -> list[list[str]]:
    """Return token lists of real texts, each in several versions of different similarity."""
    randomness = random.Random(7)  # noqa: S311 - the same words every time, no secret
    found = []
    for line in lines[:40]:
        tokens = ParsedPair(line.pair).python_tokens or []  # type: ignore[arg-type]
        shares = [0.0, *(randomness.choice([0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1]) for _ in range(6))]
        found += [varied(tokens, share, randomness) for share in shares]
    return found


@pytest.mark.exhaustive
@needs_library
def test_near_duplicates_equal_those_of_an_exact_comparison(texts: list[list[str]]) -> None:
    found = earlier_similar([shingles(text) for text in texts], THRESHOLD)
    likeness = {
        (later, earlier): exact(texts[later], texts[earlier]) for later in range(len(texts)) for earlier in range(later)
    }
    expected = {later for (later, _), value in likeness.items() if value >= THRESHOLD}
    assert found.keys() == expected
    assert 40 < len(expected) < len(texts) - 80  # both kinds are there
    assert all(value == pytest.approx(likeness[later, earlier]) for later, (earlier, value) in found.items())


@needs_library
def test_all_texts_equal_and_all_texts_different() -> None:
    same = shingles([str(number) for number in range(100)])
    assert list(earlier_similar([same] * 50, THRESHOLD)) == list(range(1, 50))
    different = [shingles([f"{text}.{number}" for number in range(100)]) for text in range(50)]
    assert earlier_similar(different, THRESHOLD) == {}
    assert earlier_similar([], THRESHOLD) == {}


def test_the_jaccard_index_of_hashes_equals_that_of_words(texts: list[list[str]]) -> None:
    for one, other in pairwise(texts):
        assert jaccard(shingles(one), shingles(other)) == pytest.approx(exact(one, other))


def test_shingles_are_a_sorted_set_and_a_short_text_is_one() -> None:
    words = ["a", "b", "c", "d", "e", "f"]
    assert len(shingles(words)) == 2
    assert len(shingles(words * 10)) == 6
    assert [len(shingles(words[:count])) for count in range(1, 6)] == [1] * 5
    assert len({int(shingles(words[:count])[0]) for count in range(1, 6)}) == 5
    assert np.all(np.diff(shingles(list(map(str, range(1000)))).astype(np.int64)) > 0)
    assert shingles(["a", "b", "c", "d", "e"]) != shingles(["b", "a", "c", "d", "e"])


def test_hashes_are_the_same_in_every_process() -> None:
    words = ["wp", ".", "sin", "(", "x", ")"]
    code = f"from warpsmith.core.similarity.shingles import shingles; print(shingles({words}).tolist())"
    printed = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "random")
    }
    assert printed == {f"{shingles(words).tolist()}\n".encode()}


# ---------------------------------------------------------------------------------------------------- of a whole dataset


@needs_library
def test_a_pair_under_another_kernel_name_is_a_near_duplicate(lines: list[Line], change_line: Any) -> None:
    assert lines[3].pair is not None
    name = lines[3].pair.metadata.kernel_name

    def rename(record: dict[str, Any]) -> None:
        record.update(json.loads(json.dumps(record).replace(name, "another_name")), id="twin")
        record["cuda_ir_forward"] = "// another comment\n" + record["cuda_ir_forward"]

    found = summarize(merge([measure_lines([*lines[:10], change_line(lines[3], rename)])]))["alike"]
    for language in ("python", "cuda"):
        assert (found[language]["texts"], found[language]["near_duplicates"]) == (11, 1)
        assert found[language]["examples"] == [{"id": "twin", "earlier": lines[3].pair.id, "jaccard": 1.0}]


@needs_library
def test_a_missing_text_is_not_a_duplicate(lines: list[Line], change_line: Any) -> None:
    def without(record: dict[str, Any]) -> None:
        record.update(cuda_ir_forward=None, cuda_ir_backward=None, python_source="def (")

    found = summarize(merge([measure_lines([lines[0], change_line(lines[1], without), change_line(lines[2], without)])]))[
        "alike"
    ]
    assert [(found[name]["texts"], found[name]["near_duplicates"]) for name in ("python", "cuda")] == [(1, 0), (1, 0)]


def test_the_statistics_do_not_depend_on_the_number_of_workers(run: Any, own_small: Path) -> None:
    written = []
    for workers in (1, 3):
        run("stats", own_small, "--workers", workers)
        written.append((own_small / "stats.json").read_bytes())
    assert written[0] == written[1]


def test_without_the_library_only_duplicates_are_missing(run: Any, lines: list[Line], tmp_path: Path) -> None:
    (tmp_path / "rensa.py").write_text("raise ImportError('not installed')\n")
    (tmp_path / "some.jsonl").write_bytes(b"".join(line.raw for line in lines[:5]))
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = run("stats", tmp_path / "some.jsonl", "--workers", 1, env=environment)
    statistics = json.loads((tmp_path / "stats.json").read_text())
    assert statistics["alike"] == {"jaccard": THRESHOLD, "shingle_tokens": SHINGLE_TOKENS, "not_measured": MISSING}
    assert statistics["builtins"]["reached"] > 0
    assert f"\n{MISSING}\n" in done.stdout


def test_a_state_can_be_encoded_as_json(lines: list[Line]) -> None:
    state = duplicates.empty()
    duplicates.update(state, ParsedPair(lines[0].pair))  # type: ignore[arg-type]
    assert json.loads(json.dumps(state)) == state
