"""Ideas of the domain `learning`: normalization, activations, dropout, convolutions, pooling, clusters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LAYERS = (
    Idea(
        "layer_norm",
        "layer_norm layernorm_forward rms_norm norm_forward normalize_rows",
        "normalize the features of each row by their ⟨1:mean and variance|root mean square|mean and variance|norm⟩",
        """
        hook row_begin
        ⟨1:$mean = float(0.0)
        for $f in range({F}):
            $mean += {feat}[$i, $f]
        $mean = $mean / float({F})
        $var = float(0.0)
        for $f in range({F}):
            $u = {feat}[$i, $f] - $mean
            $var += $u * $u
        $rstd = 1.0 / wp.sqrt($var / float({F}) + {eps})|$var = float(0.0)
        for $f in range({F}):
            $var += {feat}[$i, $f] * {feat}[$i, $f]
        $rstd = 1.0 / wp.sqrt($var / float({F}) + {eps})|$mean = float(0.0)
        $var = float(0.0)
        for $f in range({F}):
            $x = {feat}[$i, $f]
            $mean += $x / float({F})
            $var += $x * $x / float({F})
        # E[x^2] - E[x]^2 may be slightly negative
        $rstd = 1.0 / wp.sqrt(wp.max($var - $mean * $mean, 0.0) + {eps})|$var = float(0.0)
        for $f in range({F}):
            $var += {feat}[$i, $f] * {feat}[$i, $f]
        $rstd = 1.0 / (wp.sqrt($var + 1.0e-6) + {eps})⟩
        for $f in range({F}):
            ⟨1:$x = ({feat}[$i, $f] - $mean) * $rstd|$x = {feat}[$i, $f] * $rstd|$x = ({feat}[$i, $f] - $mean) * $rstd|$x = {feat}[$i, $f] * $rstd⟩
            ⟨{normed}[$i, $f] = $x|{normed}[$i, $f] = $x * {gain}[$f]|{normed}[$i, $f] = $x * {gain}[$f] + {shift}[$f]|{normed}[$i, $f] = {gain}[$f] * $x + {residual}[$i, $f]⟩
        ⟨|{rstd}[$i] = $rstd⟩
        """,
        kinds="math",
    ),
    Idea(
        "activation",
        "apply_activation activation_forward bias_activation activate fused_bias_act",
        "apply the activation function of its unit to each value",
        """
        $x = {pre}[$i, $d]⟨ + {unit_bias}[$d]|⟩
        $act = {act_of}[$d]
        if $act == {RELU}:
            ⟨$y = wp.max($x, 0.0)|$y = $x
            if $x < 0.0:
                $y = {leak} * $x⟩
        elif $act == {GELU}:
            ⟨$y = 0.5 * $x * (1.0 + wp.tanh(0.79788456 * ($x + 0.044715 * $x * $x * $x)))|$y = @gelu($x)⟩
        ⟨elif $act == {SILU}:
            $y = $x * @sigmoid($x)
        |elif $act == {TANH}:
            $y = wp.tanh($x)
        |elif $act == {ELU}:
            if $x > 0.0:
                $y = $x
            else:
                $y = {alpha} * (wp.exp($x) - 1.0)
        |⟩else:
            ⟨$y = $x|$y = @softplus($x)|$y = wp.clamp($x, -1.0, 1.0)⟩
        ⟨|$y = $y * {gate}[$i, $d]|# dropout with a given mask
        $y = wp.where({keep}[$i, $d], $y / {keep_prob}, 0.0)⟩
        {activated}[$i, $d] = $y
        ⟨|if $y > {fire_level}:
            wp.atomic_add({firing}, $d, 1)⟩
        """,
        threads="i d",
        kinds="multi_conditional control_flow math helper_functions",
    ),
    Idea(
        "dropout",
        "dropout_forward apply_dropout dropout_mask random_drop drop_units",
        "drop random values and scale the rest",
        """
        ⟨1:$rng = wp.rand_init({seed}, $i * {dim} + $d)|$rng = wp.rand_init({seed}, $i)|$rng = wp.rand_init({seed} + {now}, $i * {dim} + $d)⟩
        ⟨1:|# the whole row has the same fate|⟩
        if wp.randf($rng) ⟨2:< {drop}|>= {keep_prob}⟩:
            ⟨{dropped}[$i, $d] = 0.0
            return|{dropped}[$i, $d] = 0.0
            {kept}[$i, $d] = False
            ⟨wp.atomic_add({num_dropped}, 0, 1)
            |⟩return⟩
        ⟨⟨|{kept}[$i, $d] = True⟩
        {dropped}[$i, $d] = {pre}[$i, $d] / ⟨2:(1.0 - {drop})|{keep_prob}⟩|⟨|{kept}[$i, $d] = True⟩
        {dropped}[$i, $d] = {gate}[$i, $d] * {pre}[$i, $d] / ⟨2:(1.0 - {drop})|{keep_prob}⟩|# with the rectifier in the same pass
        {dropped}[$i, $d] = wp.max({pre}[$i, $d], 0.0) / ⟨2:(1.0 - {drop})|{keep_prob}⟩⟩
        """,
        threads="i d",
        kinds="control_flow random_noise early_exit",
    ),
    Idea(
        "conv1d",
        "conv1d_forward depthwise_conv1d causal_conv conv1d temporal_conv",
        "convolve each channel along the rows",
        """
        $sum = ⟨float(0.0)|float({unit_bias}[$d])⟩
        for $tap in range({TAPS}):
            ⟨1:$src = $i + $tap - {TAPS} // 2|$src = $i - $tap|$src = $i + ($tap - 1) * {dilation}⟩
            ⟨1:if $src < 0 or $src >= {n}:
                continue|if $src < 0:
                # nothing before the first row
                continue|if $src < 0 or $src >= {n}:
                continue⟩
            ⟨|if {seg}[$src] != {seg}[$i]:
                # no mixing across segments
                continue⟩
            $sum += {taps}[$tap, $d] * {pre}[$src, $d]
        ⟨{conv_out}[$i, $d] = $sum|{conv_out}[$i, $d] = wp.max($sum, 0.0)|{conv_out}[$i, $d] = {pre}[$i, $d] + $sum|{conv_out}[$i, $d] = $sum * @sigmoid($sum)⟩
        """,
        threads="i d",
        kinds="control_flow stencil",
    ),
    Idea(
        "conv2d",
        "conv2d_forward conv2d_naive convolve_image conv3x3 conv_layer",
        "convolve an image of several channels with a 3 x 3 filter",
        """
        ⟨$acc = float({out_bias}[$o])|$acc = float(0.0)⟩
        for $ky in range(3):
            ⟨1:$sy = $y + $ky - 1
            if $sy < 0 or $sy >= {height}:
                # zero padding
                continue|$sy = wp.clamp($y + $ky - 1, 0, {height} - 1)|$sy = $y * {STRIDE} + $ky
            if $sy >= {height}:
                continue⟩
            for $kx in range(3):
                ⟨1:$sx = $xx + $kx - 1
                if $sx < 0 or $sx >= {width}:
                    continue|$sx = wp.clamp($xx + $kx - 1, 0, {width} - 1)|$sx = wp.min($xx + $kx, {width} - 1)⟩
                for $ch in range({IN}):
                    $acc += {image}[$ch, $sy, $sx] * {filter}[$o, $ch, $ky * 3 + $kx]
        ⟨{maps_out}[$o, $y, $xx] = $acc|{maps_out}[$o, $y, $xx] = wp.max($acc, 0.0)|if $acc > 0.0:
            {maps_out}[$o, $y, $xx] = $acc
            wp.atomic_add({firing_maps}, $o, 1)
        else:
            {maps_out}[$o, $y, $xx] = {leak} * $acc⟩
        """,
        threads="o y xx",
        kinds="nested_loop control_flow stencil multi_dim image_filter",
    ),
    Idea(
        "pool",
        "pool_sequences segment_pool ragged_mean mean_pool_tokens pool_tokens",
        "⟨1:add up|average|average⟩ the features of the tokens of each sequence",
        """
        $begin = {offsets}[$s]
        $end = {offsets}[$s + 1]
        ⟨if $begin == $end:
            # empty sequence
            {pooled}[$s, $d] = {unit_bias}[$d]
            return|⟩
        $sum = float(0.0)
        ⟨1:for $k in range($begin, $end):
            ⟨$id = {flat_ids}[$k]
            if $id < 0:
                continue
            $sum += {emb}[$id, $d]|if {flat_ids}[$k] != {PAD}:
                $sum += {emb}[{flat_ids}[$k], $d] * {flat_weight}[$k]⟩|$inv = 1.0 / float(wp.max({row_tokens}[$s], 1))
        for $k in range($begin, $end):
            $id = {flat_ids}[$k]
            if $id != {PAD}:
                $sum += {emb}[$id, $d]⟨| * {flat_weight}[$k]⟩ * $inv|$inv = 1.0 / float(wp.max($end - $begin, 1))
        for $k in range($begin, $end):
            ⟨if {flat_ids}[$k] == {PAD}:
                # padding has its own vector
                $sum += {unit_bias}[$d] * $inv
            else:
                $sum += {emb}[{flat_ids}[$k], $d] * $inv|if {flat_ids}[$k] == {PAD}:
                continue
            $sum += {emb}[{flat_ids}[$k], $d] * $inv⟩⟩
        {pooled}[$s, $d] = $sum
        """,
        threads="s d",
        kinds="control_flow gather_scatter reduction",
    ),
    Idea(
        "assign_codes",
        "assign_codes nearest_centroid vq_assign kmeans_assign assign_clusters",
        "find the nearest code vector of each row",
        """
        hook row_begin
        $best = int(⟨0|-1⟩)
        $dmin = float(1.0e6)
        for $k in range({num_codes}):
            ⟨|if {code_count}[$k] == 0:
                # dead codes are not assigned
                continue⟩
            $dist = float(0.0)
            for $f in range({F}):
                $u = {feat}[$i, $f] - {codes}[$k, $f]
                $dist += ⟨2:$u * $u|wp.abs($u)⟩
            if $dist < $dmin:
                $dmin = $dist
                $best = $k
        {code_id}[$i] = $best
        ⟨if $best >= 0:
            wp.atomic_add({members}, $best, 1)|⟩
        ⟨|if $dmin > 3.0 * {cut}:
            # no code is close
            wp.atomic_add({far_rows}, 0, 1)⟩
        """,
        kinds="nested_loop control_flow",
        docs="nearest of the code vectors by ⟨2:squared distance|the sum of absolute differences⟩, as in vector quantization",
    ),
)
