"""Signatures from Warp's registry, in the types of `warp_types`."""

from __future__ import annotations

from functools import cache

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.warp import registries
from warpsmith.synthesis.language.warp_types import TYPES, Type


@cache
def signatures(key: str) -> dict[tuple[Type, ...], Type]:
    """Return the result type of each overload of a builtin whose types are all in `TYPES`.

    Raises:
        WarpsmithError: if the installed Warp has no such builtin.
    """
    overloads = registries.builtin_overloads(key)
    if overloads is None:
        raise WarpsmithError(f"the installed Warp has no builtin {key!r}: its row has to go or to be renamed")
    results: dict[tuple[Type, ...], Type] = {}
    for arguments, result in overloads:
        for bound in TYPES.values() if "Any" in arguments else (None,):
            types = [bound if name == "Any" else TYPES.get(name) for name in arguments]
            value = bound if result in ("Any", None) else TYPES.get(result)
            if value is not None and all(dtype is not None for dtype in types):
                results.setdefault(tuple(dtype for dtype in types if dtype is not None), value)
    return results
