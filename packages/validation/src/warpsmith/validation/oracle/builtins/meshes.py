"""Meshes: queries of all triangles one by one, in double precision."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from warpsmith.validation.oracle.builtins.boxes import NEXT, Boxes, Query, boxes_of, found, in_ball, in_box, root_of
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.randoms import Stream, initial
from warpsmith.validation.oracle.builtins.triangles import MARGIN, Triangles, decided, dots
from warpsmith.validation.oracle.builtins.vector_sums import cross, normalized
from warpsmith.validation.oracle.builtins.volumes import near_point
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array, Record, Struct
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import Components, Type, Value, describe

_FLOAT, _INT, _BOOL, _VECTOR = Type(np.float32), Type(np.int32), Type(np.bool_), Type(np.float32, (3,))
_POINT = Struct("MeshQueryPoint", {"result": _BOOL, "sign": _FLOAT, "face": _INT, "u": _FLOAT, "v": _FLOAT})
_RAY = Struct("MeshQueryRay", {**_POINT.members, "t": _FLOAT, "normal": _VECTOR})
_MESH = Struct("Mesh", {})
_SLIVER = 1.0e-6
_TIE = 2.0e-7
"""How near the squared distances of tied triangles are, relative to the distance; the error of single precision."""

_NEARLY = 1.0e-3
"""How much farther than the closest triangle others count for a sign by normals, relative to the average edge."""


@dataclass(slots=True)
class Mesh:
    """Points, three indices for each triangle, and maybe a velocity for each point."""

    points: Components
    indices: Components
    velocities: Components | None
    triangles: Triangles = field(init=False)
    thin: Components = field(init=False)
    boxes: Boxes = field(init=False)
    numbers: Components = field(init=False)

    def __post_init__(self) -> None:
        corners = self.points[self.indices.reshape(-1, 3)]
        self.triangles = Triangles(*(corners[:, corner].astype(np.float64) for corner in range(3)))
        ee, ff, ef, areas = self.triangles.squares
        self.thin = np.sqrt(areas) / np.maximum(2.0 * (ee + ff - ef), 1e-300) < _SLIVER
        self.numbers = np.arange(len(self.points), dtype=np.int32)
        self.boxes = Boxes(corners.min(axis=1), corners.max(axis=1))

    def corner(self, index: Value, values: Components | None) -> Value:
        """Return the value at a corner of a triangle."""
        if type(index) is not np.int32:
            raise Unsupported(f"a corner at {describe(index)}")
        if not 0 <= index < len(self.indices):
            raise Undefined(f"corner {index} of {len(self.indices)}")
        return np.zeros(3, np.float32) if values is None else values[self.indices[index]].copy()

    def members(self, accesses: Accesses | None) -> Record:
        """Return the arrays of the mesh as a struct; threads that run together can only read them."""
        members = {"points": (self.points, _VECTOR), "indices": (self.indices, _INT), "velocities": (self.velocities, _VECTOR)}
        arrays: dict[str, Value] = {}
        for name, (data, element) in members.items():
            if data is not None:
                view = data[...]
                if accesses is not None:
                    view.flags.writeable = False
                arrays[name] = Array(view, data.shape[:1], element, accesses=accesses)
        return Record(_MESH, arrays)


def _mesh(value: Value) -> Mesh:
    if not isinstance(value, Mesh):
        raise Unsupported(f"a mesh that is {describe(value)}")
    return value


# ----------------------------------------------------------------------------------------------------------------- points


def _closest(mesh: Mesh, point: Components, limit: Value) -> tuple[Record, Components]:
    """Return the closest triangle and point of a mesh, and the distances from all triangles."""
    squares, weights = mesh.triangles.closest(point)
    distances = np.where(mesh.thin, np.inf, np.sqrt(squares))
    least = float(distances.min())
    record = _POINT.zero()
    if np.isfinite(least) and not decided(least, float(limit)):
        ties = np.flatnonzero(distances**2 < least**2 + _TIE * least + 1e-12)
        face = CHOICES.pick_by_place(ties.tolist(), mesh.triangles.places(ties, weights[ties]))
        u, v, _ = np.float32(weights[face])
        record.members.update(result=np.bool_(True), face=np.int32(face), u=u, v=v)
    return record, distances


def _point_row(sign: Row) -> Row:
    def apply(value: Value, point: Value, limit: Value, *rest: Value) -> Record:
        mesh, place = _mesh(value), near_point(point).astype(np.float64)
        if type(limit) is not np.float32:
            raise Unsupported(f"a distance that is {describe(limit)}")
        record, distances = _closest(mesh, place, limit)
        if record.members["result"]:
            record.members["sign"] = np.float32(sign(mesh, place, distances, *rest))
        return record

    return apply


def _sign_by_rays(mesh: Mesh, place: Components, _: Components) -> float:
    """Return -1 inside: at least two rays along the axes first meet a triangle from behind."""
    votes = 0
    for way in np.eye(3):
        hits, _ = mesh.triangles.hits(place, way)
        face = _first(hits)
        votes += bool(np.isfinite(hits[face]) and mesh.triangles.normal[face] @ way > 0.0)
    return -1.0 if votes >= 2 else 1.0


def _sign_by_parity(mesh: Mesh, place: Components, _: Components, samples: Value = None, scale: Value = None) -> float:
    """Return -1 inside: half of the rays in random directions near a diagonal meet an odd number of triangles."""
    stream, votes, deviation = Stream(initial(42)), 0, np.float32(0.1) if scale is None else scale
    count = 1 if samples is None else int(samples)
    for _number in range(count):
        way = np.float32(1) + np.array([stream.uniform(-deviation, deviation) for _axis in range(3)])
        hits, _weights = mesh.triangles.hits(place, way.astype(np.float64), counted=True)
        votes += int(np.isfinite(hits).sum()) % 2
    return -1.0 if 2 * votes >= count else 1.0


def _sign_by_winding(mesh: Mesh, place: Components, _: Components, accuracy: Value = None, limit: Value = None) -> float:
    """Return -1 inside: the mesh surrounds the point. Warp approximates far triangles."""
    if accuracy is not None and accuracy < 2:
        raise Unsupported(f"winding numbers of accuracy {accuracy}")
    winding = mesh.triangles.solid_angles(place).sum() / (4.0 * np.pi)
    return -1.0 if decided(winding, 0.5 if limit is None else float(limit), margin=0.05) else 1.0


def _sign_by_normals(mesh: Mesh, place: Components, distances: Components, epsilon: Value = None) -> float:
    """Return -1 behind the closest triangles, whose normals count by their angles at the closest point."""
    if epsilon is not None:
        raise Unsupported("a sign by normals with an epsilon")
    _, weights = mesh.triangles.closest(place)
    corners = np.stack([mesh.triangles.p, mesh.triangles.q, mesh.triangles.r], axis=1)
    edges = np.roll(corners, -1, axis=1) - corners
    reach = _NEARLY * float(np.linalg.norm(edges, axis=2).mean())
    total, nearest = np.zeros(3), int(np.argmin(distances))
    for face in np.flatnonzero(distances < distances.min() + reach):
        normal = np.cross(edges[face, 0], -edges[face, 2])
        place_on = weights[face] @ corners[face]
        total += _angle(corners[face], edges[face], place_on, reach) * normal / np.linalg.norm(normal)
    offset = place - weights[nearest] @ corners[nearest]
    outside = decided(total @ offset / max(float(np.linalg.norm(offset)), 1e-9), margin=1e-2)
    return 1.0 if outside else -1.0


def _angle(corners: Components, edges: Components, place: Components, reach: float) -> float:
    """Return the angle of a triangle at a point of it: near a corner, near an edge, or inside."""
    sizes = np.linalg.norm(edges, axis=1)
    offsets = place - corners
    near_corner = decided(reach, np.linalg.norm(offsets, axis=1), margin=1e-3 * reach)
    if np.any(near_corner):
        corner = int(np.argmax(near_corner))
        return float(np.arccos(-edges[corner] @ edges[corner - 1] / sizes[corner] / sizes[corner - 1]))
    heights = np.linalg.norm(np.cross(offsets, edges), axis=1) / sizes
    return np.pi if np.any(decided(reach, heights, margin=1e-3 * reach)) else 2.0 * np.pi


def _furthest(value: Value, point: Value, limit: Value) -> Record:
    mesh, place = _mesh(value), near_point(point).astype(np.float64)
    squares = np.stack(
        [dots(corner - place, corner - place) for corner in (mesh.triangles.p, mesh.triangles.q, mesh.triangles.r)], axis=1
    )
    record, largest = _POINT.zero(), float(np.sqrt(squares.max()))
    if decided(largest, float(limit)):
        ties = np.argwhere(np.sqrt(squares) > largest - MARGIN)
        face, corner = CHOICES.pick_by_place(ties.tolist(), mesh.triangles.places(ties[:, 0], np.eye(3)[ties[:, 1]]))
        u, v, _ = np.eye(3, dtype=np.float32)[corner]
        record.members.update(result=np.bool_(True), face=np.int32(face), u=u, v=v)
    return record


# ------------------------------------------------------------------------------------------------------------------- rays


def _hits(value: Value, start: Value, way: Value, root: Value, *, counted: bool = False) -> tuple[Components, Components]:
    mesh = _mesh(value)
    boxes_of(mesh.boxes, root)
    start, way = near_point(start).astype(np.float64), near_point(way).astype(np.float64)
    return mesh.triangles.hits(start, way, counted=counted)


def _first(hits: Components) -> int:
    """Return the first triangle that a ray hits; a ray through an edge hits two."""
    least = hits.min()
    return CHOICES.pick(np.flatnonzero(hits <= least + MARGIN).tolist()) if np.isfinite(least) else 0


def _ray(value: Value, start: Value, way: Value, limit: Value, root: Value) -> Record:
    hits, weights = _hits(value, start, way, root)
    record, face = _RAY.zero(), _first(hits)
    if np.isfinite(hits[face]) and not decided(hits[face], float(limit)):
        a, b, c = (value.corner(np.int32(3 * face + corner), value.points) for corner in range(3))
        normal = cross(b - a, c - a)
        u, v, _ = np.float32(weights[face])
        record.members.update(result=np.bool_(True), face=np.int32(face), u=u, v=v, t=np.float32(hits[face]))
        largest = way[int(np.argmax(np.abs(way)))]
        record.members.update(normal=normalized(normal), sign=np.float32(-(normal @ way) / abs(largest)))
    return record


def _any_hit(value: Value, start: Value, way: Value, limit: Value, root: Value) -> Value:
    least = _hits(value, start, way, root)[0].min()
    return np.bool_(np.isfinite(least) and not decided(least, float(limit)))


# ---------------------------------------------------------------------------------------------------------------- volumes


def _in_ball(value: Value, center: Value, radius: Value) -> Query:
    mesh = _mesh(value)
    boxed = in_ball(mesh.boxes, center, radius)
    squares, _ = mesh.triangles.closest(near_point(center).astype(np.float64))
    return found(boxed & ~decided(squares, float(radius) ** 2))


def _between(value: Value, name: str, face: Value, u: Value, v: Value) -> Value:
    """Return the value inside a triangle, by the weights of its first two corners."""
    mesh = _mesh(value)
    if (type(u), type(v)) != (np.float32, np.float32):
        raise Unsupported(f"weights that are {describe(u)} and {describe(v)}")
    a, b, c = (mesh.corner(np.int32(3 * face + corner), getattr(mesh, name)) for corner in range(3))
    return a * u + b * v + c * (np.float32(1) - u - v)


def _normal(mesh: Mesh, face: Value) -> Value:
    a, b, c = (mesh.corner(np.int32(3 * face + corner), mesh.points) for corner in range(3))
    return normalized(cross(b - a, c - a))


NAMED: dict[str, Named] = {
    "mesh_query_point": Named("id point max_dist", _point_row(_sign_by_rays)),
    "mesh_query_point_no_sign": Named("id point max_dist", _point_row(lambda *_: 0.0)),
    "mesh_query_point_sign_normal": Named("id point max_dist epsilon?", _point_row(_sign_by_normals)),
    "mesh_query_point_sign_parity": Named("id point max_dist n_sample? perturbation_scale?", _point_row(_sign_by_parity)),
    "mesh_query_point_sign_winding_number": Named("id point max_dist accuracy? threshold?", _point_row(_sign_by_winding)),
    "mesh_query_furthest_point_no_sign": Named("id point min_dist", _furthest),
    "mesh_query_ray": Named("id start dir max_t root?", _ray),
    "mesh_query_ray_anyhit": Named("id start dir max_t root?", _any_hit),
    "mesh_query_ray_count_intersections": Named(
        "id start dir root?", lambda *arguments: np.int32(np.isfinite(_hits(*arguments, counted=True)[0]).sum())
    ),
    "mesh_query_aabb": Named("id low high", lambda mesh, low, high: in_box(_mesh(mesh).boxes, low, high)),
    "mesh_query_sphere": Named("id center radius", _in_ball),
    "mesh_query_aabb_next": NEXT,
    "mesh_query_next": NEXT,
    "mesh_get": Named("&accesses id", lambda accesses, mesh: _mesh(mesh).members(accesses)),
    "mesh_get_bvh": Named("id", lambda mesh: _mesh(mesh).boxes),
    "mesh_get_group_root": Named("id group", lambda mesh, group: root_of(_mesh(mesh).boxes, group)),
    "mesh_get_index": Named("id index", lambda mesh, index: _mesh(mesh).corner(index, mesh.numbers)),
    "mesh_get_point": Named("id index", lambda mesh, index: _mesh(mesh).corner(index, mesh.points)),
    "mesh_get_velocity": Named("id index", lambda mesh, index: _mesh(mesh).corner(index, mesh.velocities)),
    "mesh_eval_position": Named("id face bary_u bary_v", lambda mesh, *at: _between(mesh, "points", *at)),
    "mesh_eval_velocity": Named("id face bary_u bary_v", lambda mesh, *at: _between(mesh, "velocities", *at)),
    "mesh_eval_face_normal": Named("id face", lambda mesh, face: _normal(_mesh(mesh), face)),
}
