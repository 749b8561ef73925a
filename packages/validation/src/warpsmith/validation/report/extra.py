"""The libraries of the extra ``warpsmith-validation[report]``: a template engine, a highlighter and a plotting library."""

from __future__ import annotations

from warpsmith.core.extras import Extra

REPORT = Extra("warpsmith-validation[report]", "a report")

load = REPORT.load


def require() -> None:
    """Check that all libraries are installed.

    Raises:
        WarpsmithError: if one is not.
    """
    for name in ("jinja2", "pygments.lexers", "matplotlib.figure"):
        load(name)
