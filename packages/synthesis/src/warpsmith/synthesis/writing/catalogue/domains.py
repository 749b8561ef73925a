"""The domains of program ideas: each folder beside this module that contains files of ideas is a domain."""

from __future__ import annotations

import re
from functools import cache

from warpsmith.synthesis.writing.catalogue.parsed_domains import parsed_domains
from warpsmith.synthesis.writing.ideas.idea_choice import select_by_length
from warpsmith.synthesis.writing.ideas.notation import PARAMETER, words
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea
from warpsmith.synthesis.writing.policy import MAX_OPERATIONS, MIN_STRUCT_MEMBERS


@cache
def all_domains() -> tuple[Domain, ...]:
    """Return all domains, sorted by name."""
    return parsed_domains()


@cache
def ideas_of(
    category: str, *, adjoint: bool = False, operations: tuple[int, int] = (0, MAX_OPERATIONS)
) -> tuple[tuple[Domain, Idea], ...]:
    """Return the ideas that belong to a category, each with its domain; for ``"struct"`` all that read members of structs.

    Args:
        category: the name of the category.
        adjoint: whether ideas without a correct adjoint are left out.
        operations: how long they are, see `Length`.
    """
    rows = [
        (domain, idea)
        for domain in all_domains()
        for idea in domain.ideas
        if (category in idea.categories.split() or (category == "struct" and _reads_members(domain, idea)))
        and not (adjoint and idea.forward_only)
    ]
    return tuple(select_by_length(rows, operations))


def _reads_members(domain: Domain, idea: Idea) -> bool:
    """Return whether an idea reads, and does not write, several members of one struct of its domain."""
    read = set(PARAMETER.findall(idea.text)) - set(_WRITTEN.findall(idea.text))
    return any(len(read.intersection(words(record.members))) >= MIN_STRUCT_MEMBERS for record in domain.records)


_WRITTEN = re.compile(r"\{(\w+)\}(?:\[[^\n]*\] [-+*/|&^]?= |, )")
"""What a line stores to, or an atomic function changes."""
