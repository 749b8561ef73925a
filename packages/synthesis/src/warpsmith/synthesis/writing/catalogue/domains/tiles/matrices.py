"""Ideas of the domain `tiles`: products of matrices, grids of tiles and batches of small matrices."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BLOCKS = (32, 64)

MATRICES = (
    Idea(
        "gemm",
        "gemm matmul_tiled tile_gemm multiply_tiles",
        "multiply two matrices, a tile of the product for each block⟨2:||, and add to the result|, and apply an activation⟩",
        """
        $acc = wp.tile_zeros(shape=({tm}, {tn}), dtype=float)
        for $ks in range(⟨2:⟨{ks}|{bm}.shape[0] // {tk}⟩|⟨{ks}|{bm}.shape[0] // {tk}⟩|⟨{ks}|{bm}.shape[0] // {tk}⟩|{ks}⟩):
            ⟨$a = wp.tile_load({a}, shape=({tm}, {tk}), offset=($bi * {tm}, $ks * {tk})⟨||, storage="shared"⟩)|$a = wp.tile_transpose(wp.tile_load({at}, shape=({tk}, {tm}), offset=($ks * {tk}, $bi * {tm})))⟩
            $b = wp.tile_load({bm}, shape=({tk}, {tn}), offset=($ks * {tk}, $bj * {tn})⟨|, storage="shared"⟩)
            ⟨# acc += a @ b
            |⟩⟨wp.tile_matmul($a, $b, $acc)|wp.tile_matmul($a, $b, $acc)|$acc += wp.tile_matmul($a, $b)|wp.tile_matmul($a, $b, $acc, alpha=⟨0.5|0.25⟩)⟩
        ⟨2:|$acc = $acc * ⟨0.5|0.125⟩
        |$old = wp.tile_load({cm}, shape=({tm}, {tn}), offset=($bi * {tm}, $bj * {tn}))
        $acc = $acc ⟨+ $old|- $old|+ $old * {mix}⟩
        |$acc = wp.tile_map(⟨@activate|wp.tanh⟩, $acc)
        ⟩wp.tile_⟨store|store|atomic_add⟩({c}, $acc, offset=($bi * {tm}, $bj * {tn}))
        """,
        threads="bi bj",
        kinds="tile_matrix",
        docs="Each block computes one tile of the product, and runs over the shared dimension in steps",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "linear",
        "linear_layer dense_forward mlp_layer linear_bias",
        "compute a linear layer with ⟨1:biases|biases and an activation|biases and sums of columns⟩",
        """
        $a = wp.tile_load(⟨3:{a}|{a}|{h}⟩, shape=({tm}, {tk}), offset=($bi * {tm}, 0))
        $b = wp.tile_load({bm}, shape=({tk}, {tn}), offset=(0, $bj * {tn}))
        $acc = wp.tile_matmul(⟨3:$a|$a|wp.tile_astype($a, dtype=float)⟩, $b⟨|, alpha=0.5⟩)

        # one bias for each column
        $bias = wp.tile_load({cb}, ⟨shape={tn}, offset=$bj * {tn}|shape=({tn},), offset=($bj * {tn},)⟩)
        $acc = $acc + wp.tile_broadcast($bias, shape=({tm}, {tn}))
        ⟨1:|$acc = wp.tile_map(@activate, $acc)
        |wp.tile_atomic_add({csum}, wp.tile_sum($acc, axis=0), offset=$bj * {tn})
        ⟩wp.tile_store({c}, $acc, offset=($bi * {tm}, $bj * {tn}))
        """,
        threads="bi bj",
        kinds="tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "transpose",
        "transpose_tiles transpose copy_transposed tile_transpose",
        "⟨1:transpose a matrix|transpose a matrix and scale it|add a matrix to a transposed one⟩, one tile for each block",
        """
        ⟨1:$tile = wp.tile_load({cm}, shape=({tm}, {tn}), offset=($bi * {tm}, $bj * {tn})⟨|, storage="shared"⟩)
        wp.tile_store({ct}, wp.tile_transpose($tile), offset=($bj * {tn}, $bi * {tm}))|$tile = wp.tile_load({cm}, shape=({tm}, {tn}), offset=($bi * {tm}, $bj * {tn}))
        $flip = wp.tile_transpose($tile)
        wp.tile_store({ct}, $flip * ⟨{mix}|2.0|0.5⟩, offset=($bj * {tn}, $bi * {tm}))|$tile = wp.tile_load({cm}, shape=({tm}, {tn}), offset=($bi * {tm}, $bj * {tn}))
        wp.tile_⟨atomic_add|store⟩({ct}, wp.tile_transpose($tile⟨| * {mix}⟩), offset=($bj * {tn}, $bi * {tm}))⟩
        """,
        threads="bi bj",
        kinds="tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "batched",
        "batched_matmul batch_gemm multiply_batch bmm_tiled",
        "multiply the matrices of a batch⟨1:|, and scale the products|, and map the products⟩",
        """
        $a = wp.tile_load({q3}[$mi], shape=({tm}, {tk})⟨|, storage="shared"⟩)
        $b = wp.tile_load({k3}[$mi], shape=({tk}, {tn}))
        $prod = wp.tile_matmul($a, $b⟨|, alpha=0.5⟩)
        ⟨1:|$prod = $prod * (1.0 / float({tk}))
        |$prod = wp.tile_map(⟨@activate|@shrink|wp.tanh⟩, $prod)
        ⟩$flatp = wp.tile_reshape($prod, shape=(1, {tm}, {tn}))
        wp.tile_store({c3}, $flatp, offset=($mi, 0, 0))
        """,
        threads="mi",
        kinds="tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "matvec",
        "batched_matvec matvec_tiled apply_matrices multiply_vectors",
        "multiply the matrix of each block with its vector⟨1:||, by sums of rows⟩",
        """
        $a = wp.tile_load({q3}[$mi], shape=({tm}, {tk}))
        $vec = wp.tile_load({v2}⟨3:[$mi], shape={tk})|, shape=(1, {tk}), offset=($mi, 0))⟩
        ⟨1:$col = wp.tile_reshape($vec, shape=({tk}, 1))
        $prod = wp.tile_matmul($a, $col)|$prod = wp.tile_matmul($a, wp.tile_reshape($vec, shape=({tk}, 1)))|$wide = wp.tile_broadcast($vec, shape=({tm}, {tk}))
        $prod = wp.tile_sum($a * $wide, axis=1)⟩
        wp.tile_store({mv}, wp.tile_reshape($prod, shape=(1, {tm})), offset=($mi, 0))
        """,
        threads="mi",
        kinds="tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "gram",
        "gram_matrix gram_blocks outer_products normal_matrix",
        "compute ⟨1:J times its transpose|the covariance of rows|a regularized normal matrix⟩ for each block",
        """
        $jac = wp.tile_load({q3}[$mi], shape=({tm}, {tk}))
        ⟨1:|# rows with zero mean
        $mean = wp.tile_reshape(wp.tile_sum($jac, axis=1) * (1.0 / float({tk})), shape=({tm}, 1))
        $jac = $jac - wp.tile_broadcast($mean, shape=({tm}, {tk}))
        |⟩$jt = wp.tile_transpose($jac)
        $gm = wp.tile_matmul($jac, $jt⟨|, alpha=0.5⟩)
        ⟨1:|$gm = $gm * (1.0 / float({tk} - 1))
        |⟨# Tikhonov regularization
        |⟩$zero = wp.tile_zeros(shape=({tm}, {tm}), dtype=float)
        $gm += wp.tile_diag_add($zero, wp.tile_full(shape={tm}, value=⟨{ridge}|{ridge2}⟩, dtype=float))
        ⟩wp.tile_store({gram}, wp.tile_reshape($gm, shape=(1, {tm}, {tm})), offset=($mi, 0, 0))
        """,
        threads="mi",
        kinds="tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
    Idea(
        "distances",
        "pairwise_scores compare_points score_centers point_center_scores",
        "compute ⟨1:squared distances|kernel values|inner products⟩ of points and centers",
        """
        $points = wp.tile_load({pts}, shape=({tm}, {tk}), offset=($bi * {tm}, 0))
        $ctrs = wp.tile_load({ctr}, shape=({tn}, {tk}), offset=($bj * {tn}, 0))
        $ct = wp.tile_transpose($ctrs)
        $dot = wp.tile_matmul($points, $ct)
        ⟨1:⟨# the squares of both lengths, minus twice the product
        |⟩$pp = wp.tile_reshape(wp.tile_sum($points * $points, axis=1), shape=({tm}, 1))
        $cc = wp.tile_sum($ctrs * $ctrs, axis=1)
        $dist = wp.tile_broadcast($pp, shape=({tm}, {tn})) + wp.tile_broadcast($cc, shape=({tm}, {tn})) - $dot * 2.0
        wp.tile_store({c}, $dist, offset=($bi * {tm}, $bj * {tn}))|$kern = wp.tile_map(⟨wp.exp|wp.tanh|@activate⟩, $dot * ⟨0.25|0.5⟩)
        wp.tile_store({c}, $kern, offset=($bi * {tm}, $bj * {tn}))|wp.tile_store({c}, $dot, offset=($bi * {tm}, $bj * {tn}))⟩
        """,
        threads="bi bj",
        kinds="tile_matrix",
        blocks=BLOCKS,
        tiled=True,
    ),
)
