"""Each distribution declares exactly what it imports, and all agree on versions."""

from __future__ import annotations

import ast
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from source_tree import ROOT, imported_names, imports, modules, parsed, statements
from warpsmith.extraction.warp.supported import SUPPORTED_WARP

tomllib = pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")

DEPENDENCIES = {
    # package: the distributions that it depends on
    "core": "click filelock msgspec numpy orjson rich",
    "extraction": "click msgspec numpy orjson packaging warp-lang warpsmith-core",
    "synthesis": "click filelock msgspec orjson warp-lang warpsmith-core warpsmith-extraction",
    "simt": "click cuda-bindings numpy nvidia-cuda-nvrtc warp-lang warpsmith-core warpsmith-extraction",
    "validation": "click msgspec numpy orjson warp-lang warpsmith-core warpsmith-extraction",
    "scoring": "click msgspec numpy orjson warp-lang warpsmith-core warpsmith-extraction warpsmith-simt warpsmith-validation",
    "gpu_checks": "click msgspec numpy warp-lang warpsmith-core warpsmith-extraction warpsmith-validation",
}

EXTRAS = {
    # package: its extras, whose distributions may be absent
    "core": {
        "export": "pyarrow rensa zstandard",
        "hub": "huggingface-hub",
        "near": "rensa",
        "ray": "ray",
        "remote": "universal-pathlib",
        "tokens": "tokenizers",
    },
    "scoring": {
        "gpu": "warpsmith-gpu-checks",
        "inspect": "inspect-ai",
        "lm-eval": "datasets lm-eval",
        "openenv": "openenv-core uvicorn",
        "trl": "datasets trl",
        "verifiers": "verifiers",
        "verl": "pyarrow verl",
    },
    "extraction": {"plain": "warpsmith-scoring", "ptx": "warpsmith-simt warpsmith-validation"},
    "simt": {"headers": "nvidia-cuda-cccl nvidia-cuda-crt nvidia-cuda-runtime"},
    "synthesis": {
        "plain": "warpsmith-scoring",
        "ptx": "warpsmith-simt warpsmith-validation",
        "ray": "warpsmith-core[ray]",
        "remote": "warpsmith-core[remote]",
    },
    "validation": {
        "nvrtc": "cuda-bindings nvidia-cuda-nvrtc",
        "pytest": "pytest",
        "ray": "warpsmith-core[ray]",
        "remote": "warpsmith-core[remote]",
        "report": "jinja2 matplotlib pygments",
        "simt": "warpsmith-simt",
        "stats": "warpsmith-core[near]",
    },
}

LOADED_BY = {
    # module: the distribution of an extra that it imports; without it, nothing imports the module, or calls its functions
    "scoring.speed.device_speeds": "warpsmith-gpu-checks",
    "synthesis.production.ptx_texts": "warpsmith-simt",
    "validation.gate.pytest_plugin": "pytest",
    "validation.gate.plugin_session": "pytest",
    "validation.levels.simt": "warpsmith-simt",
    "validation.simt_launches.launch_counts": "warpsmith-simt",
    "validation.simt_launches.launch_memory": "warpsmith-simt",
    "validation.simt_launches.machine_launch": "warpsmith-simt",
    "validation.simt_launches.pass_reports": "warpsmith-simt",
    "validation.simt_launches.ptx_units": "warpsmith-simt",
}

IMPORT_NAMES = {
    "warp-lang": "warp",
    "universal-pathlib": "upath",
    "huggingface-hub": "huggingface_hub",
    "cuda-bindings": "cuda",
    "nvidia-cuda-nvrtc": "cuda",
    "inspect-ai": "inspect_ai",
    "lm-eval": "lm_eval",
}


def project(package: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())["project"]


def names(requirements: list[str]) -> set[str]:
    parsed_ones = map(Requirement, requirements)
    return {one.name + (f"[{','.join(sorted(one.extras))}]" if one.extras else "") for one in parsed_ones}


def import_names(distributions: str) -> set[str]:
    return {IMPORT_NAMES.get(name, name) for name in distributions.split() if not name.startswith("warpsmith-")}


def optional(package: str) -> set[str]:
    return set().union(*map(import_names, EXTRAS.get(package, {}).values()))


def of_package(package: str) -> list[str]:
    return [module for module in modules() if module.partition(".")[0] == package]


@pytest.mark.parametrize("package", DEPENDENCIES)
def test_declared_dependencies_match_the_table(package: str) -> None:
    assert names(project(package)["dependencies"]) == set(DEPENDENCIES[package].split())
    extras = project(package).get("optional-dependencies", {})
    assert {name: names(texts) for name, texts in extras.items()} == {
        name: set(texts.split()) for name, texts in EXTRAS.get(package, {}).items()
    }


@pytest.mark.parametrize("package", DEPENDENCIES)
def test_imports_match_the_declared_dependencies(package: str) -> None:
    used = {name.split(".")[0] for module in of_package(package) for name in imports(module)} - sys.stdlib_module_names
    assert used - {"warpsmith"} - optional(package) == import_names(DEPENDENCIES[package])
    distributions = set()
    for module in of_package(package):
        others = {name.split(".")[1] for name in imports(module) if name.startswith("warpsmith.")} - {package}
        distributions |= {f"warpsmith-{other.replace('_', '-')}" for other in others} - {LOADED_BY.get(module)}
    assert distributions == {name for name in DEPENDENCIES[package].split() if name.startswith("warpsmith-")}


@pytest.mark.parametrize("package", EXTRAS)
def test_imports_of_extras_may_fail(package: str) -> None:
    """Every such import is in a function, in the body of a ``try`` statement."""
    for module in of_package(package):
        tree = parsed(modules()[module])
        tries = [node for node in statements(tree) if isinstance(node, ast.Try)]
        allowed = {id(node) for one in tries for statement in one.body for node in (statement, *statements(statement))}
        used = {name.split(".")[0] for node in statements(tree) if id(node) not in allowed for name in imported_names(node)}
        assert not used & optional(package) - {LOADED_BY.get(module)}, module
        assert not [node for node in tree.body if isinstance(node, ast.Try)], module


def test_all_have_the_same_version() -> None:
    assert len({project(package)["version"] for package in DEPENDENCIES}) == 1


def test_the_range_of_warp_releases_is_the_supported_one() -> None:
    for package in DEPENDENCIES:
        for requirement in map(Requirement, project(package)["dependencies"]):
            if requirement.name == "warp-lang":
                assert requirement.specifier == SUPPORTED_WARP


def test_warpsmith_is_a_namespace_of_typed_packages() -> None:
    assert not list((ROOT / "packages").glob("*/src/warpsmith/__init__.py"))
    for package in DEPENDENCIES:
        assert (ROOT / "packages" / package / "src" / "warpsmith" / package / "py.typed").exists()


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the wheel of each package, built from this folder."""
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="requirements/run.txt is not installed")
    folder = tmp_path_factory.mktemp("wheels")
    return {
        package: Path(
            next(wheel.WheelBuilder(str(ROOT / "packages" / package)).build(directory=str(folder), versions=["standard"]))
        )
        for package in DEPENDENCIES
    }


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


@pytest.mark.parametrize("package", DEPENDENCIES)
def test_a_wheel_contains_the_licence_and_names_it(wheels: dict[str, Path], package: str) -> None:
    with zipfile.ZipFile(wheels[package]) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE")]
        assert archive.read(name) == (ROOT / "LICENSE").read_bytes()
    metadata = metadata_of(wheels[package])
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE"]
    assert not metadata.get_all("Project-URL")  # the project has no public address


@pytest.mark.parametrize("package", DEPENDENCIES)
def test_a_wheel_contains_the_modules_of_its_package_only(wheels: dict[str, Path], package: str) -> None:
    with zipfile.ZipFile(wheels[package]) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    source = ROOT / "packages" / package / "src"
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    assert names == {name for name in files if "__pycache__" not in name and ".egg-info" not in name}
