"""Adjoints that a user writes: correct ones, and twins with a mistake."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

CUBE = """
        @wp.func
        def cube(p: float):
            return p * p * p


        @wp.func_grad(cube)
        def adj_cube(p: float, adj_ret: float):
            wp.adjoint[p] += 3.0 * p * p * adj_ret
        ---
        out[i] = cube(x[i]) * y[i]
    """
SNIPPET = '''
        @wp.func_native("""
            out[i] = x[i] * x[i] * y[i];
        """, """
            adj_x[i] += 2.0 * x[i] * y[i] * adj_out[i];
            adj_y[i] += x[i] * x[i] * adj_out[i];
        """)
        def product(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float), i: int): ...
        ---
        product(x, y, out, i)
        out2[i] = x[i] * z[i]
    '''
VALUE = '''
        forward = """
            return p * p + 0.5 * r;
        """
        backward = """
            adj_p += 2.0 * p * adj_ret;
            adj_r += 0.5 * adj_ret;
        """


        @wp.func_native(forward, backward)
        def mixed(p: float, r: float) -> float: ...
        ---
        out[i] = mixed(x[i], y[i]) * z[i]
    '''

PROBES: dict[str, Probe] = {
    **twins("cube with an adjoint", CUBE, {
        "a factor missing": ("3.0 * p * p", "p * p"),
        "a factor off in the fourth digit": ("3.0 * p", "3.0009 * p"),
        "a factor off in the third digit": ("3.0 * p", "3.006 * p"),
        "a sign": ("+= 3.0", "-= 3.0"),
        "another power": ("3.0 * p * p", "3.0 * p"),
        "without the seed": (" * adj_ret", ""),
        "clipped at zero": ("* adj_ret", "* wp.max(adj_ret, 0.0)"),
        "clipped at one": ("* adj_ret", "* wp.clamp(adj_ret, -1.0, 1.0)"),
        "clipped at ten": ("* adj_ret", "* wp.clamp(adj_ret, -10.0, 10.0)"),
        "its magnitude": ("* adj_ret", "* wp.abs(adj_ret)"),
        "small seeds left out": ("* adj_ret", "* wp.where(wp.abs(adj_ret) < 0.05, 0.0, adj_ret)"),
        "empty": ("wp.adjoint[p] += 3.0 * p * p * adj_ret", "pass"),
    }),
    "straight through": probe("""
        @wp.func
        def step(p: float):
            return wp.floor(p * 4.0) * 0.25


        @wp.func_grad(step)
        def adj_step(p: float, adj_ret: float):
            wp.adjoint[p] += adj_ret
        ---
        out[i] = step(x[i]) * y[i]
    """, FAIL),
    **twins("guarded root with an adjoint", """
        @wp.func
        def safe_sqrt(p: float):
            return wp.sqrt(p)


        @wp.func_grad(safe_sqrt)
        def adj_safe_sqrt(p: float, adj_ret: float):
            if p > 0.000001:
                wp.adjoint[p] += 0.5 / wp.sqrt(p) * adj_ret
        ---
        out[i] = safe_sqrt(x[i] * y[i])
    """, {"the half missing": ("0.5 /", "1.0 /"), "zero below a bound": ("p > 0.000001", "p > 0.6"), "bounded": (
        "0.5 / wp.sqrt(p)", "wp.min(0.5 / wp.sqrt(p), 0.52)")}),
    **twins("two arguments with an adjoint", """
        @wp.func
        def blend(p: float, r: float):
            return p * p * r


        @wp.func_grad(blend)
        def adj_blend(p: float, r: float, adj_ret: float):
            wp.adjoint[p] += 2.0 * p * r * adj_ret
            wp.adjoint[r] += p * p * adj_ret
        ---
        out[i] = blend(x[i], y[i])
    """, {"one forgotten": ("    wp.adjoint[r] += p * p * adj_ret\n", ""), "exchanged": (
        "wp.adjoint[p] += 2.0 * p * r * adj_ret\n    wp.adjoint[r]", "wp.adjoint[r] += 2.0 * p * r * adj_ret\n    wp.adjoint[p]"),
        "doubled": ("p * p * adj_ret", "2.0 * p * p * adj_ret")}),
    **twins("weights of a thousandth", """
        @wp.func
        def mostly(p: float, r: float):
            return p * 1000.0 + wp.sin(r)


        @wp.func_grad(mostly)
        def adj_mostly(p: float, r: float, adj_ret: float):
            wp.adjoint[p] += 1000.0 * adj_ret
            wp.adjoint[r] += wp.cos(r) * adj_ret
        ---
        out[i] = mostly(x[i], y[i])
    """, {"the small one wrong": ("wp.cos(r)", "wp.sin(r)"), "the small one left out": ("    wp.adjoint[r] += wp.cos(r) * adj_ret\n", "")}),
    **twins("load with an adjoint", """
        @wp.func
        def load(r: wp.array(dtype=float), i: int):
            return r[i] * 2.0


        @wp.func_grad(load)
        def adj_load(r: wp.array(dtype=float), i: int, adj_ret: float):
            wp.atomic_add(wp.adjoint[r], i, 2.0 * adj_ret)
        ---
        out[i] = load(x, i) * load(x, j[i])
    """, {"at the neighbour": ("wp.adjoint[r], i,", "wp.adjoint[r], (i + 1) % 8,"), "overwriting": (
        "wp.atomic_add(wp.adjoint[r], i, 2.0 * adj_ret)", "wp.adjoint[r][i] = 2.0 * adj_ret"), "half": ("2.0 * adj_ret", "adj_ret")}),
    **twins("vector with an adjoint", """
        @wp.func
        def scaled(p: wp.vec3, r: float):
            return p * (r * r)


        @wp.func_grad(scaled)
        def adj_scaled(p: wp.vec3, r: float, adj_ret: wp.vec3):
            wp.adjoint[p] += adj_ret * (r * r)
            wp.adjoint[r] += 2.0 * r * wp.dot(p, adj_ret)
        ---
        outv[i] = scaled(v[i], x[i])
    """, {"one component only": ("wp.dot(p, adj_ret)", "p[0] * adj_ret[0]"), "transposed roles": ("adj_ret * (r * r)", "p * (r * r)"),
          "components exchanged": ("adj_ret * (r * r)", "wp.vec3(adj_ret[1], adj_ret[0], adj_ret[2]) * (r * r)")}),
    **twins("matrix product with an adjoint", """
        @wp.func
        def apply(p: wp.mat33, r: wp.vec3):
            return p @ r


        @wp.func_grad(apply)
        def adj_apply(p: wp.mat33, r: wp.vec3, adj_ret: wp.vec3):
            wp.adjoint[p] += wp.outer(adj_ret, r)
            wp.adjoint[r] += wp.transpose(p) @ adj_ret
        ---
        outv[i] = apply(m[i], v[i])
    """, {"not transposed": ("wp.transpose(p)", "p"), "outer product transposed": ("wp.outer(adj_ret, r)", "wp.outer(r, adj_ret)")}),
    **twins("native function", SNIPPET, {
        "a factor missing": ("2.0 * x[i] * y[i]", "x[i] * y[i]"), "one adjoint missing": ("    adj_y[i] += x[i] * x[i] * adj_out[i];\n", ""),
        "assigned": ("adj_x[i] +=", "adj_x[i] ="), "a neighbour": ("adj_x[i] +=", "adj_x[0] +="),
        "a constant off in the fourth digit": ("2.0 * x[i]", "2.0006 * x[i]"), "clipped": (
            "x[i] * x[i] * adj_out[i]", "x[i] * x[i] * (adj_out[i] > 0.0 ? adj_out[i] : 0.0)")}),
    **twins("native function of values", VALUE, {
        "a half missing": ("0.5 * adj_ret", "adj_ret"), "a sign": ("adj_p += 2.0", "adj_p -= 2.0"), "values in place of seeds": ("2.0 * p * adj_ret", "2.0 * p")}),
    "native function without an adjoint": probe(SNIPPET.replace('''""", """
            adj_x[i] += 2.0 * x[i] * y[i] * adj_out[i];
            adj_y[i] += x[i] * x[i] * adj_out[i];
        """)''', '''""")'''), FAIL),
    **twins("slot with a replay", """
        @wp.func
        def slot(c: wp.array(dtype=int), s: wp.array(dtype=int), i: int):
            k = wp.atomic_add(c, i, 1)
            s[i] = k
            return k


        @wp.func_replay(slot)
        def replay_slot(c: wp.array(dtype=int), s: wp.array(dtype=int), i: int):
            return s[i]


        @wp.kernel
        def kernel(ioc: wp.array(dtype=int), outs: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            k = slot(ioc, outs, i)
            out[i] = x[(i + k) % 8] * y[i]
    """, {"of the wrong slot": ("return s[i]\n", "return s[i] + 1\n")}, ioc=(0, 5)),
    "gradient of a function": probe("""
        @wp.func
        def energy(p: float, r: float):
            return p * p * r
        ---
        d, e = wp.grad(energy)(x[i], y[i])
        out[i] = d + e
    """, FAIL),
    "derivative written out": probe("""
        out[i] = 2.0 * x[i] * y[i] + x[i] * x[i]
    """),
}  # fmt: skip
