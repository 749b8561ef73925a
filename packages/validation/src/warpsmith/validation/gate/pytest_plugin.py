"""The pytest plugin ``--warpsmith-gradients``: the gradients of the Warp kernels that a project's tests launch are checked.

Without the option, this module is all that pytest loads; it imports neither Warp nor NumPy.
"""

from __future__ import annotations

import pytest

SECONDS = 600.0
"""The default time limit of the checks."""

KERNELS = 1000
"""The default limit of the number of kernels."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("warpsmith", "gradients of Warp kernels")
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
    group.addoption(
        "--warpsmith-kernels", type=int, default=KERNELS, metavar="N", help=f"Check at most N kernels. [default: {KERNELS}]"
    )
    group.addoption(
        "--warpsmith-seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"Start no check after S seconds of checks. [default: {SECONDS:.0f}]",
    )
    group.addoption(
        "--warpsmith-output", metavar="FILE", help="Write the pairs of the kernels to FILE, for `warpsmith-validate reduce`."
    )
    group.addoption(
        "--warpsmith-strict",
        action="store_true",
        help="Also fail if a kernel is inconclusive or not checked, or if nothing was checked.",
    )
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
