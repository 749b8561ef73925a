"""The launches of a program against the interpreter of level `oracle`, each from the contents before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.pair import Pair
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Misuse, Undefined, Unsupported
from warpsmith.validation.oracle.values.last_bits import spreads
from warpsmith.validation.programs.observed_program import LaunchEvent, values_of

STEPS_OF_LAUNCH = 400_000
"""The number of statements that the interpreter may run for one launch."""


@dataclass(frozen=True, slots=True)
class LaunchOpinion:
    """What the interpreter says of a launch.

    Attributes:
        problem: how the results differ; empty if they do not.
        unknown: why the launch is not compared; empty if it is.
    """

    problem: str = ""
    unknown: str = ""


def compare_launch(event: LaunchEvent, pair: Pair) -> LaunchOpinion:
    """Interpret a launch and compare what it leaves with what the program's launch left."""
    launch = event.launch
    if launch is None:
        return LaunchOpinion(unknown=event.problem)
    try:
        before = {name: values_of(content) for name, content in event.before.items()}
        after = {name: values_of(content) for name, content in event.after.items()}
    except WarpsmithError as error:
        return LaunchOpinion(unknown=str(error))
    block = int(str(pair.metadata.module_options.get("block_dim", BLOCK)))

    def run(values: Mapping[str, Values]) -> dict[str, Values]:
        return interpret(pair.python_source, pair.metadata.kernel_name, launch, values, STEPS_OF_LAUNCH, block)

    try:
        outputs = run(before)
        expected = {name: after[name] for name in outputs if name in after}
        if outputs.keys() != expected.keys():
            return LaunchOpinion(unknown=f"arrays {sorted(outputs.keys() - after.keys())} were not copied")
        roughness = CHOICES.roughness
        if disagreement(outputs, expected, roughness) is None:
            return LaunchOpinion()
        moved = spreads(run, before, outputs, f"{pair.id}/{event.number}", pair.python_source)
        problem = disagreement(outputs, expected, roughness, moved)
    except (Unsupported, Misuse, Undefined, Exhausted) as error:
        return LaunchOpinion(unknown=f"{type(error).__name__}: {error}")
    return LaunchOpinion(problem=problem or "")
