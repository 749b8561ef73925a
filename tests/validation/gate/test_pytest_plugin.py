"""`pytest --warpsmith-gradients` in real processes, on projects that the tests write."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import numpy as np
import pytest

import known_adjoints as known
from warpsmith import synthesis
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import read_pairs
from warpsmith.core.records.pair import Pair

PLUGIN = "warpsmith.validation.gate.pytest_plugin"

ORDER_DEPENDENT = "result of an atomic sum"
"""A kernel with a wrong gradient that gives other results in another order of threads: its verdict is inconclusive."""

HEAD = "import numpy as np\nimport warp as wp\n\nwp.config.use_precompiled_headers = False\n\n"
"""The start of a file of tests. To precompile headers takes longer than to compile the one module of kernels without."""


def kernel_text(name: str, body: str) -> str:
    """Return the definition of a known kernel as a user writes it."""
    source, _ = known.source_of(body)
    return source.partition("\n\n\n")[2].replace("def kernel(", f"def {name}(")


def launch_text(name: str, body: str) -> str:
    """Return a function that launches a known kernel with random inputs."""
    _, arguments = known.source_of(body)
    lines = ["random = np.random.default_rng(7)"]
    for one in arguments:
        if one.kind == "value":
            lines.append(f"{one.name} = 4")
            continue
        inner = {"vec3f": "(3,)", "mat33f": "(3, 3)", "quatf": "(4,)"}.get(one.dtype, "()")
        numbers = {
            "output": f"np.zeros({one.shape} + {inner})",
            "int32": f"random.integers(0, 8, {one.shape})",
            "quatf": "(lambda q: q / np.linalg.norm(q, axis=1, keepdims=True))(random.normal(size=(8, 4)))",
        }.get(one.role if one.role == "output" else one.dtype, f"random.uniform(0.5, 1.5, {one.shape} + {inner})")
        dtype = {"float32": "float", "int32": "int"}.get(one.dtype, f"wp.{one.dtype}")
        lines.append(f"{one.name} = wp.array({numbers}, dtype={dtype}, device='cpu')")
    names = ", ".join(one.name for one in arguments)
    lines.append(f"wp.launch(kernels.{name}, 8, inputs=[{names}], device='cpu')")
    return f"def test_{name}():\n{indent(chr(10).join(lines), '    ')}\n"


def write_project(folder: Path, bodies: dict[str, str]) -> dict[str, int]:
    """Write a package with a module of kernels, and tests that launch them; return the line of each kernel's ``def``."""
    (folder / "sim").mkdir()
    (folder / "sim" / "__init__.py").write_text("")
    kernels = "import warp as wp\n\n\n" + "\n\n".join(kernel_text(name, body) for name, body in bodies.items())
    tests = f"{HEAD}from sim import kernels\n\n\n" + "\n\n".join(launch_text(name, body) for name, body in bodies.items())
    (folder / "sim" / "kernels.py").write_text(kernels)
    (folder / "test_sim.py").write_text(tests)
    lines = kernels.splitlines()
    return {name: next(i for i, line in enumerate(lines, 1) if line.startswith(f"def {name}(")) for name in bodies}


def installed_entry_points() -> list[EntryPoint] | None:
    """Return the plugins of pytest that the installed warpsmith-validation has; None if no present version is installed."""
    try:
        installed = distribution("warpsmith-validation")
    except PackageNotFoundError:
        return None
    if "pytest" not in (installed.metadata.get_all("Provides-Extra") or []):
        return None
    return [one for one in installed.entry_points if one.group == "pytest11"]


def run_pytest(folder: Path, *options: str, expect: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder as a user of the plugin does; the plugin is named where no entry point is installed."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    plugin = [] if installed_entry_points() else ["-p", PLUGIN]
    command = [sys.executable, "-m", "pytest", *plugin, "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    assert expect is None or done.returncode == expect, done.stdout + done.stderr
    return done


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


def test_a_wrong_gradient_makes_the_run_fail(tmp_path: Path) -> None:
    """A small version of the two tests below."""
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
