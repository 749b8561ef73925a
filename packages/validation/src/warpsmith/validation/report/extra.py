"""The libraries of the extra ``warpsmith-validation[report]``: a template engine, a highlighter and a plotter."""

from __future__ import annotations

from typing import Any

from warpsmith.core.errors import WarpsmithError

MISSING = "a report needs the extra: pip install 'warpsmith-validation[report]'"


def require() -> None:
    """Find out early whether the libraries are there.

    Raises:
        WarpsmithError: if one is not installed; so do the others here.
    """
    jinja2()
    lexers()
    svg_figure()


def jinja2() -> Any:
    """The template engine."""
    try:
        import jinja2
    except ImportError as error:
        raise WarpsmithError(MISSING) from error
    return jinja2


def lexers() -> Any:
    """The highlighter's readers of languages."""
    try:
        import pygments.lexers
    except ImportError as error:
        raise WarpsmithError(MISSING) from error
    return pygments.lexers


def svg_figure() -> tuple[Any, Any]:
    """The plotter and its class of figures, which knows nothing of screens."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise WarpsmithError(MISSING) from error
    return mpl, Figure
