"""Predicates about comments, blank lines and docstrings."""

from __future__ import annotations

from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.skeletons import has_docstring


def comment(facts: Facts) -> bool:
    """A comment."""
    return bool(facts.comments)


def blank_line(facts: Facts) -> bool:
    """A blank line after the first statement."""
    return any(not line.strip() for line in facts.body_lines)


def docstring(facts: Facts) -> bool:
    """A docstring."""
    return has_docstring(facts.node)
