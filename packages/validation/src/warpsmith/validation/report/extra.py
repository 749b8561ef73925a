"""The libraries of the extra ``warpsmith-validation[report]``: a template engine, a highlighter and a plotting library."""

from __future__ import annotations

import importlib
from typing import Any

from warpsmith.core.errors import WarpsmithError

MISSING = "a report needs the extra: pip install 'warpsmith-validation[report]'"


def require() -> None:
    """Check that all libraries are installed.

    Raises:
        WarpsmithError: if one is not.
    """
    for name in ("jinja2", "pygments.lexers", "matplotlib.figure"):
        load(name)


def load(name: str) -> Any:
    """Import a module of one of the libraries.

    Raises:
        WarpsmithError: if the library is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise WarpsmithError(MISSING) from error
