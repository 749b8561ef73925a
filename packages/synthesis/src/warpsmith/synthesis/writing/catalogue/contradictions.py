"""Names that contradict the types of their values, such as ``edge_vec`` of a float."""

from __future__ import annotations

from collections.abc import Iterator

from warpsmith.synthesis.writing.catalogue.domain_texts import DomainTexts
from warpsmith.synthesis.writing.catalogue.expression_values import SCALARS, Value
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError

_SHAPES = {"vec": "a vector", "vector": "a vector", "matrix": "a matrix", "quat": "a quaternion"}
"""What the last word of a name says about the shape of a value."""

_VALUES = {"float": "a float", "int": "an int", "bool": "a bool", "vec": "a vector", "mat": "a matrix", "rot": "a rotation"}
_SCALAR_WORDS = frozenset("distance length len angle speed energy area ratio idx index id".split())
_INDEX_WORDS = frozenset("idx index id tid".split())
_INDICES = ("_ids", "_id", "_indices", "_index", "_idx")
_VECTORS = ("_normals", "_vecs", "_vectors", "_directions")


def contradiction(name: str, value: Value) -> str | None:
    """Return why a name does not fit a value of this type, or None if it may.

    Examples:
        >>> contradiction("edge_vec", "float")
        'names a vector, and the value is a float'
        >>> contradiction("normal_speed", "float")
    """
    words = name.strip("_0123456789").lower().split("_")
    last, said = words[-1], None
    if value in SCALARS or (last == "quat" and value == "mat"):
        said = _SHAPES.get(last)
    if value == "float" and last in _INDEX_WORDS:
        said = "an index"
    elif value == "float" and words in (["normal"], ["direction"]):
        said = "a vector"
    elif value in ("vec", "mat") and last in _SCALAR_WORDS:
        said = "a scalar"
    return f"names {said}, and the value is {_VALUES[value]}" if said and value else None


def parameter_tells(domain: DomainTexts) -> Iterator[CatalogueError]:
    """Yield the names of arrays that contradict the types of their elements."""
    for row, path in domain.rows:
        if row.kind != "array":
            continue
        value = domain.arrays[f"p_{row.key}"]
        for candidate in "".join(row.rest.split("|")[1:2]).split():
            said = None
            if candidate.endswith(_INDICES) and value == "float":
                said = "names indices, and its elements are floats"
            elif candidate.endswith(_VECTORS) and value in SCALARS:
                said = "names vectors, and its elements are scalars"
            if said:
                yield CatalogueError(path, row.line, f"array {row.key}: {candidate!r} {said}")
