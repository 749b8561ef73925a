"""The text of a pair is the text that Warp writes for the kernel where it is defined.

`tests/oracles/in_place.py` obtains the text by ``wp.compile_aot_module`` on the kernel's own module. Numbers of helper
functions, names of what a file defines, and quoted Python may differ; all other bytes are the same.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from oracles.in_place import compared
from warpsmith.core.errors import KernelRejected
from warpsmith.extraction import extract_pair
from warpsmith.extraction.harvest import kernels_of
from warpsmith.extraction.targets.importing import import_target

TESTS = Path(__file__).parents[1]


@pytest.mark.filterwarnings("ignore::UserWarning")  # of Warp, about a call of ``wp.grad``
def test_kernels_with_every_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    importlib.invalidate_caches()
    kernels = [kernel for target in ("kernels", "project") for kernel in kernels_of(import_target(target))]
    checked = renamed = 0
    for kernel in kernels:
        try:
            pair = extract_pair(kernel, "both")
        except KernelRejected:
            continue
        for target in ("cpu", "cuda"):
            comparison = compared(kernel, pair, target)
            assert comparison.difference == "", f"{pair.id} {target}"
            checked += 1
            renamed += not comparison.same_names
    assert checked == 76
    assert renamed < 36
    assert pair.cpp_forward is not None
    changed = replace(pair, cpp_forward=pair.cpp_forward.replace("wp::load(", "wp::store(", 1))
    assert "wp::store(" in compared(kernel, changed, "cpu").difference


FEM = ("--headless", "--resolution", "8")
PROGRAMS = [
    ("core.example_wave", "--headless", "--stage-path", "None", "--num-frames", "1"),
    ("core.example_fluid", "--headless", "--num-frames", "1"),
    ("optim.example_particle_repulsion", "--headless", "--num-frames", "1"),
    *((f"fem.example_{name}", *FEM) for name in ("diffusion", "stokes", "mixed_elasticity", "magnetostatics")),
    *((f"fem.example_{name}", *FEM) for name in ("deformed_geometry", "streamlines", "stokes_transfer")),
    *((f"fem.example_{name}", *FEM, "--num-frames", "1") for name in ("burgers", "convection_diffusion_dg", "navier_stokes")),
    ("fem.example_diffusion_3d", "--headless", "--resolution", "4"),
]


@pytest.mark.exhaustive
def test_kernels_that_programs_launch(tmp_path: Path) -> None:
    environment = {"WARP_CACHE_PATH": str(tmp_path / "cache"), **os.environ, "PYTHONHASHSEED": "0"}
    environment["PYTHONPATH"] = os.pathsep.join([str(TESTS), str(TESTS / "helpers"), os.environ.get("PYTHONPATH", "")])
    kernels: list[str] = []
    for name, *arguments in PROGRAMS:
        out = tmp_path / f"{name}.json"
        command = [sys.executable, "-m", "oracles.in_place", out, "-m", f"warp.examples.{name}", *arguments]
        subprocess.run(command, check=True, env=environment, cwd=tmp_path, capture_output=True)
        result = json.loads(out.read_text())
        assert (result["code"], result["rejects"], result["different"]) == (0, {}, {}), name
        kernels += result["kernels"]
    assert len(kernels) >= 350
    assert len(set(kernels)) >= 200, "programs launch the same kernels of Warp"
