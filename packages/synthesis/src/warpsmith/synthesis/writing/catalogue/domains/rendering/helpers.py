"""Helper functions of the domain `rendering`: intersections, distances, shading terms, colors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "hit_sphere",
        """
        def ⟨ray_sphere|intersect_sphere|hit_sphere⟩(origin: wp.vec3, direction: wp.vec3, center: wp.vec3, radius: float)⟨| -> float⟩:
            # distance of the first hit, -1 for none; the direction has length 1
            oc = origin - center
            b = wp.dot(oc, direction)
            disc = b * b - wp.dot(oc, oc) + radius * radius
            if disc < ⟨0.0|1.0e-4⟩:
                return -1.0
            return -b - wp.sqrt(disc + 1.0e-6)
        """,
        """
        def ⟨sphere_hit|isect_sphere⟩(origin: wp.vec3, direction: wp.vec3, center: wp.vec3, radius: float)⟨| -> float⟩:
            to_center = center - origin
            along = wp.dot(to_center, direction)
            if along < 0.0:
                # behind the origin
                return -1.0
            # squared distance of the ray from the center
            miss = wp.dot(to_center, to_center) - along * along
            if miss > radius * radius:
                return -1.0
            return along - wp.sqrt(radius * radius - miss + 1.0e-6)
        """,
    ),
    helper(
        "hit_plane",
        """
        def ⟨ray_plane|intersect_plane|hit_plane⟩(origin: wp.vec3, direction: wp.vec3, point: wp.vec3, normal: wp.vec3)⟨| -> float⟩:
            ⟨\"\"\"Return the distance to a plane, -1 for parallel rays.\"\"\"
            |⟩denom = wp.dot(direction, normal)
            if wp.abs(denom) < 0.05:
                return -1.0
            return wp.dot(point - origin, normal) / denom
        """,
    ),
    helper(
        "axis_range",
        """
        def ⟨slab|axis_interval|clip_axis⟩(origin: float, direction: float, low: float, high: float):
            # a ray that is nearly parallel to the slab keeps a long interval
            if wp.abs(direction) < 0.02:
                if origin < low or origin > high:
                    return 1.0, -1.0
                return -100.0, 100.0
            inv = 1.0 / direction
            a = (low - origin) * inv
            b = (high - origin) * inv
            ⟨if a < b:
                return a, b
            return b, a|return wp.min(a, b), wp.max(a, b)⟩
        """,
    ),
    helper(
        "hit_box",
        """
        def ⟨ray_box|intersect_box|hit_aabb⟩(origin: wp.vec3, direction: wp.vec3, low: wp.vec3, high: wp.vec3)⟨| -> float⟩:
            x0, x1 = @axis_range(origin[0], direction[0], low[0], high[0])
            y0, y1 = @axis_range(origin[1], direction[1], low[1], high[1])
            z0, z1 = @axis_range(origin[2], direction[2], low[2], high[2])
            enter = wp.max(wp.max(x0, y0), z0)
            leave = wp.min(wp.min(x1, y1), z1)
            if enter > leave or leave < 0.0:
                return -1.0
            return ⟨enter|wp.max(enter, 0.0)⟩
        """,
    ),
    helper(
        "sd_sphere",
        """
        def ⟨sd_sphere|sphere_distance|sdf_sphere⟩(p: wp.vec3, center: wp.vec3, radius: float)⟨| -> float⟩:
            ⟨return wp.length(p - center) - radius|offset = p - center
            return wp.sqrt(wp.dot(offset, offset) + 1.0e-6) - radius⟩
        """,
    ),
    helper(
        "sd_box",
        """
        def ⟨sd_box|box_distance|sdf_box⟩(p: wp.vec3, center: wp.vec3, half: wp.vec3)⟨| -> float⟩:
            qx = wp.abs(p[0] - center[0]) - half[0]
            qy = wp.abs(p[1] - center[1]) - half[1]
            qz = wp.abs(p[2] - center[2]) - half[2]
            # positive part outside, largest component inside
            out = wp.vec3(wp.max(qx, 0.0), wp.max(qy, 0.0), wp.max(qz, 0.0))
            inside = wp.min(wp.max(qx, wp.max(qy, qz)), 0.0)
            return wp.sqrt(wp.dot(out, out) + 1.0e-6) + inside
        """,
    ),
    helper(
        "sd_plane",
        """
        def ⟨sd_plane|plane_distance|sdf_plane⟩(p: wp.vec3, point: wp.vec3, normal: wp.vec3)⟨| -> float⟩:
            return wp.dot(p - point, normal)
        """,
    ),
    helper(
        "sd_shape",
        """
        def ⟨shape_distance|sdf_shape|object_distance⟩(kind: int, p: wp.vec3, center: wp.vec3, half: wp.vec3, normal: wp.vec3)⟨| -> float⟩:
            # distance to one object by its type
            if kind == {SPHERE}:
                return @sd_sphere(p, center, half[0])
            if kind == {BOX}:
                return @sd_box(p, center, half)
            return @sd_plane(p, center, normal)
        """,
        """
        def ⟨sdf_by_type|eval_shape⟩(kind: int, p: wp.vec3, center: wp.vec3, half: wp.vec3, normal: wp.vec3)⟨| -> float⟩:
            if kind == {BOX}:
                return @sd_box(p, center, half)
            elif kind == {PLANE}:
                return @sd_plane(p, center, normal)
            return @sd_sphere(p, center, half[0])
        """,
    ),
    helper(
        "blend_min",
        """
        def ⟨smooth_min|smin|blend_union⟩(a: float, b: float, k: float)⟨| -> float⟩:
            # quadratic blend of width k
            h = wp.max(k - wp.abs(a - b), 0.0) / k
            return wp.min(a, b) - 0.25 * k * h * h
        """,
        """
        def ⟨smooth_union|round_min⟩(a: float, b: float, k: float)⟨| -> float⟩:
            h = wp.clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)
            return b * (1.0 - h) + a * h - k * h * (1.0 - h)
        """,
    ),
    helper(
        "reflect",
        """
        def ⟨reflect|mirror_dir|reflect_ray⟩(d: wp.vec3, n: wp.vec3)⟨| -> wp.vec3⟩:
            return d - n * (2.0 * wp.dot(d, n))
        """,
    ),
    helper(
        "schlick",
        """
        def ⟨schlick|fresnel_schlick|fresnel⟩(cos_theta: float, f0: float)⟨| -> float⟩:
            # Schlick's approximation of the reflected share
            m = 1.0 - wp.clamp(cos_theta, 0.0, 1.0)
            return f0 + (1.0 - f0) * m * m * m * m * m
        """,
    ),
    helper(
        "luminance",
        """
        def ⟨luminance|luma|brightness_of⟩(c: wp.vec3)⟨| -> float⟩:
            ⟨return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]|return wp.dot(c, wp.vec3(0.2126, 0.7152, 0.0722))|return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]⟩
        """,
    ),
    helper(
        "falloff",
        """
        def ⟨falloff|attenuation|distance_falloff⟩(dist: float, reach: float)⟨| -> float⟩:
            # inverse square law with a smooth end at the range
            x = wp.clamp(1.0 - (dist / reach) * (dist / reach), 0.0, 1.0)
            return x * x / (⟨1.0|0.5|0.1⟩ + dist * dist)
        """,
        """
        def ⟨window|range_falloff⟩(dist: float, reach: float)⟨| -> float⟩:
            if dist >= reach:
                return 0.0
            x = 1.0 - dist / reach
            return x * x
        """,
    ),
    helper(
        "channel",
        """
        def ⟨to_byte|quantize_channel|channel_bits⟩(value: float)⟨| -> int⟩:
            return int(wp.clamp(value, 0.0, 1.0) * 255.0 + 0.5)
        """,
    ),
    helper(
        "wrap",
        """
        def ⟨wrap_index|repeat_index|wrap⟩(index: int, size: int)⟨| -> int⟩:
            ⟨# the remainder of a negative index is negative
            return ((index % size) + size) % size|return index - size * int(wp.floor(float(index) / float(size)))⟩
        """,
    ),
    helper(
        "ray_at",
        """
        def ⟨ray_at|point_at|along_ray⟩(origin: wp.vec3, direction: wp.vec3, t: float)⟨| -> wp.vec3⟩:
            return origin + direction * t
        """,
    ),
    helper(
        "lambert",
        """
        def ⟨lambert|n_dot_l|facing⟩(n: wp.vec3, l: wp.vec3)⟨| -> float⟩:
            return ⟨wp.max(wp.dot(n, l), 0.0)|wp.dot(n, l) * 0.5 + 0.5⟩
        """,
    ),
    helper(
        "fade",
        """
        def ⟨fade_out|distance_fade|linear_falloff⟩(dist: float, reach: float)⟨| -> float⟩:
            return ⟨wp.max(1.0 - dist / reach, 0.0)|reach / (reach + dist)⟩
        """,
    ),
    helper(
        "to_unit",
        """
        def ⟨to_unit_range|remap_signed|encode_axis⟩(v: float)⟨| -> float⟩:
            # from [-1, 1] to [0, 1]
            return v * 0.5 + 0.5
        """,
    ),
)
