"""Ideas of the domain `solvers`: products of sparse and dense matrices with vectors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

PRODUCTS = (
    Idea(
        "spmv",
        "spmv sparse_matvec csr_mv matvec_rows",
        "multiply the sparse matrix and the vector⟨1:| and add a second vector|, with the diagonal apart⟩",
        """
        ⟨if {rtype}[$i] == {IDENT}:
            # identity row
            {y}[$i] = {x}[$i]
            return|if {fixed}[$i]:
            # prescribed unknowns are eliminated
            {y}[$i] = 0.0
            return|⟩
        $sum = ⟨1:float(0.0)|{cb_} * {b}[$i]|{diag}[$i] * {x}[$i]⟩
        each nz:
            $sum += ⟨1:$a * {x}[$j]|{ca_} * $a * {x}[$j]|$a * {x}[$j]⟩

        {y}[$i] = $sum
        hook tally
        """,
        kinds="control_flow sparse linear_algebra reduction",
    ),
    Idea(
        "residual",
        "compute_residual residual_rows eval_residual linear_residual",
        "compute the residual of each row",
        """
        hook row
        $sum = float(0.0)
        each nz:
            $sum += $a * {x}[$j]

        ⟨if {fixed}[$i]:
            # prescribed values have no residual
            {r_out}[$i] = ⟨0.0|{b}[$i] - {x}[$i]⟩
        else:
            {r_out}[$i] = {b}[$i] - $sum|if {rtype}[$i] == {IDENT}:
            {r_out}[$i] = {b}[$i] - {x}[$i]
        elif {rtype}[$i] == {SCALED}:
            {r_out}[$i] = 0.5 * ({b}[$i] - $sum)
        elif {rtype}[$i] == {DROPPED}:
            {r_out}[$i] = 0.0
        else:
            {r_out}[$i] = {b}[$i] - $sum|$ri = {b}[$i] - ⟨{diag}[$i] * {x}[$i] - |⟩$sum
        {r_out}[$i] = $ri
        ⟨# the first direction of the iteration
        {p_out}[$i] = ⟨$ri|$ri / {diag}[$i]⟩|wp.atomic_add({total}, 0, $ri * $ri)|if wp.abs($ri) > {tol}:
            wp.atomic_add({total}, 0, $ri * $ri)|⟩⟩
        hook tally
        """,
        kinds="control_flow sparse linear_algebra",
    ),
    Idea(
        "spmv_coo",
        "coo_spmv scatter_entries entry_matvec coo_mv",
        "add the contribution of each entry to the product⟨1:| of the symmetric matrix| of the transpose⟩",
        """
        hook entry
        $a = {val}[$e]
        ⟨1:wp.atomic_add({yacc}, $r, $a * {x}[$cc])|wp.atomic_add({yacc}, $r, $a * {x}[$cc])
        ⟨if $r != $cc:
            # the other triangle is not stored
            wp.atomic_add({yacc}, $cc, $a * {x}[$r])|if $cc < $r:
            wp.atomic_add({yacc}, $cc, $a * {x}[$r])⟩|wp.atomic_add({yacc}, $cc, $a * {x}[$r])⟩
        ⟨|wp.atomic_add({total}, 0, $a * $a)|# square sum of each column, for the scaling
        wp.atomic_add({csum}, $cc, $a * $a)|wp.atomic_add({csum}, $cc, wp.abs($a))⟩
        hook etally
        """,
        threads="e",
        kinds="atomic gather_scatter sparse linear_algebra atomics",
    ),
    Idea(
        "block_product",
        "bsr_spmv block_matvec bsr_mv block_row_product",
        "⟨2:multiply each block row and the vector|multiply each block row and the vector, with the diagonal apart|"
        "compute the residual of each block row|multiply each block row and the vector and add a second vector⟩",
        """
        hook pin
        ⟨1:$sum = wp.vec3()
        for $k in range({brow}[$ib], {brow}[$ib + 1]):
            $j = {bcol}[$k]
            ⟨2:|if $j == $ib:
                continue||⟩
            $sum += ⟨2:{bval3}[$k] @ {bx3}[$j]|{bval3}[$k] @ {bx3}[$j]|{bval3}[$k] @ {bx3}[$j]|{ca_} * ({bval3}[$k] @ {bx3}[$j])⟩

        {by3}[$ib] = ⟨2:$sum|$sum + {bdiag3}[$ib] @ {bx3}[$ib]|{bb3}[$ib] - $sum|{cb_} * {bb3}[$ib] + $sum⟩|$sum = wp.vec2()
        ⟨$begin = {brow}[$ib]
        $end = {brow}[$ib + 1]
        for $k in range($begin, $end):|for $k in range({brow}[$ib], {brow}[$ib + 1]):⟩
            $j = {bcol}[$k]
            ⟨if {bfixed}[$j] ⟨!= 0|== 3⟩:
                # columns of fixed nodes
                continue|⟩
            $sum += ⟨2:{bval2}[$k] @ {bx2}[$j]|{bval2}[$k] @ {bx2}[$j]|{bval2}[$k] @ {bx2}[$j]|{ca_} * ({bval2}[$k] @ {bx2}[$j])⟩

        {by2}[$ib] = ⟨2:$sum|$sum + {bdiag2}[$ib] @ {bx2}[$ib]|{bb2}[$ib] - $sum|{cb_} * {bb2}[$ib] + $sum⟩⟩
        """,
        threads="ib",
        kinds="matrix combined sparse linear_algebra",
    ),
    Idea(
        "block_scatter",
        "bsr_transpose_mv scatter_blocks block_entry_product transposed_blocks",
        "add the product of each block to the vector of its ⟨1:row|column|row and column⟩",
        """
        $ib = {browid}[$eb]
        $j = {bcol}[$eb]
        ⟨if $ib ⟨==|<⟩ $j:
            return|if {bfixed}[$ib] == 3 or {bfixed}[$j] == 3:
            return|⟩
        $m = {bval3}[$eb]

        ⟨1:wp.atomic_add({by3acc}, $ib, $m @ {bx3}[$j])|wp.atomic_add({by3acc}, $j, wp.transpose($m) @ {bx3}[$ib])|wp.atomic_add({by3acc}, $ib, $m @ {bx3}[$j])
        if $ib != $j:
            wp.atomic_add({by3acc}, $j, wp.transpose($m) @ {bx3}[$ib])⟩
        ⟨|wp.atomic_add({total}, 0, ⟨wp.ddot($m, $m)|wp.dot({bx3}[$ib], $m @ {bx3}[$j])⟩)⟩
        """,
        threads="eb",
        kinds="matrix atomic gather_scatter sparse",
    ),
    Idea(
        "dense_product",
        "dense_matvec gemv_batched dense_row_product batched_mv",
        "multiply the dense matrix of each system and its vector",
        """
        hook system
        $sum = float(0.0)
        for $t in range(⟨1:{dof}|$d + 1|$d, {dof}⟩):
            ⟨2:$sum += {sA}[$b, $d, $t] * {sx}[$b, $t]|# the diagonal is stored separately
            if $t != $d:
                $sum += {sA}[$b, $d, $t] * {sx}[$b, $t]|$a = {sA}[$b, $d, $t]
            # small entries do not count
            if wp.abs($a) > {cut}:
                $sum += $a * {sx}[$b, $t]⟩

        {smv}[$b, $d] = ⟨2:⟨$sum|$sum + {shift} * {sx}[$b, $d]⟩|⟨$sum + {sdiag}[$b, $d] * {sx}[$b, $d]|{sdiag}[$b, $d] * {sx}[$b, $d] + $sum⟩|$sum⟩
        ⟨|wp.atomic_add({total}, 0, $sum)⟩
        """,
        threads="b d",
        kinds="linear_algebra reduction multi_dim",
        docs="⟨1:full product|only the lower triangle is used|only the upper triangle is used⟩",
    ),
    Idea(
        "find_diagonal",
        "find_diagonal locate_diag diag_positions split_rows",
        "find the entry of the diagonal in each row and count the entries on both sides",
        """
        $pos = int(-1)
        $low = int(0)
        $up = int(0)
        ⟨for $k in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$k]
            ⟨if $j == $i:
                $pos = $k
                continue
            if $j < $i:|if $j == $i:
                $pos = $k
            elif $j < $i:⟩
                $low += 1
            else:
                $up += 1|$k = int({row}[$i])
        $end = {row}[$i + 1]
        while $k < $end:
            $j = {col}[$k]
            if $j < $i:
                $low += 1
            elif $j > $i:
                $up += 1
            else:
                $pos = $k
            $k += 1⟩

        {dpos}[$i] = $pos
        {nlow}[$i] = $low
        ⟨{nup}[$i] = $up|⟩
        ⟨if $pos < 0:
            # a missing diagonal breaks the smoother
            wp.atomic_add({count}, 0, 1)|if $low > $up:
            wp.atomic_add({count}, 1, 1)|⟩
        """,
        kinds="control_flow multi_conditional sparse while_loop",
        integer=True,
    ),
    Idea(
        "bandwidth",
        "matrix_bandwidth row_bandwidth measure_band row_spread",
        "measure how far the entries of each row are from the diagonal",
        """
        hook row
        $wide = int(0)
        each pat:
            $dist = ⟨wp.abs($j - $i)|$i - $j|$j - $i⟩
            ⟨if $dist > $wide:
                $wide = $dist|$wide = wp.max($wide, $dist)⟩
        {reach}[$i] = $wide

        ⟨wp.atomic_max({band}, 0, $wide)|if $wide > ⟨8|16⟩:
            wp.atomic_max({band}, 0, $wide)
            wp.atomic_add({count}, 3, 1)|# profile of the matrix
        wp.atomic_add({count}, 1, $wide)⟩
        """,
        kinds="atomic control_flow sparse reduction",
        integer=True,
    ),
    Idea(
        "product_pattern",
        "spgemm_symbolic count_product_nnz product_row_bound symbolic_rows",
        "bound the number of entries in each row of the product of the matrix with itself",
        """
        hook row
        $total_nnz = int(0)
        each pat:
            $first = {row}[$j]
            $last = {row}[$j + 1]
            ⟨$total_nnz += $last - $first|for $s in range($first, $last):
                if {col}[$s] ⟨<= |!= |< ⟩$i:
                    $total_nnz += 1|for $s in range($first, $last):
                $target = {col}[$s]
                # coarse unknowns only
                if {color}[$target] == {which}⟨ and not {fixed}[$target]|⟩:
                    $total_nnz += 1⟩
        {cnnz}[$i] = ⟨$total_nnz|wp.min($total_nnz, {n})⟩

        ⟨wp.atomic_add({count}, 0, $total_nnz)|wp.atomic_max({count}, 1, $total_nnz)|⟩
        """,
        kinds="nested_loop control_flow sparse",
        integer=True,
    ),
    Idea(
        "entry_keys",
        "entry_sort_keys triplet_keys coo_keys filter_triplets",
        "make the sort key of each entry and count the entries of its row",
        """
        hook entry
        ⟨if $r > $cc:
            # lower triangle
            {key}[$e] = -1
            return|if {slot}[$e] < 0:
            {key}[$e] = -1
            return|⟩
        {key}[$e] = ⟨$r * {n} + $cc|($r << 12) + $cc|$cc * {n} + $r|({color}[$r] << 16) + $r * {n} + $cc⟩

        wp.atomic_add({touched}, $r, 1)
        hook etally
        """,
        threads="e",
        kinds="gather_scatter sorting sparse atomic",
        integer=True,
    ),
    Idea(
        "assemble_entries",
        "assemble_entries accumulate_values map_triplets scatter_values",
        "add the value of each entry to its place in the assembled matrix",
        """
        $target = {slot}[$e]
        if $target < 0:
            return
        ⟨if {fixed}[$r] or {fixed}[$cc]:
            return
        |if {rtype}[$r] == {DROPPED}:
            return
        |⟩$a = {val}[$e]
        ⟨if {rtype}[$r] == {SCALED}:
            $a = $a / {diag}[$r]|⟩

        wp.atomic_add({avals}, $target, $a)
        ⟨if $r == $cc:
            # the smoother needs the diagonal
            wp.atomic_add({adiag}, $r, $a)
        else:
            wp.atomic_add({csum}, $cc, wp.abs($a))|wp.atomic_add({csum}, $cc, ⟨wp.abs($a)|$a * $a⟩)|if $cc < $r:
            # lower triangle
            wp.atomic_add({count}, 1, 1)|wp.atomic_add({total}, 0, $a * $a)⟩
        """,
        threads="e",
        kinds="atomic control_flow sparse gather_scatter",
    ),
)
