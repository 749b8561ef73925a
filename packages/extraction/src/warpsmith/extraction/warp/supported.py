"""The supported releases of Warp, and checks that do not import Warp."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from packaging.specifiers import SpecifierSet

from warpsmith.core.errors import UnsupportedWarpError
from warpsmith.core.installation import install_command

SUPPORTED_WARP = SpecifierSet(">=1.18,<1.20")
"""The releases whose texts were compared, byte for byte, with the files of ``wp.compile_aot_module``."""


def check_supported(release: str) -> None:
    """Check that a release of Warp is in ``SUPPORTED_WARP``.

    Args:
        release: the version number.

    Raises:
        UnsupportedWarpError: if it is not; the message contains the command that installs a supported release.
    """
    if release not in SUPPORTED_WARP:
        raise UnsupportedWarpError(
            f"warp-lang {release} is not supported: warpsmith was checked with the code generator of {SUPPORTED_WARP}; "
            f"install a supported release: {install_command(f'warp-lang{SUPPORTED_WARP}')}"
        )


def check_installed() -> None:
    """Check the release of the installed Warp without importing it; for processes that start others to import it.

    Raises:
        UnsupportedWarpError: as `check_supported` does.
    """
    try:
        release = version("warp-lang")
    except PackageNotFoundError:  # Warp is on the path without being installed
        import warp  # noqa: PLC0415 - takes a second; everywhere else the version is read without loading Warp

        release = warp.__version__
    check_supported(release)
