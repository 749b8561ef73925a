"""Markers and helpers for tests of Landlock rules and seccomp filters."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from warpsmith.validation.confinement import landlock_version
from warpsmith.validation.confinement.system_call_numbers import numbers

ACTIONS = Path(__file__).parents[1] / "validation" / "confinement" / "confined_actions.py"

SECCOMP = Path("/proc/sys/kernel/seccomp/actions_avail").exists() and bool(numbers())

VERSION = landlock_version()


def landlock(version: int) -> pytest.MarkDecorator:
    """Return a marker that skips a test on kernels with an older version of Landlock."""
    return pytest.mark.skipif(version > VERSION, reason=f"needs version {version} of Landlock, this kernel has {VERSION}")


seccomp = pytest.mark.skipif(not SECCOMP, reason="needs seccomp on x86_64 or aarch64")

intel = pytest.mark.skipif(platform.machine() != "x86_64", reason="needs the system call interfaces of x86_64")

Attempt = Callable[..., str]


def alive(process: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
