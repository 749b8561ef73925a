"""Checks of forms by the levels of `warpsmith-validate` in its sandbox: CUDA code on the CPU over grids, the SIMT machine."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import DEFAULT_BLOCK
from warpsmith.validation.fuzz.comparisons import Fault
from warpsmith.validation.fuzz.grammar.cases import Case, case_of
from warpsmith.validation.fuzz.grammar.form_file import Parameter
from warpsmith.validation.fuzz.grammar.forms import Form
from warpsmith.validation.fuzz.source_search import pair_of
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor

REBUILD = "warpsmith.validation.reduction.rebuild:rebuild"
"""The task of a worker that generates the code of pairs."""

ASK_SECONDS = 120.0
SHOWN_LEVELS = ("compile", "emulate", "oracle", "simt")
"""The levels whose failure is a fault of a form; the others check launches, or gradients, which workers have compared."""

TYPES = {"float": ("float32", "vec3f"), "double": ("float64", "vec3d"), "half": ("float16", "vec3h")}


class LevelRuns:
    """Checks one form in so many; use it as a context.

    Args:
        interval: how many forms there are for each one that is checked; 0 for no checks.
    """

    def __init__(self, interval: int) -> None:
        self._interval, self._count = interval, 0
        self._supervisor: Supervisor | None = None

    def __enter__(self) -> LevelRuns:
        if self._interval:
            has_machine = importlib.util.find_spec("warpsmith.simt") is not None
            self._supervisor = Supervisor(levels_to("simt" if has_machine else "oracle"), WORKERS[False])
        return self

    def __exit__(self, *_: object) -> None:
        if self._supervisor is not None:
            self._supervisor.close()

    def faults(self, forms: list[Form]) -> list[tuple[Form, Fault]]:
        """Return the forms among those checked that fail a level, with the level and its reason."""
        if self._supervisor is None:
            return []
        chosen = [form for form in forms if self._is_chosen() and form["options"] == "default" and _is_described(case_of(form))]
        lines = [_line(case_of(form), number) for number, form in enumerate(chosen)]
        answer = self._supervisor.run_task(REBUILD, lines, ASK_SECONDS).get("pairs") if lines else []
        rebuilt = {number: text for number, text in enumerate(answer or []) if isinstance(text, str)}
        again = [decode(text.encode(), Path("<forms>"), number + 1) for number, text in rebuilt.items()]
        found = []
        for number, verdicts in zip(rebuilt, self._supervisor.check(again), strict=True):
            failure = next((verdict for verdict in verdicts if verdict.status == "fail"), None)
            if failure is not None and failure.level in SHOWN_LEVELS:
                found.append((chosen[number], Fault(f"level-{failure.level}", failure.reason)))
        return found

    def _is_chosen(self) -> bool:
        self._count += 1
        return self._count % self._interval == 0


def _is_described(case: Case) -> bool:
    """Return whether the record of a launch can describe all arguments as `case_worker` makes them."""
    return all(parameter.element in {"scalar", "vec", "int"} for parameter in case.parameters)


def _line(case: Case, number: int) -> Line:
    return decode(encode(_pair(case, number)), Path("<forms>"), number + 1)


def _pair(case: Case, number: int) -> Pair:
    pair = pair_of(case.source)
    dim = (case.threads, DEFAULT_BLOCK) if case.tiles else (case.threads,)
    launch = Launch(dim=dim, args=tuple(_argument(parameter, case.dtype) for parameter in case.parameters))
    metadata = replace(pair.metadata, device="both", ir_type="both", launch=launch)
    return replace(pair, id=f"form-{number}", metadata=metadata)


def _argument(parameter: Parameter, dtype: str) -> Argument:
    scalar, vec = TYPES[dtype]
    kinds = {"scalar": scalar, "vec": vec, "int": "int32"}
    is_integer = parameter.element == "int"
    low, high = (min(parameter.numbers, default=0), max(parameter.numbers, default=1)) if is_integer else (0.5, 1.5)
    return Argument(
        name=parameter.name,
        kind="array" if parameter.shape else "value",
        dtype=kinds.get(parameter.element, scalar),
        role={"fixed": "input"}.get(parameter.role, parameter.role),  # type: ignore[arg-type]
        shape=parameter.shape,
        domain=Domain(kind="uniform", low=low, high=high),
    )
