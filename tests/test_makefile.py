"""The Makefile sets up the environment: unsupported Pythons are refused before, and a broken one is made anew."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

installers = pytest.mark.parametrize(("uv", "creates"), [("", "-m venv .venv"), ("uv", "uv venv --quiet")], ids=["pip", "uv"])
"""What the Makefile runs without uv and with it."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the Makefile and what it depends on, whose name contains a space."""
    copied = tmp_path / "a project"
    for name in ("requirements", *(f"packages/{path.parent.name}" for path in ROOT.glob("packages/*/pyproject.toml"))):
        (copied / name).mkdir(parents=True)
        for path in (ROOT / name).glob("*.t*"):
            shutil.copy(path, copied / name)
    shutil.copy(ROOT / "Makefile", copied)
    return copied


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_an_unsupported_python_is_refused_before_anything_is_made(folder: Path) -> None:
    old = folder / "old-python"
    old.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, 9, 1)\n$2"\n')
    old.chmod(0o755)
    done = make(folder, "lint", "PYTHON=./old-python")
    assert done.returncode == 2
    assert "error: ./old-python is not Python 3.10 to 3.13: name one, such as PYTHON=python3.11" in done.stderr
    assert not (folder / ".venv").exists()


@installers
def test_a_broken_environment_is_made_anew(folder: Path, uv: str, creates: str) -> None:
    (folder / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/nox", ".ready"):
        (folder / ".venv" / name).touch()
    done = make(folder, "-n", "lint", f"UV={uv}")
    assert ".venv is broken and is made anew" in done.stdout
    assert not (folder / ".venv").exists()
    assert creates in done.stdout


@installers
def test_a_working_environment_stays(folder: Path, uv: str, creates: str) -> None:
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name in ("bin/nox", ".ready"):
        (folder / ".venv" / name).touch()
    done = make(folder, "-n", "lint", f"UV={uv}")
    assert (folder / ".venv").exists()
    assert creates not in done.stdout


@pytest.mark.exhaustive
def test_an_environment_of_uv_gets_pip_where_uv_is_gone(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=folder, check=True)
    (folder / "requirements" / "nox.txt").write_text("")
    done = make(folder, ".venv/bin/nox", "UV=")
    assert done.returncode == 0, done.stderr
    assert "is made anew" not in done.stdout
    subprocess.run([".venv/bin/python", "-c", "import pip"], cwd=folder, check=True)


def test_tests_do_not_inherit_the_names_of_variables(stubs: Path) -> None:
    (stubs / ".venv" / "bin" / "nox").write_text('#!/bin/sh\necho "names: <$WARPSMITH_OPTION_NAMES>"\n')
    (stubs / ".venv" / "bin" / "nox").chmod(0o755)
    assert "names: <>" in make(stubs, "test").stdout


def test_folders_may_contain_spaces(folder: Path) -> None:
    done = make(folder, "-n", "cuda-dataset", "OUT=my data")
    assert "--output 'my data'" in done.stdout
    assert "warpsmith-validate run 'my data' --if-changed" in done.stdout
    assert "warpsmith-dataset show 'my data'" in done.stdout


COMMANDS = ("synthesize", "validate", "dataset", "score")


@pytest.fixture
def stubs(folder: Path) -> Path:
    """The folder with an environment whose commands print their arguments, one a line."""
    binaries = folder / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").symlink_to(sys.executable)
    for name in COMMANDS:
        (binaries / f"warpsmith-{name}").write_text('#!/bin/sh\nfor word; do echo "[$word]"; done\n')
        (binaries / f"warpsmith-{name}").chmod(0o755)
    for name in ("bin/nox", ".ready"):
        (folder / ".venv" / name).touch()
    return folder


def test_the_benchmark_excludes_files_with_spaces(stubs: Path) -> None:
    for name in ("both", "my data", "a  b'c"):
        (stubs / "data" / name).mkdir(parents=True)
        (stubs / "data" / name / "pairs-00000.jsonl").touch()
    done = make(stubs, "benchmark", "OUT=my benchmark")
    assert done.returncode == 0, done.stderr
    words = done.stdout.splitlines()
    excluded = {words[place + 1] for place, word in enumerate(words) if word == "[--exclude]"}
    assert excluded == {f"[data/{name}/pairs-00000.jsonl]" for name in ("both", "my data", "a  b'c")}
    assert words.count("[--exclude]") == 2 * len(excluded)
    assert "[my benchmark/tasks.jsonl]" in words
    assert "[my benchmark/pairs]" in words


@pytest.mark.parametrize(
    ("against", "excluded"),
    [
        ("", []),
        ("'my file.jsonl' other.jsonl", ["my file.jsonl", "other.jsonl"]),
        ("none/*.jsonl", []),
        ("none.jsonl", ["none.jsonl"]),
    ],
)
def test_the_benchmark_excludes_what_users_name(stubs: Path, against: str, excluded: list[str]) -> None:
    words = make(stubs, "benchmark", f"AGAINST={against}").stdout.splitlines()
    assert [words[place + 1] for place, word in enumerate(words) if word == "[--exclude]"] == [
        f"[{one}]" for one in excluded
    ] * 2


def test_further_texts_are_requested_by_variables(stubs: Path) -> None:
    words = make(stubs, "cuda-dataset", "PTX=sm_80", "PLAIN=1").stdout.splitlines()
    assert words[words.index("[--ptx]") + 1] == "[sm_80]"
    assert "[--plain]" in words
    words = make(stubs, "cuda-dataset", "PLAIN=0").stdout.splitlines()
    assert not {"[--ptx]", "[--plain]", "[]"} & set(words)


def test_programs_are_made_and_checked(stubs: Path) -> None:
    words = make(stubs, "program-dataset", "OUT=my programs", "COUNT=7", "SAMPLE=3").stdout.splitlines()
    assert "[--programs]" in words
    assert words[words.index("[--count]") + 1] == "[7]"
    checked = words[words.index("[programs]") :]
    assert checked[1:4] == ["[my programs]", "[--count]", "[3]"]


def test_an_unknown_variable_is_refused(stubs: Path) -> None:
    done = make(stubs, "cuda-dataset", "CUONT=5")
    assert done.returncode == 2
    assert "unknown variable CUONT: did you mean COUNT? the variables are COUNT SEED" in done.stderr
    assert "[make]" not in done.stdout
    done = make(stubs, "cuda-dataset", "ZZZZ=5", "COUNT=5")
    assert done.returncode == 2
    assert "unknown variable ZZZZ: the variables are" in done.stderr


def test_all_variables_are_known(stubs: Path) -> None:
    values = (
        "COUNT=5 SEED=1 CATEGORIES=all COMPLEXITY=small WORKERS=1 SAMPLE=1% SIMT=5 PTX=sm_80 PLAIN=1 OUT=x DIR=y RAW=z "
        "AGAINST=w"
    ).split()
    for target in ("cuda-dataset", "verified-dataset", "validate", "stats", "report", "verify", "benchmark", "help"):
        assert make(stubs, target, *values, f"PYTHON={sys.executable}", "UV=").returncode == 0, target


def test_the_verified_dataset_ends_with_the_next_steps(stubs: Path) -> None:
    words = make(stubs, "verified-dataset", "OUT=my data").stdout.splitlines()
    assert words[-2:] == ["[show]", "[my data]"]


REAL = Path(sys.executable).parent


@pytest.fixture
def real(stubs: Path) -> Path:
    """The folder with an environment whose commands are the installed ones."""
    if not (REAL / "warpsmith-synthesize").is_file():
        pytest.skip("the commands are not installed")
    for name in COMMANDS:
        (stubs / ".venv" / "bin" / f"warpsmith-{name}").unlink()
        (stubs / ".venv" / "bin" / f"warpsmith-{name}").symlink_to(REAL / f"warpsmith-{name}")
    return stubs


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("COUNT=",), "error: Invalid value for COUNT: '' is not a valid integer range. (see make help)"),
        (("COUNT=many",), "error: Invalid value for COUNT: 'many' is not a valid integer range. (see make help)"),
        (("SEED=-1",), "error: Invalid value for SEED: -1 is not in the range"),
        (("COMPLEXITY=tiny",), "error: Invalid value for COMPLEXITY: 'tiny' is not one of 'small', 'medium', 'large'."),
        (("WORKERS=x",), "error: WORKERS is a number from 1 to 1024 or 'auto', not 'x'"),
    ],
)
def test_errors_name_what_users_typed(real: Path, arguments: tuple[str, ...], message: str) -> None:
    assert_error(make(real, "cuda-dataset", *arguments), message)


@pytest.mark.exhaustive
def test_errors_about_a_dataset_name_what_users_typed(real: Path) -> None:
    (real / "full").mkdir()
    (real / "full" / "notes.txt").touch()
    assert_error(make(real, "cuda-dataset", "OUT=full"), "choose another OUT, or empty it")
    assert make(real, "cuda-dataset", "COUNT=4", "OUT=new", "WORKERS=1", "SAMPLE=1").returncode == 0
    assert_error(make(real, "cuda-dataset", "COUNT=3", "OUT=new"), "choose another OUT, or a COUNT of 4 or more")
    assert_error(make(real, "cuda-dataset", "COUNT=4", "SEED=1", "OUT=new"), "Choose another OUT, or delete it")


def assert_error(done: subprocess.CompletedProcess[str], message: str) -> None:
    assert done.returncode == 2
    assert message in done.stderr
    assert not re.search(r"--[a-z]", done.stderr), done.stderr
