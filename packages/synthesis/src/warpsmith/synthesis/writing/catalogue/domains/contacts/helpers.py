"""Helper functions of the domain `contacts`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "point_velocity",
        """
        def ⟨point_velocity|velocity_at_point_c|contact_velocity⟩(qd: wp.spatial_vector, r: wp.vec3)⟨| -> wp.vec3⟩:
            return wp.spatial_bottom(qd) + wp.cross(wp.spatial_top(qd), r)
        """,
    ),
    helper(
        "aabb_overlap",
        """
        def ⟨aabb_overlap|test_aabbs|boxes_overlap⟩(lo_a: wp.vec3, hi_a: wp.vec3, lo_b: wp.vec3, hi_b: wp.vec3) -> bool:
            if lo_a[0] > hi_b[0] or lo_b[0] > hi_a[0]:
                return False
            if lo_a[1] > hi_b[1] or lo_b[1] > hi_a[1]:
                return False
            return lo_a[2] <= hi_b[2] and lo_b[2] <= hi_a[2]
        """,
        """
        def ⟨check_aabb_overlap|overlap_test|aabbs_intersect⟩(a_min: wp.vec3, a_max: wp.vec3, b_min: wp.vec3, b_max: wp.vec3):
            # separated along one axis means no overlap
            for axis in range(3):
                if a_min[axis] > b_max[axis] or b_min[axis] > a_max[axis]:
                    return False
            return True
        """,
    ),
    helper(
        "groups_collide",
        """
        def ⟨test_group_pair|groups_collide|check_groups⟩(a: int, b: int) -> bool:
            # group 0 collides with nothing, negative groups with everything
            if a == 0 or b == 0:
                return False
            if a < 0 or b < 0:
                return True
            return a == b
        """,
        """
        def ⟨same_group|group_filter|can_groups_collide⟩(ga: int, gb: int):
            if ga > 0 and gb > 0:
                return ga == gb
            return ga * gb != 0
        """,
    ),
    helper(
        "masks_collide",
        """
        def ⟨masks_collide|filter_masks|test_category_masks⟩(type_a: int, mask_a: int, type_b: int, mask_b: int) -> bool:
            return (type_a & mask_b) != 0 or (type_b & mask_a) != 0
        """,
        """
        def ⟨can_collide|bits_match|category_filter⟩(cat_a: int, mask_a: int, cat_b: int, mask_b: int):
            \"\"\"Both shapes must accept the category of the other one.\"\"\"
            return (cat_a & mask_b) != 0 and (cat_b & mask_a) != 0
        """,
    ),
    helper(
        "pair_code",
        """
        def ⟨pair_signature|make_pair_key|encode_pair⟩(a: int, b: int, n: int)⟨| -> int⟩:
            lo = wp.min(a, b)
            hi = wp.max(a, b)
            return lo * n + hi
        """,
        """
        def ⟨pair_index|pair_key|collision_pair_id⟩(i: int, j: int, n: int) -> int:
            # index into the upper triangle of an n x n matrix
            a = wp.min(i, j)
            b = wp.max(i, j)
            return a * n - (a * (a + 1)) // 2 + b
        """,
        """
        def ⟨pack_pair|pair_bits|shape_pair_key⟩(a: int, b: int, n: int):
            if a > b:
                return b * n + a
            return a * n + b
        """,
    ),
    helper(
        "is_excluded",
        """
        def ⟨is_excluded|binary_search_key|find_filter⟩(keys: wp.array(dtype=int), count: int, key: int) -> bool:
            # binary search in the sorted keys
            lo = int(0)
            hi = count
            while lo < hi:
                mid = (lo + hi) // 2
                if keys[mid] < key:
                    lo = mid + 1
                else:
                    hi = mid
            return lo < count and keys[wp.min(lo, count - 1)] == key
        """,
        """
        def ⟨in_filter_list|pair_is_filtered|has_filter⟩(keys: wp.array(dtype=int), count: int, key: int):
            for k in range(count):
                if keys[k] == key:
                    return True
            return False
        """,
    ),
    helper(
        "sphere_sphere",
        """
        def ⟨collide_sphere_sphere|sphere_sphere⟩(pa: wp.vec3, ra: float, pb: wp.vec3, rb: float):
            d = pb - pa
            length = wp.length(d) + 1.0e-3
            normal = d / length
            dist = length - ra - rb
            return dist, pa + normal * (ra + 0.5 * dist), normal
        """,
        """
        def ⟨sphere_vs_sphere|spheres_contact|collide_spheres⟩(center_a: wp.vec3, radius_a: float, center_b: wp.vec3, radius_b: float):
            \"\"\"Return distance, midpoint and normal from the first to the second sphere.\"\"\"
            delta = center_b - center_a
            center_dist = wp.sqrt(wp.dot(delta, delta) + 1.0e-5)
            n = delta / center_dist
            gap = center_dist - (radius_a + radius_b)
            return gap, center_a + n * (radius_a + 0.5 * gap), n
        """,
    ),
    helper(
        "plane_sphere",
        """
        def ⟨collide_plane_sphere|plane_sphere|plane_vs_sphere⟩(n: wp.vec3, p: wp.vec3, center: wp.vec3, radius: float):
            dist = wp.dot(center - p, n) - radius
            # halfway between the two surfaces
            return dist, center - n * (radius + 0.5 * dist)
        """,
    ),
    helper(
        "on_segment",
        """
        def ⟨closest_on_segment|closest_segment_point|project_on_segment⟩(a: wp.vec3, b: wp.vec3, p: wp.vec3)⟨| -> wp.vec3⟩:
            ab = b - a
            t = wp.dot(p - a, ab) / (wp.dot(ab, ab) + 1.0e-6)
            return a + wp.clamp(t, 0.0, 1.0) * ab
        """,
        """
        def ⟨nearest_on_capsule_axis|clamp_to_segment|segment_point⟩(a: wp.vec3, b: wp.vec3, point: wp.vec3):
            axis = b - a
            t = wp.dot(point - a, axis) / wp.max(wp.dot(axis, axis), 1.0e-5)
            if t <= 0.0:
                return a
            if t >= 1.0:
                return b
            return a + axis * t
        """,
    ),
    helper(
        "in_box",
        """
        def ⟨closest_on_box|clamp_to_box|nearest_box_point⟩(p: wp.vec3, half: wp.vec3)⟨| -> wp.vec3⟩:
            return wp.vec3(wp.clamp(p[0], -half[0], half[0]), wp.clamp(p[1], -half[1], half[1]), wp.clamp(p[2], -half[2], half[2]))
        """,
        """
        def ⟨box_closest_point|project_to_box|box_clamp⟩(p: wp.vec3, ext: wp.vec3):
            x = wp.clamp(p[0], -ext[0], ext[0])
            y = wp.clamp(p[1], -ext[1], ext[1])
            z = wp.clamp(p[2], -ext[2], ext[2])
            return wp.vec3(x, y, z)
        """,
    ),
    helper(
        "tangents",
        """
        def ⟨make_tangents|orthonormal_basis|contact_frame⟩(n: wp.vec3):
            # start from the axis that is least aligned with n
            ref = wp.vec3(1.0, 0.0, 0.0)
            if wp.abs(n[0]) > 0.6:
                ref = wp.vec3(0.0, 1.0, 0.0)
            t1 = wp.normalize(wp.cross(n, ref))
            t2 = wp.cross(n, t1)
            return t1, t2
        """,
        """
        def ⟨tangent_basis|compute_tangents|build_frame⟩(normal: wp.vec3):
            if wp.abs(normal[2]) < 0.7:
                u = wp.normalize(wp.vec3(normal[1], -normal[0], 0.0))
                return u, wp.cross(normal, u)
            u = wp.normalize(wp.vec3(0.0, normal[2], -normal[1]))
            return u, wp.cross(normal, u)
        """,
    ),
    helper(
        "effective",
        """
        def ⟨inverse_effective_mass|point_inv_mass|angular_mass⟩(inv_m: float, inv_I: wp.mat33, r: wp.vec3, n: wp.vec3)⟨| -> float⟩:
            rn = wp.cross(r, n)
            return inv_m + wp.dot(rn, inv_I * rn)
        """,
        """
        def ⟨generalized_inv_mass|mobility_at|directional_inv_mass⟩(inv_m: float, inv_I: wp.mat33, arm: wp.vec3, dir: wp.vec3):
            # K = 1/m + n . ((I^-1 (r x n)) x r)
            return inv_m + wp.dot(wp.cross(inv_I * wp.cross(arm, dir), arm), dir)
        """,
    ),
    helper(
        "combine",
        """
        def ⟨combine_coefficients|mix_material|combine_property⟩(a: float, b: float, pa: int, pb: int)⟨| -> float⟩:
            # the shape of higher priority decides
            if pa > pb:
                return a
            if pb > pa:
                return b
            return 0.5 * (a + b)
        """,
        """
        def ⟨mix_by_priority|select_coefficient|blend_friction⟩(a: float, b: float, prio_a: int, prio_b: int):
            if prio_a == prio_b:
                return wp.sqrt(a * b + 1.0e-6)
            if prio_a > prio_b:
                return a
            return b
        """,
    ),
    helper(
        "hash",
        """
        def ⟨hash_key|mix_bits|scramble⟩(key: int)⟨| -> int⟩:
            k = key ^ (key >> 7)
            k = (k * 73) % 65521
            return k ^ (k >> 4)
        """,
        """
        def ⟨int_hash|hash_pair_key|bucket_hash⟩(key: int):
            h = (key * 2057 + 13) % 32749
            h = h ^ (h >> 5)
            return h
        """,
    ),
)
