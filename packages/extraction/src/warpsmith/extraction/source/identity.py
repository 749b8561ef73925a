"""Which objects of a project are one object in a file: such objects may have one name."""

from __future__ import annotations

from typing import Any

from warpsmith.extraction.source.source_repr import source_repr
from warpsmith.extraction.warp.objects import native_struct_name
from warpsmith.extraction.warp.type_properties import Struct


def identity(value: Any) -> object:
    """Return a key of an object: structs with the same name and members are one type for Warp."""
    return native_struct_name(value) if isinstance(value, Struct) else id(value)


def is_same(left: Any, right: Any) -> bool:
    """Return whether one name may mean both objects: they are one object, or equal constants."""
    if left is right or identity(left) == identity(right):
        return True
    text = constant_text(left)
    return text is not None and type(left) is type(right) and text == constant_text(right)


def constant_text(value: Any) -> str | None:
    """Return the text of a constant; None for objects whose text is a name, which another object may have, too."""
    return source_repr(value, lambda _: None)
