"""The tables of system calls agree with the kernel's headers, and systems without them are supported."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from warpsmith.validation.confinement import CHECKING, RUNNING
from warpsmith.validation.confinement import system_call_numbers as kernel_module
from warpsmith.validation.confinement.system_call_numbers import numbers

HEADERS = {"x86_64": "asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}


@pytest.mark.parametrize("machine", HEADERS)
def test_numbers_agree_with_the_kernel_headers(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    found = [folder / HEADERS[machine] for folder in (Path("/usr/include"), Path("/usr/include/x86_64-linux-gnu"))]
    if not (headers := [path for path in found if path.exists()]):
        pytest.skip("the kernel's headers are not installed")
    text = headers[0].read_text()
    expected = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    expected["newfstatat"] = expected.get("newfstatat", expected.get("fstatat", -1))
    monkeypatch.setattr(kernel_module, "architecture", lambda: machine)
    actual = numbers.__wrapped__()
    newest = max(expected.values())
    assert len(actual) > 140
    assert {name: number for name, number in actual.items() if number <= newest and expected.get(name) != number} == {}


def test_every_named_call_has_a_number() -> None:
    if not numbers():
        pytest.skip("no table for this machine")
    known = {entry.split()[0] for entry in kernel_module._NUMBERS.replace("\n", "|").split("|") if entry.strip()}
    named = {*CHECKING.refused, *(name for name, _, _ in CHECKING.refused_bits), *RUNNING.refused, *(RUNNING.allowed or ())}
    assert named <= known


def test_a_machine_without_landlock_and_seccomp(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\nfrom warpsmith.validation.confinement import *\n"
        "from warpsmith.validation.confinement import system_call_numbers\nsystem_call_numbers.numbers = lambda: {}\n"
        "from warpsmith.validation.confinement import system_calls\nsystem_calls.numbers = system_call_numbers.numbers\n"
        "assert not confine_files([Path('.')]) and not forbid_files() and not filter_calls(CHECKING)\n"
        "assert landlock_version() == 0\nconfine = prepare_runner(1.0, 1 << 28, [1])\nassert not confine()\n"
        "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 2)\n"
