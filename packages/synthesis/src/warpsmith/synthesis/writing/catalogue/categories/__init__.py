"""The categories of kernels, one small file each, found by discovery: a new category is a new file that defines CATEGORY."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from warpsmith.synthesis.writing.catalogue.categories.category import CORE, Category


@cache
def all_categories() -> tuple[Category, ...]:
    """Return all categories, sorted by name."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    categories = [module.CATEGORY for module in modules if hasattr(module, "CATEGORY")]
    return tuple(sorted(categories, key=lambda category: category.name))


@cache
def core_categories() -> tuple[Category, ...]:
    """Return the core categories, sorted by name; the index of a core kernel selects one of them."""
    return tuple(category for category in all_categories() if category.group == CORE)


def category_of(index: int, name: str = "") -> Category:
    """Return the category with this name; without a name, the core category of ``index``, so that all are equally frequent."""
    if name:
        return next(category for category in all_categories() if category.name == name)
    return core_categories()[index % len(core_categories())]
