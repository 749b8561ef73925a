"""Release the catalogue: `make release-catalogue` moves everything that depends on the kernels to the next version, at once.

The version of the generator loses its ``.dev``, the benchmark gets its next version, the files `order` of the catalogue list
all rows, and the golden digests, the gallery and the samples are made anew. Between releases none of them changes, so that two
contributions of ideas never touch the same line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from warpsmith.synthesis.kernel_key import IN_WORK, STATED_VERSION
from warpsmith.synthesis.writing.catalogue.idea_files import all_folders, rows_of
from warpsmith.synthesis.writing.catalogue.row_order import write_order

ROOT = Path(__file__).parents[2]
KERNEL_KEY = ROOT / "packages/synthesis/src/warpsmith/synthesis/kernel_key.py"
MAKEFILE = ROOT / "Makefile"
NAMES_BENCHMARK = ("Makefile", "README.md", "notes/**/*.md", "tests/test_printed_commands.py")
"""The files that name the folder of the benchmark."""

CHECK = (sys.executable, "-c", "from warpsmith.synthesis.cli import main; main()", "ideas", "check")
COMMANDS = (
    (sys.executable, "tests/golden/digests.py", "--write"),
    (sys.executable, "tests/golden/benchmark.py", "--write"),
    (sys.executable, "tests/golden/gallery.py"),
    ("make", "--no-print-directory", "samples"),
)


def replace(path: Path, pattern: str, text: str) -> None:
    """Replace what a pattern matches in a file; the pattern has to match."""
    content, count = re.subn(pattern, text, path.read_text(), flags=re.MULTILINE)
    if not count:
        raise SystemExit(f"{path.relative_to(ROOT)} has nothing like {pattern}")
    path.write_text(content)


def raise_benchmark() -> str:
    """Give the benchmark its next version in all files that name it, and return the version."""
    found = re.search(r"^BENCHMARK := (\d+)$", MAKEFILE.read_text(), re.MULTILINE)
    if found is None:
        raise SystemExit("the Makefile has no variable BENCHMARK")
    version = str(int(found[1]) + 1)
    replace(MAKEFILE, r"^BENCHMARK := \d+$", f"BENCHMARK := {version}")
    for pattern in NAMES_BENCHMARK:
        for path in ROOT.glob(pattern):
            content = path.read_text()
            new = content.replace(f"benchmark-{found[1]}", f"benchmark-{version}")
            new = new.replace(f"version {found[1]} of the benchmark", f"version {version} of the benchmark")
            if new != content:
                path.write_text(new)
    return version


def main() -> None:
    """Release the catalogue in the working tree; nothing is committed."""
    if not STATED_VERSION.endswith(IN_WORK):
        raise SystemExit(f"generator {STATED_VERSION} is released, and no kernel has changed since")
    subprocess.run(CHECK, cwd=ROOT, check=True)
    version = STATED_VERSION.removesuffix(IN_WORK)
    replace(KERNEL_KEY, r"^STATED_VERSION = .*$", f'STATED_VERSION = "{version}"')
    benchmark = raise_benchmark()
    for folder in all_folders():
        write_order([row for row, _ in rows_of(folder)], folder)
    for command in COMMANDS:
        subprocess.run(command, cwd=ROOT, check=True)
    print(f"generator {version}, benchmark {benchmark}: run make test and nox -s warps, then commit")


if __name__ == "__main__":
    main()
