"""The public names of each package: exported, documented, and their examples run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warp as wp

from source_tree import ROOT
from test_architecture import LAYERS
from warpsmith.core import errors

PACKAGES = ("core", "extraction", "synthesis", "simt", "validation", "scoring", "gpu_checks")


def public(package: str) -> tuple[ModuleType, dict[str, Any]]:
    module = importlib.import_module(f"warpsmith.{package}")
    return module, {name: getattr(module, name) for name in module.__all__}


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


ADAPTERS = {f"warpsmith.scoring.{name}" for name in ("inspect_ai", "lm_eval", "openenv", "trl", "verifiers", "verl")}
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


NOTES = sorted((ROOT / "notes").rglob("*.md"))
TEXTS = [*sorted(ROOT.glob("*.md")), *NOTES, *sorted(ROOT.glob("packages/*/README.md"))]
PAGES = [ROOT / "README.md", *NOTES, *sorted((ROOT / "examples").glob("*.[pi][yp]*"))]

MOST_WORDS_OF_README = 900

KEPT_ADDRESSES = {ROOT / "notes" / f"{name}.md" for name in ("checks", "real_projects", "schema")}
"""Pages that only say where their text is now: dataset cards and messages contain their addresses."""


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PAGES, ids=name_of)
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


def without_code(path: Path) -> str:
    """Return the text of a page without blocks of code and code in lines."""
    return re.sub(r"`[^`\n]*`", "`…`", re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE))


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(path: Path) -> Iterator[tuple[str, Path, str]]:
    """Yield the links of a page to files of the repository: the link, its file, and its anchor."""
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(path)):
        if not re.match(r"https?:", link):
            file, _, anchor = link.partition("#")
            yield link, (path.parent / file).resolve() if file else path, anchor


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_links_lead_to_files_and_headings(path: Path) -> None:
    for link, file, anchor in links(path):
        assert file.exists(), link
        assert not anchor or anchor in anchors(file), link


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_files_of_the_sources_exist(path: Path) -> None:
    """Paths such as `validation/levels/parse.py` are relative to the root, the tests, a package or the namespace."""
    if path.name == "CHANGELOG.md":
        pytest.skip("history names files of the past")
    folders = [ROOT, ROOT / "tests", *ROOT.glob("packages/*/src/warpsmith"), *ROOT.glob("packages/*/src/warpsmith/*")]
    for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.(?:py|cpp|h|sh))`", path.read_text()):
        assert any((folder / name).is_file() for folder in folders), name


def test_two_clicks_lead_from_readme_to_every_page() -> None:
    first = {file for _, file, _ in links(ROOT / "README.md")}
    second = {file for page in first if page.suffix == ".md" for _, file, _ in links(page)}
    assert set(NOTES) - KEPT_ADDRESSES <= first | second


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().split()) <= MOST_WORDS_OF_README


def test_kept_addresses_lead_to_the_pages() -> None:
    for path in KEPT_ADDRESSES:
        assert len(list(links(path))) == 1


def test_the_site_contains_every_page() -> None:
    site = (ROOT / "mkdocs.yml").read_text()
    for path in NOTES:
        name = path.relative_to(ROOT / "notes").as_posix()
        assert f"  /{name}\n" in site if path in KEPT_ADDRESSES else re.search(rf"- {name}$", site, re.MULTILINE), name


def test_the_layout_names_every_folder() -> None:
    text = (ROOT / "notes" / "reference" / "layout.md").read_text()
    for parent, children in LAYERS.items():
        package, _, inner = parent.partition(".")
        section = text.partition(f"\n## {package}\n")[2].partition("\n## ")[0]
        for child in children.split():
            if (ROOT / "packages" / package / "src" / "warpsmith" / package / inner / child).is_dir():
                assert f"`{child}`" in section or f"`{inner}/{child}`" in section, f"{parent}.{child}"


def test_the_reference_of_commands_is_up_to_date() -> None:
    script = ROOT / "tests" / "golden" / "command_reference.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
