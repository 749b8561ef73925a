"""Cases: the file and the arguments of a form, as a worker receives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypedDict

from warpsmith.validation.fuzz.grammar.assign_text import assign_file
from warpsmith.validation.fuzz.grammar.atomic_text import atomic_file
from warpsmith.validation.fuzz.grammar.expression_text import expression_file
from warpsmith.validation.fuzz.grammar.form_file import THREADS, Parameter
from warpsmith.validation.fuzz.grammar.forms import Form
from warpsmith.validation.fuzz.grammar.tile_text import tile_file

FILES = {"assign": assign_file, "atomic": atomic_file, "expression": expression_file, "tile": tile_file}
"""The functions that make files, by family."""

Setting: TypeAlias = bool | int | str
"""A setting of `warp.config`."""


class CaseMessage(TypedDict):
    """A case as a worker receives it; its parameters have name, element, shape, role and numbers."""

    source: str
    parameters: list[list[object]]
    threads: int
    tiles: bool
    dtype: str


MODULE_OPTIONS: dict[str, dict[str, Setting]] = {
    # value of the axis ``options``: settings of `warp.config`
    "default": {},
    "overwrites": {"enable_vector_component_overwrites": True},
    "debug": {"mode": "debug"},
    "fast_math": {"fast_math": True},
    "no_unroll": {"max_unroll": 0},
    "deterministic": {"deterministic": "RUN_TO_RUN"},
    "no_backward": {"enable_backward": False},
}


@dataclass(frozen=True, slots=True)
class Case:
    """A kernel with its launch.

    Attributes:
        source: the Python file; its kernel is ``kernel``.
        parameters: what the launch passes.
        threads: the threads of the launch, or its blocks if there are tiles.
        tiles: whether the launch has blocks of threads.
        dtype: the precision, a key of `precision_names.PRECISIONS`.
        settings: settings of `warp.config`.
    """

    source: str
    parameters: tuple[Parameter, ...]
    threads: int
    tiles: bool
    dtype: str
    settings: tuple[tuple[str, Setting], ...]

    def to_json(self) -> CaseMessage:
        """Return what a worker needs besides the settings."""
        return {
            "source": self.source,
            "parameters": [[p.name, p.element, list(p.shape), p.role, list(p.numbers)] for p in self.parameters],
            "threads": self.threads,
            "tiles": self.tiles,
            "dtype": self.dtype,
        }


def case_of(form: Form) -> Case:
    """Return the case of a form."""
    file = FILES[form.family](form)
    tiles = form.family == "tile"
    is_alone = tiles or (form.family == "expression" and form["order"] != "none")
    settings = tuple(MODULE_OPTIONS[form["options"]].items())
    return Case(file.source(tiles), tuple(file.parameters()), 1 if is_alone else THREADS, tiles, form["dtype"], settings)
