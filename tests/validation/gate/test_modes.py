"""What makes a run fail in each mode, on a project with a kernel for each result; reports that other tools read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gate_project import HEAD, run_pytest
from warpsmith.core.records.jsonl import read_pairs

KERNELS = """
import warp as wp


@wp.func
def clip(x: float):
    return wp.max(x, 0.0)


@wp.func_grad(clip)
def adj_clip(x: float, adj_ret: float):
    wp.adjoint[x] += 3.0 * adj_ret


@wp.func
def floor_like(x: float):
    return wp.floor(x)


# warpsmith: intended
@wp.func_grad(floor_like)
def adj_floor_like(x: float, adj_ret: float):
    wp.adjoint[x] += adj_ret


@wp.kernel
def product(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    s = float(1.0)
    for k in range(n):
        s = s * x[i] + float(k)
    out[i] = s


@wp.kernel
def clipped(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = clip(x[i]) * 2.0


@wp.kernel
def straight_through(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = floor_like(x[i])


@wp.kernel
def beyond(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i + 1] - x[i]


@wp.kernel
def right(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i] * x[i]


@wp.kernel
def counts(x: wp.array(dtype=float), n: int, out: wp.array(dtype=int)):
    i = wp.tid()
    out[i] = int(x[i]) + n


@wp.kernel
def forgotten(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = 0.0
"""

TESTS = """
import pytest
from sim import kernels


@pytest.mark.parametrize("name", ["product", "clipped", "straight_through", "beyond", "right", "counts"])
def test_kernel(name):
    x = wp.array(np.linspace(0.5, 1.9, 8), dtype=float, device="cpu")
    out = wp.zeros(8, dtype=int if name == "counts" else float, device="cpu")
    if name == "beyond":
        out = wp.zeros(8, dtype=float, device="cpu")
    wp.launch(getattr(kernels, name), 8, inputs=[x, 3, out], device="cpu")
"""

SUMMARY = (
    "6 launches of 6 kernels: 1 fail, 1 by hand, 1 memory error, 0 not checked, 0 inconclusive, "
    "1 untested, 1 intended, 1 not applicable, 1 pass"
)


def line_of(name: str) -> int:
    return KERNELS.splitlines().index(next(line for line in KERNELS.splitlines() if line.startswith(f"def {name}("))) + 1


def write(folder: Path, settings: str = "") -> None:
    (folder / "sim").mkdir(parents=True)
    (folder / "sim" / "__init__.py").write_text("")
    (folder / "sim" / "kernels.py").write_text(KERNELS)
    (folder / "test_sim.py").write_text(HEAD + TESTS)
    (folder / "pyproject.toml").write_text(f"[tool.warpsmith]\n{settings}")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of a repository, with a project in a folder, after a run with all reports."""
    root = tmp_path_factory.mktemp("repository")
    (root / ".git").mkdir()
    write(root / "python", 'sarif = "findings.sarif"\njunit = "kernels.xml"\nseconds = 300\noutput = "pairs.jsonl"')
    variables = {
        "GITHUB_STEP_SUMMARY": str(root / "page.md"),
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "owner/sim",
        "GITHUB_SHA": "1a2b3c",
    }
    (root / "page.md").write_text("earlier step\n")
    done = run_pytest(root / "python", "--warpsmith-gradients", "--warpsmith-summary", "summary.md", variables=variables)
    (root / "output.txt").write_text(done.stdout + done.stderr)
    (root / "code.txt").write_text(str(done.returncode))
    return root


@pytest.fixture
def output(project: Path) -> str:
    return (project / "output.txt").read_text()


def test_only_a_wrong_gradient_makes_a_run_fail(project: Path, output: str) -> None:
    assert SUMMARY in output
    assert (project / "code.txt").read_text() == "1"
    listed = re.findall(r"^(FAIL|BY HAND|MEMORY ERROR|[A-Z ]+) sim/kernels\.py:(\d+) (\w+): (.*)$", output, re.MULTILINE)
    assert [(result, int(line), name) for result, line, name, _ in listed] == [
        ("FAIL", line_of("product"), "product"),
        ("BY HAND", line_of("clipped"), "clipped"),
        ("MEMORY ERROR", line_of("beyond"), "beyond"),
    ]
    assert "index 8 where there are 8 elements" in listed[2][3]
    assert re.fullmatch(r"gradient of x\[\d\]: got \S+, expected \S+", listed[0][3])
    assert "    first launched by test_sim.py::test_kernel[product]" in output
    assert re.search(r"^    warpsmith-validate reduce \S+ '\S+product' --level gradient --reproducer", output, re.MULTILINE)


def test_sarif_has_the_findings(project: Path) -> None:
    log = json.loads((project / "python" / "findings.sarif").read_text())
    assert (log["version"], log["$schema"].endswith("sarif-2.1.0.json"), len(log["runs"])) == ("2.1.0", True, 1)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "warpsmith"
    assert len({rule["id"] for rule in rules}) == len(rules)
    found = {}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert all(isinstance(value, str) and value for value in result["partialFingerprints"].values())
        (location,) = result["locations"]
        place = location["physicalLocation"]
        found[result["ruleId"]] = (result["level"], place["artifactLocation"]["uri"], place["region"]["startLine"])
    file = "python/sim/kernels.py"
    assert (project / file).is_file(), "paths are relative to the root of the repository"
    assert found == {
        "warpsmith/wrong-gradient": ("error", file, line_of("product")),
        "warpsmith/adjoint-by-hand": ("warning", file, line_of("clipped")),
        "warpsmith/memory-error": ("warning", file, line_of("beyond")),
    }


def test_junit_has_a_case_for_each_kernel(project: Path) -> None:
    suites = ET.parse(project / "python" / "kernels.xml").getroot()  # noqa: S314 - the plugin wrote it
    (suite,) = suites
    assert (suites.tag, suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("testsuites", "7", "1", "5")
    cases = {case.get("name"): case for case in suite}
    assert {case.get("classname") for case in suite} == {"sim.kernels"}
    (failure,) = cases["product"]
    assert (failure.tag, failure.get("type")) == ("failure", "wrong-gradient")
    assert f"sim/kernels.py:{line_of('product')} gradient of x" in (failure.text or "")
    assert list(cases["right"]) == []
    assert cases["beyond"][0].get("message", "").startswith("memory error: ")
    assert cases["forgotten"][0].get("message") == "untested: no test launches it"


def test_the_page_of_github_has_the_table(project: Path) -> None:
    page = (project / "page.md").read_text()
    assert page == "earlier step\n" + (project / "python" / "summary.md").read_text()
    line = line_of("product")
    link = f"[`python/sim/kernels.py:{line}`](https://github.com/owner/sim/blob/1a2b3c/python/sim/kernels.py#L{line})"
    assert re.search(rf"^\| ❌ \| `product` \| {re.escape(link)} \| fail \| gradient of x", page, re.MULTILINE)
    assert SUMMARY in page


def test_the_pairs_have_the_same_results_in_the_other_command(run: Any, project: Path, tmp_path: Path) -> None:
    """`warpsmith-validate run` reads the settings of the working directory, and fails on the same kernel."""
    pairs = project / "python" / "pairs.jsonl"
    assert len(list(read_pairs(pairs))) == 6
    (tmp_path / "pyproject.toml").write_text('[tool.warpsmith]\nintended = ["sim.*.clip*"]\nsarif = "found.sarif"\n')
    command = ("validation", "run", pairs, "--level", "gradient", "--workers", 1, "--junit", "kernels.xml")
    update = (*command, "--baseline", "known.json", "--update-baseline", "--json")
    done = run(*update, cwd=tmp_path)
    results = {result["kernel"]: result["result"] for result in json.loads(done.stdout)["kernels"]}
    assert results == {
        "product": "fail",
        "clipped": "intended",
        "straight_through": "intended",
        "beyond": "memory error",
        "right": "pass",
        "counts": "not applicable",
    }
    assert (tmp_path / "known.json").read_text() == (
        '{\n  "version": 1,\n  "known": {\n    "sim.kernels.product": ["wrong-gradient"]\n  }\n}\n'
    )
    known = json.loads((tmp_path / "found.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in known if "suppressions" in result] == ["warpsmith/wrong-gradient"]
    assert "error: --strict: 1 memory error" in run(*command, "--strict", cwd=tmp_path, expect=1).stderr
    assert "1 known" in run(*command, "--baseline", "known.json", cwd=tmp_path).stdout


@pytest.mark.exhaustive
def test_strict_fails_until_the_baseline_has_all(tmp_path: Path) -> None:
    write(tmp_path, 'baseline = "known.json"\nintended = ["sim.kernels.clipped"]\nstrict = true\n')
    assert "--warpsmith-update-baseline writes it" in run_pytest(tmp_path, "--warpsmith-gradients", expect=4).stderr
    tests = ("--warpsmith-gradients", "-k", "beyond or counts or right")
    updated = run_pytest(tmp_path, *tests, "--warpsmith-update-baseline", expect=0)
    assert "KNOWN" in updated.stdout
    known = json.loads((tmp_path / "known.json").read_text())["known"]
    assert known == {
        "sim.kernels.beyond": ["memory-error"],
        **{f"sim.kernels.{name}": ["untested"] for name in ("clipped", "forgotten", "product", "straight_through")},
    }
    assert list(known) == sorted(known)
    kernels = (tmp_path / "sim" / "kernels.py").read_text().replace("x[i + 1] - x[i]", "x[i] - x[i]")
    (tmp_path / "sim" / "kernels.py").write_text("\n\n\n" + kernels)
    fixed = run_pytest(tmp_path, *tests, expect=0)
    line = "no longer fails: sim.kernels.beyond (memory-error); remove it from the baseline with --warpsmith-update-baseline"
    assert line in fixed.stdout
