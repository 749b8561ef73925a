"""The public names of each package: exported, documented, and their examples run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warp as wp

from source_tree import ROOT
from warpsmith.core import errors

PACKAGES = ("core", "extraction", "synthesis", "validation", "scoring", "gpu_checks")


def public(package: str) -> tuple[ModuleType, dict[str, Any]]:
    module = importlib.import_module(f"warpsmith.{package}")
    return module, {name: getattr(module, name) for name in getattr(module, "__all__", ())}


@pytest.mark.parametrize("package", PACKAGES)
def test_public_names_are_listed_and_documented(package: str) -> None:
    module, names = public(package)
    assert set(names) <= set(dir(module))
    for name, value in names.items():
        if inspect.isroutine(value) or inspect.isclass(value):
            assert inspect.getdoc(value), name


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_in_docstrings(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples may use the public names of their package without importing them."""
    monkeypatch.setattr(wp.config, "log_level", wp.LOG_ERROR)  # Warp prints when it loads a module
    module, names = public(package)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(doctest.DocTestParser().get_doctest(module.__doc__ or "", names, module.__name__, module.__file__, 0))
    for name, value in names.items():
        if inspect.isroutine(value) or inspect.isclass(value):
            for test in finder.find(value, f"{module.__name__}.{name}", module=False, globs=names):
                runner.run(test)
    found = runner.summarize(verbose=False)
    assert found.failed == 0
    assert found.attempted >= 4 or package != "synthesis"


ADAPTERS = {f"warpsmith.scoring.{name}" for name in ("inspect_ai", "lm_eval", "trl", "verifiers", "verl")}
"""Public modules below a package: each needs the library of its name."""


def code_of(path: Path) -> str:
    """Return the Python that a page, a script or a notebook shows."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        return "\n".join(
            line for cell in cells for line in "".join(cell["source"]).split("\n") if not line.startswith(("%", "!"))
        )
    return text


PAGES = [ROOT / "README.md", *sorted((ROOT / "notes").glob("*.md")), *sorted((ROOT / "examples").glob("*.[pi][yp]*"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_and_examples_import_public_names_only(path: Path) -> None:
    for node in ast.walk(ast.parse(code_of(path))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("warpsmith") and node.module not in ADAPTERS:
            package, names = public((node.module or "").removeprefix("warpsmith.").partition(".")[0])
            assert node.module == package.__name__, f"{node.module} is internal"
            assert {alias.name for alias in node.names} <= set(names), node.module


def test_every_error_is_public() -> None:
    _, names = public("core")
    defined = {
        name for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, errors.WarpsmithError)
    }
    assert defined <= set(names)
