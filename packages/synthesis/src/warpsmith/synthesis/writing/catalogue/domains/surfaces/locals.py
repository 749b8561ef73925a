"""Names of locals, ways to obtain them, loops and extras of the domain `surfaces`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop
from warpsmith.synthesis.writing.ideas.parts import Extra

NAMES = {
    "i0": "i0 a v0 idx0",
    "i1": "i1 b v1 idx1",
    "i2": "i2 c v2 idx2",
    "i3": "i3 d v3 idx3",
    "p0": "p0 x0 pa q0",
    "p1": "p1 x1 pb q1",
    "p2": "p2 x2 pc q2",
    "p3": "p3 x3 pd q3",
    "e1": "e1 x10 edge01 ab",
    "e2": "e2 x20 edge02 ac",
    "e3": "e3 x30 edge03 ad",
    "cr": "n cross_n face_n normal_scaled",
    "area": "area tri_a face_area A",
    "len": "length l dist len_n",
    "nrm": "normal nhat unit_n n_dir",
    "ia": "ia i a v0",
    "ib": "ib j b v1",
    "xa": "xa xi pa x0",
    "xb": "xb xj pb x1",
    "va": "va vi vel_a v0",
    "vb": "vb vj vel_b v1",
    "wa": "wa wi w0 inv_a",
    "wb": "wb wj w1 inv_b",
    "wsum": "w_sum wsum w_total denom",
    "d": "d i11 vd corner_d",
    "dvec": "d dx delta_x dvec",
    "cons": "err c violation constraint",
    "mag": "mag s correction impulse",
    "alpha": "alpha alpha_tilde a_hat compliance_dt",
    "dl": "dlam d_lambda delta_lambda dl",
    "xn": "x_new xn q_new pos_new",
    "corr": "corr dx correction dp",
    "acc": "acc a accel accum",
    "goal": "goal target rest_l limit",
    "rel": "rel v_rel rel_vel vr",
    "vmean": "v_mean vc center_vel avg_vel",
    "theta": "theta angle dihedral phi",
    "diff": "diff d_theta angle_err dtheta",
    "n0": "n0 na normal_a n_left",
    "n1": "n1 nb normal_b n_right",
    "axis": "axis hinge_dir e edge_dir",
    "state": "state status seam_s st",
    "model": "model mat_model etyp law",
    "area2": "area2 double_area twice_area det_j",
    "row": "row vi gi global_row",
    "col": "col vj gj global_col",
    "qp": "qp q gp quad",
    "cond": "cond kappa coeff conductivity",
    "entry": "entry val k_ab value",
    "found": "found match hit result",
    "other": "other cand nbr_tri t_nbr",
    "where": "where slot pos_in_row hit",
    "root": "root r rep node",
    "steps": "steps hops count depth_i",
    "best": "best lowest min_label lbl",
    "key": "key edge_k code k_edge",
    "bucket": "bucket slot hash_id b_id",
    "hits": "hits selected_nbrs count num_sel",
    "sel": "sel is_selected selected on",
    "cell": "cell cell_id quad c_id",
    "share": "share third part contrib",
    "lap": "lap delta laplacian umbrella",
    "wgt": "wgt w wj weight",
    "grad": "grad g grad_f gradient",
    "l0": "l0 rest rest_len target_len",
    "ks": "k stiff ke stiffness",
    "k": "k c corner lk",
    "dir": "dir n direction unit_d",
    "stretch": "stretch ratio strain_ratio s",
    "f": "f force fs spring_f",
    "j": "j nbr other vj",
    "kk": "k slot n entry",
    "sum": "acc total accum sum_x",
    "cnt": "cnt valence num deg",
    "xi": "xi p x pos",
    "vi": "vi vel v velocity",
    "c0": "c0 cot_a w0 cot0",
    "c1": "c1 cot_b w1 cot1",
    "c2": "c2 cot_c w2 cot2",
    "left": "left f0 t0 face_a",
    "right": "right f1 t1 face_b",
    "F": "F def_grad Fm grad_x",
    "Ds": "Ds edges_m shape_mat D",
    "J": "J det_f vol_ratio det",
    "P": "P stress piola pk1",
    "E": "E strain green eps",
    "tr": "tr trace trace_e tr_e",
    "psi": "psi energy_d w_density e_d",
    "type": "etype kind mode typ",
    "id": "vid idx node index",
    "mid": "mid midpoint m center",
}

LOCALS = (
    local("i0", "{tri}[$t, 0]"),
    local("i1", "{tri}[$t, 1]"),
    local("i2", "{tri}[$t, 2]"),
    local("p0", "{x}[$i0]"),
    local("p1", "{x}[$i1]"),
    local("p2", "{x}[$i2]"),
    local("e1", "$p1 - $p0"),
    local("e2", "$p2 - $p0"),
    local("cr", "wp.cross($e1, $e2)"),
    local("ia", "{edge}[$e, 0]"),
    local("ib", "{edge}[$e, 1]"),
    local("xa", "{x}[$ia]"),
    local("xb", "{x}[$ib]"),
    local("va", "{v}[$ia]"),
    local("vb", "{v}[$ib]"),
    local("wa", "{invm}[$ia]", "@free_weight({invm}[$ia], {vflag}[$ia])", "wp.where({pinned}[$ia], 0.0, {invm}[$ia])"),
    local("wb", "{invm}[$ib]", "@free_weight({invm}[$ib], {vflag}[$ib])", "wp.where({pinned}[$ib], 0.0, {invm}[$ib])"),
    local("l0", "{len0}[$e]"),
    local("ks", "{ke}[$e]"),
    local("type", "{etype}[$e]"),
    local("left", "{wing}[$e, 0]"),
    local("right", "{wing}[$e, 1]"),
    local("xi", "{x}[$i]"),
    local("vi", "{v}[$i]"),
    local("xj", "{x}[$j]"),
    local("t0", "{tet}[$c, 0]"),
    local("t1", "{tet}[$c, 1]"),
    local("t2", "{tet}[$c, 2]"),
    local("t3", "{tet}[$c, 3]"),
    local(
        "F",
        "$x0 = {x}[$t0]\n$Ds = wp.matrix_from_cols({x}[$t1] - $x0, {x}[$t2] - $x0, {x}[$t3] - $x0)\n$F = $Ds ⟨*|@⟩ {dminv}[$c]",
        "$F = @deformation({x}[$t0], {x}[$t1], {x}[$t2], {x}[$t3], {dminv}[$c])",
    ),
)

LOOPS = (
    loop(
        "ring",
        """
        for $kk in range({VALENCE}):
            $j = {ring}[$i, $kk]
            if $j < 0⟨| or $j == $i⟩:
                continue
            body
        """,
        """
        for $kk in range({VALENCE}):
            $j = {ring}[$i, $kk]
            if $j ⟨>= 0|!= {NONE}⟩:
                body
        """,
    ),
    loop(
        "neighbor",
        """
        for $kk in range({nstart}[$i], {nstart}[$i + 1]):
            $j = {nlist}[$kk]
            body
        """,
        """
        $begin = {nstart}[$i]
        $end = {nstart}[$i + 1]
        for $kk in range($begin, $end):
            $j = {nlist}[$kk]
            if $j != $i:
                body
        """,
        """
        $begin = {nstart}[$i]
        $cnt = {nstart}[$i + 1] - $begin
        for $n in range($cnt):
            $kk = $begin + $n
            $j = {nlist}[$kk]
            if $j == $i:
                continue
            body
        """,
    ),
    loop(
        "face",
        """
        for $kk in range({vstart}[$i], {vstart}[$i + 1]):
            $t = {vlist}[$kk]

            body
        """,
        """
        $first = {vstart}[$i]
        $last = {vstart}[$i + 1]
        for $kk in range($first, $last):
            # triangles around the vertex
            $t = {vlist}[$kk]

            body
        """,
    ),
)

EXTRAS = (
    Extra("vertex", "# pinned vertices do not move\nif {vflag}[$i] & {PINNED} != 0:\n    return\n"),
    Extra("vertex", "if {pinned}[$i]:\n    return\n"),
    Extra("vertex", "if ({vflag}[$i] & {SELECTED}) == 0:\n    return\n"),
    Extra("tri", "# skip triangles that repeat a vertex\nif $i0 == $i1 or $i1 == $i2 or $i2 == $i0:\n    return\n"),
    Extra("tri", "# all three vertices are held\nif {pinned}[$i0] and {pinned}[$i1] and {pinned}[$i2]:\n    return\n"),
    Extra("tri", "if {mat}[$t] != {target}:\n    return\n"),
    Extra("edge", "if {pinned}[$ia] and {pinned}[$ib]:\n    return\n"),
    Extra("edge", "if ({vflag}[$ia] & {vflag}[$ib] & {PINNED}) != 0:\n    # both ends are held\n    return\n"),
    Extra("edge", "if $type == {BEND}:\n    return\n"),
    Extra("edge", "# an edge without length has no direction\nif $ia == $ib:\n    return\n"),
    Extra("vel", "$vi = $vi * (1.0 - {kd} * {dt})"),
    Extra("vel", "# limit the speed\nif wp.length($vi) > {vmax}:\n    $vi = wp.normalize($vi) * {vmax}\n"),
    Extra("pos", "if $xn[1] < {floor}:\n    # stay on the ground\n    $xn = wp.vec3($xn[0], {floor}, $xn[2])\n"),
    Extra(
        "pos",
        "if {bc}[$i] == {DIRICHLET}:\n    # move only along the ground plane\n    $xn = wp.vec3($xn[0], $xi[1], $xn[2])\n",
    ),
)
