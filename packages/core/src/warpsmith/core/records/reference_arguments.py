"""The functions of Warp's headers that may change their arguments, and the variables that a generated text passes to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

REFERENCE_ARGUMENTS: dict[str, tuple[int, ...]] = {
    name: places
    for places, names in {
        (0,): """
            assign index poisson randf randi randn randu sample_cdf sample_triangle sample_unit_cube sample_unit_disk
            sample_unit_hemisphere sample_unit_hemisphere_surface sample_unit_ring sample_unit_sphere sample_unit_sphere_surface
            sample_unit_square transform_add_inplace transform_set_rotation transform_set_rotation_copy
            transform_set_translation transform_set_translation_copy transform_sub_inplace
        """,
        (0, 2, 3): "add_inplace assign_copy assign_inplace bit_and_inplace bit_or_inplace bit_xor_inplace sub_inplace",
        (0, 1, 2, 3, 4, 5): "intersect_tri_tri",
        (1,): """
            bvh_query_capsule_next bvh_query_next bvh_query_next_dynamic bvh_query_ray_next bvh_query_sphere_next
            hash_grid_point_id hash_grid_query_next mesh_query_aabb_next mesh_query_next_dynamic mesh_query_sphere_next
        """,
        (1, 2): "eig3 qr3 quat_to_axis_angle tile_stack_pop",
        (1, 2, 3): "svd2 svd3",
        (3,): "volume_sample_grad volume_sample_grad_f",
        (5,): "volume_sample_grad_index",
        (3, 4, 5): "mesh_query_point_no_sign mesh_query_furthest_point_no_sign",
        (3, 4, 5, 6): """
            mesh_query_point mesh_query_point_sign_normal mesh_query_point_sign_parity mesh_query_point_sign_winding_number
        """,
        (4, 5, 6, 7, 8, 9): "mesh_query_ray",
    }.items()
    for name in names.split()
}
"""The functions of Warp's headers that take values by reference and may change them, and the places of these arguments.

A test compares the table with the headers. The adjoints of these functions take the same arguments by reference.
"""

_CALLED = re.compile(r"wp::(\w+)")


@lru_cache(maxsize=256)
def _calls_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of calls of these functions. It begins with letters, for which Python searches many times as fast."""
    return re.compile(rf"wp::({'|'.join(names)})(?:<[^;\n]*?>)?\(([^;\n]*)\);")


def passed_by_reference(text: str) -> Iterator[str]:
    """Yield the names of the variables that a text passes to functions which may change them.

    Examples:
        >>> list(passed_by_reference("var_2 = wp::randf(var_seed); wp::add_inplace(var_p, var_3, var_4);"))
        ['seed', 'p', '4']
    """
    called = tuple(sorted(REFERENCE_ARGUMENTS.keys() & _CALLED.findall(text)))
    for function, arguments in _calls_of(called).findall(text) if called else ():
        parts = arguments.split(", ")
        yield from (
            part[4:] for place, part in enumerate(parts) if place in REFERENCE_ARGUMENTS[function] and part[:4] == "var_"
        )
