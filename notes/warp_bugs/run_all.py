# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
# ///
"""Run all reports of this folder with the installed Warp, and print which bugs it has.

`python run_all.py` needs Warp and NumPy only. The kernels of all scripts are one module, which Warp compiles once. A script
that may end its process or never end has a process of its own and runs with `--heavy` only. Exit codes: 0, or 1 if a script
ended with an error of its own.
"""

import argparse
import contextlib
import io
import json
import subprocess
import sys
import traceback
import types
from pathlib import Path

import warp as wp

MODULE = "warp_bugs"
"""The name of the module that the kernels of all scripts share."""

WORDS = {0: "mended", 1: "shown", 77: "not run"}
"""What the exit status of a script says about its bug; another one is an error of the script."""


def is_heavy(text: str) -> bool:
    """Return whether the script with this text needs a process of its own."""
    return "\n# heavy = true\n" in text


def in_this_process(path: Path) -> types.SimpleNamespace:
    """Load a script, and return its names."""
    space = {"__name__": MODULE, "__file__": str(path)}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)  # noqa: S102 - the scripts of this folder
    return types.SimpleNamespace(**space)


def status_of(script: types.SimpleNamespace) -> tuple[int, str]:
    """Return the exit status of a loaded script, and what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            status = script.main()
        except Exception:
            status = 2
            traceback.print_exc(file=printed)
    return status, printed.getvalue()


def results(folder: Path, names: list[str], heavy: bool) -> dict[str, tuple[int, str]]:
    """Return the exit status of each script and what it prints, by its name without suffix."""
    paths = [path for path in sorted(folder.glob("*.py")) if path.name != Path(__file__).name]
    paths = [path for path in paths if not names or path.stem in names]
    alone = {path for path in paths if is_heavy(path.read_text(encoding="utf-8"))}
    sys.modules.setdefault(MODULE, types.ModuleType(MODULE))
    loaded = {path: in_this_process(path) for path in paths if path not in alone}
    found = {path.stem: status_of(script) for path, script in loaded.items()}
    for path in alone if heavy else ():
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
        found[path.stem] = (done.returncode, done.stdout)
    return dict(sorted(found.items()))


def main() -> int:
    """Print a line for each script, or all results as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="scripts without their suffix; all of them by default")
    parser.add_argument("--heavy", action="store_true", help="also run the scripts that need a process of their own")
    parser.add_argument("--json", action="store_true", help="print one JSON object with versions, statuses and texts")
    options = parser.parse_args()
    wp.config.quiet = True
    wp.config.optimization_level = 0  # compiles faster, and the same results
    wp.config.use_precompiled_headers = False  # a failed compilation is not repeated without them
    found = results(Path(__file__).parent, options.names, options.heavy)
    if options.json:
        print(json.dumps({"warp": wp.__version__, "results": found}))
    else:
        for name, (status, _) in found.items():
            print(f"{WORDS.get(status, 'error'):8} {name}")
        print(f"{sum(status == 1 for status, _ in found.values())} of {len(found)} bugs are in Warp {wp.__version__}")
    return int(any(status not in WORDS for status, _ in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
