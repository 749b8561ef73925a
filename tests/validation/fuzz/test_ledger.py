"""Every script of the ledger of Warp's bugs shows its bug with the installed Warp; the facts in its header are well formed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warp as wp

from selected import selected
from source_tree import ROOT
from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.fuzz.ledger import FOLDER, RUNNER, Bug, index, issue_text, knows, read_ledger

pytest.importorskip("tomllib", reason="reading the headers needs Python 3.11")

LEDGER = ROOT / FOLDER
BUGS = {bug.name: bug for bug in read_ledger(LEDGER)}
LIGHT = {name: bug for name, bug in BUGS.items() if not bug.heavy}
OTHER_PYTHON = "WARPSMITH_OTHER_WARP"
"""The environment variable with the Python of an environment that has another release of Warp, and NumPy."""


def run_scripts(python: str, cache_folder: Path, *options: str) -> tuple[str, dict[str, tuple[int, str]]]:
    """Return the version of Warp in an environment, and for each script its exit status and what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["WARP_CACHE_PATH"] = str(cache_folder)
    done = subprocess.run(
        [python, str(LEDGER / RUNNER), "--json", *options], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stdout, done.stderr
    answer = json.loads(done.stdout[done.stdout.index('{"warp"') :])
    return answer["warp"], {name: (status, printed) for name, (status, printed) in answer["results"].items()}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, tuple[int, str]]:
    return run_scripts(sys.executable, tmp_path_factory.mktemp("cache"), *selected(request, LIGHT))[1]


def complaint(bug: Bug, status: int, version: str) -> str:
    """Return what has to be done about a script's header, or nothing."""
    if status == 77:
        return "" if bug.device == "cuda" else "the script must run on a CPU"
    if status == 1:
        return "" if version in bug.versions else f"Warp {version} has the bug, too: add it to versions"
    if status == 0:
        return f"Warp {version} mends the bug: remove it from versions" if version in bug.versions else ""
    return f"the script ends with {status}"


@pytest.mark.exhaustive
def test_every_script_of_the_light_ones_runs(tmp_path: Path) -> None:
    assert run_scripts(sys.executable, tmp_path)[1].keys() == LIGHT.keys()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", LIGHT)
def test_scripts_show_their_bugs(name: str, results: dict[str, tuple[int, str]]) -> None:
    status, printed = results[name]
    assert not complaint(BUGS[name], status, wp.__version__), printed
    if status == 1:
        assert "right" in printed
        assert "Warp" in printed


@pytest.mark.exhaustive
def test_heavy_scripts_show_their_bugs(tmp_path: Path) -> None:
    heavy = [name for name, bug in BUGS.items() if bug.heavy]
    version, found = run_scripts(sys.executable, tmp_path, "--heavy", *heavy)
    assert {name: complaint(BUGS[name], found[name][0], version) for name in heavy} == dict.fromkeys(heavy, "")


@pytest.mark.exhaustive
def test_another_release_of_warp_shows_what_the_headers_say(tmp_path: Path) -> None:
    python = os.environ.get(OTHER_PYTHON)
    if not python:
        pytest.skip(f"{OTHER_PYTHON} names no Python with another Warp; `nox -s warps` runs these tests with one")
    version, found = run_scripts(python, tmp_path, "--heavy")
    assert version != wp.__version__
    complaints = {name: complaint(BUGS[name], status, version) for name, (status, _) in found.items()}
    assert complaints == dict.fromkeys(BUGS, "")


def test_a_mended_bug_is_reported() -> None:
    bug = BUGS["frac"]
    assert "mends" in complaint(bug, 0, bug.versions[0])
    assert "add it" in complaint(bug, 1, "9.9.9")
    assert not complaint(bug, 0, "9.9.9")
    assert "ends with 2" in complaint(bug, 2, bug.versions[0])


def test_the_ledger_has_all_classes() -> None:
    assert len(BUGS) >= 25 + 7 + 2
    assert {"svd2_equal", "tile_matmul_race", "shape_after_elements", "struct_member_component", "helper_parameter_component",
            "argument_over_grid", "named_component_add", "vector_not_equal", "large_literal"} <= BUGS.keys()  # fmt: skip


@pytest.mark.parametrize("name", BUGS)
def test_headers_are_complete(name: str) -> None:
    bug = BUGS[name]
    assert bug.title
    assert not bug.title.endswith(".")
    assert bug.text
    assert bug.cause.startswith("warp/"), bug.cause
    assert bug.workaround
    assert (bug.status == "new") == (not bug.issues) or bug.status == "known", "an issue that describes it is not new"
    assert (bug.device == "cuda") == bool(bug.evidence)


@pytest.mark.parametrize("name", BUGS)
def test_scripts_need_only_warp_and_numpy(name: str) -> None:
    modules = set(re.findall(r"^(?:import|from) (\w+)", BUGS[name].code, re.MULTILINE))
    assert modules <= {"numpy", "warp", *sys.stdlib_module_names}


@pytest.mark.parametrize("name", BUGS)
def test_files_named_as_causes_exist(name: str) -> None:
    root = Path(wp.__file__).parent
    for path in re.findall(r"warp/[\w/]+\.(?:h|py|cpp|cu)", BUGS[name].cause):
        assert (root.parent / path).is_file(), path


def test_the_index_is_that_of_the_scripts() -> None:
    page = (ROOT / "notes/explanation/warp_findings.md").read_text()
    assert index(list(BUGS.values())) in page, "warpsmith-fuzz ledger --markdown prints the tables"


def test_an_issue_contains_the_script_and_its_output() -> None:
    bug = BUGS["frac"]
    text = issue_text(bug, "right: 1.25\nWarp: 0", "Warp 1.19.0")
    assert text.startswith(f"# {bug.title}\n")
    assert "raise SystemExit(main())" in text
    assert "right: 1.25" in text
    assert "tool.warp-bug" not in text


def test_patterns_of_forms() -> None:
    bug = BUGS["named_component_add"]
    assert knows(bug, "gradient", ["target=vec_name", "operator=add"])
    assert not knows(bug, "gradient", ["target=vec_index", "operator=add"])
    assert not knows(bug, "forward", ["target=vec_name", "operator=add"])


def test_a_folder_without_scripts_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WarpsmithError, match="contains no ledger"):
        read_ledger(tmp_path)


@pytest.mark.parametrize("text", ["x = 1\n", "# /// script\n# [tool.warp-bug]\n# topic = 'moon'\n# ///\n"])
def test_a_header_that_is_not_readable_is_an_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(WarpsmithError, match=r"broken\.py.*header"):
        read_ledger(tmp_path)
