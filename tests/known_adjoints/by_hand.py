"""Kernels whose helper functions have an adjoint, a replay or C++ that is written by hand, and those that read a shape late
or assign components of a member.

Each table maps a name to the helper functions and the body of a kernel, see `known_adjoints.source_of`.
"""

from __future__ import annotations

SQUARE = """
@wp.func
def square(p: float):
    return p * p


@wp.func_grad(square)
def adj_square(p: float, adj_ret: float):
    wp.adjoint[p] += {} * adj_ret
"""

TIMES = """
@wp.func
def product(p: float, r: float):
    return p * r


@wp.func_grad(product)
def adj_product(p: float, r: float, adj_ret: float):
    wp.adjoint[p] += r * adj_ret
{}
"""

REPLAY = """
@wp.func
def cube(p: float):
    return p * p * p


@wp.func_replay(cube)
def replay_cube(p: float):
    return {}
"""

POSE = """
@wp.struct
class Pose:
    place: wp.vec3
"""

NATIVE = '''
@wp.func_native("""return p * p * p;"""{})
def cubed(p: float) -> float: ...
'''

SIZE = '''
@wp.func_native("""return p * sizeof(p);""", adj_snippet="""adj_p += 4.0f * adj_ret;""")
def in_bytes(p: float) -> float: ...
'''

FAR = """
@wp.func
def ramp(p: float, r: float):
    if p + r > 2.6:
        return p * p * r
    return p * r


@wp.func_grad(ramp)
def adj_ramp(p: float, r: float, adj_ret: float):
    if p + r > 2.6:
        wp.adjoint[p] += {} * adj_ret
        wp.adjoint[r] += p * p * adj_ret
    else:
        wp.adjoint[p] += r * adj_ret
        wp.adjoint[r] += p * adj_ret
"""

WRONG: dict[str, tuple[str, str]] = {
    "a factor is missing": (SQUARE.format("p"), "out[i] = square(x[i])"),
    "a factor has the wrong sign": (SQUARE.format("-2.0 * p"), "out[i] = square(x[i]) * y[i]"),
    "a clipped gradient": (SQUARE.format("wp.min(2.0 * p, 1.5)"), "out[i] = square(x[i])"),
    "a gradient that is kept as it is": (SQUARE.format("1.0"), "out[i] = square(x[i] + y[i])"),
    "an argument is missing": (TIMES.format(""), "out[i] = product(x[i], y[i])"),
    "a small input is missing": (TIMES.format(""), "out[i] = 1.0e4 * x[i] + 1.0e-4 * product(x[i], y[i])"),
    "a small output is wrong": (SQUARE.format("p"), "out[i] = 1.0e4 * x[i]\nw[i] = 1.0e-4 * square(x[i])"),
    "another replay": (REPLAY.format("p * p"), "s = cube(x[i])\nout[i] = s * s"),
    "a factor of native code is missing": (NATIVE.format(', adj_snippet="adj_p += p * p * adj_ret;"'), "out[i] = cubed(x[i])"),
    "native code without adjoint": (NATIVE.format(""), "out[i] = cubed(x[i]) + y[i]"),
    "a branch that none takes": (FAR.format("p * r"), "out[i] = ramp(x[i], y[i])"),
    "components of a member": (POSE, "s = Pose()\ns.place[0] = x[i]\ns.place[2] = y[i]\nout[i] = s.place[0] * s.place[2]"),
}
"""Adjoints that are wrong."""

RIGHT: dict[str, tuple[str, str]] = {
    "a right factor": (SQUARE.format("2.0 * p"), "out[i] = square(x[i])"),
    "a right product": (
        TIMES.format("    wp.adjoint[r] += p * adj_ret"),
        "out[i] = 1.0e4 * x[i] + 1.0e-4 * product(x[i], y[i])",
    ),
    "a right replay": (REPLAY.format("p * p * p"), "s = cube(x[i])\nout[i] = s * s"),
    "a right native adjoint": (NATIVE.format(', adj_snippet="adj_p += 3.0f * p * p * adj_ret;"'), "out[i] = cubed(x[i])"),
    "a right branch that few inputs take": (FAR.format("2.0 * p * r"), "out[i] = ramp(x[i], y[i])"),
    "a member": (POSE, "s = Pose()\ns.place = wp.vec3(x[i], 0.0, y[i])\nout[i] = s.place[0] * s.place[2]"),
    "an index and then a shape": ("", "s = x[i]\nrows = x.shape[0]\nout[i] = s * s * float(rows)"),
    "a shape and then a negative index": ("", "rows = x.shape[0]\ns = x[-1 - i]\nout[i] = s * s * float(rows)"),
}
"""Adjoints that are right."""

UNDECIDED = {"the size of a float": (SIZE, "out[i] = in_bytes(x[i]) * y[i]")}
"""Right adjoints of native code that computes something else in double precision."""

OUTSIDE = {
    "a negative index and then a shape": ("", "s = x[-1]\nrows = x.shape[0]\nout[i] = s * s * float(rows)"),
    "a negative column and then a shape": ("", "s = xx[i, -1]\nrows = xx.shape[1]\nout[i] = s * s * float(rows)"),
}
"""Adjoints that write the gradient outside of its array."""
