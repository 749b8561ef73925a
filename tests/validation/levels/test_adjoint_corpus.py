"""Level gradient judges the corpus of adjoints correctly, as generated pairs and as kernels that a program launches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from known_adjoints.corpus import PROBES, measured
from known_adjoints.corpus.exceptions import EXCEPTIONS
from known_adjoints.corpus.probe import Probe
from known_adjoints.run import PATHS, mistake

SAMPLE = ("explicit Euler steps", "explicit Euler steps: of a pendulum", "cube with an adjoint: a sign", "vector made anew")
"""The probes that are checked by default."""


def mistakes(path: str, probes: Mapping[str, Probe], folder: Path) -> dict[str, str]:
    """Return the verdicts that are not right, with the expected exceptions left out, and exceptions that are not needed."""
    answers = PATHS[path](probes, folder)
    found = {name: f"{wrong}: {answers[name]}" for name, one in probes.items() if (wrong := mistake(one, answers[name]))}
    exceptions = EXCEPTIONS[path].keys() & probes.keys()
    unneeded = dict.fromkeys(exceptions - found.keys(), "the exception is not needed")
    return {name: found[name] for name in found.keys() - exceptions} | unneeded


@pytest.mark.parametrize("path", PATHS)
def test_a_sample_is_judged_correctly(path: str, tmp_path: Path) -> None:
    assert mistakes(path, {name: PROBES[name] for name in SAMPLE}, tmp_path) == {}


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", PATHS)
def test_all_adjoints_are_judged_correctly(path: str, tmp_path: Path) -> None:
    assert mistakes(path, PROBES, tmp_path) == {}


@pytest.mark.exhaustive
def test_the_truths_are_what_differences_and_the_tape_give(tmp_path: Path) -> None:
    found = measured.truths(PROBES, tmp_path)
    assert {name: truth for name, truth in found.items() if truth != PROBES[name].truth} == {}
    assert len(found) > 0.9 * len(PROBES)


def test_the_corpus_has_both_kinds_and_exceptions_are_probes() -> None:
    truths = [one.truth for one in PROBES.values()]
    assert len(truths) >= 192
    assert min(truths.count("pass"), truths.count("fail")) >= 60
    assert EXCEPTIONS.keys() == PATHS.keys()
    assert all(reasons.keys() <= PROBES.keys() for reasons in EXCEPTIONS.values())
