"""Helper functions of the domain `grids`: indices, interpolation, limiters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper

HELPERS = (
    helper(
        "wrap",
        """
        def ⟨wrap_index|periodic|wrap⟩(i: int, n: int)⟨| -> int⟩:
            # one period below or above
            return (i + n) % n
        """,
        """
        def ⟨wrap|wrap_around⟩(i: int, n: int)⟨| -> int⟩:
            if i < 0:
                return i + n
            if i >= n:
                return i - n
            return i
        """,
        """
        def ⟨periodic_index|wrap_coord⟩(coord: int, count: int)⟨| -> int⟩:
            return coord - count if coord >= count else (coord + count if coord < 0 else coord)
        """,
    ),
    helper(
        "inside",
        """
        def ⟨in_bounds|is_inside|inside_grid⟩(i: int, j: int, nx: int, ny: int)⟨| -> bool⟩:
            return i >= 0 and i < nx and j >= 0 and j < ny
        """,
        """
        def ⟨is_valid_cell|valid⟩(i: int, j: int, width: int, height: int)⟨| -> bool⟩:
            ⟨"""
        '"""Whether the indices are those of a cell."""'
        """
            |⟩if i < 0 or j < 0:
                return False
            return i < width and j < height
        """,
    ),
    helper(
        "sample",
        """
        def ⟨sample_bilinear|interp2|bilerp⟩(field: wp.array2d(dtype=float), x: float, y: float, nx: int, ny: int)⟨| -> float⟩:
            xc = wp.clamp(x, 0.0, float(nx - 1))
            yc = wp.clamp(y, 0.0, float(ny - 1))
            i = wp.min(int(xc), nx - 2)
            j = wp.min(int(yc), ny - 2)
            tx = xc - float(i)
            ty = yc - float(j)
            a = wp.lerp(field[i, j], field[i + 1, j], tx)
            b = wp.lerp(field[i, j + 1], field[i + 1, j + 1], tx)
            return wp.lerp(a, b, ty)
        """,
        """
        def ⟨lookup|sample_field|sample_clamped⟩(field: wp.array2d(dtype=float), x: float, y: float, nx: int, ny: int)⟨| -> float⟩:
            # indices of the lower left corner
            i0 = wp.clamp(int(wp.floor(x)), 0, nx - 1)
            j0 = wp.clamp(int(wp.floor(y)), 0, ny - 1)
            i1 = wp.min(i0 + 1, nx - 1)
            j1 = wp.min(j0 + 1, ny - 1)

            fx = wp.clamp(x - float(i0), 0.0, 1.0)
            fy = wp.clamp(y - float(j0), 0.0, 1.0)
            bottom = (1.0 - fx) * field[i0, j0] + fx * field[i1, j0]
            top = (1.0 - fx) * field[i0, j1] + fx * field[i1, j1]
            return (1.0 - fy) * bottom + fy * top
        """,
    ),
    helper(
        "minmod",
        """
        def ⟨minmod|limit_slope⟩(a: float, b: float)⟨| -> float⟩:
            # opposite signs: an extremum
            if a * b <= 0.0:
                return 0.0
            if wp.abs(a) < wp.abs(b):
                return a
            return b
        """,
        """
        def ⟨van_leer|limiter⟩(a: float, b: float)⟨| -> float⟩:
            if a * b <= 0.0:
                return 0.0
            return 2.0 * a * b / (a + b)
        """,
    ),
    helper(
        "upwind",
        """
        def ⟨upwind|upwind_diff⟩(vel: float, minus: float, center: float, plus: float)⟨| -> float⟩:
            if vel > 0.0:
                return vel * (center - minus)
            return vel * (plus - center)
        """,
        """
        def ⟨upwind_flux|donor_cell⟩(vel: float, minus: float, center: float, plus: float)⟨| -> float⟩:
            return wp.max(vel, 0.0) * (center - minus) + wp.min(vel, 0.0) * (plus - center)
        """,
    ),
    helper(
        "well",
        """
        def ⟨double_well|bulk_derivative⟩(eta: float)⟨| -> float⟩:
            # derivative of (1 - eta^2)^2 / 4
            return eta * eta * eta - eta
        """,
        """
        def ⟨dfdphi|free_energy_prime⟩(phi: float)⟨| -> float⟩:
            return phi * (phi - 1.0) * (phi + 1.0)
        """,
    ),
    helper(
        "equilibrium",
        """
        def ⟨equilibrium|feq|f_eq⟩(w: float, rho: float, cu: float, uu: float)⟨| -> float⟩:
            return w * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * uu)
        """,
        """
        def ⟨compute_feq|maxwell⟩(weight: float, density: float, cu: float, u_sq: float)⟨| -> float⟩:
            # second order in the velocity
            quadratic = 4.5 * cu * cu - 1.5 * u_sq
            return weight * density * (1.0 + 3.0 * cu + quadratic)
        """,
    ),
    helper(
        "linear",
        """
        def ⟨cell_index|linear_index|flatten⟩(i: int, j: int, k: int, nx: int, ny: int)⟨| -> int⟩:
            return (k * ny + j) * nx + i
        """,
        """
        def ⟨ijk_to_linear|to_linear⟩(i: int, j: int, k: int, nx: int, ny: int)⟨| -> int⟩:
            return i + nx * (j + ny * k)
        """,
    ),
    helper(
        "blocked",
        """
        def ⟨is_blocked|is_wall⟩(code: int)⟨| -> bool⟩:
            return code == {SOLID} or code == {INFLOW}
        """,
        """
        def ⟨is_open|can_flow⟩(code: int)⟨| -> bool⟩:
            return code == {FLUID} or code == {OUTFLOW}
        """,
    ),
    helper(
        "godunov",
        """
        def ⟨godunov_norm|upwind_grad_sq⟩(back: float, fwd: float, sign: float)⟨| -> float⟩:
            # use the differences that come from the interface
            if sign > 0.0:
                a = wp.max(back, 0.0)
                b = wp.min(fwd, 0.0)
                return wp.max(a * a, b * b)
            a = wp.min(back, 0.0)
            b = wp.max(fwd, 0.0)
            return wp.max(a * a, b * b)
        """,
        """
        def ⟨upwind_sq|one_sided_sq⟩(back: float, fwd: float, sign: float)⟨| -> float⟩:
            lo = wp.max(sign * back, 0.0)
            hi = wp.min(sign * fwd, 0.0)
            return lo * lo + hi * hi
        """,
    ),
)
