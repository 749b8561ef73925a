"""Ideas of the domain `surfaces`: normals, areas, weights, smoothing and fields on triangle meshes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FIELDS = (
    Idea(
        "face_normals",
        "compute_face_normals face_normals triangle_normals eval_normals",
        "compute the unit normal of each triangle ⟨1:|and its area|and add it to the normals of its vertices⟩",
        """
        ⟨|||$i0 = {flat}[3 * $t]
        $i1 = {flat}[3 * $t + 1]
        $i2 = {flat}[3 * $t + 2]
        |$i0 = {face}[$t][0]
        $i1 = {face}[$t][1]
        $i2 = {face}[$t][2]
        ⟩hook tri
        $len = wp.length($cr)
        if $len < ⟨0.001|{tol}⟩:
            ⟨# thin faces keep a zero normal
            |⟩{fnormal}[$t] = wp.vec3(0.0, 0.0, 0.0)
            ⟨|wp.atomic_add({ncount}, 0, 1)
            ⟩return

        $nrm = $cr / $len
        ⟨|if {side}[$t] == 1:
            $nrm = -$nrm
        |if $nrm[1] < 0.0:
            # all normals point upwards
            $nrm = -$nrm
        ⟩{fnormal}[$t] = $nrm
        ⟨1:|{farea}[$t] = 0.5 * $len|⟨wp.atomic_add({vnormal}, $i0, $nrm)
        wp.atomic_add({vnormal}, $i1, $nrm)
        wp.atomic_add({vnormal}, $i2, $nrm)|# weighted by the area
        wp.atomic_add({vnormal}, $i0, $len * $nrm)
        wp.atomic_add({vnormal}, $i1, $len * $nrm)
        wp.atomic_add({vnormal}, $i2, $len * $nrm)⟩⟩
        """,
        threads="t",
        kinds="vector combined",
    ),
    Idea(
        "normalize_normals",
        "normalize_vertex_normals finish_normals unit_normals fix_normals",
        "normalize the summed normal of each vertex⟨1:| and bend it towards the fallback axis⟩",
        """
        hook vertex
        $nsum = {nsum}[$i]
        $len = wp.length($nsum)
        ⟨1:|$up = wp.vec3(0.0, 1.0, 0.0)
        ⟩if $len < ⟨0.5|0.7|0.6⟩:
            {nout}[$i] = ⟨wp.vec3(0.0, 1.0, 0.0)|wp.vec3(0.0, 0.0, 0.0)⟩
            ⟨|wp.atomic_add({ncount}, 0, 1)
            ⟩return
        $nrm = $nsum / $len
        ⟨1:⟨|if {vflag}[$i] & {SELECTED} != 0:
            $nrm = -$nrm⟩|$blend = {relax} * (1.0 - wp.abs($nrm[1]))
        $nrm = wp.normalize($nrm + $up * $blend)⟩
        {nout}[$i] = $nrm
        ⟨|{shade}[$i] = wp.max($nrm[1], 0.0)|{shade}[$i] = 0.5 + 0.5 * $nrm[1]|{shade}[$i] = (0.5 + 0.5 * $nrm[1]) * (0.5 + 0.5 * $nrm[1])⟩
        """,
        kinds="vector combined",
    ),
    Idea(
        "cotangents",
        "compute_cotangent_weights cotan_weights cotangent_laplacian eval_cotangents",
        "compute the cotangents at the corners of each triangle ⟨1:|and add them to the diagonal of the Laplace matrix⟩",
        """
        ⟨|||$i0 = {flat}[3 * $t]
        $i1 = {flat}[3 * $t + 1]
        $i2 = {flat}[3 * $t + 2]
        |$i0 = {face}[$t][0]
        $i1 = {face}[$t][1]
        $i2 = {face}[$t][2]
        ⟩hook tri
        $c0 = @cotangent($p1 - $p0, $p2 - $p0)
        $c1 = @cotangent($p2 - $p1, $p0 - $p1)
        $c2 = @cotangent($p0 - $p2, $p1 - $p2)
        ⟨|if $c0 < 0.0⟨| or $c1 < 0.0 or $c2 < 0.0⟩:
            # obtuse triangle
            $c0 = wp.max($c0, 0.0)
            $c1 = wp.max($c1, 0.0)
            $c2 = wp.max($c2, 0.0)
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        |$c0 = wp.clamp($c0, -5.0, 5.0)
        $c1 = wp.clamp($c1, -5.0, 5.0)
        $c2 = wp.clamp($c2, -5.0, 5.0)
        ⟩
        {cot}[$t, 0] = ⟨4:0.5 * $c0|$c0⟩
        {cot}[$t, 1] = ⟨4:0.5 * $c1|$c1⟩
        {cot}[$t, 2] = ⟨4:0.5 * $c2|$c2⟩
        ⟨1:|wp.atomic_add({lapdiag}, $i0, 0.5 * ($c1 + $c2))
        wp.atomic_add({lapdiag}, $i1, 0.5 * ($c2 + $c0))
        wp.atomic_add({lapdiag}, $i2, 0.5 * ($c0 + $c1))⟩
        ⟨|{farea}[$t] = 0.5 * wp.length($cr)|{farea}[$t] = @tri_area($p0, $p1, $p2)⟩
        """,
        threads="t",
        kinds="vector",
    ),
    Idea(
        "smooth",
        "laplacian_smooth smooth_vertices umbrella_smooth ⟨1:smooth_step|sharpen_selected⟩",
        "move each vertex towards the mean of its neighbours⟨1:|, or away from it if it is selected⟩",
        """
        ⟨if {vmask}[$i] == 1:
            {x_out}[$i] = $xi
            return

        |if {pinned}[$i]⟨| or {bc}[$i] == {DIRICHLET}⟩:
            # boundary vertices stay
            {x_out}[$i] = $xi
            return

        |⟩$sum = wp.vec3(0.0, 0.0, 0.0)
        $wsum = float(0.0)
        each ring:
            ⟨$sum += $xj
            $wsum += 1.0|$wgt = 1.0 / (0.1 + wp.length($xj - $xi))
            $sum += $wgt * $xj
            $wsum += $wgt|if {vmask}[$j] != 2:
                $sum += $xj
                $wsum += 1.0|$wgt = wp.where({pinned}[$j], 2.0, 1.0)
            $sum += $wgt * $xj
            $wsum += $wgt⟩

        $lap = $sum / ⟨$wsum|wp.max($wsum, 0.1)⟩ - $xi
        ⟨1:$xn = $xi + {lambda_} * $lap|$rate = {lambda_}
        if {vflag}[$i] & {SELECTED} != 0:
            ⟨# the step away from the mean sharpens the surface
            |⟩$rate = {mu_neg}
        $xn = $xi + $rate * $lap⟩
        hook pos
        {x_out}[$i] = $xn
        """,
        kinds="combined",
    ),
    Idea(
        "laplace_apply",
        "apply_laplacian laplacian_matvec csr_laplace laplace_operator",
        "apply the weighted Laplace matrix to ⟨1:a field|the positions|a field⟩",
        """
        ⟨|if {bc}[$i] == {DIRICHLET}:
            return

        ⟩⟨1:$sum = float(0.0)
        each neighbor:
            ⟨4:$sum += {wts}[$kk] * ({u}[$j] - {u}[$i])|if {vmask}[$j] != 2:
                # ignored vertices take no part
                $sum += {wts}[$kk] * ({u}[$j] - {u}[$i])|$sum += {wts}[$kk] * {u}[$j]⟩
        {lu}[$i] = ⟨4:⟨|-⟩$sum|$sum|{diag}[$i] * {u}[$i] - $sum⟩|$acc = wp.vec3(0.0, 0.0, 0.0)
        each neighbor:
            ⟨$acc += {wts}[$kk] * ({x}[$j] - {x}[$i])|if {mat3}[$j] == {mat3}[$i]:
                # neighbours of the same region
                $acc += {wts}[$kk] * ($xj - $xi)⟩
        {lx}[$i] = ⟨$acc|-$acc⟩|$sum = {diag}[$i] * {u}[$i]
        each neighbor:
            $sum -= {wts}[$kk] * {u}[$j]
        {lu}[$i] = $sum⟩
        """,
        kinds="sparse",
    ),
    Idea(
        "gather_normals",
        "⟨1:gather_vertex_normals|gather_vertex_areas|gather_normals_areas⟩ ⟨1:accumulate_face_normals|ring_areas|accumulate_faces⟩",
        "sum the ⟨1:normals|areas|normals and areas⟩ of the triangles around each vertex",
        """
        hook vertex
        ⟨1:$acc = wp.vec3(0.0, 0.0, 0.0)|$sum = float(0.0)|$acc = wp.vec3()
        $sum = float(0.0)⟩
        each face:
            ⟨|if {mat}[$t] != {target}:
                continue
            |if {side}[$t] == 1:
                # reversed triangles do not count
                continue
            ⟩⟨1:$acc += ⟨$cr|{fn}[$t] * {fa}[$t]|{fn}[$t]⟩|$sum += ⟨0.5 * wp.length($cr)|{fa}[$t]|@tri_area({x}[$i0], {x}[$i1], {x}[$i2])⟩|$sum += {fa}[$t]
            $acc += {fn}[$t] * {fa}[$t]⟩
        ⟨1:{nout2}[$i] = $acc|{vring}[$i] = $sum ⟨/ 3.0|* 0.33333⟩|{nout2}[$i] = $acc
        {vring}[$i] = $sum / 3.0⟩
        """,
        kinds="vector",
    ),
    Idea(
        "lump_areas",
        "⟨1:lump_vertex_areas|compute_vertex_mass⟩ ⟨1:scatter_areas|distribute_mass⟩",
        "distribute the ⟨1:area|mass⟩ of each triangle to its vertices",
        """
        $area = ⟨0.5 * wp.length($cr)|@tri_area($p0, $p1, $p2)⟩
        ⟨|if $area < {tol}:
            wp.atomic_add({ncount}, 0, 1)
            return

        ⟩$share = $area / 3.0
        ⟨1:|⟨$type = {mat}[$t]
        if $type == {COTTON}:
            $share = $share * 0.3
        elif $type == {SILK}:
            # thin cloth
            $share = $share * 0.1
        elif $type == {LEATHER}:
            $share = $share * 0.8⟨
            wp.atomic_add({ncount2}, 0, 1)|⟩
        else:
            $share = $share * {rho}|$share = $share * {rho} * {thick}[$t]⟩
        ⟩⟨wp.atomic_add(⟨1:{varea}|{vmass}⟩, $i0, $share)
        wp.atomic_add(⟨1:{varea}|{vmass}⟩, $i1, $share)
        wp.atomic_add(⟨1:{varea}|{vmass}⟩, $i2, $share)|for $k in range(3):
            wp.atomic_add(⟨1:{varea}|{vmass}⟩, {tri}[$t, $k], $share)|for $k in range(3):
            $id = {tri}[$t, $k]
            ⟨if not {pinned}[$id]:|if {vflag}[$id] & {PINNED} == 0:⟩
                wp.atomic_add(⟨1:{varea}|{vmass}⟩, $id, $share)⟩
        ⟨|{farea2}[$t] = $area|wp.atomic_add({areasum}, 0, $area)⟩
        """,
        threads="t",
        kinds="atomic gather_scatter atomics",
    ),
    Idea(
        "face_gradient",
        "compute_face_gradient gradient_p1 eval_gradient triangle_gradient",
        "compute the gradient of a field in each triangle",
        """
        ⟨|||$i0 = {flat}[3 * $t]
        $i1 = {flat}[3 * $t + 1]
        $i2 = {flat}[3 * $t + 2]
        |$i0 = {face}[$t][0]
        $i1 = {face}[$t][1]
        $i2 = {face}[$t][2]
        ⟩hook tri
        $sq = wp.dot($cr, $cr)
        if $sq < ⟨{tol}|0.2⟩:
            ⟨{fgrad}[$t] = wp.vec3(0.0, 0.0, 0.0)
            return|return⟩

        # opposite edges, rotated by the normal
        $sum = {u}[$i0] * wp.cross($cr, $p2 - $p1)
        $sum += {u}[$i1] * wp.cross($cr, $p0 - $p2)
        $sum += {u}[$i2] * wp.cross($cr, $p1 - $p0)
        $grad = $sum / $sq
        ⟨|$len = wp.length($grad)
        if $len > ⟨1.0|0.8⟩:
            $grad = $grad / $len
        |# unit direction of the steepest descent
        $grad = -$grad / (wp.length($grad) + 0.01)
        ⟩{fgrad}[$t] = $grad
        ⟨|{fnorm}[$t] = wp.length($grad)|{farea2}[$t] = 0.5 * wp.sqrt($sq)⟩
        """,
        threads="t",
        kinds="vector combined finite_elements",
    ),
    Idea(
        "edge_points",
        "subdivide_edges split_edges ⟨1:⟨2:loop|smooth⟩_edge_points|edge_midpoints⟩",
        "compute the new point of each edge by ⟨1:⟨2:the rule of Loop subdivision|the rule of Catmull and Clark⟩|its midpoint⟩",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩⟨1:$left = {wing}[$e, 0]
        $right = {wing}[$e, 1]
        $mid = 0.5 * ($xa + $xb)
        if $left ⟨>= 0 and $right >= 0|!= {NONE} and $right != {NONE}⟩⟨| and $type != {BEND}⟩:
            # interior edge: both triangles take part
            $ca = ({x}[{tri}[$left, 0]] + {x}[{tri}[$left, 1]] + {x}[{tri}[$left, 2]]) / 3.0
            $cb = ({x}[{tri}[$right, 0]] + {x}[{tri}[$right, 1]] + {x}[{tri}[$right, 2]]) / 3.0
            $mid = ⟨2:0.25 * $mid + 0.375 * ($ca + $cb)|0.5 * $mid + 0.25 * ($ca + $cb)⟩|$mid = 0.5 * ($xa + $xb)
        ⟨if {pinned}[$ia] and {pinned}[$ib]:
            ⟨# held edges keep their rest shape
            |⟩$mid = 0.5 * ({rest}[$ia] + {rest}[$ib])|if $mid[1] < {floor}:
            # new points stay above the ground
            $mid = wp.vec3($mid[0], {floor}, $mid[2])⟩⟩
        {epoint}[$e] = $mid
        ⟨|{elen}[$e] = wp.length($xb - $xa)|{evec}[$e] = $xb - $xa⟩
        """,
        threads="e",
        kinds="vector combined",
    ),
    Idea(
        "edge_lengths",
        "⟨1:compute_edge_lengths|edge_ratio|edge_strain⟩ ⟨1:measure_edges|stretch_ratio|eval_edge_strain⟩",
        "compute the ⟨1:length|ratio of the length and the rest length|strain⟩ of each edge",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩⟨1:{elen}[$e] = ⟨wp.length($xb - $xa)|wp.max(wp.length($xa - $xb), {l0off})⟩|{elen}[$e] = wp.length($xb - $xa) / ⟨$l0|wp.max($l0, {spacing})⟩|$rat = wp.length($xb - $xa) / $l0
        {elen}[$e] = ⟨$rat - 1.0|0.5 * ($rat * $rat - 1.0)|wp.log($rat + 0.01)⟩⟩
        """,
        threads="e",
        kinds="arithmetic",
    ),
    Idea(
        "gather_corners",
        "gather_corners unpack_triangles expand_vertices fetch_corners",
        "copy the ⟨1:⟨6:position|displacement|position⟩|velocity|field value⟩ of each corner to the expanded array",
        """
        ⟨1:{corner}[$t, $a] = ⟨6:{x}[{tri}[$t, $a]]|{x}[{tri}[$t, $a]] - {rest}[{tri}[$t, $a]]|{x}[{flat}[3 * $t + $a]]⟩|$id = ⟨{tri}[$t, $a]|{flat}[3 * $t + $a]⟩
        ⟨|if {pinned}[$id]:
            # held vertices have no velocity
            {corner}[$t, $a] = wp.vec3(0.0, 0.0, 0.0)
            return
        |if {mat}[$t] != {target}:
            return
        ⟩{corner}[$t, $a] = {v}[$id]|$id = {flat}[3 * $t + $a]
        ⟨|if {pinned}[$id]:
            return
        ⟩{cornerval}[$t, $a] = {u}[$id]⟩
        """,
        threads="t a",
        kinds="gather_scatter multi_dim",
    ),
)
