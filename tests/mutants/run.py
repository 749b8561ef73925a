"""Inject faults into generated code and count how many of them the levels catch: ``nox -s mutants``.

The level ``regenerate`` is excluded. The exit code is 1 if the levels catch too few mutants of a family, or one with a proof
of equivalence, or if no mutant of a family can be caught, which happens if there are few pairs.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import orjson

from mutants.agreement import agrees
from mutants.checking import Outcome, check_mutants, failing_pairs
from mutants.mutate import FAMILIES, Mutant, choose_mutants
from mutants.reasons import reason
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair
from warpsmith.core.terminal import progress

TARGETS = {"forward": 0.99, "backward": 0.98, "compiler": 0.97, "common": 0.98}
"""The share of mutants that the levels have to catch, see `rate`."""


def make_pairs(count: int, seed: int, categories: str, folder: Path) -> list[Pair]:
    """Make a dataset and return its pairs."""
    code = "from warpsmith.synthesis.start import main; main()"
    options = ["--device", "both", "--backward", "--seed", str(seed), "--categories", categories, "--output", str(folder)]
    subprocess.run([sys.executable, "-c", code, "make", "-n", str(count), *options], check=True, stdout=subprocess.DEVNULL)
    return [pair for shard in sorted(folder.glob("pairs-*.jsonl")) for pair in read_pairs(shard)]


def measure(pairs: Sequence[Pair], count: int, workers: int, families: Sequence[str]) -> tuple[list[Outcome], int]:
    """Check ``count`` mutants of each family and pair; return the outcomes and the number of pairs that fail unchanged."""
    with progress("unchanged pairs", len(pairs), "pairs") as advance:
        failing = failing_pairs(pairs, workers, advance)
    for pair, verdict in failing:
        print(f"{pair.id} fails unchanged: {verdict.level}: {verdict.reason}")
    excluded = {pair.id for pair, _ in failing}
    mutated: list[tuple[Pair, Mutant]] = [
        (pair, mutant)
        for turn, pair in enumerate(pairs)
        if pair.id not in excluded
        for family in families
        for mutant in choose_mutants(pair, family, count, turn)
    ]
    with progress("mutants", len(mutated), "mutants") as advance:
        outcomes = list(check_mutants(mutated, workers, advance))
    slipped = [number for number, one in enumerate(outcomes) if one.state == "slipped"]
    with (
        progress("random inputs of those that slipped", len(slipped), "mutants") as advance,
        tempfile.TemporaryDirectory() as folder,
        multiprocessing.get_context("spawn").Pool(workers) as processes,
    ):
        ask = partial(_agrees, Path(folder))
        for number, found in zip(slipped, processes.imap(ask, [outcomes[number] for number in slipped]), strict=True):
            outcomes[number] = replace(outcomes[number], agrees=found)
            advance(1)
    return outcomes, len(excluded)


def _agrees(folder: Path, one: Outcome) -> bool:
    scratch = folder / str(os.getpid())  # with headers that are precompiled once for each process
    scratch.mkdir(exist_ok=True)
    return agrees(one.pair, one.mutant, scratch)


def rate(outcomes: Sequence[Outcome]) -> float:
    """Return the share of caught mutants among those that are neither proved to be equivalent nor agree with the original.

    It is NaN if all of them are equivalent or agree.
    """
    states = Counter(one.state for one in outcomes)
    judged = states["caught"] + states["slipped"]
    return states["caught"] / judged if judged else math.nan


def percent(share: float) -> str:
    """Return a share as a percentage, and NaN as a dash."""
    return "–" if math.isnan(share) else f"{share:.1%}"


def table(outcomes: Sequence[Outcome]) -> str:
    """Return a table with one row for each family and kind, and one for each family."""
    head = (
        "family",
        "kind",
        "made",
        "equivalent",
        "agrees",
        "parse",
        "compile",
        "execute",
        "emulate",
        "oracle",
        "gradient",
        "slipped",
        "rate",
    )
    rows: list[tuple[str, ...]] = [head]
    for family in dict.fromkeys(one.mutant.family for one in outcomes):
        of_family = [one for one in outcomes if one.mutant.family == family]
        for kind in [*dict.fromkeys(one.mutant.kind for one in of_family), "all"]:
            of_kind = [one for one in of_family if kind in (one.mutant.kind, "all")]
            states, levels = (
                Counter(one.state for one in of_kind),
                Counter(one.caught for one in of_kind if one.state == "caught"),
            )
            known = (len(of_kind), states["equivalent"], states["agrees"])
            figures = (*known, *(levels[name] for name in head[5:11]), states["slipped"])
            rows.append((family, kind, *map(str, figures), percent(rate(of_kind))))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    aligned = (
        (
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join("  ".join(row) for row in aligned)


def listing(outcomes: Sequence[Outcome]) -> str:
    """Return a list of the mutants that slipped or agree, and of those that were caught despite a proof."""
    lines = []
    for one in outcomes:
        if one.state in ("slipped", "agrees", "disproved"):
            mutant = one.mutant
            why = f"{one.proof}, but {one.caught} caught the mutant" if one.state == "disproved" else reason(one)
            lines += [f"{one.state}: {mutant.pair} {mutant.family}, {mutant.kind} ({mutant.edit}), line {mutant.line}: {why}"]
            lines += [f"  - {mutant.before}", f"  + {mutant.after or ''}"]
    return "\n".join(lines)


def record(one: Outcome) -> dict[str, object]:
    """Return a mutant and its verdicts as JSON."""
    slip = reason(one) if one.state in ("slipped", "agrees") else None
    levels = {verdict.level: [verdict.status, verdict.reason] for verdict in one.verdicts}
    return asdict(one.mutant) | {
        "state": one.state,
        "caught": one.caught,
        "proof": one.proof,
        "reason": slip,
        "verdicts": levels,
    }


def main() -> int:
    """Make pairs, mutate and check them, and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-n", "--pairs", type=int, default=200, help="the number of pairs")
    parser.add_argument("-m", "--mutants", type=int, default=2, help="the number of mutants of each family for each pair")
    parser.add_argument("--seed", type=int, default=77, help="the seed of the pairs")
    parser.add_argument("--categories", default="core", help="the categories of the pairs, or groups of them, such as all")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="a family of mutants; all without this option")
    parser.add_argument("--workers", type=int, default=2, help="the number of sandboxed workers")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("build/mutants.jsonl"), help="the file of mutants with their verdicts"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = make_pairs(options.pairs, options.seed, options.categories, Path(folder) / "pairs")
    families = options.family or list(FAMILIES)
    outcomes, excluded = measure(pairs, options.mutants, options.workers, families)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(b"".join(orjson.dumps(record(one)) + b"\n" for one in outcomes))
    print(listing(outcomes))
    print(table(outcomes))
    rates = {family: rate([one for one in outcomes if one.mutant.family == family]) for family in families}
    print(f"caught: {', '.join(f'{family} {percent(share)}' for family, share in rates.items())}")
    print(f"all mutants are in {options.output}")
    unknown = [family for family in families if math.isnan(rates[family])]
    if unknown:
        print(f"no mutant of {', '.join(unknown)} changes what a kernel computes: more pairs (-n) are needed")
    disproved = any(one.state == "disproved" for one in outcomes)
    low = any(share < TARGETS[family] for family, share in rates.items())
    return 1 if low or unknown or disproved or excluded else 0


if __name__ == "__main__":
    sys.exit(main())
