"""The public names of each package: exported, documented, and their examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
from types import ModuleType
from typing import Any

import pytest
import warp as wp

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
