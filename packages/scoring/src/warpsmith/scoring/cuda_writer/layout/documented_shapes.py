"""Shapes of arrays that comments and docstrings mention, such as ``(rows, cols)``."""

from __future__ import annotations

import re
from collections.abc import Set

_AXES = r"[\[(](?P<axes>[^\])]*)[\])]"
_AFTER_ITS_WORD = re.compile(rf",?\s+(?:of )?shape {_AXES}")
_AT_THE_START = re.compile(rf"{_AXES},?\s*")
_OF_PARAMETER = re.compile(rf"(?:\bshape |^|: ){_AXES}")


def axes_of(remark: str) -> list[str]:
    """Return the sizes of the shape that the text about a parameter has, without spaces; none without a shape.

    Examples:
        >>> axes_of("(rows + 1, 3) Heat")
        ['rows+1', '3']
    """
    shape = _OF_PARAMETER.search(remark)
    return [axis for axis in shape["axes"].replace(" ", "").split(",") if axis] if shape else []


def without_shapes(text: str, known: Set[str]) -> str:
    """Return a text without the shapes that name something else than parameters.

    Examples:
        >>> without_shapes("Mass of each cell, shape (rows, cols), in kg.", {"rows"})
        'Mass of each cell, in kg.'
    """
    return _AFTER_ITS_WORD.sub(lambda found: _if_known(found, known), text)


def without_first_shape(remark: str, known: Set[str]) -> str:
    """Return a text about a parameter without the shape at its start, if that names something else than parameters.

    Examples:
        >>> without_first_shape("(rows,) Heat", {"n"}), without_first_shape("(rows,) Heat", {"rows"})
        ('Heat', '(rows,) Heat')
    """
    shape = _AT_THE_START.match(remark)
    return remark if shape is None else _if_known(shape, known) + remark[shape.end() :]


def _if_known(shape: re.Match[str], known: Set[str]) -> str:
    names = re.findall(r"[A-Za-z_]\w*", shape["axes"])
    return shape[0] if names and set(names) <= known else ""
