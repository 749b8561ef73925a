"""The walls of the house: which way imports go, what each distribution may depend on, where private names are touched."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from warpsmith.extraction.warp.supported import SUPPORTED_WARP

tomllib = pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")

ROOT = Path(__file__).parents[1]

LAYERS = {
    # package: (what of warpsmith it may import, what it depends on)
    "extraction": ((), ("click", "msgspec", "numpy", "orjson", "packaging", "rich", "warp-lang")),
    "synthesis": (("extraction",), ("click", "filelock", "msgspec", "orjson", "warp-lang", "warpsmith-extraction")),
    "validation": (("extraction",), ("click", "numpy", "orjson", "warp-lang", "warpsmith-extraction")),
    "gpu_checks": (
        ("extraction", "validation"),
        ("click", "numpy", "orjson", "warp-lang", "warpsmith-extraction", "warpsmith-validation"),
    ),
}

INSIDE_SYNTHESIS = {
    "language": ("language",),
    "writing": ("language", "writing"),
    "production": ("language", "writing", "production"),
    "export": ("export", "production"),
}

FARTHER = {"ray": ("warpsmith-extraction",), "remote": ("warpsmith-extraction",)}

EXTRAS = {
    "extraction": {"near": ("rensa",), "ray": ("ray",), "remote": ("universal-pathlib",)},
    "synthesis": {"export": ("pyarrow", "warpsmith-extraction", "zstandard"), **FARTHER},
    "validation": {
        "nvrtc": ("cuda-bindings", "nvidia-cuda-nvrtc"),
        "report": ("jinja2", "matplotlib", "pygments"),
        "stats": ("warpsmith-extraction",),
        **FARTHER,
    },
}
"""What a distribution can do without, by extra; an import of it may fail."""

INSIDE_VALIDATION = {
    # room: (what of warpsmith.validation it may import, what of extraction)
    "confine": (("confine",), ()),
    "oracle": (("inputs", "oracle"), ("errors", "inputs", "objects", "record")),
    "building": (("building",), ("record", "split", "warp_internals")),
    "report": (("report",), ("dataset", "errors", "jsonl", "record", "verdict")),
    "statistics": (("statistics",), ("errors", "jsonl", "likeness", "record", "terminal", "warp_internals")),
    "running": (("confine", "inputs", "running"), ("inputs", "objects", "record", "warp_internals")),
}
"""`levels`, `child` and `judge` bring the rooms together; the rooms know nothing of verdicts."""

IMPORT_NAMES = {"warp-lang": "warp", "universal-pathlib": "upath", "cuda-bindings": "cuda"}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / "packages" / package / "src" / "warpsmith" / package).rglob("*.py"))


def imports(path: Path) -> set[str]:
    return {name for node in ast.walk(ast.parse(path.read_text())) for name in _imported(node)}


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {name.name for name in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return set()


def configuration(package: str) -> dict:
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("package", LAYERS)
def test_imports_go_one_way(package: str) -> None:
    allowed = {package, *LAYERS[package][0]}
    for path in sources(package):
        used = {name.split(".")[1] for name in imports(path) if name.startswith("warpsmith.")}
        assert used <= allowed, f"{path} imports {used - allowed}"


@pytest.mark.parametrize("part", INSIDE_SYNTHESIS)
def test_rooms_of_synthesis(part: str) -> None:
    rooms = [path for path in sources("synthesis") if part in {path.parent.name, path.parent.parent.name}]
    assert len(rooms) > 3
    for path in rooms:
        used = {name.split(".")[2] for name in imports(path) if name.startswith("warpsmith.synthesis.")}
        assert used <= set(INSIDE_SYNTHESIS[part]), f"{path} imports {used}"


@pytest.mark.parametrize("room", INSIDE_VALIDATION)
def test_rooms_of_validation(room: str) -> None:
    paths = [path for path in sources("validation") if path.parent.name == room]
    assert len(paths) > 3
    for path in paths:
        for package, allowed in zip(("validation", "extraction"), INSIDE_VALIDATION[room], strict=True):
            used = {name.split(".")[2] for name in imports(path) if name.startswith(f"warpsmith.{package}.")}
            assert used <= set(allowed), f"{path} imports {used}"


def test_the_oracle_knows_nothing_of_warp() -> None:
    for path in sources("validation"):
        if path.parent.name == "oracle":
            assert not {name for name in imports(path) if name.split(".")[0] == "warp"}, path


@pytest.mark.parametrize("package", LAYERS)
def test_dependencies_are_those_of_the_table(package: str) -> None:
    declared = {Requirement(text).name for text in configuration(package)["dependencies"]}
    assert declared == set(LAYERS[package][1])
    extras = configuration(package).get("optional-dependencies", {})
    assert {name: {Requirement(text).name for text in texts} for name, texts in extras.items()} == {
        name: set(names) for name, names in EXTRAS.get(package, {}).items()
    }


@pytest.mark.parametrize("package", LAYERS)
def test_dependencies_are_used_and_all_that_is_used_is_declared(package: str) -> None:
    third_party = {
        name.split(".")[0]
        for path in sources(package)
        for name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
    } - {"warpsmith", "__future__"}
    declared = {Requirement(text).name for text in configuration(package)["dependencies"]}
    own = {name for name in declared if name.startswith("warpsmith-")}
    optional = {IMPORT_NAMES.get(name, name) for names in EXTRAS.get(package, {}).values() for name in names}
    assert third_party - optional == {IMPORT_NAMES.get(name, name) for name in declared - own}


@pytest.mark.parametrize("package", EXTRAS)
def test_an_extra_that_is_not_there_is_not_missed(package: str) -> None:
    """Whatever imports it, stands inside a function and inside ``try``."""
    names = {IMPORT_NAMES.get(name, name) for extra in EXTRAS[package].values() for name in extra}
    for path in sources(package):
        tree = ast.parse(path.read_text())
        dry_run = [
            node for outer in ast.walk(tree) if isinstance(outer, ast.Try) for part in outer.body for node in ast.walk(part)
        ]
        outside = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in dry_run]
        used = {name.split(".")[0] for node in outside for name in _imported(node)}
        assert not used & names, f"{path} imports {used & names}"
        assert not [node for node in tree.body if isinstance(node, ast.Try)], path


def test_one_version() -> None:
    assert len({configuration(package)["version"] for package in LAYERS}) == 1


def test_the_warp_range_is_declared_once() -> None:
    for package in LAYERS:
        for requirement in map(Requirement, configuration(package)["dependencies"]):
            if requirement.name == "warp-lang":
                assert requirement.specifier == SUPPORTED_WARP


def test_namespace_has_no_init() -> None:
    assert not list((ROOT / "packages").glob("*/src/warpsmith/__init__.py"))
    for package in LAYERS:
        assert (ROOT / "packages" / package / "src" / "warpsmith" / package / "py.typed").exists()


def test_private_names_of_warp_are_touched_in_one_file() -> None:
    touching = [path for package in LAYERS for path in sources(package) if re.search(r"warp\._src|wp\._src", path.read_text())]
    assert [path.name for path in touching] == ["warp_internals.py"]


def test_every_module_says_what_it_is_for() -> None:
    for package in LAYERS:
        for path in sources(package):
            assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"


@pytest.mark.parametrize("tool", ["extraction", "synthesis", "validation", "gpu_checks"])
def test_help_does_not_wait_for_warp(tool: str) -> None:
    code = (
        f"import sys, warpsmith.{tool}.cli as c; c.cli.main(['--help'], standalone_mode=False); sys.exit('warp' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


def test_commands_make_verify_and_judge_a_dataset_without_warp_themselves(tmp_path: Path) -> None:
    code = (
        "import sys, importlib; c = importlib.import_module(f'warpsmith.{sys.argv[1]}.cli'); "
        "c.cli.main(sys.argv[2:], standalone_mode=False); "
        "sys.exit('loaded: ' + ' '.join(sorted({'warp', 'numpy'} & set(sys.modules))))"
    )

    folder = tmp_path / "made"
    for command, loaded, said in (
        (f"synthesis -n 3 -d both -b --codegen-only --workers 1 -o {folder}", "", "1 worker"),
        (f"synthesis verify {folder} --sample all --workers 1", "", "1 shards and 3 pairs compared: all as the manifest says"),
        (f"validation {folder} --level regenerate --workers 1", "numpy", "verdicts on 3 pairs"),
    ):
        done = subprocess.run([sys.executable, "-c", code, *command.split()], capture_output=True, text=True, check=False)
        assert done.stderr.splitlines()[-1] == f"loaded: {loaded}"
        assert said in done.stdout


def test_at_most_a_hundred_samples_in_git() -> None:
    lines = [line for path in (ROOT / "data").rglob("samples/**/pairs-*.jsonl") for line in path.read_text().splitlines()]
    assert 0 < len(lines) <= 100
