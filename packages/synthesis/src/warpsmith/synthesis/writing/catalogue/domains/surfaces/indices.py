"""Ideas of the domain `surfaces`: index arrays, colours, patterns of sparse matrices, copies and fills."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

INDICES_IDEAS = (
    Idea(
        "merge_indices",
        "append_triangles copy_indices merge_meshes offset_indices",
        "copy the vertex indices of a mesh that is appended to another one",
        """
        ⟨|if {mat}[$t] ⟨== {target}|!= {target}⟩:
            {meshout}[$t, $a] = {NONE}
            return
        ⟩⟨{meshout}[$t, $a] = {tri}[$t, $a] + {base}|{meshout}[$t, $a] = {flat}[$t * 3 + $a] + {base}|$id = {remap}[{tri}[$t, $a]]
        {meshout}[$t, $a] = wp.where($id < 0, $id, $id + {base})|# reversed triangles are turned over
        {meshout}[$t, $a] = {tri}[$t, wp.where({side}[$t] == 1, 2 - $a, $a)] + {base}|{meshout}[$t, $a] = {tri}[$t, 2 - $a] + {base}⟩
        """,
        threads="t a",
        kinds="gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "half_edges",
        "build_half_edges emit_half_edges corner_edges fill_half_edges",
        "write the half edge that begins at each corner of each triangle",
        """
        $from = {tri}[$t, $a]
        $to = {tri}[$t, ($a + 1) % 3]
        $slot = ⟨3 * $t + $a|$t * 3 + $a⟩
        ⟨|if {side}[$t] == 1:
            # reversed triangle
            $to = {tri}[$t, ($a + 2) % 3]
        ⟩⟨if $from == $to:
            {hesrc}[$slot] = {NONE}
            {hedst}[$slot] = {NONE}
            return
        |⟩⟨{hesrc}[$slot] = $from
        {hedst}[$slot] = $to|# both halves of an edge agree
        {hesrc}[$slot] = wp.min($from, $to)
        {hedst}[$slot] = wp.max($from, $to)⟩
        ⟨{heface}[$slot] = $t|{heface}[$slot] = wp.where({adj}[$t, $a] < 0, $t, wp.min($t, {adj}[$t, $a]))|# the edge belongs to the triangle with the smaller index
        $twin = {adj}[$t, $a]
        if $twin < 0:
            # boundary
            {heface}[$slot] = $t
            wp.atomic_add({ncount}, 0, 1)
        elif $twin > $t:
            {heface}[$slot] = $t
        else:
            {heface}[$slot] = $twin⟩
        ⟨|wp.atomic_add({valence}, $from, 1)⟩
        """,
        threads="t a",
        kinds="control_flow multi_dim",
        integer=True,
    ),
    Idea(
        "color_vertices",
        "color_vertices greedy_color assign_colors choose_color",
        "choose the first colour of each vertex that none of its neighbours has",
        """
        ⟨|if {pinned}[$i]:
            {colorout}[$i] = 0
            return
        ⟩$used = int(0)
        each ⟨ring|neighbor⟩:
            ⟨$used = $used | (1 << {color}[$j])|if $j < $i:
                $used = $used | (1 << {color}[$j])⟩
        ⟨$pick = int(0)
        while ($used >> $pick) & 1 == 1:
            $pick = $pick + 1|$pick = int(0)
        while $pick < ⟨6|7⟩ and ($used & (1 << $pick)) != 0:
            $pick = $pick + 1|$pick = {color}[$i]
        if ($used >> $pick) & 1 == 1:
            # conflict: take the first free colour
            $pick = int(0)
            while ($used >> $pick) & 1 == 1:
                $pick = $pick + 1⟩
        {colorout}[$i] = $pick
        ⟨|wp.atomic_add({colorcount}, $pick, 1)|if $pick != {color}[$i]:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="control_flow while_loop integer_bits",
        integer=True,
    ),
    Idea(
        "row_pattern",
        "analyze_rows find_diagonals check_pattern count_row_entries",
        "find the diagonal entry of each row and count its entries ⟨1:below|above|beside⟩ the diagonal",
        """
        $first = {nstart}[$i]
        $last = {nstart}[$i + 1]
        ⟨if $first == $last:
            # empty row
            {rowdiag}[$i] = {NONE}
            {rowcount}[$i] = 0
            return

        |⟩$diagpos = int(-1)
        $num = int(0)
        for $kk in range($first, $last):
            $col = {nlist}[$kk]
            ⟨if $col == $i:
                $diagpos = $kk
            elif $col ⟨1:<|>|!=⟩ $i⟨| and {bc}[$col] != {DIRICHLET}⟩:
                $num += 1|if $col == $i and $diagpos < 0:
                $diagpos = $kk
            if $col ⟨1:<|>|!=⟩ $i:
                $num += 1⟩
        {rowdiag}[$i] = ⟨$diagpos|wp.where($diagpos < 0, {NONE}, $diagpos - $first)⟩
        {rowcount}[$i] = $num
        ⟨|if $diagpos < 0:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="control_flow sparse multi_conditional",
        integer=True,
    ),
    Idea(
        "dof_map",
        "number_dofs build_dof_map assign_dofs mark_free_dofs",
        "write the index of the degree of freedom of each vertex and component, or none where it is fixed",
        """
        $type = {bc}[$i]
        $base = ⟨3 * $i|$i * 3⟩
        ⟨if $type == {DIRICHLET} or {pinned}[$i]:|if $type == {DIRICHLET}:⟩
            ⟨# all components are fixed
            |⟩for $k in range(3):
                {dofs}[$i, $k] = {NONE}
            ⟨|wp.atomic_add({ncount}, 0, 3)⟩
        elif $type == {NEUMANN}:
            # symmetry plane: no motion along y
            {dofs}[$i, 0] = $base
            {dofs}[$i, 1] = {NONE}
            {dofs}[$i, 2] = $base + 2
        else:
            for $k in range(3):
                {dofs}[$i, $k] = $base + $k
        """,
        kinds="nested_loop multi_conditional finite_elements",
        integer=True,
    ),
    Idea(
        "invert_map",
        "invert_permutation build_inverse_map scatter_indices inverse_order",
        "scatter the index of each vertex to its place in the new order",
        """
        ⟨{inverse}[{perm}[$i]] = $i|$new = {perm}[$i]
        {inverse}[$new] = $i|# reversed order
        $new = {n} - 1 - {perm}[$i]
        {inverse}[$new] = $i|$new = {perm}[$i]
        if {vflag}[$i] & {SELECTED} != 0:
            {inverse}[$new] = $i
        else:
            {inverse}[$new] = {NONE}|$new = {perm}[$i]
        {inverse}[$new] = $i
        {moved}[$i] = ⟨$new - $i|wp.abs($new - $i)⟩⟩
        ⟨|if {perm}[$i] > $i:
            # moves towards the end
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="gather_scatter",
        integer=True,
    ),
    Idea(
        "clear_marks",
        "clear_marks reset_flags init_labels zero_counts",
        "set the marks of each vertex to their initial values",
        """
        ⟨{mark0}[$i] = ⟨{NONE}|0|$i|{vflag}[$i] & {PINNED}⟩|if {pinned}[$i]:
            {mark0}[$i] = {NONE}
        else:
            {mark0}[$i] = ⟨0|$i⟩|{mark0}[$i] = {vflag}[$i]|{mark0}[$i] = {remap}[$i]⟩
        ⟨|{mark1}[$i] = ⟨{bc}[$i]|$i⟩|{mark1}[$i] = {vmask}[$i]⟩
        """,
        integer=True,
        kinds="gather_scatter",
    ),
    Idea(
        "wave",
        "animate_wave displace_vertices ripple_surface wave_step",
        "displace each vertex along the vertical by a ⟨1:travelling|damped|circular⟩ wave",
        """
        $pos = {rest}[$i]
        ⟨1:$phase = {wavek} * $pos[0] - {freq} * {time}|$phase = {wavek} * ($pos[0] + $pos[2]) - {freq} * {time}|$dist = wp.sqrt($pos[0] * $pos[0] + $pos[2] * $pos[2] + 0.01)
        $phase = {wavek} * $dist - {freq} * {time}⟩
        $height = {ampl} * ⟨wp.sin($phase)|wp.cos($phase)⟩
        ⟨1:|$height = $height * wp.exp(-{decay} * {time})|$height = $height * wp.exp(-{decay} * $dist)⟩
        ⟨|if {pinned}[$i]:
            $height = 0.0
        |if {bc}[$i] == {DIRICHLET}:
            # the border moves less
            $height = 0.25 * $height
        ⟩{wavepos}[$i] = ⟨wp.vec3($pos[0], $pos[1] + $height, $pos[2])|$pos + wp.vec3(0.0, $height, 0.0)⟩
        ⟨|{waveh}[$i] = $height|{waveh}[$i] = $pos[1] + $height⟩
        """,
        kinds="math scalar_param",
    ),
    Idea(
        "heat_update",
        "heat_update exchange_step relax_field update_temperature",
        "advance the field at each vertex by ⟨1:exchange with the surroundings|a source and exchange|a limited rate⟩",
        """
        $val = {u}[$i]
        ⟨1:$rate = {hex} * ({tamb} - $val)|$rate = {qsrc} + {hex} * ({tamb} - $val)|$rate = ({tamb} - $val) * {hex} / (1.0 + $val * $val)⟩
        ⟨|if {bc}[$i] == {DIRICHLET}:
            {unew}[$i] = {bcval}[$i]
            return
        |if {vmask}[$i] == 1:
            # insulated
            $rate = $rate * 0.1
        ⟩⟨{unew}[$i] = $val + {hstep} * $rate|# implicit in the exchange
        {unew}[$i] = ($val + {hstep} * ($rate + {hex} * $val)) / (1.0 + {hstep} * {hex})|{unew}[$i] = wp.clamp($val + {hstep} * $rate, -1.0, 1.0)⟩
        ⟨|{urate}[$i] = $rate⟩
        """,
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "corner_angles",
        "compute_corner_angles angle_deficit triangle_angles interior_angles",
        "compute the interior angles of each triangle ⟨1:|and subtract them from the angle deficit of its vertices⟩",
        """
        hook tri
        for $k in range(3):
            $id = {tri}[$t, $k]
            $pa = {x}[{tri}[$t, ($k + 1) % 3]] - {x}[$id]
            $pb = {x}[{tri}[$t, ($k + 2) % 3]] - {x}[$id]
            ⟨$ang = wp.atan2(wp.length(wp.cross($pa, $pb)) + 0.001, wp.dot($pa, $pb))|$cosv = wp.dot($pa, $pb) / (wp.length($pa) * wp.length($pb) + 0.01)
            $ang = wp.acos(wp.clamp($cosv, -0.99, 0.99))⟩
            {tangle}[$t, $k] = $ang
            ⟨|{cot}[$t, $k] = wp.dot($pa, $pb) / (wp.length(wp.cross($pa, $pb)) + 0.01)⟩
            ⟨1:⟨|if $ang > 1.5707963:
                # obtuse corner
                wp.atomic_add({ncount}, 0, 1)⟩|⟨wp.atomic_sub({deficit}, $id, $ang)|if not {pinned}[$id]:
                wp.atomic_sub({deficit}, $id, $ang)⟩⟩
        """,
        threads="t",
        kinds="math",
    ),
)
