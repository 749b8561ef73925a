"""Finite elements with fixed formulas: gradients, masses, loads and stresses of bars, triangles and tetrahedra."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, local, number, size
from warpsmith.synthesis.writing.ideas.parts import Idea, Index

PARAMETERS = (
    size("nv", 20, 48, "num_nodes node_count nv n_verts", "number of nodes"),
    size("nt", 16, 48, "num_elements elem_count nt n_tris", "number of elements"),
    data("nodes", VEC2, -1.0, 1.0, "nodes x node_pos coords", "position of each node in m", "nv"),
    data("nodes3", VEC3, -1.0, 1.0, "nodes x node_pos coords", "position of each node in m", "nv"),
    data("ela", VEC2, -0.2, 0.2, "corners_a x0 first_node pa", "first corner of each triangle in m", "nt"),
    data("conn", INT, 0, "nv", "elements conn tri_nodes elem_nodes", "nodes of each element", "nt 3", shared=True),
    data("conn4", INT, 0, "nv", "tets conn tet_nodes elem_nodes", "nodes of each tetrahedron", "nt 4", shared=True),
    data("disp", VEC2, -0.2, 0.2, "displacements u disp node_u", "displacement of each node in m", "nv"),
    data("scal", FLOAT, -1.0, 1.0, "temperatures T nodal_values phi", "value at each node", "nv"),
    data("coef", FLOAT, 0.5, 2.0, "conductivity k elem_coeff modulus", "coefficient of each element", "nt"),
    data("thick", FLOAT, 0.1, 0.5, "thickness t section area", "section of each element in m^2", "nt"),
    data("fixed", INT, 0, 1, "fixed is_boundary dirichlet node_fixed", "1 for each node with a given value", "nv"),
    data("nload", FLOAT, 0.0, 0.0, "loads rhs node_load b", "load of each node", "nv", start=0.0),
    data("nmass", FLOAT, 0.0, 0.0, "lumped_mass node_mass m_lumped diag_mass", "lumped mass of each node in kg", "nv", start=0.0),
    data("nforce", VEC2, 0.0, 0.0, "node_forces f internal_force residual", "internal force of each node in N", "nv", start=0.0),
    data("kel", FLOAT, 0.0, 0.0, "elem_stiffness K_e local_matrices k_local", "stiffness matrix of each element", "nt 3 3"),
    data("egrad", VEC2, 0.0, 0.0, "gradients grad_out flux elem_grad", "gradient of each element", "nt"),
    data("estress", VEC3, 0.0, 0.0, "stresses sigma voigt_stress elem_stress", "stress of each element in Pa, in Voigt's order", "nt"),
    data("evol", FLOAT, 0.0, 0.0, "volumes vol elem_volume measure", "volume of each element in m^3", "nt"),
    data("ebad", INT, 0, 0, "num_inverted bad_elements inverted flips", "number of elements with a negative area", "1", start=0.0),
    number("young", 1.0, 5.0, "youngs_modulus E young", "Young's modulus in Pa", "YOUNGS_MODULUS E_MOD"),
    number("pois", 0.1, 0.4, "poisson_ratio nu poisson", "Poisson's ratio"),
    number("srcq", 0.2, 2.0, "source q body_load heat_source", "load per area"),
)  # fmt: skip

INDICES = (Index("t", "nt", "tid e elem elem_id", "element"), Index("node", "nv", "tid i node nid", "node"))

NAMES = {
    "n0": "i0 a n0 na", "n1": "i1 b n1 nb", "n2": "i2 c n2 nc", "n3": "i3 d n3 nd",
    "x0": "x0 pa p0 xa", "x1": "x1 pb p1 xb", "x2": "x2 pc p2 xc", "e1": "e1 ab d1 edge1", "e2": "e2 ac d2 edge2",
    "area2": "det area2 twice_area J", "g": "grad g dphi grad_phi", "g0": "g0 grad_a dn0 b0", "g1": "g1 grad_b dn1 b1", "g2": "g2 grad_c dn2 b2",
}  # fmt: skip

LOCALS = (
    local("n0", "{conn}[$t, 0]"),
    local("n1", "{conn}[$t, 1]"),
    local("n2", "{conn}[$t, 2]"),
    local("x0", "{nodes}[$n0]"),
    local("x1", "{nodes}[$n1]"),
    local("x2", "{nodes}[$n2]"),
    local("e1", "$x1 - $x0"),
    local("e2", "$x2 - $x0"),
    local(
        "area2",
        "wp.abs($e1[0] * $e2[1] - $e1[1] * $e2[0]) + 0.2",
        "wp.sqrt(wp.pow($e1[0] * $e2[1] - $e1[1] * $e2[0], 2.0) + 0.1)",
    ),
    local("g0", "wp.vec2($x1[1] - $x2[1], $x2[0] - $x1[0]) / $area2"),
    local("g1", "wp.vec2($x2[1] - $x0[1], $x0[0] - $x2[0]) / $area2"),
    local("g2", "wp.vec2($x0[1] - $x1[1], $x1[0] - $x0[0]) / $area2"),
    local("g", "$g = $g0 * {scal}[$n0] + $g1 * {scal}[$n1] + $g2 * {scal}[$n2]"),
)

ELEMENTS = (
    Idea(
        "element_gradient",
        "element_gradients triangle_flux heat_flux compute_gradients",
        "compute the ⟨1:gradient|flux⟩ of the nodal values in each triangle",
        """
        ⟨1:{egrad}[$t] = $g|{egrad}[$t] = -{coef}[$t] * $g⟩
        ⟨2:{evol}[$t] = 0.5 * $area2 * {thick}[$t]|{evol}[$t] = wp.length_sq($g) * {coef}[$t]|⟩
        """,
        threads="t",
        kinds="finite_elements vector gather_scatter",
    ),
    Idea(
        "lump_masses",
        "lump_masses assemble_loads distribute_source nodal_masses",
        "distribute the ⟨1:mass|load⟩ of each triangle to its nodes",
        """
        $share = ⟨1:{coef}[$t] * {thick}[$t] * 0.5 * $area2 / 3.0|{srcq} * 0.5 * $area2 / 3.0⟩
        ⟨2:wp.atomic_add(⟨1:{nmass}|{nload}⟩, $n0, $share)
        wp.atomic_add(⟨1:{nmass}|{nload}⟩, $n1, $share)
        wp.atomic_add(⟨1:{nmass}|{nload}⟩, $n2, $share)|for $k in range(3):
            wp.atomic_add(⟨1:{nmass}|{nload}⟩, {conn}[$t, $k], $share)|for $k in range(3):
            $node = {conn}[$t, $k]
            if {fixed}[$node] == 0:
                wp.atomic_add(⟨1:{nmass}|{nload}⟩, $node, $share)⟩
        """,
        threads="t",
        kinds="finite_elements atomic gather_scatter",
    ),
    Idea(
        "local_stiffness",
        "element_stiffness local_laplacian assemble_local stiffness_triangles",
        "compute the ⟨1:stiffness|mass⟩ matrix of each triangle",
        """
        ⟨1:$scale = 0.5 * $area2 * {coef}[$t]
        {kel}[$t, 0, 0] = $scale * wp.dot($g0, $g0)
        {kel}[$t, 1, 1] = $scale * wp.dot($g1, $g1)
        {kel}[$t, 2, 2] = $scale * wp.dot($g2, $g2)
        ⟨2:# symmetric
        |⟩{kel}[$t, 0, 1] = $scale * wp.dot($g0, $g1)
        {kel}[$t, 1, 0] = $scale * wp.dot($g0, $g1)
        {kel}[$t, 0, 2] = $scale * wp.dot($g0, $g2)
        {kel}[$t, 2, 0] = $scale * wp.dot($g0, $g2)
        {kel}[$t, 1, 2] = $scale * wp.dot($g1, $g2)
        {kel}[$t, 2, 1] = $scale * wp.dot($g1, $g2)|$scale = $area2 * {coef}[$t] / 24.0
        for $ka in range(3):
            for $kb in range(3):
                if $ka == $kb:
                    {kel}[$t, $ka, $kb] = 2.0 * $scale
                else:
                    {kel}[$t, $ka, $kb] = $scale⟩
        """,
        threads="t",
        kinds="finite_elements nested_loop",
    ),
    Idea(
        "plane_stress",
        "plane_stress strain_stress element_stress constitutive_law",
        "compute the stress of each triangle from the displacements of its nodes ⟨2:|and scatter the internal forces⟩",
        """
        $u0 = {disp}[$n0]
        $u1 = {disp}[$n1]
        $u2 = {disp}[$n2]
        $exx = $g0[0] * $u0[0] + $g1[0] * $u1[0] + $g2[0] * $u2[0]
        $eyy = $g0[1] * $u0[1] + $g1[1] * $u1[1] + $g2[1] * $u2[1]
        $exy = $g0[1] * $u0[0] + $g1[1] * $u1[0] + $g2[1] * $u2[0]
        $exy += $g0[0] * $u0[1] + $g1[0] * $u1[1] + $g2[0] * $u2[1]

        ⟨3:# plane stress
        |⟩$c = {young} / (1.0 - {pois} * {pois})
        $sxx = $c * ($exx + {pois} * $eyy)
        $syy = $c * ($eyy + {pois} * $exx)
        $sxy = $c * 0.5 * (1.0 - {pois}) * $exy
        {estress}[$t] = wp.vec3($sxx, $syy, $sxy)
        ⟨2:|$s = 0.5 * $area2 * {thick}[$t]
        wp.atomic_sub({nforce}, $n0, wp.vec2($sxx * $g0[0] + $sxy * $g0[1], $sxy * $g0[0] + $syy * $g0[1]) * $s)
        wp.atomic_sub({nforce}, $n1, wp.vec2($sxx * $g1[0] + $sxy * $g1[1], $sxy * $g1[0] + $syy * $g1[1]) * $s)
        wp.atomic_sub({nforce}, $n2, wp.vec2($sxx * $g2[0] + $sxy * $g2[1], $sxy * $g2[0] + $syy * $g2[1]) * $s)⟩
        """,
        threads="t",
        kinds="finite_elements vector",
    ),
    Idea(
        "tet_volumes",
        "tet_volumes measure_elements check_orientation element_volumes",
        "compute the volume of each tetrahedron ⟨2:|and count the inverted ones⟩",
        """
        $p0 = {nodes3}[{conn4}[$t, 0]]
        $d1 = {nodes3}[{conn4}[$t, 1]] - $p0
        $d2 = {nodes3}[{conn4}[$t, 2]] - $p0
        $d3 = {nodes3}[{conn4}[$t, 3]] - $p0
        $vol = ⟨wp.dot($d1, wp.cross($d2, $d3)) / 6.0|wp.determinant(wp.matrix_from_cols($d1, $d2, $d3)) / 6.0⟩
        ⟨2:{evol}[$t] = $vol|if $vol < 0.0:
            wp.atomic_add({ebad}, 0, 1)
            {evol}[$t] = ⟨-$vol|0.0⟩
        else:
            {evol}[$t] = $vol⟩
        """,
        threads="t",
        kinds="finite_elements vector",
    ),
    Idea(
        "operator_product",
        "apply_laplacian matrix_free_product stiffness_apply element_residual",
        "apply the stiffness of each triangle to the nodal values and add the result to its nodes",
        """
        $s = -0.5 * $area2 * {coef}[$t]
        ⟨2:wp.atomic_add({nload}, $n0, $s * wp.dot($g, $g0))
        wp.atomic_add({nload}, $n1, $s * wp.dot($g, $g1))
        wp.atomic_add({nload}, $n2, $s * wp.dot($g, $g2))|if {fixed}[$n0] == 0:
            wp.atomic_add({nload}, $n0, $s * wp.dot($g, $g0))
        if {fixed}[$n1] == 0:
            wp.atomic_add({nload}, $n1, $s * wp.dot($g, $g1))
        if {fixed}[$n2] == 0:
            wp.atomic_add({nload}, $n2, $s * wp.dot($g, $g2))⟩
        """,
        threads="t",
        kinds="finite_elements atomic",
    ),
)
