"""`pytest --warpsmith-gradients` in real processes, on projects that the tests write."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import known_adjoints as known
from gate_project import PLUGIN, installed_entry_points, run_pytest, write_project
from warpsmith import synthesis
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair

ORDER_DEPENDENT = "result of an atomic sum"
"""A kernel with a wrong gradient that gives other results in another order of threads: its verdict is inconclusive."""


def test_the_plugin_is_registered(root: Path) -> None:
    text = (root / "packages" / "validation" / "pyproject.toml").read_text()
    match = re.search(r'^\[project.entry-points.pytest11\]\nwarpsmith = "(.+)"$', text, re.MULTILINE)
    assert match is not None
    assert match[1] == PLUGIN
    module: Any = EntryPoint("warpsmith", match[1], "pytest11").load()
    assert module.pytest_addoption


def test_an_installed_package_has_the_entry_point() -> None:
    installed = installed_entry_points()
    if installed is None:
        pytest.skip("warpsmith-validation is not installed, or an older version of it")
    assert [(one.name, one.value) for one in installed] == [("warpsmith", PLUGIN)]
    assert installed[0].load().pytest_addoption


def test_without_the_option_nothing_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "test_modules.py").write_text(
        dedent("""
            import sys

            def test_modules():
                loaded = {name for name in sys.modules if name.split(".")[0] in ("warp", "numpy", "msgspec", "rich", "click")}
                assert not loaded
                assert "warpsmith.extraction" not in sys.modules
                assert "warpsmith.validation.gate.plugin_session" not in sys.modules
        """)
    )
    done = run_pytest(tmp_path, "-q", "-p", "no:hypothesispytest", "-p", "no:benchmark", expect=0)
    assert "gradients" not in done.stdout


@pytest.mark.exhaustive
def test_a_wrong_gradient_makes_the_run_fail(tmp_path: Path) -> None:
    bodies = {"product": known.WRONG["product in a loop"], "summed": known.RIGHT["sum in a loop"]}
    lines = write_project(tmp_path, bodies)
    done = run_pytest(tmp_path, "--warpsmith-gradients", "--warpsmith-output", "pairs.jsonl", expect=1)
    failed, test, hint, *_ = re.search(r"^FAIL .*\n.*\n.*\n", done.stdout, re.MULTILINE)[0].splitlines()  # type: ignore[index]
    assert re.fullmatch(
        rf"FAIL sim/kernels\.py:{lines['product']} product: gradient of xx\[\d, \d\]: got \S+, expected \S+", failed
    )
    assert test == "    first launched by test_sim.py::test_product"
    assert re.fullmatch(
        r"    warpsmith-validate reduce pairs\.jsonl '\S+sim\.kernels\.product' --level gradient --repro.*", hint
    )
    assert "2 launches of 2 kernels: 1 fail, 0 not checked, 0 inconclusive, 0 not applicable, 1 pass" in done.stdout
    assert "2 passed" in done.stdout
    assert len(list(read_pairs(tmp_path / "pairs.jsonl"))) == 2


@pytest.mark.exhaustive
def test_every_known_error_is_found_at_its_line(tmp_path: Path) -> None:
    bodies = {f"kernel_{number}": body for number, body in enumerate(known.WRONG.values())}
    lines = write_project(tmp_path, bodies)
    done = run_pytest(tmp_path, "--warpsmith-gradients", "-q", expect=1)
    found = dict(re.findall(r"^FAIL sim/kernels\.py:(\d+) (\w+): gradient", done.stdout, re.MULTILINE))
    unordered = f"kernel_{list(known.WRONG).index(ORDER_DEPENDENT)}"
    assert found == {str(line): name for name, line in lines.items() if name != unordered}, done.stdout
    assert re.search(rf"^INCONCLUSIVE sim/kernels\.py:\d+ {unordered}: .* order of threads", done.stdout, re.MULTILINE)


@pytest.mark.exhaustive
def test_right_kernels_do_not_fail(tmp_path: Path) -> None:
    bodies = {f"kernel_{number}": body for number, body in enumerate(known.RIGHT.values())}
    write_project(tmp_path, bodies)
    done = run_pytest(tmp_path, "--warpsmith-gradients", "-q", expect=0)
    counts = re.search(r"(\d+) fail, (\d+) not checked, (\d+) inconclusive, (\d+) not applicable, (\d+) pass", done.stdout)
    assert counts is not None, done.stdout
    fail, not_checked, inconclusive, _, passed = map(int, counts.groups())
    assert (fail, not_checked) == (0, 0), done.stdout
    assert inconclusive <= 2, done.stdout
    assert passed >= len(bodies) - 2


@pytest.mark.exhaustive
def test_workers_of_xdist_share_one_report(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    bodies = {"product": known.WRONG["product in a loop"], "summed": known.RIGHT["sum in a loop"]}
    lines = write_project(tmp_path, bodies)
    done = run_pytest(tmp_path, "--warpsmith-gradients", "-n", "2", expect=1)
    assert f"FAIL sim/kernels.py:{lines['product']} product" in done.stdout
    assert "first launched by test_sim.py::test_product" in done.stdout
    assert "2 launches of 2 kernels: 1 fail, 0 not checked" in done.stdout


SYNTHESIZED = """
    import importlib
    import json
    from pathlib import Path

    import numpy as np
    import pytest
    import warp as wp

    LAUNCHES = json.loads(Path(__file__).with_name("launches.json").read_text())


    @pytest.mark.parametrize("name", LAUNCHES)
    def test_kernel(name):
        launch, contents = LAUNCHES[name], np.load(Path(__file__).with_name(f"{name}.npz"))
        arguments = []
        for argument, dtype, is_array in launch["arguments"]:
            dtype = getattr(wp, dtype)
            values = contents[argument]
            arguments.append(wp.array(values, dtype=dtype, device="cpu") if is_array else dtype(*np.atleast_1d(values)))
        kernel = getattr(importlib.import_module(f"sim.{name}"), launch["kernel"])
        wp.launch(kernel, launch["dim"], inputs=arguments, device="cpu")
"""


def write_synthesized(folder: Path, pairs: list[Pair]) -> None:
    """Write a package with one module for each pair's kernel, and a test that launches it with the pair's own inputs."""
    (folder / "sim").mkdir()
    (folder / "sim" / "__init__.py").write_text("")
    launches = {}
    for number, pair in enumerate(pairs):
        name, launch = f"kernel_{number}", pair.metadata.launch
        assert launch is not None
        (folder / "sim" / f"{name}.py").write_text(pair.python_source)
        np.savez(folder / f"{name}.npz", **make_inputs(launch, pair.id))
        arguments = [(one.name, one.dtype, one.kind == "array") for one in launch.args]
        launches[name] = {"kernel": pair.metadata.kernel_name, "dim": launch.dim, "arguments": arguments}
    (folder / "launches.json").write_text(json.dumps(launches))
    (folder / "test_sim.py").write_text(dedent(SYNTHESIZED))


def without_structs(pairs: Iterator[Pair], each: int) -> list[Pair]:
    """Return the first pairs of each of the ten core categories; the written test builds no structs."""
    found: dict[str, list[Pair]] = defaultdict(list)
    while sum(map(len, found.values())) < 10 * each:
        pair = next(pairs)
        assert pair.metadata.launch is not None
        chosen = found[pair.metadata.category]
        if len(chosen) < each and not any(one.fields for one in pair.metadata.launch.args):
            chosen.append(pair)
    return [pair for chosen in found.values() for pair in chosen]


@pytest.mark.exhaustive
def test_a_hundred_right_kernels_of_all_core_categories_do_not_fail(tmp_path: Path) -> None:
    pairs = without_structs(synthesis.pairs(2611, "core", "cuda"), 10)
    write_synthesized(tmp_path, pairs)
    done = run_pytest(tmp_path, "--warpsmith-gradients", "-q", expect=0)
    found = re.search(
        r"^100 launches of 100 kernels: 0 fail, 0 not checked, (\d+) inconclusive, (\d+) not applicable, (\d+) pass$",
        done.stdout,
        re.MULTILINE,
    )
    assert found is not None, done.stdout
    assert "FAIL" not in done.stdout
    assert int(found[3]) >= 60, "a third of the kernels has integers as results"


@pytest.mark.exhaustive
def test_a_run_that_launches_nothing_fails_if_strict(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    assert "warning: nothing was checked" in run_pytest(tmp_path, "--warpsmith-gradients", expect=0).stdout
    strict = run_pytest(tmp_path, "--warpsmith-gradients", "--warpsmith-strict", expect=1).stdout
    assert "error: --warpsmith-strict: nothing was checked" in strict
