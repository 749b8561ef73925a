"""The verdicts about the corpus as a table: `python -m known_adjoints.run`, with ``tests:tests/helpers`` as PYTHONPATH."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from known_adjoints.corpus import PROBES, measured, paths
from known_adjoints.corpus.paths import Answer
from known_adjoints.corpus.probe import ACCEPTED, FAIL, SINGLE, Probe

GRADIENTS = {"execute", "emulate", "gradient"}
"""The levels that compare gradients."""

REASONS = ("gradient", "the backward pass stops", "check of an index")
"""What the reasons of these levels contain if the adjoint is at fault. All forward passes of the probes run."""


def mistake(probe: Probe, answer: Answer) -> str:
    """Return what is wrong with a verdict: ``miss``, ``false alarm``, ``undecided``, ``no pair``, or nothing."""
    text = f"{answer.level}: {answer.reason}"
    if answer.status == "fail" and (answer.level not in GRADIENTS or not any(reason in text for reason in REASONS)):
        return "false alarm"
    if answer.status in ACCEPTED[probe.truth]:
        return ""
    if answer.status == "no pair":
        return "no pair"
    if probe.truth in {FAIL, SINGLE}:
        return "miss"
    return "false alarm" if answer.status == "fail" else "undecided"


def main() -> int:
    """Print the table and return 1 after a miss or a false alarm."""
    parser = argparse.ArgumentParser(prog="known_adjoints.run", description=__doc__)
    parser.add_argument("--path", choices=[*paths.PATHS, "both"], default="both")
    parser.add_argument("--only", metavar="NAME", action="append", help="a part of the names of probes; repeatable")
    parser.add_argument("--measure", action="store_true", help="compare the truths with wp.Tape and differences instead")
    parser.add_argument("--all", action="store_true", help="print all probes, not only those with a mistake")
    options = parser.parse_args()
    probes = {name: one for name, one in PROBES.items() if not options.only or any(part in name for part in options.only)}
    with tempfile.TemporaryDirectory() as folder:
        return _measure(probes, Path(folder)) if options.measure else _compare(probes, options.path, options.all, Path(folder))


def _measure(probes: Mapping[str, Probe], folder: Path) -> int:
    found = measured.truths(probes, folder)
    wrong = [name for name in found if found[name] != probes[name].truth]
    for name in wrong:
        print(f"{name:60} {probes[name].truth:14} measured: {found[name]}")
    print(f"{len(found)} of {len(probes)} probes measured, {len(wrong)} have another truth")
    return bool(wrong)


def _compare(probes: Mapping[str, Probe], path: str, everything: bool, folder: Path) -> int:
    chosen = list(paths.PATHS) if path == "both" else [path]
    answers = paths.answers(probes, folder, chosen)
    for name, probe in probes.items():
        found = {one: answers[one][name] for one in chosen}
        mistakes = {one: mistake(probe, answer) for one, answer in found.items()}
        if everything or any(mistakes.values()):
            verdicts = "".join(f"{answer.status:15}{mistakes[one]:13}" for one, answer in found.items())
            print(f"{name:60} {probe.truth:15}{verdicts}")
            for one, answer in found.items():
                if mistakes[one]:
                    print(f"    {one}, {answer.level}: {answer.reason}")
    bad = 0
    for one in chosen:
        counts = Counter(mistake(probe, answers[one][name]) for name, probe in probes.items())
        wrong = sum(probe.truth in {FAIL, SINGLE} for probe in probes.values())
        print(f"{one}: {len(probes)} probes, {wrong - counts['miss']} of {wrong} incorrect adjoints are found, "
              f"{counts['miss']} missed, {counts['false alarm']} false alarms, {counts['undecided']} undecided, "
              f"{counts['no pair']} without a pair")  # fmt: skip
        bad += counts["miss"] + counts["false alarm"]
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
