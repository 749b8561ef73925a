"""The description of a kernel, one plain sentence, and its docstring, a shorter one."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.language.nodes import Array, Expr, Kernel, RawStatement
from warpsmith.synthesis.language.walk import all_parts, statements


def select_phrases(kernel: Kernel, mentions: Sequence[tuple[str, Expr]]) -> tuple[str, ...]:
    """Return the phrases of the kernel's templates, and those ``mentions`` whose expression is in the kernel."""
    present = set(map(id, all_parts(kernel.body))) if mentions else set()
    of_templates = [item.mention for item in statements(kernel.body) if isinstance(item, RawStatement) and item.mention]
    return (*of_templates, *(phrase for phrase, expr in mentions if id(expr) in present))


def describe(kernel: Kernel, item: str, category_phrase: str, phrases: tuple[str, ...]) -> str:
    """Return a sentence about the results, the inputs and the means of a kernel.

    Args:
        kernel: the finished kernel.
        item: the theme's word for the work of one thread.
        category_phrase: see `Category.phrase`.
        phrases: see `select_phrases`.
    """
    reads = [param.name for param in kernel.params if isinstance(param, Array) and param.role == "input"]
    writes = [param.name for param in kernel.params if isinstance(param, Array) and param.role != "input"]
    means = list(dict.fromkeys(phrases))[:3]
    using = f", using {_join_words(means)}" if means else ""
    verb = _to_third_person(kernel.name.split("_")[0])
    return f"{verb} {_join_words(writes)} for each {item} from {_join_words(reads)} {category_phrase}{using}."


def write_docstring(kernel: Kernel, item: str) -> str:
    """Return the kernel's docstring."""
    verb, _, subject = kernel.name.partition("_")
    return f"{verb.capitalize()} {subject.replace('_', ' ') or 'values'} for each {item}."


def _join_words(words: list[str]) -> str:
    if not words:
        return "parameters"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _to_third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1].capitalize()}ies"
    return f"{verb.capitalize()}es" if verb.endswith(("s", "sh", "ch", "x")) else f"{verb.capitalize()}s"
