"""The names, the file and the line of a kernel in ids and in ``metadata.origin``."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
import warp as wp

from warpsmith.core.records.pair import Origin, Pair
from warpsmith.extraction import capture
from warpsmith.extraction.targets.origin import origin_of

KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef fill(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"


@pytest.mark.parametrize(
    ("project", "folder", "file"),
    [
        ("pyproject.toml", "src", "src/{package}/part.py"),
        ("setup.py", ".", "{package}/part.py"),
        ("none", "src", "{package}/part.py"),
        ("pyproject.toml", "venv/site-packages", "{package}/part.py"),
    ],
)
def test_a_file_is_named_from_the_folder_of_its_project(
    project: str, folder: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    (tmp_path / project).touch()
    package = f"package_{abs(hash(request.node.name))}"
    path = tmp_path / folder / package / "part.py"
    path.parent.mkdir(parents=True)
    path.write_text(KERNEL)
    monkeypatch.syspath_prepend(tmp_path / folder)
    module = importlib.import_module(f"{package}.part")
    assert origin_of(module.fill, module.__name__) == Origin(file=file.format(package=package), line=5)


@wp.func
def doubled(x: float):
    return 2.0 * x


def test_kernels_of_map_have_the_names_of_the_mapped_functions() -> None:
    with capture() as captured:
        x = wp.ones(8, dtype=float, device="cpu")
        for function in (doubled, wp.sin, lambda value: value + 1.0):
            wp.map(function, x)
    pairs = [pair for pair in captured.pairs() if isinstance(pair, Pair)]
    assert [pair.id.partition("-")[2].partition("-")[2] for pair in pairs] == [
        f"{__name__}.map_kernel.doubled",
        "warp.map_kernel.sin",
        f"{__name__}.map_kernel.test_kernels_of_map_have_the_names_of_the_mapped_functions.<locals>.<lambda>",
    ]
    lines = Path(__file__).read_text().splitlines()
    origins = [pair.metadata.origin for pair in pairs]
    assert [lines[origin.line - 1].split()[0] for origin in (origins[0], origins[2]) if origin] == ["def", "for"]
    assert "return value + 1.0" in pairs[2].python_source
