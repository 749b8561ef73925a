"""Builtins of quaternions and poses."""

from __future__ import annotations

import ast

import numpy as np

from warpsmith.scoring.cuda_writer.builtins.builtin_rows import named_row, row
from warpsmith.scoring.cuda_writer.builtins.number_calls import suffix, typed
from warpsmith.scoring.cuda_writer.builtins.vector_calls import matrix_body
from warpsmith.scoring.cuda_writer.code_pieces import Code, call, number
from warpsmith.scoring.cuda_writer.cuda_types import SCALARS, is_pose, is_quaternion, rotation_of, scalar_of, vector
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.scoring.cuda_writer.operator_calls import operate, quat_rotate
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Quaternion, Transform, Type


def _rotation(code: Code) -> Type:
    kind = typed(code)
    if not is_quaternion(kind):
        raise Unsupported(f"a quaternion that is {kind}")
    return kind


def _pose(code: Code) -> Type:
    kind = typed(code)
    if not is_pose(kind):
        raise Unsupported(f"a pose that is {kind}")
    return kind


@named_row("quat_rotate", "quat_rotate_inv")
def _rotated(name: str, library: Library, arguments: list[Code]) -> Code:
    kind = _rotation(arguments[0])
    return call(quat_rotate(library, kind, inverse=name.endswith("inv")), arguments, vector(kind.scalar, 3))


@row("quat_inverse")
def _conjugate(library: Library, arguments: list[Code]) -> Code:
    kind = _rotation(arguments[0])
    inverse_function(library, kind)
    return call("quat_inverse", arguments, kind)


def inverse_function(library: Library, kind: Type) -> None:
    """Add the inverse of quaternions of length one."""
    library.add(kind, "quat_inverse", [(kind, "q")], f"return {library.use(kind)}{{-q.x, -q.y, -q.z, q.w}};")


@row("quat_from_axis_angle")
def _from_axis(library: Library, arguments: list[Code]) -> Code:
    axis = typed(arguments[0])
    scalar, kind = SCALARS[axis.scalar], Type(axis.scalar, (4,), Quaternion)
    half, end = number(0.5, scalar_of(axis)), suffix(scalar_of(axis))
    body = [f"{scalar} s = sin{end}({half} * angle);"]
    body += [f"return {library.use(kind)}{{axis.x * s, axis.y * s, axis.z * s, cos{end}({half} * angle)}};"]
    library.add(kind, "quat_from_axis_angle", [(axis, "axis"), (scalar, "angle")], *body)
    return call("quat_from_axis_angle", arguments, kind)


@row("quat_rpy")
def _from_angles(library: Library, arguments: list[Code]) -> Code:
    angle = typed(arguments[0])
    scalar, kind = SCALARS[angle.scalar], Type(angle.scalar, (4,), Quaternion)
    half, end = number(0.5, angle), suffix(angle)
    body = []
    for letter, name in (("y", "yaw"), ("r", "roll"), ("p", "pitch")):
        body += [f"{scalar} c{letter} = cos{end}({half} * {name}), s{letter} = sin{end}({half} * {name});"]
    terms = ["cy * sr * cp - sy * cr * sp", "cy * cr * sp + sy * sr * cp", "sy * cr * cp - cy * sr * sp"]
    body += [f"return {library.use(kind)}{{{', '.join(terms[:2])},", f"\t\t{terms[2]}, cy * cr * cp + sy * sr * sp}};"]
    library.add(kind, "quat_rpy", [(angle, name) for name in ("roll", "pitch", "yaw")], *body)
    return call("quat_rpy", arguments, kind)


@row("quat_to_matrix")
def _to_matrix(library: Library, arguments: list[Code]) -> Code:
    kind = _rotation(arguments[0])
    result, unit, two = Type(kind.scalar, (3, 3)), number(1.0, scalar_of(kind)), number(2.0, scalar_of(kind))
    diagonal = [f"{two} * (q.w * q.w + q.{axis} * q.{axis}) - {unit}" for axis in "xyz"]
    terms = [
        diagonal[0], f"{two} * (q.x * q.y - q.w * q.z)", f"{two} * (q.x * q.z + q.w * q.y)",
        f"{two} * (q.x * q.y + q.w * q.z)", diagonal[1], f"{two} * (q.y * q.z - q.w * q.x)",
        f"{two} * (q.x * q.z - q.w * q.y)", f"{two} * (q.y * q.z + q.w * q.x)", diagonal[2],
    ]  # fmt: skip
    library.add(result, "quat_to_matrix", [(kind, "q")], *matrix_body(library, result, terms))
    return call("quat_to_matrix", arguments, result)


@named_row("transform_get_translation", "transform_get_rotation")
def _member(name: str, _: Library, arguments: list[Code]) -> Code:
    kind, (pose,) = _pose(arguments[0]), arguments
    is_point = name == "transform_get_translation"
    return Code(f"{pose.within(16)}.{'p' if is_point else 'q'}", vector(kind.scalar, 3) if is_point else rotation_of(kind))


@named_row("transform_point", "transform_vector")
def _transformed(name: str, library: Library, arguments: list[Code]) -> Code:
    kind, point = _pose(arguments[0]), typed(arguments[1])
    quat_rotate(library, rotation_of(kind))
    text = "quat_rotate(t.q, v)"
    if name == "transform_point":
        operate(library, ast.Add(), Code("a", point), Code("b", point))
        text = f"t.p + {text}"
    library.add(point, name, [(kind, "t"), (point, "v")], f"return {text};")
    return call(name, arguments, point)


@row("transform_multiply")
def _multiplied(library: Library, arguments: list[Code]) -> Code:
    return operate(library, ast.Mult(), *arguments)


@row("transform_inverse")
def _inverted(library: Library, arguments: list[Code]) -> Code:
    kind = _pose(arguments[0])
    rotation = rotation_of(kind)
    inverse_function(library, rotation)
    quat_rotate(library, rotation)
    point = vector(kind.scalar, 3)
    library.each(point, "operator-", [(point, "a")], lambda at: f"-a{at}")
    body = [f"{library.use(rotation)} q = quat_inverse(t.q);", f"return {library.use(kind)}{{-quat_rotate(q, t.p), q}};"]
    library.add(kind, "transform_inverse", [(kind, "t")], *body)
    return call("transform_inverse", arguments, kind)


@row("transform", "transformf", "transformd", "transformation")
def _made(library: Library, arguments: list[Code]) -> Code:
    if len(arguments) != 2:
        raise Unsupported("a pose of other values than position and rotation")
    point, _ = map(typed, arguments)
    kind = Type(point.scalar, (7,), Transform)
    return Code(f"{library.use(kind)}{{{arguments[0].text}, {arguments[1].text}}}", kind)


@named_row("quat_identity", "transform_identity")
def _identity(name: str, library: Library, arguments: list[Code]) -> Code:
    if arguments:
        raise Unsupported(f"{name} with arguments")
    kind = Type(np.float32, (4,), Quaternion) if name == "quat_identity" else Type(np.float32, (7,), Transform)
    return Code(library.made(kind, ["0.0f"] * (len(kind.shape) and kind.shape[0] - 1) + ["1.0f"]), kind)
