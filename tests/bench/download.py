"""Downloads what the last weekly run stored about the speed: ``python tests/bench/download.py``, in a job of GitHub Actions.

The history of bench runs travels from week to week as an artifact: the caches of GitHub Actions are deleted after seven days
without use, and a commit by a job would need the permission to write. It needs Python alone, and `gh` with ``GH_TOKEN``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

NAME, BRANCH, FOLDER = "bench", "main", "build/bench"


def newest(artifacts: list[dict[str, Any]]) -> int | None:
    """Return the id of the last run that left an artifact, or None; runs of forks and of other branches do not count."""
    runs = [
        (artifact["created_at"], artifact["workflow_run"]["id"])
        for artifact in artifacts
        if artifact["name"] == NAME and not artifact["expired"]
        if artifact["workflow_run"]["head_branch"] == BRANCH
        if artifact["workflow_run"]["head_repository_id"] == artifact["workflow_run"]["repository_id"]
    ]
    return max(runs)[1] if runs else None


def main() -> int:
    """Download the artifact. A failed request is an error: a history that starts again would hide a fallen ratio."""
    query = f"repos/{os.environ['GITHUB_REPOSITORY']}/actions/artifacts?name={NAME}&per_page=100"
    listed = subprocess.run(["gh", "api", query], stdout=subprocess.PIPE, check=False)
    if listed.returncode:
        print("error: cannot list artifacts: the job needs GH_TOKEN and the permission `actions: read`", file=sys.stderr)
        return 1
    run = newest(json.loads(listed.stdout)["artifacts"])
    if run is None:
        print("no earlier run has left a history: this run starts one")
        return 0
    return subprocess.run(["gh", "run", "download", str(run), "--name", NAME, "--dir", FOLDER], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
