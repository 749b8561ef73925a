"""The last check of a launch that was inferred or described: the record is valid, and values can be made for it."""

from __future__ import annotations

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.launch_size import problems
from warpsmith.extraction.launches.snapshot import NotExpressible


def valid_launch(launch: Launch) -> Launch:
    """Return ``launch``.

    Raises:
        NotExpressible: if the launch is invalid; the message is the reason.
    """
    for problem in problems(launch):
        raise NotExpressible(problem)
    try:
        make_inputs(launch, "")
    except WarpsmithError as error:
        raise NotExpressible(str(error)) from None
    return launch
