"""The domains of program ideas, one folder each, found by discovery: a domain is a folder that defines DOMAIN."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from warpsmith.synthesis.writing.ideas.choose import select_brief
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea


@cache
def all_domains() -> tuple[Domain, ...]:
    """Return all domains, sorted by name."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return tuple(sorted((module.DOMAIN for module in modules), key=lambda domain: domain.name))


@cache
def ideas_of(category: str, *, adjoint: bool = False, brief: bool = False) -> tuple[tuple[Domain, Idea], ...]:
    """Return the ideas that belong to a category, each with its domain; for ``"struct"`` those of all domains with structs.

    Args:
        category: the name of the category.
        adjoint: whether ideas without a correct adjoint are left out.
        brief: whether only the shortest ones are returned.
    """
    rows = [
        (domain, idea)
        for domain in all_domains()
        for idea in domain.ideas
        if (category in idea.kinds.split() or (category == "struct" and domain.records)) and not (adjoint and idea.forward_only)
    ]
    return tuple(select_brief(rows)) if brief else tuple(rows)
