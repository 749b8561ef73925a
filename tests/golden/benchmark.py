"""The golden digests of the first tasks of the benchmark, and of the edits by which its repairs are broken.

`python tests/golden/benchmark.py --write` replaces them, which requires a new version of the benchmark in the same change, as
`make release-catalogue` makes it. The digests depend on the Warp version. They contain no prompts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import warp as wp

from warpsmith.core.execution import hash_seed
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.mutants.mutant_choice import mutants
from warpsmith.scoring.task_making import tasks_of
from warpsmith.scoring.tasks.task import Task
from warpsmith.scoring.tasks.task_kinds import KINDS, REPAIRABLE
from warpsmith.synthesis import pairs
from warpsmith.synthesis.kernel_key import IN_WORK, STATED_VERSION

HERE = Path(__file__).parent
DIGESTS = HERE / "benchmark.json"
MAKEFILE = HERE.parents[1] / "Makefile"
PAIRS = 20


def variable(name: str) -> str:
    """Return the value of a variable of the Makefile."""
    found = re.search(rf"^{name} [:?]= (.*)$", MAKEFILE.read_text(), re.MULTILINE)
    if found is None:
        raise ValueError(f"the Makefile has no variable {name}")
    return found[1]


def digests() -> dict[str, str]:
    """Return the digests of the tasks about the first `PAIRS` pairs, by kind, and of one edit of each task."""
    seed = int(variable("BENCHMARK_SEED"))
    first = list(islice(pairs(seed=seed, categories="core", device="both"), PAIRS))
    by_kind = {kind: list(tasks_of(first, [kind])) for kind in KINDS}
    found = {kind: _digest(map(_content, tasks)) for kind, tasks in by_kind.items()}
    return found | {"edits": _digest(_edit(task, seed) for kind in REPAIRABLE for task in by_kind[kind])}


def _content(task: Task) -> bytes:
    row = task.to_row()
    return encode({name: row[name] for name in ("task_id", "entry_point", "category", "pair")})


def _edit(task: Task, seed: int) -> bytes:
    key = f"{seed}/{task.task_id}"
    return next(mutants(task.reference, task.language, key, is_adjoint=task.row.is_adjoint)).text.encode()


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def main() -> int:
    """Check or write the digests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    known = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    write = parser.parse_args().write
    if STATED_VERSION.endswith(IN_WORK) and not write:
        return 0
    version, found = variable("BENCHMARK"), digests()
    if write:
        by_warp = known["warp"] if known.get("benchmark") == version else {}
        DIGESTS.write_text(json.dumps({"benchmark": version, "warp": by_warp | {wp.__version__: found}}, indent=2) + "\n")
        return 0
    expected = known["warp"][wp.__version__]
    problems = [f"{name} changed" for name in found if expected.get(name) != found[name]]
    if known["benchmark"] != version:
        problems.append(f"the digests are those of benchmark {known['benchmark']}, not {version}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    hash_seed.pin()
    sys.exit(main())
