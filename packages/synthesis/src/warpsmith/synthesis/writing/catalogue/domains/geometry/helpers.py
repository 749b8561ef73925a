"""Helper functions of the domain `geometry`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "expand_bits",
        """
        def ⟨expand_bits|spread_bits⟩(v: int)⟨| -> int⟩:
            ⟨# insert two zero bits after each of the ten bits
            |⟩x = v & 1023
            x = (x | (x << 16)) & 50331903
            x = (x | (x << 8)) & 50393103
            x = (x | (x << 4)) & 51130563
            x = (x | (x << 2)) & 153391689
            return x
        """,
        """
        def ⟨part1by2|dilate3⟩(value: int)⟨| -> int⟩:
            # one bit per step
            x = int(0)
            for bit in range(⟨7|8|10⟩):
                x = x | (((value >> bit) & 1) << (3 * bit))
            return x
        """,
    ),
    helper(
        "compact_bits",
        """
        def ⟨compact_bits|gather_bits⟩(code: int)⟨| -> int⟩:
            # keep every third bit
            x = int(0)
            for bit in range(⟨6|7⟩):
                x = x | (((code >> (3 * bit)) & 1) << bit)
            return x
        """,
    ),
    helper(
        "morton3",
        """
        def ⟨morton3|encode_morton⟩(x: int, y: int, z: int)⟨| -> int⟩:
            return ⟨@expand_bits(x) | (@expand_bits(y) << 1) | (@expand_bits(z) << 2)|(@expand_bits(x) << 2) + (@expand_bits(y) << 1) + @expand_bits(z)⟩
        """,
    ),
    helper(
        "common_prefix",
        """
        def ⟨common_prefix|delta⟩(keys: wp.array(dtype=int), i: int, j: int, count: int)⟨| -> int⟩:
            # length of the common prefix, -1 beyond the ends
            if j < 0 or j >= count:
                return -1
            diff = keys[i] ^ keys[j]
            ⟨if diff == 0:
                # equal keys are told apart by their index
                diff = i ^ j
                bits = int(64)
            else:
                bits = int(32)|bits = int(32)
            if diff == 0:
                diff = i ^ j
                bits = int(64)⟩
            while diff > 0:
                diff = diff >> 1
                bits = bits - 1
            return bits
        """,
    ),
    helper(
        "cell_hash",
        """
        def ⟨hash_cell|cell_hash⟩(x: int, y: int, z: int)⟨| -> int⟩:
            # large primes scatter the cells over the table
            h = (x * 15485863) ^ (y * 2750159) ^ (z * 7368787)
            return ⟨(h & 1048575) % {BINS}|h & ({BINS} - 1)⟩
        """,
        """
        def ⟨spatial_hash|bucket_of⟩(i: int, j: int, k: int)⟨| -> int⟩:
            h = i * ⟨92837|31|73⟩ + j * ⟨6899|17|19⟩ + k * ⟨283|13⟩
            return (h ⟨& 65535|^ (h >> 4)⟩) & ({BINS} - 1)
        """,
    ),
    helper(
        "sd_sphere",
        """
        def ⟨sd_sphere|sphere_sdf⟩(p: wp.vec3, r: float)⟨| -> float⟩:
            return wp.length(p) - r
        """,
    ),
    helper(
        "sd_box",
        """
        def ⟨sd_box|box_sdf⟩(p: wp.vec3, h: wp.vec3)⟨| -> float⟩:
            ⟨# distance to the faces, negative inside
            |⟩qx = wp.abs(p[0]) - h[0]
            qy = wp.abs(p[1]) - h[1]
            qz = wp.abs(p[2]) - h[2]
            outside = wp.length(wp.vec3(wp.max(qx, 0.0), wp.max(qy, 0.0), wp.max(qz, 0.0)))
            return outside + wp.min(wp.max(qx, wp.max(qy, qz)), 0.0)
        """,
    ),
    helper(
        "sd_capsule",
        """
        def ⟨sd_capsule|capsule_sdf⟩(p: wp.vec3, r: float, half_height: float)⟨| -> float⟩:
            # closest point on the axis
            y = wp.clamp(p[1], -half_height, half_height)
            return wp.length(wp.vec3(p[0], p[1] - y, p[2])) - r
        """,
    ),
    helper(
        "sd_cylinder",
        """
        def ⟨sd_cylinder|cylinder_sdf⟩(p: wp.vec3, r: float, half_height: float)⟨| -> float⟩:
            dx = wp.length(wp.vec2(p[0], p[2])) - r
            dy = wp.abs(p[1]) - half_height
            outside = wp.length(wp.vec2(wp.max(dx, 0.0), wp.max(dy, 0.0)))
            return wp.min(wp.max(dx, dy), 0.0) + outside
        """,
    ),
    helper(
        "sd_shape",
        """
        def ⟨shape_distance|eval_shape⟩(kind: int, p: wp.vec3, scale: wp.vec3)⟨| -> float⟩:
            ⟨\"\"\"Return the signed distance in the frame of the shape.\"\"\"
            |⟩if kind == {SPHERE}:
                return @sd_sphere(p, scale[0])
            elif kind == {BOX}:
                return @sd_box(p, scale)
            elif kind == {PLANE}:
                return p[1]
            ⟨elif kind == {CYLINDER}:
                return @sd_cylinder(p, scale[0], scale[1])
            |# cylinders get round caps
            ⟩return @sd_capsule(p, scale[0], scale[1])
        """,
        """
        def ⟨sd_primitive|geom_distance⟩(geo_type: int, x: wp.vec3, size: wp.vec3)⟨| -> float⟩:
            d = float(0.0)
            if geo_type == {SPHERE}:
                d = @sd_sphere(x, size[0])
            elif geo_type == {BOX}:
                d = @sd_box(x, size)
            elif geo_type == {PLANE}:
                d = x[1]
            else:
                # capsule, or cylinder with round caps
                d = @sd_capsule(x, size[0], size[1])
            return d
        """,
    ),
    helper(
        "smooth_min",
        """
        def ⟨smooth_min|smin⟩(a: float, b: float, k: float)⟨| -> float⟩:
            # quadratic blend of width k
            h = wp.max(k - wp.abs(a - b), 0.0) / k
            return wp.min(a, b) - 0.25 * h * h * k
        """,
        """
        def ⟨smooth_union|blend_min⟩(a: float, b: float, k: float)⟨| -> float⟩:
            t = wp.clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)
            return b * (1.0 - t) + a * t - k * t * (1.0 - t)
        """,
    ),
    helper(
        "find_span",
        """
        def ⟨find_span|find_interval⟩(knots: wp.array(dtype=float), count: int, u: float)⟨| -> int⟩:
            ⟨# binary search for the last knot that is not above u
            |⟩lo = int(0)
            hi = count - 2
            while lo < hi:
                mid = (lo + hi + 1) // 2
                if knots[mid] <= u:
                    lo = mid
                else:
                    hi = mid - 1
            return lo
        """,
        """
        def ⟨locate_knot|knot_span⟩(knots: wp.array(dtype=float), count: int, u: float)⟨| -> int⟩:
            span = int(0)
            for k in range(1, count - 1):
                if knots[k] <= u:
                    span = k
            return span
        """,
    ),
    helper(
        "bernstein",
        """
        def ⟨cubic_bezier|bezier3⟩(a: wp.vec3, b: wp.vec3, c: wp.vec3, d: wp.vec3, t: float)⟨| -> wp.vec3⟩:
            s = 1.0 - t
            return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        """,
        """
        def ⟨de_casteljau|eval_bezier⟩(a: wp.vec3, b: wp.vec3, c: wp.vec3, d: wp.vec3, t: float)⟨| -> wp.vec3⟩:
            # repeated linear interpolation
            ab = wp.lerp(a, b, t)
            bc = wp.lerp(b, c, t)
            cd = wp.lerp(c, d, t)
            return wp.lerp(wp.lerp(ab, bc, t), wp.lerp(bc, cd, t), t)
        """,
    ),
    helper(
        "closest_on_segment",
        """
        def ⟨closest_on_segment|closest_point_segment⟩(p: wp.vec3, a: wp.vec3, b: wp.vec3)⟨| -> wp.vec3⟩:
            ab = b - a
            t = wp.dot(p - a, ab) / (wp.dot(ab, ab) + 1.0e-4)
            return a + ab * wp.clamp(t, 0.0, 1.0)
        """,
    ),
    helper(
        "huber_weight",
        """
        def ⟨huber_weight|robust_weight⟩(r: float, width: float)⟨| -> float⟩:
            a = wp.abs(r)
            if a <= width:
                return 1.0
            return width / a
        """,
        """
        def ⟨tukey_weight|bisquare⟩(r: float, width: float)⟨| -> float⟩:
            # zero for outliers
            s = wp.min(r * r / (4.0 * width * width), 1.0)
            return (1.0 - s) * (1.0 - s)
        """,
    ),
    helper(
        "orient2d",
        """
        def ⟨orient2d|signed_area2⟩(a: wp.vec2i, b: wp.vec2i, c: wp.vec2i)⟨| -> int⟩:
            # positive if c lies to the left of a b
            return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        """,
    ),
)
