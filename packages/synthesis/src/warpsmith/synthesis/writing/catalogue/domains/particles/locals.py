"""Locals of the domain `particles`: their names, the ways to obtain them, and the loops over neighbours."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop

NAMES = {
    "x": "pos x xi p",
    "v": "vel v vi velocity",
    "acc": "acc a accel",
    "f": "force f fi",
    "m": "mass m mi",
    "w": "inv_mass w wi inv_m",
    "j": "j nbr other neighbor",
    "k": "k slot n_idx n",
    "xj": "pos_j xj other_pos q",
    "vj": "vel_j vj other_vel u",
    "d": "offset d rel delta",
    "r": "dist r d_len length_ij",
    "sum": "total s accum result",
    "speed": "speed v_norm v_len",
    "begin": "begin start lo",
    "end": "end stop hi",
    "a": "i0 a p0 particle_a",
    "b": "i1 b p1 particle_b",
    "xa": "x0 xa pos_a xi",
    "xb": "x1 xb pos_b xj",
    "va": "v0 va vel_a vi",
    "vb": "v1 vb vel_b vj",
    "c": "c value coeff term",
    "bin": "c cell_c bin_id my_cell",
    "cs": "c_s c sound a0",
    "ga": "a ii di ox",
    "gb": "b jj dj oy",
    "bx": "base_x bx i0 cell_x0",
    "by": "base_y by j0 cell_y0",
    "l": "length l dist cur_len",
    "n": "normal n dir axis",
    "at": "p_new at place moved",
    "wa": "w0 wa inv_m0 wi",
    "wb": "w1 wb inv_m1 wj",
    "wsum": "w_sum w total_w denom",
    "count": "count num c cnt",
    "flag": "flag state bits status",
    "grp": "group my_group g phase",
    "depth": "penetration depth pen overlap",
    "vn": "v_n vn normal_speed approach",
    "vt": "v_t vt tangent_vel slide",
    "rng": "rng state rng_state rand_state",
    "key": "key code cell_key hash_key",
    "base": "base node cell0 corner",
    "fx": "fx frac local_x rel",
    "src": "src source old_index from_idx",
    "dst": "dst dest new_index to_idx",
    "age": "age frames t",
    "st": "state stage st status",
}

LOCALS = (
    local("x", "{x}[$i]"),
    local("v", "{v}[$i]"),
    local("f", "{f}[$i]", "{f}[$i]", "{f}[$i] + wp.vec3(0.0, {g}, 0.0) * {m}[$i]"),
    local("m", "{m}[$i]"),
    local("w", "{w}[$i]", "1.0 / {m}[$i]"),
    local(
        "acc", "$f * $w", "{f}[$i] / {m}[$i]", "{f}[$i] * $w + wp.vec3(0.0, {g}, 0.0)", "wp.vec3(0.0, {g}, 0.0) - $v * {damp}"
    ),
    local("xj", "{x}[$j]"),
    local("vj", "{v}[$j]"),
    local("flag", "{flags}[$i]"),
    local("grp", "{group}[$i]"),
    local("speed", "wp.length($v)"),
    # springs: the pairs are rows of a table or lie one after the other
    local("a", "⟨9:{ends}[$s, 0]|{flat}[2 * $s]|{flat}[$s * 2 + 0]⟩"),
    local("b", "⟨9:{ends}[$s, 1]|{flat}[2 * $s + 1]|{flat}[$s * 2 + 1]⟩"),
    local("xa", "{x}[$a]"),
    local("xb", "{x}[$b]"),
    local("va", "{v}[$a]"),
    local("vb", "{v}[$b]"),
    local("wa", "{w}[$a]", "1.0 / {m}[$a]"),
    local("wb", "{w}[$b]", "1.0 / {m}[$b]"),
)

LOOPS = (
    loop(
        "neighbor",
        """
        for $k in range({most}):
            $j = {table}[$i, $k]
            if $j < 0⟨| or $j == $i⟩:
                continue
            body
        """,
        """
        for $k in range({most}):
            $j = {table}[$i, $k]
            if $j >= 0:
                body
        """,
        """
        for $k in range({start}[$i], {start}[$i + 1]):
            $j = {list}[$k]
            body
        """,
        """
        $begin = {start}[$i]
        $end = {start}[$i + 1]
        for $k in range($begin, $end):
            $j = {list}[$k]
            if $j != $i:
                body
        """,
    ),
)
