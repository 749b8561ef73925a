"""Projects whose tests launch kernels with known adjoints, and pytest with the plugin in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pathlib import Path
from textwrap import indent

import known_adjoints as known

PLUGIN = "warpsmith.validation.gate.pytest_plugin"

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


def run_pytest(
    folder: Path, *options: str, expect: int | None = None, variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder as a user of the plugin does; the plugin is named where no entry point is installed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")} | (variables or {})
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    plugin = [] if installed_entry_points() else ["-p", PLUGIN]
    command = [sys.executable, "-m", "pytest", *plugin, "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**environment, "PYTHONPATH": path}
    )
    assert expect is None or done.returncode == expect, done.stdout + done.stderr
    return done
