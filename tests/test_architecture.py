"""Import rules and file layout of the packages: the tables here are the rules, and the sources are checked against them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from source_tree import ROOT, cycles, folder, imported_modules, imports, modules, parsed

PACKAGES = {
    # package: the packages of warpsmith that it may import
    "core": (),
    "extraction": ("core",),
    "synthesis": ("core", "extraction"),
    "validation": ("core", "extraction"),
    "scoring": ("core", "extraction", "validation"),
    "gpu_checks": ("core", "extraction", "validation"),
}

FOLDERS = {
    # folder: the other folders of warpsmith that it imports
    "core": "core.datasets core.records",
    "core.commands": "core core.datasets core.export core.records",
    "core.datasets": "core core.commands core.execution core.records",
    "core.execution": "core core.commands",
    "core.export": "core core.commands core.datasets core.records core.similarity",
    "core.inputs": "core core.records",
    "core.records": "core core.datasets",
    "core.similarity": "core core.records",
    "extraction": ("core core.commands core.execution core.records extraction.accelerate extraction.capturing extraction.warp"),
    "extraction.accelerate": "core.records extraction.warp",
    "extraction.capturing": (
        "core core.commands core.execution core.inputs core.records extraction extraction.accelerate extraction.warp"
    ),
    "extraction.warp": "core core.records extraction",
    "gpu_checks": (
        "core core.commands core.datasets core.inputs core.records extraction extraction.warp validation "
        "validation.compiling validation.levels validation.running validation.sandbox validation.sandbox.confine"
    ),
    "scoring": (
        "core core.commands core.datasets core.execution core.export core.records core.similarity scoring.judging "
        "scoring.mutants scoring.plain scoring.plain.reference scoring.policy validation validation.levels "
        "validation.sandbox"
    ),
    "scoring.judging": (
        "core core.inputs core.records scoring scoring.plain scoring.policy validation.branches validation.compiling "
        "validation.running validation.sandbox"
    ),
    "scoring.lm_eval": "core scoring",
    "scoring.mutants": "core.records",
    "scoring.plain": (
        "core core.inputs core.records extraction.warp scoring scoring.judging scoring.policy validation.compiling "
        "validation.running validation.sandbox validation.sandbox.confine"
    ),
    "scoring.plain.reference": "core.records scoring.plain",
    "scoring.policy": "extraction.warp validation.sandbox",
    "synthesis": (
        "core core.commands core.datasets core.execution core.records extraction synthesis.production "
        "synthesis.writing.catalogue"
    ),
    "synthesis.language": "core core.records extraction.warp",
    "synthesis.production": (
        "core core.commands core.datasets core.execution core.records extraction extraction.accelerate extraction.warp "
        "synthesis synthesis.language synthesis.writing synthesis.writing.catalogue"
    ),
    "synthesis.writing": (
        "core core.inputs core.records extraction synthesis synthesis.language synthesis.writing.catalogue "
        "synthesis.writing.adjoint synthesis.writing.dry_run synthesis.writing.ideas"
    ),
    "synthesis.writing.adjoint": "",
    "synthesis.writing.catalogue": (
        "core extraction.warp synthesis synthesis.language synthesis.writing.catalogue.builtins synthesis.writing.ideas"
    ),
    "synthesis.writing.catalogue.builtins": (
        "extraction.warp synthesis synthesis.language synthesis.writing.catalogue synthesis.writing.ideas"
    ),
    "synthesis.writing.dry_run": "core.inputs core.records",
    "synthesis.writing.ideas": "core core.records synthesis synthesis.language",
    "validation": (
        "core core.commands core.datasets core.execution core.records validation.gate validation.levels validation.reduction "
        "validation.sandbox validation.sandbox.confine"
    ),
    "validation.branches": "core.inputs core.records validation.oracle validation.running",
    "validation.calls": "core.records extraction.warp validation.compiling",
    "validation.compiling": "core.records extraction extraction.warp validation.sandbox",
    "validation.gate": "core core.commands core.datasets core.records extraction validation validation.levels",
    "validation.levels": (
        "core core.inputs core.records validation.branches validation.calls validation.compiling validation.oracle "
        "validation.running validation.sandbox"
    ),
    "validation.oracle": "core core.inputs core.records",
    "validation.reduction": (
        "core core.commands core.datasets core.inputs core.records validation.levels validation.running validation.sandbox"
    ),
    "validation.report": (
        "core core.commands core.datasets core.records validation.levels validation.sandbox validation.statistics"
    ),
    "validation.running": (
        "core core.inputs core.records extraction extraction.accelerate extraction.warp validation.sandbox "
        "validation.sandbox.confine"
    ),
    "validation.sandbox": (
        "core core.execution core.records extraction.warp validation.compiling validation.levels validation.running "
        "validation.sandbox.confine"
    ),
    "validation.sandbox.confine": "",
    "validation.statistics": (
        "core core.commands core.datasets core.execution core.records core.similarity extraction.warp validation.sandbox "
        "validation.statistics.realism"
    ),
    "validation.statistics.realism": "core.commands core.records core.similarity validation.statistics",
}

NO_WARP = ("core", "validation.oracle", "validation.sandbox.confine")
"""Packages and folders that import no Warp."""

TOP_LEVEL = {
    "synthesis.writing": {"generate", "launch", "sample"},
    "validation": {"cli", "dataset_run", "shard_run", "stored_outcome", "validator"},
}
"""Folders whose modules belong into subfolders, and the modules that are allowed beside those."""

PRIVATE_NAMES_OF_WARP = "extraction.warp"
"""The only folder that touches them."""

NOT_IN_THE_CLIENT = (
    "numpy",
    "warp",
    "warpsmith.extraction",
    "warpsmith.validation.branches",
    "warpsmith.validation.calls",
    "warpsmith.validation.compiling",
    "warpsmith.validation.levels",
    "warpsmith.validation.oracle",
    "warpsmith.validation.reduction",
    "warpsmith.validation.running",
    "warpsmith.validation.worker.check_worker",
    "warpsmith.validation.statistics",
)
"""Modules that the sandbox worker loads, and that the client does not load."""

LONGEST_FILE = 300
LONG_FILES: dict[str, str] = {
    # module: why it has more than LONGEST_FILE lines
}


def below(prefix: str) -> list[str]:
    """Return the modules in a package or folder, subfolders included."""
    return [module for module in modules() if module == prefix or module.startswith(f"{prefix}.")]


def test_every_package_has_a_row() -> None:
    assert {module.partition(".")[0] for module in modules()} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_in_one_direction(package: str) -> None:
    for module in below(package):
        used = {name.split(".")[1] for name in imports(module) if name.startswith("warpsmith.")}
        assert used <= {package, *PACKAGES[package]}, f"{module} imports {used}"


def test_every_folder_has_a_row() -> None:
    assert {folder(module) for module in modules()} == set(FOLDERS)


@pytest.mark.parametrize("name", FOLDERS)
def test_folders_import_what_their_row_allows(name: str) -> None:
    allowed = set(FOLDERS[name].split())
    used: set[str] = set()
    for module in modules():
        if folder(module) == name:
            others = {folder(other) for other in imported_modules(module)} - {name}
            assert others <= allowed, f"{module} imports {others - allowed}"
            used |= others
    assert used == allowed, "the row allows more than the folder uses"


def test_modules_import_each_other_in_no_cycle() -> None:
    assert cycles({module: imported_modules(module, for_types=False) for module in modules()}) == []


@pytest.mark.parametrize("name", NO_WARP)
def test_modules_without_warp_do_not_import_it(name: str) -> None:
    for module in below(name):
        assert not {used for used in imports(module) if used.split(".")[0] == "warp"}, module


def test_all_of_core_is_importable_where_warp_is_not_installed() -> None:
    names = [f"warpsmith.{module}" for module in below("core")]
    code = (
        "import sys, importlib; sys.modules['warp'] = None\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "sys.exit(any(name.startswith('warpsmith.') and not name.startswith('warpsmith.core') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code, *names], check=True)


def test_the_sandbox_client_loads_nothing_of_the_worker() -> None:
    code = "import sys, warpsmith.validation.sandbox.client; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(NOT_IN_THE_CLIENT) & set(done.stdout.split())


def test_private_names_of_warp_are_in_one_folder() -> None:
    for module, path in modules().items():
        if folder(module) != PRIVATE_NAMES_OF_WARP:
            assert not re.search(r"\b(warp|wp)\._(?!_)", path.read_text()), module


@pytest.mark.parametrize("name", TOP_LEVEL)
def test_modules_are_in_subfolders(name: str) -> None:
    here = {module.rpartition(".")[2] for module in modules() if folder(module) == name and module != name}
    assert here <= TOP_LEVEL[name]


def test_long_files_have_a_reason() -> None:
    lengths = {module: len(path.read_text().splitlines()) for module, path in modules().items()}
    assert {module for module, length in lengths.items() if length > LONGEST_FILE} == set(LONG_FILES)


def test_every_module_has_a_docstring() -> None:
    for module, path in modules().items():
        assert ast.get_docstring(parsed(path)), module


def test_git_has_at_most_a_hundred_samples() -> None:
    lines = [line for path in (ROOT / "data").rglob("samples/**/pairs-*.jsonl") for line in path.read_text().splitlines()]
    assert 0 < len(lines) <= 100
