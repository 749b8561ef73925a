"""Files for the site that hosts the repository: what they run exists, and what they say agrees with the packages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(path: Path) -> list[str]:
    """Return the commands of a workflow, with the values of its matrix in their places."""
    yaml = pytest.importorskip("yaml", reason="reading workflows needs PyYAML, which comes with datasets")
    commands = []
    for job in yaml.safe_load(path.read_text())["jobs"].values():
        matrix: dict[str, list[Any]] = job.get("strategy", {}).get("matrix", {})
        for step in job["steps"]:
            run = step.get("run", "")
            expanded = [run]
            for key, values in matrix.items():
                pattern = "${{ matrix." + key + " }}"
                expanded = [
                    one.replace(pattern, str(value)) for one in expanded for value in (values if pattern in one else [0])
                ]
            commands += [one for one in expanded if one]
    return commands


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_targets_and_sessions_that_exist(path: Path) -> None:
    listed = subprocess.run([sys.executable, "-m", "nox", "-l"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    sessions = set(re.findall(r"^[*-] ([\w-]+)", listed, re.MULTILINE))
    found = steps(path)
    assert found
    for command in found:
        assert "${{" not in command
        if command.startswith("make "):
            targets = [word for word in command.split()[1:] if "=" not in word]
            subprocess.run(["make", "-n", *targets], cwd=ROOT, capture_output=True, check=True)
        elif command.startswith("python "):
            assert (ROOT / command.split()[1]).is_file(), command
        else:
            assert (match := re.fullmatch(r"\.venv/bin/nox -s ([\w-]+)", command)), command
            assert match[1] in sessions


def test_hooks_run_targets_that_exist() -> None:
    targets = re.findall(r"entry: make (\w+)", (ROOT / ".pre-commit-config.yaml").read_text())
    assert targets
    subprocess.run(["make", "-n", *targets], cwd=ROOT, capture_output=True, check=True)


def test_the_citation_has_the_version_and_the_licence_of_the_packages() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    project = (ROOT / "packages" / "core" / "pyproject.toml").read_text()
    for field in ("version", "license"):
        stated = re.search(rf"^{field}: (\S+)$", citation, re.MULTILINE)
        packaged = re.search(rf'^{field} = "(.+)"$', project, re.MULTILINE)
        assert stated
        assert packaged
        assert stated[1] == packaged[1]


def test_the_container_is_made_ready_by_a_target() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    command = container["postCreateCommand"].split()
    assert command[:2] == ["make", "cuda-dataset"]
