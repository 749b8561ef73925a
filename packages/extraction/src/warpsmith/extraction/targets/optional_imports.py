"""What to install for a module whose import failed because an optional package is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import metadata

from packaging.requirements import InvalidRequirement, Requirement

from warpsmith.core.installation import install_command

_DISTRIBUTIONS = {
    "PIL": "pillow",
    "cv2": "opencv-python",
    "OpenGL": "pyopengl",
    "pxr": "usd-core",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "vtkmodules": "vtk",
    "yaml": "pyyaml",
}
"""The distributions of common modules that have another name."""

_FOR_DEVELOPERS = {"dev", "doc", "docs", "test", "tests", "testing", "lint"}


def advice(error: BaseException, package: str) -> str:
    """Return what to install after an import of ``package`` failed, or an empty string if no module is missing.

    Args:
        error: the exception of the import.
        package: the root of the package that was imported.
    """
    missing = next(filter(None, map(_missing_module, _causes(error))), "")
    if missing in ("", package):
        return ""
    for distribution in metadata.packages_distributions().get(package, ()):
        if (extra := _extra_with(distribution, missing)) is not None:
            return install_command(f"{distribution}[{extra}]", libraries=False)
    if not _missing_module(error):
        return ""  # the package says itself what to install
    return f"install {_DISTRIBUTIONS.get(missing, missing)}, which no extra of {package} contains"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and the exceptions that it was raised for: projects explain a missing package in their own words."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _missing_module(error: BaseException) -> str:
    """Return the first part of the name of the module that was not found; empty for other errors."""
    return (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""


def _extra_with(distribution: str, module: str) -> str | None:
    """Return the extra of ``distribution`` with the fewest packages among those that install ``module``."""
    wanted = _normalized(_DISTRIBUTIONS.get(module, module))
    found: dict[str, int] = {}
    extras = metadata.metadata(distribution).get_all("Provides-Extra") or []
    requirements = list(_requirements(metadata.requires(distribution) or ()))
    for extra in extras:
        names = {
            _normalized(requirement.name)
            for requirement in requirements
            if requirement.marker is not None
            and requirement.marker.evaluate({"extra": extra})
            and not requirement.marker.evaluate({"extra": ""})
        }
        if wanted in names:
            found[extra] = len(names)
    return min(found, key=lambda extra: (extra in _FOR_DEVELOPERS, found[extra]), default=None)


def _requirements(texts: Iterable[str]) -> Iterable[Requirement]:
    for text in texts:
        try:
            yield Requirement(text)
        except InvalidRequirement:  # old metadata
            continue


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
