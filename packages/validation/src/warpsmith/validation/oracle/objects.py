"""Objects among the arguments of a launch, from the arrays that they are built from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.objects import build_of
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.textures import Texture
from warpsmith.validation.oracle.types import Value, named
from warpsmith.validation.oracle.volumes import volume_of


def object_value(argument: Argument, values: Mapping[str, Values]) -> Value:
    """Return the kernel's value of an object.

    Raises:
        Unsupported: if there are no values for it, or the interpreter does not support the kind.
    """
    build = build_of(argument)
    content = values.get(argument.name)
    if argument.kind == "volume" and content is not None and (element := named(build.voxels)) is not None:
        return volume_of(content, build.width, element)
    if argument.kind == "texture" and content is not None:
        return Texture(np.array(content), len(argument.shape), build)
    raise Unsupported(f"arguments of kind {argument.kind}")
