"""Writes the table of CUDA_STATE.md from the verdicts on a dataset: `python tests/state.py data/both`, or `make state`.

One row for each type and direction, one column for each check: how many pairs passed of those that were asked and have that
direction. A verdict is about a whole pair, so that a pair counts in both of its rows or in none.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STATE = Path(__file__).parents[1] / "CUDA_STATE.md"
BEGIN, END = "<!-- written by `make state` -->", "<!-- end -->"
CHECKS = ("schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient", "oracle", "gpu")


def read(folder: Path, pattern: str) -> Iterator[dict[str, Any]]:
    """The lines of some files, one at a time: datasets are large."""
    for path in sorted(folder.glob(pattern)):
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)


def table(folder: Path) -> str:
    """Return the table in Markdown."""
    manifest = json.loads((folder / "manifest.json").read_text())
    statuses = {(verdict["id"], verdict["level"]): verdict["status"] for verdict in read(folder, "verdicts-*.jsonl")}
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    count = 0
    for pair in read(folder, "pairs-*.jsonl"):
        count += 1
        kinds[pair["metadata"]["category"], "forward"].append(pair["id"])
        if pair["metadata"]["has_backward"]:
            kinds[pair["metadata"]["category"], "backward"].append(pair["id"])
    versions = manifest["versions"]
    lines = [
        f"{count:,} pairs, C++ and CUDA, generator version {versions['generator']}, Warp {versions['warp']}.",
        "",
        f"| category | direction | {' | '.join(CHECKS)} |",
        f"|---|---|{'---:|' * len(CHECKS)}",
    ]
    order = {"forward": 0, "backward": 1}
    for category, direction in sorted(kinds, key=lambda kind: (kind[0], order[kind[1]])):
        cells = [
            cell(Counter(statuses.get((identity, check), "not run") for identity in kinds[category, direction]))
            for check in CHECKS
        ]
        lines.append(f"| {category} | {direction} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(counts: Counter[str]) -> str:
    """`10 of 10`, what else there is besides, or `not run` where nothing was; of a sample, those that were asked."""
    asked = counts.total() - counts["not run"]
    if not asked:
        return "not run"
    rest = [f"{count} {status}" for status, count in sorted(counts.items()) if status not in ("pass", "not run") and count]
    return ", ".join([f"{counts['pass']} of {asked}", *rest])


def main() -> None:
    """Write the table between its marks."""
    before, begin, rest = STATE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{STATE.name} lacks the marks {BEGIN} and {END}")
    STATE.write_text(f"{before}{BEGIN}\n\n{table(Path(sys.argv[1]))}\n\n{END}{after}")


if __name__ == "__main__":
    main()
