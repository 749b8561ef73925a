"""Write the tables of CUDA_STATE.md from the verdicts on datasets: `python tests/state.py data/both`, or `make state`.

A table has one row for each category and direction and one column for each level that has run. A cell is the number of pairs
that passed, of the checked pairs with that direction. A verdict is about a whole pair, which counts in both of its rows or in
none.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.validation.levels.registry import LEVELS

STATE = Path(__file__).parents[1] / "CUDA_STATE.md"
BEGIN, END = "<!-- written by `make state` -->", "<!-- end -->"
CHECKS = (*(level.name for level in LEVELS), "gpu")


def table(folder: Path) -> str:
    """Return the table in Markdown."""
    dataset = Dataset.open(folder)
    manifest = dataset.manifest
    if manifest is None or not manifest.versions:
        sys.exit(f"{folder} has no manifest with versions")
    statuses = {
        (shard.name, number, level): verdict.status
        for shard in dataset.shards
        for (number, level), verdict in dataset.read_verdicts(shard).items()
    }
    rows: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    count = 0
    for line in dataset.lines():
        count += 1
        metadata, position = line.checked().metadata, (line.path.name, line.number)
        rows[metadata.category, "forward"].append(position)
        if metadata.has_backward:
            rows[metadata.category, "backward"].append(position)
    run = {level for _, _, level in statuses}
    checks = [check for check in CHECKS if check in run]
    lines = [
        f"{count:,} pairs, C++ and CUDA, generator version {manifest.versions.generator}, Warp {manifest.versions.warp}.",
        "",
        f"| category | direction | {' | '.join(checks)} |",
        f"|---|---|{'---:|' * len(checks)}",
    ]
    order = {"forward": 0, "backward": 1}
    for category, direction in sorted(rows, key=lambda row: (row[0], order[row[1]])):
        cells = [
            cell(Counter(statuses.get((*position, check), "not run") for position in rows[category, direction]))
            for check in checks
        ]
        lines.append(f"| {category} | {direction} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(counts: Counter[str]) -> str:
    """Return `10 of 10` with the counts of other statuses, or `not run`; of a sample, only checked pairs count."""
    checked = counts.total() - counts["not run"]
    if not checked:
        return "not run"
    others = [f"{count} {status}" for status, count in sorted(counts.items()) if status not in ("pass", "not run") and count]
    return ", ".join([f"{counts['pass']} of {checked}", *others])


def main() -> None:
    """Write the tables of the datasets between their markers."""
    before, begin, rest = STATE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{STATE.name} lacks the markers {BEGIN} and {END}")
    tables = "\n\n".join(table(Path(folder)) for folder in sys.argv[1:])
    STATE.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}")


if __name__ == "__main__":
    main()
