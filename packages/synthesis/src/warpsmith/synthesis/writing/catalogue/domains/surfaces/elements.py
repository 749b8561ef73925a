"""Ideas of the domain `surfaces`: finite elements on triangles and tetrahedra."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

ELEMENTS = (
    Idea(
        "tet_energy",
        "eval_tet_energy compute_strain_energy tet_energy eval_elements",
        "compute the deformation gradient and the strain energy of each tetrahedron by its material model",
        """
        $J = wp.determinant($F)
        ⟨$I1 = wp.trace(wp.transpose($F) * $F)|$I1 = wp.ddot($F, $F)⟩
        $psi = float(0.0)
        $model = {emat}[$c]
        if $model == {NEOHOOKE}:
            $psi = 0.5 * {mu} * ($I1 - 3.0) ⟨- {mu} * ($J - 1.0) + 0.5 * {la} * ($J - 1.0) * ($J - 1.0)|+ 0.5 * {la} * ($J - 1.0 - {mu} / {la}) * ($J - 1.0 - {mu} / {la})⟩
        elif $model == {STVK}:
            $E = ⟨@green($F)|0.5 * (wp.transpose($F) * $F - wp.identity(n=3, dtype=float))⟩
            $tr = wp.trace($E)
            $psi = {mu} * wp.ddot($E, $E) + 0.5 * {la} * $tr * $tr
        ⟨elif $model == {LINEAR}:|else:⟩
            # small strains
            $eps = 0.5 * ($F + wp.transpose($F)) - wp.identity(n=3, dtype=float)
            $psi = {mu} * wp.ddot($eps, $eps) + 0.5 * {la} * wp.trace($eps) * wp.trace($eps)

        {tenergy}[$c] = $psi * {vol}[$c]
        ⟨||wp.atomic_add({energy}, 0, $psi * {vol}[$c])⟩
        ⟨|if $J < ⟨0.01|0.1|0.05⟩:
            # inverted element
            wp.atomic_add({inverted}, 0, 1)
        ⟩
        """,
        threads="c",
        kinds="matrix multi_conditional finite_elements",
    ),
    Idea(
        "tet_stress",
        "compute_piola_stress eval_tet_stress update_stress tet_pk1",
        "compute the first Piola-Kirchhoff stress of each tetrahedron",
        """
        ⟨$model = {emat}[$c]
        $P = wp.identity(n=3, dtype=float) * 0.0
        if $model == {NEOHOOKE}:
            $P = @neo_stress($F, {mu}, {la})
        elif $model == {STVK}:
            $P = @stvk_stress($F, {mu}, {la})
        else:
            # small strains
            $P = {mu} * ($F + wp.transpose($F) - 2.0 * wp.identity(n=3, dtype=float)) + {la} * (wp.trace($F) - 3.0) * wp.identity(n=3, dtype=float)|$P = @neo_stress($F, {mu}, {la})|$P = @stvk_stress($F, {mu}, {la})|$R = $F + wp.transpose($F) - 2.0 * wp.identity(n=3, dtype=float)
        $P = {mu} * $R + 0.5 * {la} * wp.trace($R) * wp.identity(n=3, dtype=float)⟩
        ⟨|$J = wp.determinant($F)
        if $J < ⟨0.1|0.05⟩:
            # soften inverted elements
            $P = $P * 0.5
        |if wp.determinant($F) < 0.0:
            wp.atomic_add({inverted}, 0, 1)
        ⟩
        {P}[$c] = $P
        ⟨|{F}[$c] = $F|{tenergy}[$c] = 0.5 * wp.ddot($P, $F - wp.identity(n=3, dtype=float)) * {vol}[$c]⟩
        """,
        threads="c",
        kinds="matrix finite_elements",
    ),
    Idea(
        "tet_forces",
        "eval_tet_forces add_elastic_forces assemble_forces tet_force",
        "add the elastic forces of each tetrahedron to its four vertices",
        """
        ⟨1:⟨# other elements have a separate kernel
        |⟩if {emat}[$c] != {NEOHOOKE}:
            return

        |⟨if {emat}[$c] == {LINEAR}:
            return

        |⟩||⟩⟨1:$P = @neo_stress($F, {mu}, {la})|$P = @stvk_stress($F, {mu}, {la})|$E = @green($F)
        $P = $F * (2.0 * {mu} * $E + {la} * wp.trace($E) * wp.identity(n=3, dtype=float))|# small strains
        $P = {mu} * ($F + wp.transpose($F) - 2.0 * wp.identity(n=3, dtype=float)) + {la} * (wp.trace($F) - 3.0) * wp.identity(n=3, dtype=float)⟩
        # columns of H are the forces on the vertices 1 to 3
        $H = ⟨$P * wp.transpose({dminv}[$c]) * (-{vol}[$c])|-{vol}[$c] * ($P * wp.transpose({dminv}[$c]))⟩
        $f1 = wp.vec3($H[0, 0], $H[1, 0], $H[2, 0])
        $f2 = wp.vec3($H[0, 1], $H[1, 1], $H[2, 1])
        $f3 = wp.vec3($H[0, 2], $H[1, 2], $H[2, 2])
        ⟨|
        # internal friction pulls towards the mean velocity
        $vmean = 0.25 * ({v}[$t0] + {v}[$t1] + {v}[$t2] + {v}[$t3])
        $f1 = $f1 + {kd} * ($vmean - {v}[$t1])
        $f2 = $f2 + {kd} * ($vmean - {v}[$t2])
        $f3 = $f3 + {kd} * ($vmean - {v}[$t3])
        ⟩
        ⟨wp.atomic_add({force}, $t1, $f1)
        wp.atomic_add({force}, $t2, $f2)
        wp.atomic_add({force}, $t3, $f3)
        wp.atomic_sub({force}, $t0, $f1 + $f2 + $f3)|wp.atomic_sub({force}, $t0, $f1 + $f2 + $f3)
        wp.atomic_add({force}, $t1, $f1)
        wp.atomic_add({force}, $t2, $f2)
        wp.atomic_add({force}, $t3, $f3)|if not {pinned}[$t0]:
            wp.atomic_sub({force}, $t0, $f1 + $f2 + $f3)
        if not {pinned}[$t1]:
            wp.atomic_add({force}, $t1, $f1)
        if not {pinned}[$t2]:
            wp.atomic_add({force}, $t2, $f2)
        if not {pinned}[$t3]:
            wp.atomic_add({force}, $t3, $f3)⟩
        ⟨|if wp.determinant($F) ⟨< 0.0|<= 0.05⟩:
            wp.atomic_add({inverted}, 0, 1)
        ⟩
        """,
        threads="c",
        kinds="matrix atomic finite_elements",
    ),
    Idea(
        "tet_volume",
        "compute_tet_volumes ⟨1:lump_tet_mass|count_inverted_tets|tet_centroids⟩ tet_volume_kernel element_volumes",
        "compute the signed volume of each tetrahedron ⟨1:and lump its mass|and count inverted ones|and its centroid⟩",
        """
        $x0 = {x}[$t0]
        $a = {x}[$t1] - $x0
        $b = {x}[$t2] - $x0
        $d = {x}[$t3] - $x0
        $V = wp.dot(⟨$a, wp.cross($b, $d)|wp.cross($a, $b), $d⟩) / 6.0
        ⟨1:$share = {rho} * wp.abs($V) * 0.25
        ⟨for $k in range(4):
            wp.atomic_add({vmass}, {tet}[$c, $k], $share)|for $k in range(4):
            $id = {tet}[$c, $k]
            if ⟨not {pinned}[$id]|{vflag}[$id] & {PINNED} == 0⟩:
                wp.atomic_add({vmass}, $id, $share)
                ⟨|wp.atomic_add({valence}, $id, 1)⟩⟩|if $V < ⟨-0.01|0.0⟩:
            # wrong orientation
            wp.atomic_add({inverted}, 0, 1)
            ⟨|for $k in range(4):
                wp.atomic_add({valence}, {tet}[$c, $k], 1)⟩|$mean = $x0 + 0.25 * ($a + $b + $d)
        {tcenter}[$c] = $mean⟩
        ⟨{tvol}[$c] = $V|# flat elements have no volume
        {tvol}[$c] = wp.where(wp.abs($V) < 0.01, 0.0, $V)⟩
        """,
        threads="c",
        kinds="vector finite_elements",
    ),
    Idea(
        "quadrature",
        "⟨1:assemble_mass|assemble_weighted_mass|assemble_load⟩ ⟨1:element_mass_matrix|field_mass_matrix|quadrature_load⟩",
        "integrate the ⟨1:mass|mass weighted by a field|load⟩ of the shape functions over each triangle by quadrature",
        """
        $area2 = wp.length($cr)
        ⟨|if $area2 < {tol}:
            # too thin to contribute
            return
        ⟩
        for $i in range(3):
            ⟨1:for $j in range(3):
                $mij = float(0.0)
                for $qp in range({NQUAD}):
                    # weight times both shape functions at the quadrature point
                    $mij += {qw}[$qp] * {shape}[$qp, $i] * {shape}[$qp, $j]
                ⟨{emass}[$t, $i, $j] = $mij * $area2|{emass}[$t, $i, $j] = 0.5 * $mij * $area2 * {thick}[$t]⟩
                ⟨|if $i == $j:
                    wp.atomic_add({vmass}, {tri}[$t, $i], $mij * $area2)⟩|for $j in range(3):
                $mij = float(0.0)
                for $qp in range({NQUAD}):
                    # value of the field at the quadrature point
                    $coef = {u}[$i0] * {shape}[$qp, 0] + {u}[$i1] * {shape}[$qp, 1] + {u}[$i2] * {shape}[$qp, 2]
                    $mij += {qw}[$qp] * $coef * {shape}[$qp, $i] * {shape}[$qp, $j]
                {emass}[$t, $i, $j] = $mij * $area2|$acc = float(0.0)
            for $qp in range({NQUAD}):
                # value of the source at the quadrature point
                $src = float(0.0)
                for $j in range(3):
                    $src += {shape}[$qp, $j] * {u}[{tri}[$t, $j]]
                $acc += {qw}[$qp] * {shape}[$qp, $i] * $src
            wp.atomic_add({nload}, {tri}[$t, $i], $acc * $area2)⟩
        """,
        threads="t",
        kinds="nested_loop finite_elements",
    ),
    Idea(
        "element_stiffness",
        "element_stiffness assemble_laplace_elements local_stiffness stiffness_matrix",
        "compute the local stiffness matrix of ⟨1:diffusion|heat conduction⟩ for each triangle",
        """
        $area2 = wp.length($cr) + ⟨0.05|0.1⟩
        $cond = ⟨{kappa}|{kappa} * {thick}[$t]⟩
        ⟨|if {mat}[$t] == {SILK}:
            $cond = $cond * 0.5
        |if {mat}[$t] == {LEATHER}:
            $cond = $cond * 2.0
        elif {mat}[$t] == {COTTON}:
            $cond = $cond * 0.8
        ⟩
        for $i in range(3):
            # edge opposite of vertex i
            $gi = {x}[{tri}[$t, ($i + 2) % 3]] - {x}[{tri}[$t, ($i + 1) % 3]]
            for $j in range(3):
                $gj = {x}[{tri}[$t, ($j + 2) % 3]] - {x}[{tri}[$t, ($j + 1) % 3]]
                $kij = $cond * wp.dot($gi, $gj) / (2.0 * $area2)
                ⟨{estiff}[$t, $i, $j] = $kij|{estiff}[$t, $i, $j] = $kij
                if $i == $j:
                    wp.atomic_add({lapdiag}, {tri}[$t, $i], $kij)|if $i == $j:
                    wp.atomic_add({lapdiag}, {tri}[$t, $i], $kij)
                    {estiff}[$t, $i, $j] = $kij⟨4: + {rho} * $area2 / 12.0|⟩
                else:
                    {estiff}[$t, $i, $j] = $kij⟨4: + {rho} * $area2 / 24.0|⟩⟩
                ⟨|wp.atomic_add({resid}, {tri}[$t, $i], $kij * {u}[{tri}[$t, $j]])⟩
        """,
        threads="t",
        kinds="nested_loop finite_elements",
    ),
    Idea(
        "assemble_csr",
        "assemble_csr scatter_element_matrix add_element_to_csr assemble_stiffness",
        "add each entry of the element matrices to its place in the CSR matrix⟨1:| and count the entries that are missing⟩",
        """
        $row = {tri}[$t, $a]
        $col = {tri}[$t, $b]
        ⟨|if {bc}[$row] == {DIRICHLET}⟨| or {bc}[$col] == {DIRICHLET}⟩:
            # rows of fixed nodes are set elsewhere
            return

        ⟩$entry = {estiff}[$t, $a, $b]⟨| * {thick}[$t]|⟩
        ⟨|if $row == $col:
            wp.atomic_add({lapdiag}, $row, $entry)
            return

        ⟩⟨1:|$found = int(0)
        ⟩for $kk in range({nstart}[$row], {nstart}[$row + 1]):
            if {nlist}[$kk] == $col:
                wp.atomic_add({csrval}, $kk, $entry)
                ⟨1:|$found += 1⟩
        ⟨1:|if $found == 0:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="t a b",
        kinds="atomic control_flow finite_elements sparse",
    ),
    Idea(
        "boundary_conditions",
        "apply_boundary_conditions apply_bc set_node_rhs project_dirichlet",
        "apply the boundary condition of each node to the right-hand side",
        """
        $type = {bc}[$i]
        $val = {rhs}[$i]
        if $type == {DIRICHLET}:
            $val = ⟨|{diag}[$i] * ⟩{bcval}[$i]
            ⟨|{fixed}[$i] = 1⟩
        elif $type == {NEUMANN}:
            # prescribed flux through the boundary
            $val = $val + ⟨{bcval}[$i]|{flux}⟩ * {thickness}
            ⟨|if {vflag}[$i] & {SELECTED} != 0:
                # heated part of the boundary
                $val = $val + {flux} * {thickness}⟩
        elif $type == {ROBIN}:
            $val = $val + {exchange} *⟨| {thickness} *⟩ ({bcval}[$i] - {u}[$i])
        {rhs_out}[$i] = $val
        """,
        kinds="multi_conditional arithmetic finite_elements",
    ),
    Idea(
        "membrane_strain",
        "compute_green_strain eval_membrane_strain triangle_strain membrane_energy",
        "compute the in-plane deformation and the Green strain of each triangle from its texture coordinates",
        """
        ⟨|||$i0 = {flat}[3 * $t]
        $i1 = {flat}[3 * $t + 1]
        $i2 = {flat}[3 * $t + 2]
        |$i0 = {face}[$t][0]
        $i1 = {face}[$t][1]
        $i2 = {face}[$t][2]
        ⟩$ua = {uv}[$i1] - {uv}[$i0]
        $ub = {uv}[$i2] - {uv}[$i0]
        # edge matrix in the plane
        $D = ⟨wp.matrix_from_cols($ua, $ub)|wp.mat22($ua[0], $ub[0], $ua[1], $ub[1])⟩
        $G = $D * {dminv2}[$t]
        $E = 0.5 * (wp.transpose($G) * $G - wp.identity(n=2, dtype=float))
        ⟨|$norm = wp.sqrt(wp.ddot($E, $E) + 0.001)
        if $norm > ⟨5:0.7|0.8⟩:
            # limit the strain of distorted triangles
            $E = $E * (⟨5:0.7|0.8⟩ / $norm)
        ⟩{green}[$t] = $E
        ⟨|$tr = wp.trace($E)
        {fden}[$t] = {mu} * wp.ddot($E, $E) + 0.5 * {la} * $tr * $tr|{fden}[$t] = {mu} * wp.ddot($E, $E)|# energy of the shell by its area
        {fden}[$t] = {thick}[$t] * {mu} * wp.ddot($E, $E)⟩
        ⟨|if wp.determinant($D) < ⟨-0.01|0.01⟩:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="t",
        kinds="matrix finite_elements",
    ),
)
