"""Short ideas of the domain `graphs` on edges, rows and vectors: costs, sums, springs, relations, frames, activations."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_EDGES = (
    Idea(
        "edge_costs",
        "assign_edge_costs edge_cost_by_type travel_costs set_costs",
        "compute the cost of each edge from its type",
        """
        $kind = {etype}[$e]
        $total = int({cost}[$e])
        if $kind == 0:
            # slow
            $total ⟨= $total + ⟨1|2⟩|= $total * 2⟩
        elif $kind == {relation}:
            $total = ⟨{cost}[$e] * 3|{cost}[$e] + 3|wp.max({cost}[$e], 4)⟩
        elif ⟨$kind == 3|{emask}[$e] == 0⟩:
            # closed
            $total = {INF}
        {cost_out}[$e] = $total
        """,
        threads="e",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "edge_codes",
        "edge_codes canonical_edges edge_signatures undirected_keys",
        "compute a key of each edge that does not depend on its direction",
        """
        hook edge
        ⟨$a = @low($u, $v)
        $b = @high($u, $v)
        $k = @pack2($a, $b)|$k = @pack2(@low($u, $v), @high($u, $v))|$a = @low({part}[$u], {part}[$v])
        $k = @pack2($a, @high({part}[$u], {part}[$v]))⟩
        ⟨{ekey}[$e] = $k|{ekey}[$e] = $k * 4 + {etype}[$e]|{ekey}[{eperm}[$e]] = $k⟩
        """,
        threads="e",
        kinds="helper_functions arithmetic",
        integer=True,
    ),
    Idea(
        "node_strength",
        "node_strength weighted_degrees sum_edge_weights row_weight_sum",
        "sum the ⟨1:weights|weighted values|weights within the part|differences⟩ of the edges of each node",
        """
        $sum = float(0.0)
        each arc:
            ⟨1:$sum += ⟨$wt|$wt * {invdeg}[$i]⟩|$sum += $wt * {h}[$j]|if {part}[$j] == {part}[$i]:
                $sum += $wt|$sum += $wt * ({h}[$j] - {h}[$i])⟩
        {wsum}[$i] = ⟨1:⟨$sum|$sum + {eps}⟩|⟨$sum|$sum + {eps} * {h}[$i]⟩|⟨$sum|$sum + {eps}⟩|$sum⟩
        """,
        kinds="control_flow sparse reduction",
    ),
    Idea(
        "feature_totals",
        "sum_neighbor_features neighbor_feature_total aggregate_all pooled_features",
        "sum all features of the neighbours of each node",
        """
        $sum = float(0.0)
        for ⟨1:$t in range({used}[$i])|$p in range({row}[$i], {row}[$i + 1])⟩:
            $j = ⟨1:{ell}[$i, $t]|{col}[$p]⟩
            ⟨1:if $j < 0⟨| or $j == $i⟩:
                continue|⟨if $j == $i:
                continue|⟩⟩
            for $f in range({c}):
                $sum += ⟨{feat}[$j, $f]|{attn}[$f] * {feat}[$j, $f]|{feat}[$j, $f] * {feat}[$i, $f]|wp.abs({feat}[$j, $f] - {feat}[$i, $f])⟩
        {h_out}[$i] = $sum
        """,
        kinds="nested_loop control_flow sparse",
    ),
    Idea(
        "add_inflow",
        "add_inflow apply_sources integrate_nodes update_node_values",
        "add the inflow of a time step to the value of each node",
        """
        hook begin
        ⟨$dh = {gain} * {inflow}[$i]|$dh = {gain} * {inflow}[$i] / {cap0}[$i]|# a share is lost on the way
        $dh = {inflow}[$i] * (1.0 - {decay})⟩
        ⟨$dh = wp.clamp($dh, -{bound}, {bound})|if $dh > {bound}:
            $dh = {bound}|⟩
        {h}[$i] += {dt} * $dh
        ⟨|# not at rest
        if wp.abs($dh) > ⟨0.1|0.15⟩:
            wp.atomic_add({changed}, 0, 1)⟩
        """,
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "update_features",
        "update_features apply_feature_grad feature_step sgd_features",
        "change the features of each node ⟨1:by their gradient|by their scaled gradient|by their clipped gradient⟩",
        """
        ⟨if {active}[$i] == 0:
            return
        |if {mask}[$i] & {FROZEN} != 0:
            return
        |⟩$step = ⟨1:{gain} * {grad}[$i, $f]|{gain} * {grad}[$i, $f] / (wp.abs({grad}[$i, $f]) + ⟨0.1|0.5⟩)|{gain} * wp.clamp({grad}[$i, $f], -{bound}, {bound})⟩
        ⟨{feat}[$i, $f] -= $step|{feat}[$i, $f] -= $step * {invdeg}[$i]⟩
        ⟨|# large gradients
        if wp.abs({grad}[$i, $f]) > {bound}:
            wp.atomic_add({stat}, ⟨0|1⟩, 1)⟩
        """,
        threads="i f",
        kinds="arithmetic scalar_param multi_dim",
    ),
    Idea(
        "move_nodes",
        "move_nodes layout_step displace_nodes relax_positions",
        "move each node along its force⟨1:, at most by a given distance||, unless it is frozen⟩",
        """
        $step = {gain} * {force}[$i]
        ⟨1:$len = wp.length($step)
        if $len > {bound}:
            $step = $step * ({bound} / $len)|if {kind}[$i] == ⟨{DIRICHLET}|{GHOST}⟩:
            $step = wp.vec3(0.0)|if {mask}[$i] & {FROZEN} != 0:
            $step = wp.vec3(0.0, 0.0, 0.0)⟩
        ⟨{x}[$i] += $step|{x}[$i] += $step * {dt}|{x_out}[$i] = {x}[$i] + $step⟩
        ⟨|# not at rest
        if wp.dot($step, $step) > ⟨0.01|0.04⟩:
            wp.atomic_add({changed}, 0, 1)⟩
        """,
        kinds="vector combined scalar_param",
    ),
    Idea(
        "edge_springs",
        "edge_springs spring_forces accumulate_springs edge_tension",
        "add the spring force of each edge to its nodes",
        """
        hook edge
        $diff = {x}[$v] - {x}[$u]
        ⟨$tension = @unit($diff) * @hooke({ks}, @stretch($diff, {rest}[$e]))|$ext = @stretch($diff, {rest}[$e])
        $tension = @hooke({ks}, $ext) * @unit($diff)|$ext = @stretch($diff, {rest}[$e])
        $tension = @unit($diff) * (@hooke({ks}, $ext) * {w}[$e])⟩
        wp.atomic_add({fsum}, $u, $tension)
        ⟨wp.atomic_sub({fsum}, $v, $tension)|wp.atomic_add({fsum}, $v, -$tension)⟩
        ⟨|if @stretch($diff, {rest}[$e]) > {bound}:
            # too long
            wp.atomic_add({stat}, 0, 1)⟩
        """,
        threads="e",
        kinds="vector atomic helper_functions atomics",
    ),
    Idea(
        "edge_affinity",
        "edge_affinity gaussian_weights rbf_edge_weights similarity_kernel",
        "compute the affinity of the nodes of each edge from ⟨1:their distance|their values⟩",
        """
        hook edge
        ⟨1:$diff = {x}[$u] - {x}[$v]
        $q = ⟨wp.dot($diff, $diff) / ({sigma} * {sigma})|wp.length($diff) / {sigma}⟩|$diff = {h}[$u] - {h}[$v]
        $q = ⟨$diff * $diff / {sigma}|wp.abs($diff) / {sigma}⟩⟩
        {wnew}[$e] = ⟨wp.exp(-$q)|wp.exp(-0.5 * $q)|{gain} * wp.exp(-$q)|{w}[$e] * wp.exp(-$q)⟩
        """,
        threads="e",
        kinds="math scalar_param",
    ),
    Idea(
        "node_activation",
        "node_activation activate_nodes apply_nonlinearity node_gate",
        "apply ⟨1:a logistic function|a hyperbolic tangent|a logarithm|a swish⟩ to the value of each node",
        """
        hook begin
        ⟨$z = {gain} * {h}[$i]|$z = {h}[$i] * {invdeg}[$i]|$z = {h}[$i] + {gain} * {inflow}[$i]⟩
        $act = ⟨1:1.0 / (1.0 + wp.exp(-$z))|wp.tanh($z)|wp.log(1.0 + wp.abs($z))|$z / (1.0 + wp.exp(-$z))⟩
        {gate}[$i] = $act
        ⟨|# residual
        {h_out}[$i] = {h}[$i] + $act|{h_out}[$i] = {h}[$i] * (1.0 - {lam}) + $act * {lam}⟩
        """,
        kinds="math",
    ),
    Idea(
        "gated_mix",
        "gated_mix gate_nodes blend_values gru_gate",
        "mix the value and the inflow of each node by a gate",
        """
        $share = @squash({gain} * ⟨{h}[$i]|({h}[$i] + {inflow}[$i])⟩)
        ⟨{h_out}[$i] = $share * {h}[$i] + (1.0 - $share) * {inflow}[$i]|{h_out}[$i] = {inflow}[$i] + $share * ({h}[$i] - {inflow}[$i])|# candidate
        $fresh = wp.tanh({inflow}[$i])
        {h_out}[$i] = ⟨$share * {h}[$i] + (1.0 - $share) * $fresh|wp.lerp($fresh, {h}[$i], $share)⟩⟩
        ⟨{gate}[$i] = $share|⟩
        """,
        kinds="math helper_functions",
    ),
    Idea(
        "score_classes",
        "classify_scores tag_nodes score_buckets importance_class",
        "sort the nodes into classes by their ⟨1:rank|value⟩",
        """
        ⟨1:$importance = {score}[$i]|$importance = wp.abs({h}[$i])|$importance = {score}[$i] * {invdeg}[$i]|$importance = {h}[$i] * {h}[$i]⟩
        if $importance < {lo_cut}:
            {tag_out}[$i] = 0
        elif $importance ⟨<|<=⟩ {hi_cut}:
            {tag_out}[$i] = 1
            ⟨wp.atomic_add({stat}, 1, 1)|⟩
        else:
            {tag_out}[$i] = 2
            ⟨wp.atomic_add({stat}, 2, 1)|⟩
        """,
        kinds="multi_conditional scalar_param control_flow",
    ),
    Idea(
        "relation_messages",
        "relation_messages rgcn_messages typed_messages edge_transform",
        "send the embedding along each edge, transformed by the matrix of its type",
        """
        ⟨if {emask}[$e] == 0:
            return
        |# loops carry nothing
        if $u == $v:
            return
        |if not {epass}[$e]:
            return
        ⟩$W = {rel2}[{etype}[$e]]
        ⟨$msg = $W * {h2}[$u]|$msg = {w}[$e] * ($W * {h2}[$u])|$msg = wp.transpose($W) * ({h2}[$u] - {h2}[$v])⟩
        wp.atomic_add({h2_acc}, $v, $msg)
        ⟨|# and back
        wp.atomic_add({h2_acc}, $u, wp.transpose($W) * {h2}[$v])|wp.atomic_add({h2_acc}, $u, -$msg)⟩
        """,
        threads="e",
        kinds="matrix vector combined atomic sparse early_exit",
    ),
    Idea(
        "edge_covariance",
        "edge_covariance shape_tensors neighbor_covariance moment_matrices",
        "sum the outer products of the edge vectors of each node",
        """
        $sum = wp.mat33(⟨0.0⟩)
        each arc:
            $diff = {x}[$j] - {x}[$i]
            ⟨$sum += wp.outer($diff, $diff)|$sum += wp.outer($diff, $diff) * $wt|$sum += wp.outer($diff, $diff) * ($wt * {invdeg}[$i])⟩
        ⟨{cov}[$i] = $sum|# keeps it invertible
        {cov}[$i] = $sum + wp.identity(n=3, dtype=float) * ⟨0.01|0.1⟩⟩
        """,
        kinds="matrix combined control_flow sparse",
    ),
    Idea(
        "local_coordinates",
        "local_coordinates to_node_frame relative_positions frame_coords",
        "express the ⟨1:position|force⟩ of each node in the frame of ⟨2:its parent|the node that proposed it|itself⟩",
        """
        $r = ⟨2:{parent}[$i]|{via}[$i]|$i⟩
        ⟨1:$diff = {x}[$i]⟨2: - {x}[$r]| - {x}[$r]|⟩|$diff = {force}[$i]⟩
        ⟨{local_out}[$i] = wp.transpose({frame}[$r]) * $diff|{local_out}[$i] = wp.transpose({frame}[$r]) @ $diff|$back = wp.transpose({frame}[$r])
        {local_out}[$i] = $back * $diff⟩
        ⟨|# far from the origin of the frame
        if wp.length_sq($diff) > {radius}:
            wp.atomic_add({stat}, 0, 1)⟩
        """,
        kinds="matrix vector",
    ),
)
