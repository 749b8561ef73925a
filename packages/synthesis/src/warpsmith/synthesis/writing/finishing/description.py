"""One plain sentence about a kernel, and the shorter one that stands in it as its docstring."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Kernel
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.words import Theme


def description(kernel: Kernel, theme: Theme, category: Category, said: tuple[str, ...]) -> str:
    """Return what the kernel computes, from what, and how."""
    reads = [param.name for param in kernel.params if isinstance(param, Array) and param.role == "input"]
    writes = [param.name for param in kernel.params if isinstance(param, Array) and param.role != "input"]
    means = list(dict.fromkeys(said))[:3]
    using = f", using {_listed(means)}" if means else ""
    verb = _third_person(kernel.name.split("_")[0])
    return f"{verb} {_listed(writes)} for each {theme.item} from {_listed(reads)} {category.says}{using}."


def docstring(kernel: Kernel, theme: Theme) -> str:
    """Return what a person would write under the ``def``."""
    verb, _, subject = kernel.name.partition("_")
    return f"{verb.capitalize()} {subject.replace('_', ' ') or 'values'} for each {theme.item}."


def _listed(words: list[str]) -> str:
    if not words:
        return "parameters"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1].capitalize()}ies"
    return f"{verb.capitalize()}es" if verb.endswith(("s", "sh", "ch", "x")) else f"{verb.capitalize()}s"
