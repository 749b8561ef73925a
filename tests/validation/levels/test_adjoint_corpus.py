"""Level gradient judges the corpus of adjoints correctly, as generated pairs and as kernels that a program launches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from known_adjoints.corpus import PROBES, measured, paths
from known_adjoints.corpus.exceptions import EXCEPTIONS
from known_adjoints.corpus.probe import Probe
from known_adjoints.run import mistake

pytestmark = pytest.mark.filterwarnings(r"ignore:(?s).*grad\(\) call for function:UserWarning")  # a kernel that calls `wp.grad`

SAMPLE = ("explicit Euler steps", "explicit Euler steps: of a pendulum", "vector made anew: component scaled")
"""The probes that are checked by default."""


def mistakes(probes: Mapping[str, Probe], folder: Path) -> dict[tuple[str, str], str]:
    """Return the verdicts that are not right, without the expected exceptions, and the exceptions that are not needed."""
    found = {
        (path, name): f"{wrong}: {answer}"
        for path, answers in paths.answers(probes, folder).items()
        for name, answer in answers.items()
        if (wrong := mistake(probes[name], answer))
    }
    exceptions = {(path, name) for path, reasons in EXCEPTIONS.items() for name in reasons.keys() & probes.keys()}
    unneeded = dict.fromkeys(exceptions - found.keys(), "the exception is not needed")
    return {key: found[key] for key in found.keys() - exceptions} | unneeded


def test_a_sample_is_judged_correctly(tmp_path: Path) -> None:
    assert mistakes({name: PROBES[name] for name in SAMPLE}, tmp_path) == {}


@pytest.mark.exhaustive
def test_all_adjoints_are_judged_correctly(tmp_path: Path) -> None:
    assert mistakes(PROBES, tmp_path) == {}


@pytest.mark.exhaustive
def test_the_truths_are_what_differences_and_the_tape_give(tmp_path: Path) -> None:
    found = measured.truths(PROBES, tmp_path)
    assert {name: truth for name, truth in found.items() if truth != PROBES[name].truth} == {}
    assert len(found) > 0.9 * len(PROBES)


def test_the_corpus_has_both_kinds_and_exceptions_are_probes() -> None:
    truths = [one.truth for one in PROBES.values()]
    assert len(truths) >= 192
    assert min(truths.count("pass"), truths.count("fail")) >= 60
    assert EXCEPTIONS.keys() == paths.PATHS.keys()
    assert all(reasons.keys() <= PROBES.keys() for reasons in EXCEPTIONS.values())
