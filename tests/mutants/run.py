"""Breaks pairs on purpose and counts how many broken ones the ladder catches: ``nox -s mutants``.

``regenerate`` is left out. Exit 1 if the ladder catches fewer than it has to, or if it catches one that is proved equivalent.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from mutants.judging import Outcome, control, judge
from mutants.mutate import FAMILIES, Mutant, chosen
from mutants.reasons import reason
from warpsmith.core.commands.terminal import progress
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair

WANTED = {"forward": 0.98, "backward": 0.95, "compiler": 0.95}
"""The share of mutants to be caught, of those that are not provably equivalent."""


def make_pairs(count: int, seed: int, folder: Path) -> list[Pair]:
    """Write a dataset and read it back."""
    code = "from warpsmith.synthesis.start import main; main()"
    options = ["--device", "both", "--backward", "--codegen-only", "--seed", str(seed), "--output", str(folder)]
    subprocess.run([sys.executable, "-c", code, "make", "-n", str(count), *options], check=True, stdout=subprocess.DEVNULL)
    return [pair for shard in sorted(folder.glob("pairs-*.jsonl")) for pair in read_pairs(shard)]


def measure(pairs: Sequence[Pair], count: int, workers: int) -> tuple[list[Outcome], int]:
    """Judge ``count`` mutants of each family and pair; also, how many pairs fail as they are."""
    with progress("whole pairs", len(pairs), "pairs") as advance:
        failing = control(pairs, workers, advance)
    for pair, verdict in failing:
        print(f"{pair.id} fails as it is: {verdict.level}: {verdict.reason}")
    spoilt = {pair.id for pair, _ in failing}
    broken: list[tuple[Pair, Mutant]] = [
        (pair, mutant)
        for turn, pair in enumerate(pairs)
        if pair.id not in spoilt
        for family in FAMILIES
        for mutant in chosen(pair, family, count, turn)
    ]
    with progress("mutants", len(broken), "mutants") as advance:
        return list(judge(broken, workers, advance)), len(spoilt)


def rate(outcomes: Sequence[Outcome]) -> float:
    """The share that was caught, of those that are not provably equivalent."""
    states = Counter(one.state for one in outcomes)
    return states["caught"] / max(states["caught"] + states["slipped"], 1)


def table(outcomes: Sequence[Outcome]) -> str:
    """One row a family and kind, and one a family."""
    head = ("family", "kind", "made", "equivalent", "compile", "execute", "emulate", "gradient", "slipped", "rate")
    rows: list[tuple[str, ...]] = [head]
    for family in FAMILIES:
        of_family = [one for one in outcomes if one.mutant.family == family]
        for kind in [*dict.fromkeys(one.mutant.kind for one in of_family), "all"]:
            of_kind = [one for one in of_family if kind in (one.mutant.kind, "all")]
            states, levels = (
                Counter(one.state for one in of_kind),
                Counter(one.caught for one in of_kind if one.state == "caught"),
            )
            figures = (len(of_kind), states["equivalent"], *(levels[name] for name in head[4:8]), states["slipped"])
            rows.append((family, kind, *map(str, figures), f"{rate(of_kind):.1%}"))
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
    """What slipped, and what was caught against its proof."""
    lines = []
    for one in outcomes:
        if one.state in ("slipped", "disproved"):
            mutant = one.mutant
            why = reason(one) if one.state == "slipped" else f"{one.proof}, but {one.caught} caught it"
            lines += [f"{one.state}: {mutant.pair} {mutant.family}, {mutant.kind} ({mutant.edit}), line {mutant.line}: {why}"]
            lines += [f"  - {mutant.before}", f"  + {mutant.after or ''}"]
    return "\n".join(lines)


def record(one: Outcome) -> dict[str, object]:
    """A mutant and its verdict as one line of JSON."""
    slip = reason(one) if one.state == "slipped" else None
    levels = {verdict.level: [verdict.status, verdict.reason] for verdict in one.verdicts}
    return asdict(one.mutant) | {
        "state": one.state,
        "caught": one.caught,
        "proof": one.proof,
        "reason": slip,
        "verdicts": levels,
    }


def main() -> int:
    """Make pairs, break them, judge them, say what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-n", "--pairs", type=int, default=200, help="how many pairs are broken")
    parser.add_argument("-m", "--mutants", type=int, default=2, help="how many mutants of each family a pair is broken into")
    parser.add_argument("--seed", type=int, default=77, help="the seed of the pairs")
    parser.add_argument("--workers", type=int, default=2, help="how many children judge")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/mutants.jsonl"), help="every mutant with its verdict")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = make_pairs(options.pairs, options.seed, Path(folder) / "pairs")
    outcomes, spoilt = measure(pairs, options.mutants, options.workers)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(b"".join(orjson.dumps(record(one)) + b"\n" for one in outcomes))
    print(listing(outcomes))
    print(table(outcomes))
    rates = {family: rate([one for one in outcomes if one.mutant.family == family]) for family in FAMILIES}
    backward = rate([one for one in outcomes if one.mutant.family != "forward"])
    print(f"caught: forward {rates['forward']:.1%}, backward {backward:.1%}; every mutant stands in {options.output}")
    disproved = any(one.state == "disproved" for one in outcomes)
    low = any(rates[family] < wanted for family, wanted in WANTED.items()) or backward < WANTED["backward"]
    return 1 if low or disproved or spoilt else 0


if __name__ == "__main__":
    sys.exit(main())
