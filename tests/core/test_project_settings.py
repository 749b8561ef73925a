"""`[tool.warpsmith]` of a project: values, types, and unknown keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.project_settings import KEYS, ProjectSettings, read_settings

pytest.importorskip("tomllib", reason="reading pyproject.toml needs Python 3.11")


def settings(folder: Path, text: str) -> ProjectSettings:
    (folder / "pyproject.toml").write_text(text)
    return read_settings(folder)


def test_the_closest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "tests" / "unit"
    inner.mkdir(parents=True)
    assert read_settings(inner).only == ()
    settings(
        tmp_path, '[tool.warpsmith]\nonly = ["sim"]\nper-kernel = 5\nseconds = 3\nbaseline = "ci/known.json"\nstrict = true'
    )
    found = read_settings(inner)
    assert (found.only, found.per_kernel, found.seconds, found.strict) == (("sim",), 5, 3.0, True)
    assert found.file(found.baseline) == tmp_path / "ci" / "known.json"
    assert found.file(found.sarif) is None


def test_a_file_without_the_table_has_no_settings(tmp_path: Path) -> None:
    assert settings(tmp_path, "[project]\nname = 'warpsmith-user'\n") == ProjectSettings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.warpsmith]\nstrickt = true", r"has no key 'strickt': did you mean 'strict'\?"),
        ("[tool.warpsmith]\nper_kernel = 2", r"has no key 'per_kernel': did you mean 'per-kernel'\?"),
        ("[tool.warpsmith]\nfolder = 'x'", "has no key 'folder'"),
        ("[tool.warpsmith]\nkernels = 'all'", "`int | null`, got `str`"),
        ("[tool.warpsmith]\nonly = 'sim'", "`array`, got `str`"),
        ("[tool.warpsmith]\nper-kernel = 0", "`int` >= 1"),
        ("[tool]\nwarpsmith = 1", "is no table"),
        ("[tool.warpsmith", "is no TOML"),
    ],
)
def test_errors_name_the_file_and_the_key(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(WarpsmithError, match="pyproject.toml.*" + message.replace("|", r"\|")):
        settings(tmp_path, text)


def test_the_manual_has_every_key(root: Path) -> None:
    text = (root / "notes" / "how-to" / "check_your_kernels.md").read_text()
    assert [key for key in KEYS if f"| `{key}` |" not in text] == []
