"""Kernels that have a feature of the statistics, and kernels that nearly have it."""

from __future__ import annotations

HEAD = "x: wp.array(dtype=float), idx: wp.array(dtype=int), out: wp.array(dtype=float), n: int, body: Body"

BODIES: dict[str, tuple[list[str], list[str]]] = {
    # feature: bodies of kernels that have it, and bodies of kernels that do not
    "index loaded from an array": (
        [
            "j = idx[wp.tid()]; out[j] = 1.0",
            "out[idx[n]] = 1.0",
            "j = idx[n] + 1; wp.atomic_add(out, j, 1.0)",
            "out[body.map[n]] = 1.0",
        ],
        ["j = idx[n]; out[n] = float(j)", "j = n; out[j] = 1.0", "v = wp.vec3i(1, 2, 3); out[v[0]] = 1.0"],
    ),
    "computed local index": (
        ["j = n * 2 + 1; out[j] = 1.0", "j = n; j += 1; out[j] = 1.0", "j = wp.min(n - 1, 7); out[0] = x[j]"],
        ["j = n; out[j] = 1.0", "j = n * 2; out[n] = float(j)", "j = idx[n + 1]; out[j] = 1.0"],
    ),
    "arithmetic inside a subscript": (
        ["out[n + 1] = 1.0", "out[n] = x[2 * n]", "wp.atomic_add(out, n - 1, 1.0)", "out[n, n % 2] = 1.0"],
        ["out[n] = x[n] + 1.0", "out[-1] = 1.0", "out[idx[n]] = 1.0"],
    ),
    "constant index of an array": (
        ["out[0] = 1.0", "out[n, 1] = 1.0", "wp.atomic_add(out, 0, x[n])", "out[n] = body.mass[2]"],
        ["out[n] = 1.0", "v = wp.vec3(); out[n] = v[0]", "out[n] = x[n][0]"],
    ),
    "thread index of 2 dimensions or more": (["i, j = wp.tid()", "i, j, k = wp.tid()"], ["i = wp.tid()", "i, j = wp.other()"]),
    "index of a world, environment or batch": (
        ["worldid = wp.tid(); out[n] = 1.0", "env, j = wp.tid()", "batch_index = n; out[batch_index] = 1.0"],
        ["world = 1.0; out[n] = world", "worldwide = n; out[worldwide] = 1.0"],
    ),
    "branch of 3 statements or more": (
        ["if n > 1:\n a = 1\n b = 2\n c = 3", "if n > 1:\n pass\nelse:\n a = 1\n b = 2\n c = 3"],
        ["if n > 1:\n a = 1\n b = 2", "for i in range(n):\n a = 1\n b = 2\n c = 3"],
    ),
    "nesting of 2 or more": (["for i in range(n):\n if i > 2:\n  break"], ["for i in range(n):\n pass\nif n > 1:\n pass"]),
    "nesting of 3 or more": (
        ["for i in range(n):\n if i > 2:\n  while n > 1:\n   pass"],
        ["for i in range(n):\n if i > 2:\n  break\n elif i > 3:\n  pass"],
    ),
    "2 returns or more": (["if n > 1:\n return\nif n > 2:\n return"], ["if n > 1:\n return"]),
    "break or continue": (["while n > 1:\n break", "while n > 1:\n continue"], ["while n > 1:\n return"]),
    "while loop": (["while n > 1:\n pass"], ["for i in range(n):\n pass"]),
    "range(a, b)": (["for i in range(1, n):\n pass", "for i in range(n, 0, -1):\n pass"], ["for i in range(n):\n pass"]),
    "== or !=": (["if n == 3:\n return", "a = n != 3"], ["if n <= 3:\n return"]),
    "-1 or 0 as a sentinel": (
        [
            "if n == -1:\n return",
            "if n < 0:\n return",
            "if 0 <= n and n < 9:\n return",
            "if n != 0:\n return",
            "if -1 < n:\n return",
        ],
        [
            "if n > 0:\n return",
            "if n == 1:\n return",
            "if x[n] < 0.0:\n return",
            "if n < -1:\n return",
            "if n == False:\n return",
        ],
    ),
    "same test in two branches": (
        ["if n > 1:\n pass\nif n > 1:\n pass", "for i in range(3):\n if n > 1:\n  pass\nif (n > 1):\n pass"],
        ["if n > 1:\n pass\nif n > 2:\n pass"],
    ),
    "3 array stores or more": (
        ["out[0] = 1.0; out[1] = 2.0; out[2] += 3.0", "body.a[n] = 1.0; body.b[n] = 2.0; out[n] = 3.0"],
        ["out[0] = 1.0; out[1] = 2.0; a = 3.0", "v = wp.vec3(); v[0] = 1.0; v[1] = 1.0; v[2] = 1.0"],
    ),
    "atomic operation": (["wp.atomic_add(out, n, 1.0)", "old = wp.atomic_cas(idx, 0, 1, 2)"], ["wp.add(n, n)"]),
    "array both read and written": (
        ["out[n] = out[n] * 2.0", "out[n] += 1.0", "a = out[0]; out[n] = a"],
        ["out[n] = x[n]", "n += 1"],
    ),
    "copy or fill only": (
        [
            "out[n] = x[n]",
            "out[n] = 0.0",
            "i = wp.tid(); v = x[i]; out[i] = v",
            "out[n] = wp.vec3(0.0, 1.0, 2.0)",
            "a = b; b = a; out[n] = a",
        ],
        ["out[n] = 2.0 * x[n]", "a = x[n]; a = a + 1.0; out[n] = a", "out[n] += 1.0", "a = 1.0", "out[n] = wp.sin(x[n])"],
    ),
    "bool": (["a = True", "a = bool(n)", "a = wp.bool(n)"], ["a = 1", "a = booleans(n)"]),
    "constant of a module or enumeration": (
        ["a = LIMIT", "if n == Kind.FREE:\n return", "a = module.N_MAX + 1"],
        ["a = wp.PI", "a = wp.inf", "LIMIT = 3; a = LIMIT", "a = Body()", "a = T"],
    ),
    "member of a struct argument": (
        ["a = body.mass", "body.points[n] = 1.0"],
        ["a = body.x", "a = x.shape[0]", "a = other.mass"],
    ),
    "user function called": (["a = helper(n)", "a = module.helper(n)"], ["a = wp.sin(1.0)", "a = int(n)", "a = Body()"]),
    "3 user functions or more called": (
        ["a = f(n) + g(n) + lib.h(n)"],
        ["a = f(n) + f(n) + g(n)", "a = f(n) + g(n) + min(n, 1)"],
    ),
    "comment": (["a = 1  # why", "# why\na = 1"], ["a = 1", "a = '# no comment'"]),
    "blank line": (["a = 1\n\nb = 2", "a = 1\n    \nb = 2"], ["a = 1\nb = 2"]),
    "docstring": (['"""Scale."""\na = 1'], ["a = 1", "# Scale.\na = 1", "1.0"]),
    "result with a tail ± 0.07 * x": (
        ["out[n] = n + 0.07 * x[n]", "out[n] = a - x[n] * 0.3", "wp.atomic_add(out, 0, a + 0.1 * b)"],
        ["out[n] = 0.07 * x[n]", "out[n] = a + 0.7 * x[n]", "a = b + 0.1 * c", "out[n] = a + 0.1 * (b + c)"],
    ),
    "local named weighted_, scaled_, offset_ …": (
        ["scaled_x = 1.0", "offset_value = x[n]"],
        ["scaled = 1.0", "x_scaled = 1.0"],
    ),
    "wp.tanh(0.03 * x)": (
        ["a = wp.tanh(0.03 * n)", "a = wp.tanh(x[n] * 0.1)"],
        ["a = wp.tanh(n)", "a = wp.tanh(2.0 * n)", "a = 0.03 * wp.tanh(n)"],
    ),
    "nested scalings 0.25 * (0.5 * x)": (
        ["a = 0.25 * (0.5 * n)", "a = (x[n] * 0.5 + 1.0) * 2.0"],
        ["a = 0.25 * n + 0.5 * n", "a = 0.25 * (n * n)", "a = 0.25 * wp.sin(0.5 * n)"],
    ),
    "docstring that repeats the name": (
        ['"""Sum cost for each triangle."""', '"""Sum cost."""'],
        ['"""Add up the cost of all triangles."""', '"""Sum cost of a triangle and of its three neighbours."""', "a = 1"],
    ),
    "elif that repeats a test": (
        ["if n > 1:\n pass\nelif n > 2:\n pass\nelif n > 1:\n pass"],
        ["if n > 1:\n pass\nelif n > 2:\n pass", "if n > 1:\n pass\nif n > 1:\n pass", "if n > 1:\n if n > 1:\n  pass"],
    ),
}

KERNELS: dict[str, tuple[list[str], list[str]]] = {
    # the same for features that are not in the body: decorator and arguments
    "no floats at all": (
        ["@wp.kernel|a: wp.array(dtype=wp.int32), n: int|a[n] = 1", "@wp.kernel|a: wp.array2d(dtype=wp.vec2i), f: bool|pass"],
        [
            "@wp.kernel|a: wp.array(dtype=int), s: float|pass",
            "@wp.kernel|a: wp.array(dtype=wp.vec2)|pass",
            "@wp.kernel|n: int|a = n / 2",
            "@wp.kernel|n: int|a = 0.5",
            "@wp.kernel|n: int|a = wp.sqrt(n)",
            "@wp.kernel|n: int|a = float(n)",
            "@wp.kernel|body: Body|pass",
        ],
    ),
    "bool": (["@wp.kernel|a: wp.array(dtype=wp.bool)|pass", "@wp.kernel|flag: bool|pass"], ["@wp.kernel|n: int|pass"]),
    "8 arguments or more": (
        ["@wp.kernel|" + ", ".join(f"a{number}: int" for number in range(8)) + "|pass"],
        ["@wp.kernel|" + ", ".join(f"a{number}: int" for number in range(7)) + "|pass"],
    ),
    "15 arguments or more": (
        ["@wp.kernel|" + ", ".join(f"a{number}: int" for number in range(15)) + "|pass"],
        ["@wp.kernel|" + ", ".join(f"a{number}: int" for number in range(14)) + "|pass"],
    ),
    "enable_backward=False": (
        ["@wp.kernel(enable_backward=False)|n: int|pass", "@wp.kernel(module='unique', enable_backward=False)|n: int|pass"],
        ["@wp.kernel|n: int|pass", "@wp.kernel(enable_backward=True)|n: int|pass", "@wp.kernel()|n: int|pass"],
    ),
    "other decorator options": (
        ["@wp.kernel(module='unique')|n: int|pass", "@wp.kernel(**options)|n: int|pass"],
        ["@wp.kernel(enable_backward=False)|n: int|pass", "@wp.kernel|n: int|pass"],
    ),
}
