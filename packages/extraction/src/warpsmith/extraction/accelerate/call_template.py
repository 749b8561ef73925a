"""Templates of builtin calls: the variables and lines that a call adds, with placeholders for the names of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warpsmith.core.records.text_format import VARIABLE_OR_ADJOINT
from warpsmith.extraction.accelerate.type_keys import Reference


@dataclass(frozen=True, slots=True)
class CallTemplate:
    """The variables and lines that a call adds, with placeholders for names.

    Attributes:
        made: the types and constants of new variables.
        forward: the lines of the forward pass.
        replay: the lines that the adjoint repeats; None if they are the forward lines, as in nearly all calls.
        reverse: the lines of the reverse pass.
        result: the position of the result among the new variables, or None.
    """

    made: tuple[tuple[Any, Any], ...]
    forward: tuple[str, ...]
    replay: tuple[str, ...] | None
    reverse: tuple[str, ...]
    result: int | None


def template_of(
    adj: Any, args: Sequence[Any], made: Sequence[Any], added: Sequence[Sequence[str]], result: Any
) -> CallTemplate | None:
    """Return the additions of a call as a template; None if the call had other effects."""
    if result is not None and not any(result is variable for variable in made):
        return None
    if not all(map(_plain, made)):
        return None
    placeholders: dict[str, int] = {}
    for number, variable in enumerate((*args, *made)):
        placeholders.setdefault(variable.label, number)
    try:
        forward, replay, reverse = (
            tuple(_with_placeholders(line, adj.indentation, placeholders) for line in lines) for lines in added
        )
    except KeyError:  # a variable that is neither an argument nor new
        return None
    position = None if result is None else position_of(result, made)
    return CallTemplate(
        tuple((variable.type, variable.constant) for variable in made),
        forward,
        None if replay == forward else replay,
        reverse,
        position,
    )


def _plain(variable: Any) -> bool:
    """Return whether a new variable has no properties besides its type and the value of a constant."""
    warp_type = variable.type.value_type if type(variable.type) is Reference else variable.type
    marks = (variable.is_read, variable.is_write, variable.parent, variable.ref_origin)
    return isinstance(warp_type, type) and not any(marks)


def _with_placeholders(line: str, indentation: str, placeholders: Mapping[str, int]) -> str:
    text = line.removeprefix(indentation).replace("{", "{{").replace("}", "}}")
    return VARIABLE_OR_ADJOINT.sub(lambda found: f"{found[1]}_{{{placeholders[found[2]]}}}", text)


def write_template(template: CallTemplate, adj: Any, args: Sequence[Any]) -> Any:
    """Add the variables and lines of a template to the kernel, and return the result of the call."""
    made = []
    for warp_type, constant in template.made:
        fresh = Reference(warp_type.value_type) if type(warp_type) is Reference else warp_type
        made.append(adj.add_var(fresh, constant))
    labels = [variable.label for variable in (*args, *made)]
    block, indentation = adj.blocks[-1], adj.indentation
    forward = [indentation + line.format(*labels) for line in template.forward]
    block.body_forward += forward
    block.body_replay += (
        forward if template.replay is None else [indentation + line.format(*labels) for line in template.replay]
    )
    block.body_reverse += [indentation + line.format(*labels) for line in template.reverse]
    return None if template.result is None else made[template.result]


def position_of(arg: Any, args: Sequence[Any]) -> int:
    """Return the first position of ``arg``, by identity."""
    position = 0
    while args[position] is not arg:
        position += 1
    return position
