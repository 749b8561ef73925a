"""Parameters of functions, read from the code object of plain functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from warpsmith.extraction.warp.private import PRIVATE

_closure_vars = PRIVATE["codegen"].get_closure_vars
_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def get_full_arg_spec(stock: Callable[..., inspect.FullArgSpec]) -> Callable[..., inspect.FullArgSpec]:
    """Read the parameters of a plain function without ``inspect.signature``, which supports wrappers and other callables."""

    def faster(func: Any) -> inspect.FullArgSpec:
        if type(func) is not FunctionType or func.__dict__:
            return stock(func)
        code = func.__code__
        if code.co_kwonlyargcount or code.co_flags & _STARRED:
            return stock(func)
        annotations = inspect.get_annotations(func, eval_str=True, locals=_closure_vars(func))
        names = list(code.co_varnames[: code.co_argcount])
        return inspect.FullArgSpec(names, None, None, func.__defaults__, [], None, annotations)

    return faster
