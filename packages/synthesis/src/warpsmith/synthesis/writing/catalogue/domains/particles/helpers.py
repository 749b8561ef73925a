"""Helper functions of the domain `particles`: kernels of SPH, keys of cells, weights of grid nodes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "weight",
        """
        def ⟨spiky|spiky_weight⟩(r: float, h: float):
            # zero outside of the support
            q = wp.max(1.0 - r / h, 0.0)
            return q * q * q⟨| / (h * h * h)⟩
        """,
        """
        def ⟨poly6|kernel_w⟩(r: float, h: float)⟨| -> float⟩:
            q = wp.min(r / h, 1.0)
            return (1.0 - q * q) * (1.0 - q * q) * (1.0 - q * q)
        """,
        '''
        def cubic_spline(r: float, h: float):
            """Cubic spline with support h, without its normalization."""
            q = wp.min(2.0 * r / h, 2.0)
            if q < 1.0:
                return 1.0 - 1.5 * q * q + 0.75 * q * q * q
            return 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q)
        ''',
    ),
    helper(
        "slope",
        """
        def ⟨spiky_grad|grad_weight⟩(r: float, h: float)⟨| -> float⟩:
            q = wp.max(1.0 - r / h, 0.0)
            return -3.0 * q * q / h
        """,
        """
        def kernel_derivative(r: float, h: float):
            q = wp.clamp(1.0 - r / h, 0.0, 1.0)
            return ⟨-3.0 / h * q * q|-45.0 / (wp.pi * h * h * h * h) * q * q⟩
        """,
    ),
    helper(
        "flatten",
        """
        def ⟨cell_index|flat_index⟩(ix: int, iy: int, iz: int, dim: int):
            return (iz * dim + iy) * dim + ix
        """,
        """
        def linear_cell(ix: int, iy: int, iz: int, dim: int) -> int:
            # x runs fastest
            return ix + dim * (iy + dim * iz)
        """,
    ),
    helper(
        "spread_bits",
        '''
        def ⟨expand_bits|part_by_two⟩(value: int):
            """Insert two zeros after each of the lower four bits."""
            v = value & 15
            v = (v ^ (v << 4)) & 195
            v = (v ^ (v << 2)) & 585
            return v
        ''',
        """
        def spread3(value: int) -> int:
            v = int(0)
            for b in range(4):
                v += ((value >> b) & 1) << (3 * b)
            return v
        """,
    ),
    helper(
        "interleave",
        """
        def ⟨morton3|morton_code⟩(ix: int, iy: int, iz: int):
            ⟨return @spread_bits(ix) + 2 * @spread_bits(iy) + 4 * @spread_bits(iz)|return @spread_bits(ix) + (@spread_bits(iy) << 1) + (@spread_bits(iz) << 2)⟩
        """,
    ),
    helper(
        "hash",
        """
        def ⟨hash_cell|spatial_hash⟩(ix: int, iy: int, iz: int, size: int):
            # the coordinates are small, so the products do not overflow
            h = ⟨(ix * 73856093) ^ (iy * 19349663) ^ (iz * 83492791)|(ix * 92837111) ^ (iy * 689287) ^ (iz * 283923)⟩
            return (h & 2147483647) % size
        """,
        """
        def cell_hash(ix: int, iy: int, iz: int, size: int):
            h = ix
            h = h * 31 + iy
            h = h * 31 + iz
            return h % size
        """,
    ),
    helper(
        "bspline",
        '''
        def ⟨quadratic_weight|bspline_weight⟩(f: float):
            """Quadratic B-spline weights of the three nodes around a particle."""
            return wp.vec3(0.5 * (1.5 - f) * (1.5 - f), 0.75 - (f - 1.0) * (f - 1.0), 0.5 * (f - 0.5) * (f - 0.5))
        ''',
        """
        def node_weights(f: float)⟨| -> wp.vec3⟩:
            a = 1.5 - f
            b = f - 1.0
            c = f - 0.5
            return wp.vec3(0.5 * a * a, 0.75 - b * b, 0.5 * c * c)
        """,
    ),
    helper(
        "wrap",
        """
        def ⟨wrap_coord|minimum_image⟩(d: float, half: float):
            if d > half:
                return d - 2.0 * half
            if d < -half:
                return d + 2.0 * half
            return d
        """,
    ),
    helper(
        "random_dir",
        """
        def ⟨random_direction|sample_direction⟩(rng: wp.uint32):
            z = ⟨2.0 * wp.randf(rng) - 1.0|wp.randf(rng, -1.0, 1.0)⟩
            phi = ⟨wp.randf(rng, 0.0, 6.2831853)|2.0 * wp.pi * wp.randf(rng)⟩
            r = wp.sqrt(wp.max(1.0 - z * z, 0.0))
            return wp.vec3(r * wp.cos(phi), r * wp.sin(phi), z)
        """,
        """
        def cube_direction(rng: wp.uint32):
            d = wp.vec3(wp.randf(rng, -1.0, 1.0), wp.randf(rng, -1.0, 1.0), wp.randf(rng, -1.0, 1.0))
            return wp.normalize(d)
        """,
    ),
)
