"""Datasets and helpers for tests of reports: one dataset with written verdicts, and one with markup in all fields."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

LEVELS = ("schema", "parse", "gradient", "by-hand")
HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"><!--<script>alert(1)</script>{{ 7*7 }}"

COMMENT = re.compile(r"\s*// (?:adj: )?(.*?)\s*<L \d+>$")
"""A comment of Warp that quotes a line of Python."""


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """Return the records of a dataset as JSON values."""
    return [json.loads(line) for shard in sorted(folder.glob("pairs-*.jsonl")) for line in shard.read_text().splitlines()]


def write_verdicts(folder: Path) -> list[dict[str, Any]]:
    """Write and return verdicts for each shard: every seventh pair fails `gradient`, every ninth is inconclusive."""
    written = []
    for shard in sorted(folder.glob("pairs-*.jsonl")):
        lines = enumerate(shard.read_text().splitlines(), start=1)
        verdicts = [{"line": number, **verdict} for number, line in lines for verdict in _verdicts(json.loads(line))]
        _write(shard, verdicts)
        written += verdicts
    return written


def _write(shard: Path, verdicts: list[dict[str, Any]]) -> None:
    """Write verdicts for a shard, with their origin."""
    path = shard.with_name(shard.name.replace("pairs", "verdicts"))
    path.write_text("".join(json.dumps(verdict) + "\n" for verdict in verdicts))
    origin = {
        "shard": shard.name,
        "shard_sha256": hashlib.sha256(shard.read_bytes()).hexdigest(),
        "rows": len(verdicts),
        "rows_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "levels": {verdict["level"]: {"version": "1", "warp": "1.19.0"} for verdict in verdicts},
    }
    path.with_suffix(".json").write_text(json.dumps(origin))


def _verdicts(record: dict[str, Any]) -> list[dict[str, Any]]:
    index = record["metadata"]["index"]
    found = dict.fromkeys(LEVELS, ("pass", "", 1.5 + index))
    if index % 7 == 3:
        found["gradient"] = ("fail", f"the adjoint of <pair> {index} & others", 80.0)
        found["by-hand"] = ("skipped", "gradient failed", 0.0)
    elif index % 9 == 4:
        found["gradient"] = ("inconclusive", "too steep", 20.0)
    return [
        {"id": record["id"], "level": level, "status": status, "reason": reason, "ms": ms}
        for level, (status, reason, ms) in found.items()
    ]


def hostile_dataset(folder: Path, record: dict[str, Any]) -> Path:
    """Write a dataset of one pair with markup in all fields to a new folder, and return the folder."""
    folder.mkdir()
    record = json.loads(json.dumps(record))
    record["id"] = f"1{HOSTILE}"
    record["python_source"] = f'"""{HOSTILE}"""\n' + record["python_source"] + f"# {HOSTILE}\n"
    for name in ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward"):
        record[name] = f"// {HOSTILE}\n" + record[name]
    for name in ("category", "description", "kernel_name"):
        record["metadata"][name] = f"{name} {HOSTILE}"
    record["metadata"]["features"] = [HOSTILE]
    (folder / "pairs-00000.jsonl").write_text(json.dumps(record) + "\n")
    verdict = {"line": 1, "id": record["id"], "level": f"odd {HOSTILE}", "status": "fail", "reason": HOSTILE, "ms": 1.0}
    _write(folder / "pairs-00000.jsonl", [verdict])
    return folder


def assignments(record: dict[str, Any]) -> list[str]:
    """Return the lines of Python that occur once in the file and in comments of the code."""
    lines = [line for line in record["python_source"].split("\n") if record["python_source"].count(line.strip()) == 1]
    quoted = {match[1] for text in record["cuda_ir_forward"].split("\n") if (match := COMMENT.match(text))}
    return [line for line in lines if line.strip() in quoted and " = " in line and line.count("(") == line.count(")")]


def after_comment(text: str, quoted: str) -> list[str]:
    """Return the comment of a line in forward code and the lines up to the next comment or the end of a block."""
    lines = text.split("\n")
    start = next(number for number, line in enumerate(lines) if (match := COMMENT.match(line)) and match[1] == quoted)
    end = start + 1
    while not COMMENT.match(lines[end]) and lines[end].strip() not in {"}", "//---------"} and not lines[end].endswith("{"):
        end += 1
    return lines[start:end]


def before_comment(text: str, quoted: str) -> list[str]:
    """Return the comment after adjoint statements, and the lines since the previous comment or the end of a block."""
    lines = text.split("\n")
    end = next(
        number for number, line in enumerate(lines) if line.strip().startswith("// adj: ") and COMMENT.match(line)[1] == quoted
    )
    start = end
    while not COMMENT.match(lines[start - 1]) and lines[start - 1].strip() != "// reverse":
        start -= 1
    return lines[start : end + 1]


def straight_line_record(folder: Path) -> dict[str, Any]:
    """Return a pair of the page whose only branch is the guard, so that comments alone divide its text."""
    shown = (folder / "report.html").read_text()
    return next(one for one in lines_of(folder) if f'"{one["id"]}"' in shown and one["metadata"]["category"] == "arithmetic")
