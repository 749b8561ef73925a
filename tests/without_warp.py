"""Show, filter and export a dataset where only `warpsmith-core[export]` is installed; `nox -s wheels` runs it.

Usage: python without_warp.py DATASET COMMAND FOLDER, with the command `warpsmith-dataset` and a new folder to write in.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

from report_datasets import lines_of, write_verdicts


def main(samples: Path, command: str, folder: Path) -> None:
    assert importlib.util.find_spec("warp") is None
    dataset = folder / "samples"
    shutil.copytree(samples, dataset)
    verdicts = write_verdicts(dataset)
    passed = {verdict["id"] for verdict in verdicts if (verdict["level"], verdict["status"]) == ("gradient", "pass")}

    def run(*arguments: str | Path) -> str:
        return subprocess.run([command, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    first = lines_of(dataset)[0]
    assert first["metadata"]["kernel_name"] in run("show", dataset, first["id"])
    run("filter", dataset, "--require", "gradient=pass", "-o", folder / "filtered")
    assert {record["id"] for record in lines_of(folder / "filtered")} == passed
    summary = json.loads(run("export", folder / "filtered", "-o", folder / "exported", "--json"))
    assert list((folder / "exported").rglob("*.parquet"))
    print(f"shown, filtered and exported without Warp: {len(passed)} pairs, {json.dumps(summary)[:80]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
