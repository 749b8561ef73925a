"""After a failed import the user reads which extra of the package to install."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpsmith.extraction.targets.optional_imports import advice

METADATA = """Metadata-Version: 2.1
Name: Some.Pack
Version: 1.0
Provides-Extra: dev
Provides-Extra: everything
Provides-Extra: images
Provides-Extra: elsewhere
Provides-Extra: usd
Provides-Extra: vtk
Requires-Dist: numpy
Requires-Dist: pillow>=10 ; extra == "dev"
Requires-Dist: Pillow>=10 ; extra == "everything"
Requires-Dist: torch ; extra == "everything"
Requires-Dist: pillow>=10 ; python_version >= "3.0" and extra == "images"
Requires-Dist: usd-core>=25 ; extra == "usd"
Requires-Dist: vtk ; extra == "vtk"
Requires-Dist: pytest ; extra == "dev"
Requires-Dist: jax ; sys_platform == "nowhere" and extra == "elsewhere"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "some_pack-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(METADATA)
    (folder / "top_level.txt").write_text("some_pack\n")
    (folder / "RECORD").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return "some_pack"


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("PIL", "pip install 'Some.Pack[images]'"),  # the smallest extra for users; the module has another name
        ("torch.nn", "pip install 'Some.Pack[everything]'"),
        ("pxr", "pip install 'Some.Pack[usd]'"),
        ("vtk", "pip install 'Some.Pack[vtk]'"),
        ("vtkmodules.all", "pip install 'Some.Pack[vtk]'"),
        ("pytest", "pip install 'Some.Pack[dev]'"),
        ("jax", "install jax, which no extra of some_pack contains"),  # not on this platform
        ("yaml", "install pyyaml, which no extra of some_pack contains"),
        ("some_pack.missing", ""),  # a fault of the package
    ],
)
def test_the_extra_that_installs_a_module(package: str, module: str, expected: str) -> None:
    error = ModuleNotFoundError(f"No module named {module!r}", name=module)
    found = advice(error, package)
    assert found == expected or (" install " in found and found.endswith(f" {expected.removeprefix('pip install ')}"))


@pytest.mark.parametrize(("module", "expected"), [("pxr", "'Some.Pack[usd]'"), ("yaml", "")])
def test_a_package_that_explains_the_missing_module_itself(package: str, module: str, expected: str) -> None:
    with pytest.raises(RuntimeError) as caught:
        explain(module)
    found = advice(caught.value, package)
    assert found.endswith(expected)
    assert bool(found) == bool(expected)


def explain(module: str) -> None:
    try:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)
    except ImportError:
        raise RuntimeError("a library is missing")  # noqa: B904 - projects leave the cause out


def test_other_errors_have_no_advice(package: str) -> None:
    assert advice(ValueError("no"), package) == ""
    assert advice(ImportError("cannot import name"), package) == ""
