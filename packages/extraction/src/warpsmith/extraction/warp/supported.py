"""Which releases of Warp are known, and whether the one that is installed is: told without loading it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from packaging.specifiers import SpecifierSet

from warpsmith.core.errors import UnsupportedWarpError

SUPPORTED_WARP = SpecifierSet(">=1.18,<1.20")
"""The releases on which the texts were compared, byte for byte, with the files of ``wp.compile_aot_module``."""


def check_supported(release: str) -> None:
    """Refuse a Warp outside ``SUPPORTED_WARP``.

    Raises:
        UnsupportedWarpError: naming the version found and the way to install one that is supported.
    """
    if release not in SUPPORTED_WARP:
        raise UnsupportedWarpError(
            f"warp-lang {release} is not supported: warpsmith reads code generation that was checked on "
            f"{SUPPORTED_WARP}; install one with: pip install 'warp-lang{SUPPORTED_WARP}'"
        )


def check_installed() -> None:
    """Refuse the Warp that is installed if it is none of ``SUPPORTED_WARP``; for processes whose children load it.

    Raises:
        UnsupportedWarpError: as `check_supported` does.
    """
    try:
        release = version("warp-lang")
    except PackageNotFoundError:  # Warp is on the path without being installed
        import warp  # noqa: PLC0415 - takes a second; everywhere else the version is read without loading Warp

        release = warp.__version__
    check_supported(release)
