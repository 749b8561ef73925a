"""Strategies of Hypothesis that damage records, files of datasets, and bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

Path = tuple[str | int, ...]

PIECES = (
    "", " ", "\n", "\r", "\r\n", "\t", "\f", "\v", "\x00", "\x1b[2J", "\x1c", "\x85", "\u2028", "\ufeff", "\u202e", "\U0001f4a3",
    "'", '"', "\\", "`", "{", "}", "(", ")", "[", "]", "<", ">", "#", "//", "/*", "*/", ";", ":bomb:", "[bold]", "</script>",
    "../", "/etc/passwd", "/dev/zero", "__import__('os')", "eval", "import os\n", "wp", "wp.static(1)", "@wp.kernel\n",
    "@wp.func_native('return x;')\n", "asm", "#define wp pw\n", '#include "/dev/zero"\n', "namespace K1 {", "float32", "vec3f",
    "mat33f", "uint64", "array", "struct", "mesh", "hash_grid", "output", "uniform", "0", "1e999", "NaN", "null", "K1", "x", "a" * 5_000,
)  # fmt: skip
"""Texts with a meaning for some reader."""

NUMBERS = (0, 1, -1, 2, 7, 64, 255, 4096, 2**24, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 2**70, -(2**63),
           0.0, -0.0, 0.5, 1e-300, 1e300, float("inf"), float("-inf"), float("nan"))  # fmt: skip

texts = st.one_of(st.sampled_from(PIECES), st.text(max_size=12), st.lists(st.sampled_from(PIECES), max_size=4).map("".join))
scalars = st.one_of(st.none(), st.booleans(), st.sampled_from(NUMBERS), st.integers(), st.floats(), texts)
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)), max_leaves=6
)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value inside of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def look_up(value: Any, path: Path) -> Any:
    """Return the value at ``path``."""
    for key in path:
        value = value[key]
    return value


def _edit_text(draw: st.DrawFn, text: str) -> str:
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.sampled_from((0, 0, 1, 2, 20))))
    return text[:start] + draw(texts) + text[end:]


@st.composite
def damaged(draw: st.DrawFn, good: st.SearchStrategy[Any], inside: tuple[str, ...] = ()) -> Any:
    """Return JSON values with up to three changes: values replaced, removed, repeated, exchanged, or texts edited.

    Args:
        draw: the function that Hypothesis passes.
        good: the values before the changes.
        inside: the keys of which one leads to every change; all keys if it is empty.
    """
    value = deepcopy(draw(good))
    for _ in range(draw(st.integers(1, 3))):
        every = [path for path in paths(value) if not inside or set(inside) & set(path[:2])]
        if not every:
            break
        path = draw(st.sampled_from(every))
        parent, key, present = look_up(value, path[:-1]), path[-1], look_up(value, path)
        action = draw(st.sampled_from(("value", "edit", "remove", "repeat", "exchange", "number")))
        if action == "edit" and isinstance(present, str):
            parent[key] = _edit_text(draw, present)
        elif action == "remove":
            del parent[key]
        elif action == "repeat" and isinstance(parent, list):
            parent.insert(draw(st.integers(0, len(parent))), deepcopy(present))
        elif action == "exchange":
            parent[key] = deepcopy(look_up(value, draw(st.sampled_from(every))))
        elif action == "number" and isinstance(present, int | float):
            parent[key] = draw(st.sampled_from(NUMBERS))
        else:
            parent[key] = draw(values)
    return value


@st.composite
def damaged_bytes(draw: st.DrawFn, good: st.SearchStrategy[bytes]) -> bytes:
    """Return bytes with up to four changes: some removed, replaced, inserted or repeated."""
    content = draw(good)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from((0, 1, 1, 2, 8, 100, 10_000))))
        piece = draw(
            st.one_of(st.binary(max_size=6), st.sampled_from(PIECES).map(lambda text: text.encode("utf-8", "replace")))
        )
        repeat = draw(st.sampled_from((1, 1, 1, 2, 500)))
        content = content[:start] + piece * repeat + content[end:]
    return content


def to_bytes(value: Any) -> bytes:
    """Return JSON values as one line; lone surrogates and infinities are kept."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
