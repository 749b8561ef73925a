"""Writes the table of CUDA_STATE.md from the verdicts on a dataset: `python tests/state.py data/samples`, or `make state`.

One row for each type and direction, one column for each check: how many pairs passed of those that have that direction.
A verdict is about a whole pair, so that a pair counts in both of its rows or in none.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

STATE = Path(__file__).parents[1] / "CUDA_STATE.md"
BEGIN, END = "<!-- written by `make state` -->", "<!-- end -->"
CHECKS = ("schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient", "oracle", "gpu")


def read(folder: Path, pattern: str) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(folder.glob(pattern)) for line in path.read_text().splitlines()]


def table(folder: Path) -> str:
    """Return the table in Markdown."""
    manifest = json.loads((folder / "manifest.json").read_text())
    pairs = read(folder, "pairs-*.jsonl")
    statuses = {(verdict["id"], verdict["level"]): verdict["status"] for verdict in read(folder, "verdicts-*.jsonl")}
    kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in pairs:
        kinds[pair["metadata"]["category"], "forward"].append(pair["id"])
        if pair["metadata"]["has_backward"]:
            kinds[pair["metadata"]["category"], "backward"].append(pair["id"])
    versions = manifest["versions"]
    lines = [
        f"{len(pairs)} pairs, C++ and CUDA, generator version {versions['generator']}, Warp {versions['warp']}.",
        "",
        f"| type | direction | {' | '.join(CHECKS)} |",
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
    """`10 of 10`, what else there is besides, or `not run` where nothing was."""
    if counts["not run"] == counts.total():
        return "not run"
    rest = [f"{count} {status}" for status, count in sorted(counts.items()) if status != "pass" and count]
    return ", ".join([f"{counts['pass']} of {counts.total()}", *rest])


def main() -> None:
    """Write the table between its marks."""
    before, begin, rest = STATE.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        sys.exit(f"{STATE.name} lacks the marks {BEGIN} and {END}")
    STATE.write_text(f"{before}{BEGIN}\n\n{table(Path(sys.argv[1]))}\n\n{END}{after}")


if __name__ == "__main__":
    main()
