"""Import rules and file layout of the packages: the tables here are the rules, and the sources are checked against them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter

import pytest

from source_tree import ROOT, cycles, folder, imported_modules, imports, modules, parsed
from warpsmith.validation.levels.registry import LEVELS

PACKAGES = {
    # package: the packages of warpsmith that it may import
    "core": (),
    "extraction": ("core",),
    "simt": ("core", "extraction"),
    "synthesis": ("core", "extraction", "simt"),
    "validation": ("core", "extraction", "simt"),
    "gpu_checks": ("core", "extraction", "validation"),
    "scoring": ("core", "extraction", "simt", "validation", "gpu_checks"),
}

LAYERS = {
    # folder with subfolders: its folders and modules; each may import those before it. The files of levels come last
    "core": (
        "errors project_settings installation extras lazy printable execution files records inputs similarity terminal "
        "descriptions datasets export commands"
    ),
    "extraction": (
        "warp accelerate codegen source targets launches plain_texts kernel_ptx results_file harvest "
        "capturing run_arguments cli start"
    ),
    "extraction.capturing": (
        "launch_selection recorder captured_pairs tapes program_recorder program_execution capture_session capture_request "
        "program program_process capture_run capture_command"
    ),
    "synthesis": "random_stream kernel_key language writing programs production idea_commands make_summary api cli start",
    "synthesis.language": "warp_types absent builtin_signatures composed_kernel text_size layout render rules structure",
    "synthesis.writing": (
        "policy outline_policy form_policy adjoint dry_run forms ideas catalogue kernel_launch sample generate"
    ),
    "synthesis.writing.ideas": (
        "kernel_names notation parts enumerations style data_layout idea_choice roles tree argument_structs "
        "decoration expand narrate provide statement_passes inlining unrolling loads local_names stress realize "
        "opening outlining operands compose"
    ),
    "synthesis.writing.catalogue": (
        "idea_rows row_order alternatives idea_files parsed_domains domains builtins categories usage idea_syntax "
        "expression_values domain_texts contradictions idea_tells idea_kernels idea_checks"
    ),
    "simt": "ptx operations lowering machine compilers pairs launches cli",
    "validation": (
        "allowlist confinement compiling running simt_launches oracle calls branches levels sandbox worker outcome shard_run "
        "dataset_run stored_outcome validator tapes programs statistics reduction report gate programs_cli fuzz cli"
    ),
    "validation.levels": (
        "finding level_results registry sampling assignments atomics extracted doubts marks context common double_results "
        "moved_results derivatives cross_check misuse"
    ),
    "validation.gate": (
        "default_limits float_signature observed kernel_result strict baseline decision reports untested observation "
        "project_checks program_checks gate_command gate_run kernel_table tapes_command dataset_results plugin_options "
        "plugin_report plugin_session pytest_plugin"
    ),
    "validation.fuzz": (
        "grammar case_numbers case_worker case_runs comparisons form_draws form_search ledger ledger_texts fault_clusters "
        "source_search reproducer_text level_runs fuzz_state fuzz_report search_plot fuzz_run cli"
    ),
    "validation.oracle": "values builtins derivatives interpreter",
    "validation.statistics": (
        "parsed_pair builtin_uses resemblance_types realism_types stats_types comparison counts duplicates reading structures "
        "builtin_coverage syntax_counts realism resemblance sections real_files statistics_workers real_code measure "
        "stats_table stats_command"
    ),
    "scoring": (
        "policy plain cuda_writer mutants tasks judging cuda_verification speed scores program_scores scorer process_scorer "
        "results baselines task_making program_task_making repairs repair_forms "
        "inspect_ai lm_eval openenv trl verifiers verl commands cli"
    ),
    "scoring.judging": (
        "stored_contents launch_sizes secret_values python_check secret_launches rounded_launches element_tolerance "
        "trials time_budget forward_sharing worker_messages speed_messages wire result_comparison partial_credit "
        "judge_client reference_results answer_launches answer_reader answer_runner answer_faults fault_search plain programs"
    ),
    "scoring.cuda_writer": (
        "idioms layout syntax cuda_types code_pieces number_forms device_library operator_calls builtins "
        "array_code text_unit function_scope expression_code native_snippets call_code block_writer "
        "loop_code tuple_code branch_code statement_code function_layout "
        "index_variables function_results function_code sizes kernel_code launcher_code write_cuda"
    ),
    "scoring.plain": "grids plain_names plain_signature mangling plain_unit program_unit plain_policy reference",
}

MOST_MODULES = 25
"""The most modules in one folder."""

SHARED_NAMES = {"cli", "start"}
"""Names that modules of several packages have; every other name says what only its module contains."""

NO_WARP = ("core", "validation.oracle", "validation.confinement")
"""Packages and folders that import no Warp."""

PRIVATE_NAMES_OF_WARP = "extraction.warp"
"""The only folder that touches them."""

ATTRIBUTES_OF_WARP = set(
    "adj adj_native_snippet arg_types builtin_functions custom_grad_func custom_replay_func dispatch_func function_key_counts "
    "generic_parent get_mangled_name inline_hint input_types is_builtin is_generic native_func native_name native_snippet "
    "replay_snippet user_modules user_overloads user_templates value_func".split()
)
"""Undocumented attributes of Warp's objects that no other objects of this repository have."""

READS_ATTRIBUTES_OF_WARP = ("extraction.warp", "extraction.accelerate")
"""The folders that read these attributes; `accelerate` replaces functions of Warp."""

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
    "warpsmith.validation.simt_launches",
    "warpsmith.validation.statistics",
    "warpsmith.validation.worker",
)
"""Modules that the sandbox worker loads, and that the client does not load."""

LONGEST_FILE = 300
LONG_FILES: dict[str, str] = {
    # module: why it has more than LONGEST_FILE lines
    "validation.fuzz.case_worker": "the script runs in environments without warpsmith, where it can import no other module",
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


def child(module: str, parent: str) -> str:
    """Return the folder or module directly below ``parent`` that contains a module; ``__init__`` for the parent's own."""
    return module.removeprefix(parent).lstrip(".").partition(".")[0] or "__init__"


def test_every_folder_with_subfolders_has_a_row() -> None:
    folders = {folder(module) for module in modules()}
    assert {name for name in folders if any(other.startswith(f"{name}.") for other in folders)} == set(LAYERS)


@pytest.mark.parametrize("name", LAYERS)
def test_folders_import_in_one_direction(name: str) -> None:
    layers = LAYERS[name].split()
    levels = {level.name for level in LEVELS} if name == "validation.levels" else set()
    assert {child(module, name) for module in below(name)} - {"__init__"} == {*layers, *levels}
    for module in below(name):
        here = child(module, name)
        lower = {here, *(layers if here in {"__init__", *levels} else layers[: layers.index(here)])}
        used = {child(other, name) for other in imported_modules(module) if f"{other}.".startswith(f"{name}.")}
        assert used <= lower, f"{module} imports {used - lower}, which are not before {here}"


def test_no_folder_is_crowded() -> None:
    sizes = Counter(folder(module) for module, path in modules().items() if path.name != "__init__.py")
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES} == {}


def test_every_module_has_a_name_of_its_own() -> None:
    names = Counter(module.rpartition(".")[2] for module, path in modules().items() if path.name != "__init__.py")
    assert {name for name, number in names.items() if number > 1} <= SHARED_NAMES


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


def test_attributes_of_warps_objects_are_read_in_one_folder() -> None:
    found = [
        f"{module}:{node.lineno}: {node.attr}"
        for module, path in modules().items()
        if not f"{module}.".startswith(tuple(f"{folder}." for folder in READS_ATTRIBUTES_OF_WARP))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES_OF_WARP
    ]
    assert found == []


def test_long_files_have_a_reason() -> None:
    lengths = {module: len(path.read_text().splitlines()) for module, path in modules().items()}
    assert {module for module, length in lengths.items() if length > LONGEST_FILE} == set(LONG_FILES)


def test_every_module_has_a_docstring() -> None:
    for module, path in modules().items():
        assert ast.get_docstring(parsed(path)), module


def test_git_has_at_most_a_hundred_samples() -> None:
    lines = [line for path in (ROOT / "data").rglob("samples/**/pairs-*.jsonl") for line in path.read_text().splitlines()]
    assert 0 < len(lines) <= 100
