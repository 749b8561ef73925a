"""Ideas of the domain `surfaces`: cloth on a regular grid of vertices, resets."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LATTICES = (
    Idea(
        "grid_springs",
        "eval_grid_springs cloth_grid_forces grid_cloth_forces spring_stencil",
        "sum the forces of the springs between the vertices of the cloth grid",
        """
        ⟨|if {gridflag}[$r, $q] == 1:
            # pinned corner
            return

        ⟩$p = {gx}[$r, $q]
        $f = wp.vec3(0.0, {g}, 0.0)⟨| - {kd} * {gv}[$r, $q]⟩
        for $dr in range(-1, 2):
            for $dq in range(-1, 2):
                ⟨4:if $dr == 0 and $dq == 0:
                    continue
                |⟨# springs along the rows and columns
                |⟩if wp.abs($dr) + wp.abs($dq) != 1:
                    continue
                |⟩$nr = $r + $dr
                $nq = $q + $dq
                ⟨if $nr < 0 or $nr >= {rows} or $nq < 0 or $nq >= {cols}:
                    continue
                |if $nr < 0 or $nr >= {rows}:
                    continue
                if $nq < 0 or $nq >= {cols}:
                    continue
                ⟩$dvec = {gx}[$nr, $nq] - $p
                $len = wp.length($dvec)
                $goal = ⟨4:{spacing} * wp.sqrt(float($dr * $dr + $dq * $dq))|{spacing}|{spacing} * wp.sqrt(float($dr * $dr + $dq * $dq))⟩
                ⟨if $len > 0.001:
                    $f += $dvec * ({kp} * ($len - $goal) / $len)|if $len > $goal:
                    # only stretched springs pull
                    $f += $dvec * ({kp} * ($len - $goal) / $len)⟩
        {gforce}[$r, $q] = $f
        ⟨|{gx_out}[$r, $q] = $p + {dt} * {gv}[$r, $q] + ({dt} * {dt}) * $f⟩
        """,
        threads="r q",
        kinds="nested_loop combined cloth stencil",
    ),
    Idea(
        "grid_triangles",
        "build_grid_triangles create_cloth_indices grid_indices triangulate_grid",
        "write the vertex indices of the two triangles of each cell of the cloth grid",
        """
        ⟨if $r == {rows} - 1 or $q == {cols} - 1:
            return|if $r + 1 >= {rows}:
            return
        if $q + 1 >= {cols}:
            return⟩

        $a = $r * {cols} + $q
        $b = $a + 1
        $c = $a + {cols}
        $d = $c + 1
        $cell = ⟨$r * ({cols} - 1) + $q|$q * ({rows} - 1) + $r⟩
        ⟨$base = $cell * 6
        {gridtri}[$base] = $a
        {gridtri}[$base + 1] = $b
        ⟨if ($r + $q) % 2 == 0:
            # alternate the diagonal
            {gridtri}[$base + 2] = $d
            {gridtri}[$base + 3] = $a
        else:
            {gridtri}[$base + 2] = $c
            {gridtri}[$base + 3] = $b|{gridtri}[$base + 2] = $d
        {gridtri}[$base + 3] = $a|if $q % 2 == 1:
            {gridtri}[$base + 2] = $d
            {gridtri}[$base + 3] = $a
        else:
            {gridtri}[$base + 2] = $c
            {gridtri}[$base + 3] = $b⟩
        {gridtri}[$base + 4] = $d
        {gridtri}[$base + 5] = $c|$first = 2 * $cell
        {gridface}[$first] = wp.vec3i($a, $b, $d)
        {gridface}[$first + 1] = wp.vec3i($a, $d, $c)|$first = 2 * $cell
        if ⟨($r + $q) % 2 == 1|$r % 2 == 0⟩:
            {gridface}[$first] = wp.vec3i($a, $b, $d)
            {gridface}[$first + 1] = wp.vec3i($a, $d, $c)
        else:
            {gridface}[$first] = wp.vec3i($a, $b, $c)
            {gridface}[$first + 1] = wp.vec3i($b, $d, $c)⟩
        ⟨|if $r == 0⟨| or $q == 0⟩:
            {gridmark}[$r, $q] = 1
        elif ($r + $q) % ⟨2|3⟩ == 0:
            {gridmark}[$r, $q] = 2|{gridmark}[$r, $q] = $cell⟩
        """,
        threads="r q",
        kinds="multi_conditional control_flow multi_dim",
        integer=True,
    ),
    Idea(
        "reset_vertices",
        "clear_accumulators reset_forces zero_vertices init_step",
        "reset the accumulators of each vertex before the assembly",
        """
        hook vertex
        {acc0}[$i] = ⟨wp.vec3(0.0, ⟨{g} / {invm}[$i]|0.0⟩, 0.0)|{push}[$i]⟩
        ⟨|{acc1}[$i] = 0.0|{acc1}[$i] = 1.0 / {invm}[$i]⟩
        ⟨|if {bc}[$i] ⟨== {NONE}|< 0⟩:
            {acc2}[$i] = 0
        else:
            {acc2}[$i] = {bc}[$i] + 1|{acc2}[$i] = {vflag}[$i] & {SELECTED}⟩
        """,
        kinds="arithmetic",
    ),
)
