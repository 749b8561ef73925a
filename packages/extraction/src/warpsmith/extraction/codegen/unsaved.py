"""Explains in one line why Warp rejects kernels that no file contains: in `python -c`, on stdin, and at Python's prompt."""

from __future__ import annotations

import sys
from types import TracebackType

EXPLANATION = (
    "error: Warp reads the source of a kernel from its file, and this program has none: save it to a file, use a notebook, "
    "or pipe it to `warpsmith-extract -`"
)


def explain_unsaved_kernels() -> None:
    """Print `EXPLANATION` in place of Warp's traceback, if the running program has no file and nothing else prints errors.

    Warp raises this error while it defines a kernel, before any function of warpsmith is called.
    """
    file = getattr(sys.modules.get("__main__"), "__file__", None) or "<none>"
    if file.startswith("<") and sys.excepthook is sys.__excepthook__:
        sys.excepthook = _print


def _print(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if kind is RuntimeError and _is_raised_by_warp(trace) and "exec()" in str(error):
        sys.stderr.write(f"{EXPLANATION}\n")
    else:
        sys.__excepthook__(kind, error, trace)


def _is_raised_by_warp(trace: TracebackType | None) -> bool:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__")).split(".")[0] == "warp"
