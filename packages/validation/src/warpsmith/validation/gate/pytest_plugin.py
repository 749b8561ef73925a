"""The pytest plugin ``--warpsmith-gradients``: the gradients of the Warp kernels that a project's tests launch are checked.

Without the option, this module is all that pytest loads; it imports neither Warp nor NumPy.
"""

from __future__ import annotations

import argparse

import pytest

from warpsmith.validation.gate.default_limits import KERNELS, SECONDS


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; those without a value here may have one in ``[tool.warpsmith]`` of the project."""
    group = parser.getgroup("warpsmith", "gradients of Warp kernels; defaults may stand in [tool.warpsmith] of pyproject.toml")
    group.addoption(
        "--warpsmith-gradients",
        action="store_true",
        help="Check the gradients of the Warp kernels that the tests launch, at the end of the run.",
    )
    group.addoption(
        "--warpsmith-only",
        action="append",
        default=[],
        metavar="PACKAGE",
        help="Check only kernels of this package or module; repeatable. [default: all but Warp's own]",
    )
    group.addoption("--warpsmith-kernels", type=int, metavar="N", help=f"Check at most N kernels. [default: {KERNELS}]")
    group.addoption(
        "--warpsmith-seconds", type=float, metavar="S", help=f"Start no check after S seconds. [default: {SECONDS:.0f}]"
    )
    group.addoption("--warpsmith-per-kernel", type=int, metavar="N", help="Keep N launches of a kernel. [default: 3]")
    group.addoption(
        "--warpsmith-tapes",
        action=argparse.BooleanOptionalAction,
        help="Also check the gradients of whole programs: the backward passes of wp.Tape. [default: yes]",
    )
    group.addoption(
        "--warpsmith-strict",
        action=argparse.BooleanOptionalAction,
        help="Also fail if a kernel is inconclusive, not checked or not launched, has a memory error or an adjoint by hand "
        "that disagrees, or if nothing was checked.",
    )
    group.addoption("--warpsmith-baseline", metavar="FILE", help="Do not fail for the failures that FILE contains.")
    group.addoption(
        "--warpsmith-update-baseline", action="store_true", help="Write the failures of this run into the file of the baseline."
    )
    group.addoption(
        "--warpsmith-output", metavar="FILE", help="Write the pairs of the kernels to FILE, for `warpsmith-validate reduce`."
    )
    group.addoption("--warpsmith-sarif", metavar="FILE", help="Write the findings to FILE in SARIF 2.1.0.")
    group.addoption("--warpsmith-junit", metavar="FILE", help="Write a test case for each kernel to FILE in JUnit's XML.")
    group.addoption("--warpsmith-summary", metavar="FILE", help="Write the results to FILE in Markdown.")
    group.addoption(
        "--warpsmith-unconfined",
        action="store_true",
        help="Check without the parts of the sandbox that this system lacks.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start to capture launches if the option is given."""
    if config.getoption("warpsmith_gradients") and not config.getoption("collectonly"):
        from warpsmith.validation.gate.plugin_session import register  # noqa: PLC0415 - loads Warp

        register(config)
