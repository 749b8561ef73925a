"""The domains of program ideas: each folder beside this module that contains files of ideas is a domain."""

from __future__ import annotations

from functools import cache

from warpsmith.synthesis.writing.catalogue.idea_files import all_folders, read_domain
from warpsmith.synthesis.writing.ideas.idea_choice import select_by_length
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea


@cache
def all_domains() -> tuple[Domain, ...]:
    """Return all domains, sorted by name."""
    return tuple(map(read_domain, all_folders()))


@cache
def ideas_of(
    category: str, *, adjoint: bool = False, share: tuple[float, float] = (0.0, 1.0)
) -> tuple[tuple[Domain, Idea], ...]:
    """Return the ideas that belong to a category, each with its domain; for ``"struct"`` those of all domains with structs.

    Args:
        category: the name of the category.
        adjoint: whether ideas without a correct adjoint are left out.
        share: which of them are returned, see `Length`.
    """
    rows = [
        (domain, idea)
        for domain in all_domains()
        for idea in domain.ideas
        if (category in idea.categories.split() or (category == "struct" and domain.records))
        and not (adjoint and idea.forward_only)
    ]
    return tuple(select_by_length(rows, share))
