"""The golden digests of small datasets by seed, and the Python of one kernel of each core category.

`python tests/golden/digests.py --check` compares them with generated ones; `--write` replaces them, as `make release-catalogue`
does. Digests depend on the Warp version, the Python does not. A version in work has no golden files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from pathlib import Path

import warp as wp

from warpsmith.core.execution import hash_seed
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION, IN_WORK, STATED_VERSION, KernelKey
from warpsmith.synthesis.production.dataset_plan import Plan, chosen_categories
from warpsmith.synthesis.production.produce import produce
from warpsmith.synthesis.production.synthesis_workers import local_processes
from warpsmith.synthesis.writing.generate import write_kernel

HERE = Path(__file__).parent
DIGESTS = HERE / "digests.json"
SOURCES = HERE / "sources"
SEEDS = (0, 2000, 2**40)
COUNT = 60


def digests() -> dict[str, str]:
    """Return the SHA-256 of the lines of each small dataset, forward and backward, both devices."""
    found = {}
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            plan = Plan(
                count=COUNT,
                seed=seed,
                device="both",
                backward=True,
                codegen_only=True,
                categories=chosen_categories(["core"]),
                shard_size=COUNT,
            )
            produce(plan, Path(folder) / "data", local_processes(1))
            content = (Path(folder) / "data" / "pairs-00000.jsonl").read_bytes()
        found[f"seed {seed}, {COUNT} pairs"] = hashlib.sha256(content).hexdigest()
    return found


def sources() -> dict[str, str]:
    """Return the Python of the first kernel of each core category, by file name."""
    samples = [write_kernel(KernelKey(2000, index)) for index in range(10)]
    return {f"{sample.category}.py.txt": sample.source for sample in samples}


def differences() -> list[str]:
    """Return a message for each difference from the golden files."""
    golden = json.loads(DIGESTS.read_text())
    released = golden["generator_version"]
    following = f"{int(released) + 1}{IN_WORK}"
    if following == STATED_VERSION:
        return []
    if released != STATED_VERSION:
        return [f"the version {STATED_VERSION} follows no release: state {released} or {following}"]
    problems = []
    for name, text in sources().items():
        if (SOURCES / name).read_text() != text:
            problems.append(f"sources/{name} changed: state the version {following} in synthesis/kernel_key.py")
    expected = golden["warp"].get(wp.__version__)
    if expected is None:
        return problems
    return problems + [f"{name} changed" for name, digest in digests().items() if expected[name] != digest]


def write() -> None:
    """Write the digests for this Warp version, and the sources."""
    known = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    same = known.get("generator_version") == GENERATOR_VERSION
    by_warp = (known["warp"] if same else {}) | {wp.__version__: digests()}
    DIGESTS.write_text(json.dumps({"generator_version": GENERATOR_VERSION, "warp": by_warp}, indent=2) + "\n")
    SOURCES.mkdir(exist_ok=True)
    for name, text in sources().items():
        (SOURCES / name).write_text(text)


def main() -> int:
    """Check or write the golden files."""
    parser = argparse.ArgumentParser(description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true")
    mode.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        write()
        return 0
    problems = differences()
    matching = "is in work" if STATED_VERSION.endswith(IN_WORK) else "matches all digests"
    print(
        "\n".join(problems) or f"Python {sys.version.split()[0]}, Warp {wp.__version__}: generator {STATED_VERSION} {matching}"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    hash_seed.pin()
    sys.exit(main())
