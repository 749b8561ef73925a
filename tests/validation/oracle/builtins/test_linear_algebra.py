"""Vectors and matrices give the results of Warp's kernels on the CPU."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_kernels import check_columns, floats, run_alone, run_both, source


def test_vectors() -> None:
    prelude = """
        u = u_s[i]
        v = v_s[i]
        w = u
        w[1] = 9.0
        w.x += 2.0
        w[-1] -= 1.0
        w *= 2.0
        n = wp.vec2i(7, -3)
    """
    rows = {row: "wp.vec3" for row in """
        u+v|u-v|u*2.0|3.0*u|u/2.0|-u|2.0/v|wp.cross(u,v)|wp.normalize(u)|wp.cw_mul(u,v)|wp.cw_div(u,v)|wp.min(u,v)|wp.max(u,v)
        wp.abs(u)|wp.sign(u)|wp.lerp(u,v,0.3)|w|wp.vec3(1.0)|wp.vec3()|wp.vec3(u[2],v.y,u.x)|wp.where(u[0]>0.0,u,v)
        wp.vec3(wp.vec3d(wp.float64(0.1)))|wp.vector(u[0],2.0,3.0)|wp.normalize(wp.vec3())|u%v|wp.vec3f(1.0,2.0,3.0)
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {
        "wp.dot(u, v)": "float",
        "wp.length(u)": "float",
        "wp.length_sq(u)": "float",
        "wp.min(u)": "float",
        "wp.max(v)": "float",
    }
    rows |= {
        "float(wp.argmin(u))": "float",
        "float(wp.argmax(u))": "float",
        "float(u == v) + 2.0 * float(u == u)": "float",
        "float(len(u))": "float",
    }
    rows |= {
        "u[0:2]": "wp.vec2",
        "wp.vec4(1.0, 2.0, 3.0, u[0])": "wp.vec4",
        "wp.length(wp.vec4(u[0], v[1], u[2], 1.0))": "float",
    }
    rows |= {"n / wp.vec2i(2, 2)[0]": "wp.vec2i", "n % wp.vec2i(2, 2)": "wp.vec2i", "n * 3": "wp.vec2i"}
    check_columns(
        {"u_s": ("wp.vec3", "vec3f", floats(20, 3)), "v_s": ("wp.vec3", "vec3f", floats(20, 3, seed=1))}, prelude, rows
    )


def test_matrices() -> None:
    prelude = """
        a = a_s[i]
        b = b_s[i]
        c = c_s[i]
        x = a[0]
        y = a[1]
        m = a
        m[1, 2] = 5.0
        m[0][1] = 6.0
        m[2, 0] += 7.0
        t = wp.mat22(1.0, 2.0, 3.0, x[0])
    """
    rows = {row: "wp.mat33" for row in """
        a+b|a-b|a*b|a@b|a*2.0|0.5*a|a/3.0|-a|wp.transpose(a)|wp.inverse(a)|wp.outer(x,y)|wp.diag(x)|wp.skew(x)|wp.cw_mul(a,b)
        wp.cw_div(a,b)|m|wp.mat33(1.0)|wp.mat33(1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,x[0])|wp.identity(n=3,dtype=float)
        wp.matrix_from_rows(x,y,x)|wp.matrix_from_cols(x,y,x)|wp.lerp(a,b,0.25)
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {"a * x": "wp.vec3", "x * a": "wp.vec3", "wp.get_diag(a)": "wp.vec3", "a[-1]": "wp.vec3", "a @ y": "wp.vec3"}
    rows |= {"wp.determinant(a)": "float", "wp.determinant(c)": "float", "wp.determinant(t)": "float", "wp.trace(a)": "float"}
    rows |= {"wp.ddot(a, b)": "float", "a[1, 2] + a[2][0]": "float", "wp.inverse(t)": "wp.mat22", "wp.inverse(c)": "wp.mat44"}
    rows |= {
        "wp.transform_point(c, x)": "wp.vec3",
        "wp.transform_vector(c, x)": "wp.vec3",
        "wp.inverse(wp.mat33())": "wp.mat33",
    }
    rows |= {"wp.inverse(t * wp.nan)": "wp.mat22", "wp.inverse(a * wp.nan)": "wp.mat33", "wp.inverse(c * wp.nan)": "wp.mat44"}
    rows |= {"c * c": "wp.mat44", "wp.matrix(1.0, 2.0, 3.0, x[1], shape=(2, 2), dtype=float)": "wp.mat22", "t * t": "wp.mat22"}
    near = np.eye(3, dtype=np.float32) * 3
    wide = np.eye(4, dtype=np.float32) * 4
    inputs = {
        "a_s": ("wp.mat33", "mat33f", near + floats(12, 3, 3)),
        "b_s": ("wp.mat33", "mat33f", near + floats(12, 3, 3, seed=1)),
    }
    check_columns(inputs | {"c_s": ("wp.mat44", "mat44f", wide + floats(12, 4, 4, seed=2))}, prelude, rows)


@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_inverses_and_determinants(size: int, seed: int) -> None:
    matrix = np.random.default_rng(seed).uniform(-1, 1, (size, size)).astype(np.float32) + 3 * np.eye(size, dtype=np.float32)
    entries = ", ".join(repr(float(entry)) for entry in matrix.flat)
    prelude = f"m = wp.mat{size}{size}({entries})\n"
    assert np.isclose(run_alone(prelude + "o[0] = wp.determinant(m)"), np.linalg.det(matrix.astype(np.float64)), rtol=1e-5)
    assert np.isclose(
        run_alone(prelude + "o[0] = wp.inverse(m)[1, 0]"), np.linalg.inv(matrix.astype(np.float64))[1, 0], atol=1e-5
    )
    assert run_alone(f"o[0] = wp.inverse(wp.mat{size}{size}(1.0))[0, 0]") == 0.0


def test_products_of_half_matrices_round_twice() -> None:
    """In single precision Warp fuses the product and the sum; in half precision there are two roundings."""
    text = source("""
        @wp.kernel
        def k(a: wp.array(dtype=wp.mat33h), b: wp.array(dtype=wp.mat33h), c: wp.array(dtype=wp.mat33h)):
            i = wp.tid()
            c[i] = a[i] * b[i]
    """)
    a, b = (floats(200, 3, 3, seed=seed).astype(np.float16) for seed in (1, 2))
    results, expected = run_both(text, (200,), a=("mat33h", a), b=("mat33h", b), c=("mat33h", np.zeros_like(a)))
    assert results["c"].tobytes() == expected["c"].tobytes()


def test_signs_of_integers() -> None:
    x = np.array([0, 1, 7, 255], np.uint64)
    text = source("""
        @wp.kernel
        def k(x: wp.array(dtype=wp.uint64), y: wp.array(dtype=wp.uint64), z: wp.array(dtype=wp.int8)):
            i = wp.tid()
            y[i] = wp.sign(x[i])
            z[i] = wp.sign(wp.int8(x[i]))
    """)
    results, expected = run_both(text, (4,), x=("uint64", x), y=("uint64", x.copy()), z=("int8", x.astype(np.int8)))
    assert all(results[name].tobytes() == expected[name].tobytes() for name in "yz")
