"""Ideas of the domain `graphs`: messages along edges, ranks, attention, diffusion."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

MESSAGES = (
    Idea(
        "gather_mean",
        "aggregate_neighbors gather_messages neighbor_sum graph_conv_scalar",
        "sum the ⟨1:normalized|weighted|symmetrically normalized⟩ values of the neighbours",
        """
        hook begin
        $sum = float(0.0)
        each arc:
            hook nbr
            ⟨1:$sum += {h}[$j] * $wt * {invdeg}[$i]|$sum += $wt * {h}[$j]|$sum += $wt * {h}[$j] * wp.sqrt({invdeg}[$i] * {invdeg}[$j])⟩

        ⟨{h_out}[$i] = $sum|# the node itself takes part
        {h_out}[$i] = $sum + {eps} * {h}[$i]|if {deg}[$i] > 0:
            {h_out}[$i] = $sum
        else:
            # keep the value of isolated nodes
            {h_out}[$i] = {h}[$i]⟩
        hook tally
        """,
        kinds="control_flow sparse gather_scatter reduction",
    ),
    Idea(
        "scatter_edges",
        "scatter_messages push_messages edge_to_node message_passing",
        "send a message along each edge to the node at its end",
        """
        hook edge
        $value = {h}[$u]
        ⟨1:$sum = {w}[$e] * $value|$sum = {w}[$e] * ($value - {h}[$v])|# a message by the type of the edge
        $sum = float(0.0)
        if {etype}[$e] == 0:
            $sum = $value
        elif {etype}[$e] == {relation}:
            $sum = {w}[$e] * $value
        elif {etype}[$e] == 2:
            $sum = ⟨{w}[$e] * ($value - {h}[$v])|$value * {invdeg}[$u]⟩|$sum = wp.max($value, 0.0) * {w}[$e]⟩

        ⟨wp.atomic_add({h_acc}, $v, $sum)|wp.atomic_add({h_acc}, $v, $sum)
        # the opposite direction
        wp.atomic_sub({h_acc}, $u, $sum)|if $u != $v:
            wp.atomic_add({h_acc}, $v, $sum * {invdeg}[$v])⟩
        hook etally
        """,
        threads="e",
        kinds="atomic gather_scatter sparse atomics",
    ),
    Idea(
        "feature_conv",
        "gcn_aggregate feature_aggregate spmm_rows propagate_features",
        "sum each feature over the neighbours of a node",
        """
        ⟨if {active}[$i] == 0:
            return|if not {alive}[$i]:
            {feat_out}[$i, $f] = ⟨0.0|{feat}[$i, $f]⟩
            return|⟩
        $sum = ⟨1:float(0.0)|float({feat}[$i, $f])|{eps} * {feat}[$i, $f]⟩
        each arc:
            ⟨$sum += $wt * {feat}[$j, $f]|$sum += $wt * ({feat}[$j, $f] - {feat}[$i, $f])|$sum += $wt * {invdeg}[$j] * {feat}[$j, $f]|if {kind}[$j] == {kind}[$i]:
                $sum += $wt * {feat}[$j, $f]⟨|
            else:
                # other types count less
                $sum += $wt * {invdeg}[$j] * {feat}[$j, $f]⟩⟩

        {feat_out}[$i, $f] = ⟨$sum|⟨1:$sum + {feat}[$i, $f]|$sum|$sum⟩⟩
        """,
        threads="i f",
        kinds="multi_dim sparse linear_algebra control_flow",
        docs="product of the sparse adjacency and the dense matrix of features",
    ),
    Idea(
        "feature_scatter",
        "scatter_features edge_feature_scatter push_features spmm_coo",
        "add the features at the start of each edge to the node at its end",
        """
        ⟨if {emask}[$e] == 0:
            return|if not {epass}[$e]:
            return|if $u == $v:
            return|⟩
        ⟨$value = {feat}[$u, $f]|$value = {feat}[$u, $f] - {feat}[$v, $f]|$value = wp.max({feat}[$u, $f], 0.0)⟩

        ⟨wp.atomic_add({feat_acc}, $v, $f, {w}[$e] * $value)|if {etype}[$e] == {relation}:
            wp.atomic_add({feat_acc}, $v, $f, {w}[$e] * $value)
        ⟨|else:
            wp.atomic_add({feat_acc}, $v, $f, $value)⟩|wp.atomic_add({feat_acc}, $v, $f, {w}[$e] * $value * {invdeg}[$v])
        ⟨|# and back
        wp.atomic_add({feat_acc}, $u, $f, {w}[$e] * {feat}[$v, $f] * {invdeg}[$u])⟩⟩
        """,
        threads="e f",
        kinds="atomic multi_dim gather_scatter sparse",
    ),
    Idea(
        "pagerank_pull",
        "pagerank_step pagerank_pull update_ranks rank_iteration",
        "compute the next rank of each node from the ranks of its neighbours",
        """
        hook begin
        $sum = float(0.0)
        each nbr:
            hook nbr
            ⟨$sum += {damp} * {score}[$j] * {invdeg}[$j]|if {deg}[$j] > 0:
                $sum += {damp} * {score}[$j] / float({deg}[$j])|if {deg}[$j] > 0:
                $sum += {damp} * {score}[$j] * {invdeg}[$j]⟩

        {score_out}[$i] = ⟨(1.0 - {damp}) / float({n}) + $sum|1.0 - {damp} + $sum⟩
        ⟨if {deg}[$i] == 0:
            # the rank of nodes without links is shared by all
            wp.atomic_add({leak}, 0, {score}[$i])|⟩
        """,
        kinds="sparse control_flow reduction",
    ),
    Idea(
        "pagerank_push",
        "pagerank_push push_ranks distribute_rank rank_scatter",
        "distribute the rank of each node over its edges",
        """
        $begin = {row}[$i]
        $d = {row}[$i + 1] - $begin
        if $d == 0:
            ⟨wp.atomic_add({leak}, 0, {score}[$i])
            return|wp.atomic_add({leak}, 0, {damp} * {score}[$i])
            return⟩
        $share = ⟨{damp} * {score}[$i] / float($d)|{score}[$i] / float($d)|{damp} * {score}[$i] * {invdeg}[$i]⟩

        for $p in range($begin, $begin + $d):
            ⟨wp.atomic_add({score_acc}, {col}[$p], $share)|$j = {col}[$p]
            hook nbr
            wp.atomic_add({score_acc}, $j, $share)|$j = {col}[$p]
            if $j != $i:
                wp.atomic_add({score_acc}, $j, $share)⟩
        """,
        kinds="atomic control_flow sparse atomics early_exit",
    ),
    Idea(
        "attention_scores",
        "attention_scores gat_logits edge_attention score_edges",
        "compute the attention score of each edge from the features of both nodes",
        """
        hook edge
        $sum = float(0.0)
        for $f in range({c}):
            ⟨$sum += {attn}[$f] * ({feat}[$u, $f] + {feat}[$v, $f])|$sum += {feat}[$u, $f] * {feat}[$v, $f]|$sum += {attn}[$f] * {feat}[$u, $f] * {feat}[$v, $f]|$sum += {attn}[$f] * wp.abs({feat}[$u, $f] - {feat}[$v, $f])|$sum += {attn}[$f] * @leaky({feat}[$u, $f] + {feat}[$v, $f], {slope})⟩

        ⟨{logit_out}[$e] = $sum|{logit_out}[$e] = $sum + {w}[$e]|if {etype}[$e] == {relation}:
            {logit_out}[$e] = $sum
        else:
            # other relations get a constant score
            {logit_out}[$e] = ⟨-1.0|-2.0⟩|{logit_out}[$e] = $sum / wp.sqrt(float({c}))⟩
        hook etally
        """,
        threads="e",
        kinds="control_flow sparse reduction",
    ),
    Idea(
        "attention_softmax",
        "edge_softmax normalize_attention attention_weights softmax_edges",
        "turn the attention scores of the edges into ⟨1:coefficients|exponentials|coefficients⟩",
        """
        hook edge
        $z = ⟨{logit}[$e]|@leaky({logit}[$e], {slope})|{logit}[$e] + wp.log({w}[$e])⟩
        # the largest score is subtracted against overflow
        $ex = wp.exp($z - {peak}[$v])

        ⟨1:{alpha}[$e] = $ex / {denom}[$v]|{alpha}[$e] = $ex
        wp.atomic_add({denom_acc}, $v, $ex)|$a = $ex / ({denom}[$v] + 1.0e-6)
        {alpha}[$e] = $a
        wp.atomic_add({h_acc}, $v, $a * {h}[$u])⟩
        hook etally
        """,
        threads="e",
        kinds="math gather_scatter losses",
    ),
    Idea(
        "smooth_positions",
        "laplacian_smooth smooth_positions umbrella_step relax_layout",
        "move each node towards ⟨1:the mean of its neighbours|its neighbours|its neighbours⟩",
        """
        hook begin
        ⟨if {kind}[$i] == {DIRICHLET}:
            # fixed node
            {x_out}[$i] = $xi
            return|⟩
        $sum = wp.vec3()
        each arc:
            hook nbr
            ⟨1:$sum += ({x}[$j] - $xi) * ({lam} * {invdeg}[$i])|$diff = {x}[$j] - $xi
            $len = wp.sqrt(wp.dot($diff, $diff) + 1.0e-3)
            if $len ⟨3:<|>⟩ {radius}:
                $sum += $diff * ({lam} * $wt⟨3:| * ($len - {radius})⟩ / $len)|$diff = {x}[$j] - $xi
            $sum += {lam} * $wt * $diff⟨| / (1.0 + wp.dot($diff, $diff))⟩⟩

        {x_out}[$i] = $xi + $sum
        hook tally
        """,
        kinds="vector combined sparse control_flow",
    ),
    Idea(
        "edge_energy",
        "edge_energy smoothness_loss graph_energy edge_penalty",
        "sum the ⟨1:squared|absolute|Huber⟩ differences over the edges",
        """
        hook edge
        $diff = ⟨{h}[$u] - {h}[$v]|{h}[$v] - {h}[$u]|wp.length({x}[$u] - {x}[$v]) - {rest}[$e]⟩
        ⟨1:$loss = 0.5 * {w}[$e] * $diff * $diff|$loss = {w}[$e] * wp.sqrt($diff * $diff + 1.0e-4)|$loss = float(0.0)
        $size = wp.abs($diff)
        if $size < {eps}:
            $loss = 0.5 * $diff * $diff
        else:
            # linear beyond the threshold
            $loss = {eps} * ($size - 0.5 * {eps})⟩

        ⟨wp.atomic_add({energy}, 0, $loss)|# the list contains both directions
        wp.atomic_add({energy}, 0, 0.5 * $loss)|if $u < $v:
            wp.atomic_add({energy}, 0, $loss)⟩
        hook etally
        """,
        threads="e",
        kinds="atomic arithmetic losses reduction",
    ),
    Idea(
        "heat_step",
        "heat_step diffuse_heat network_diffusion thermal_update",
        "advance the temperature of each node by one time step",
        """
        hook begin
        $rate = {dt} / {cap0}[$i]
        $sum = float(0.0)
        each arc:
            $sum += $rate * ⟨{cond} * |⟩$wt * ({h}[$j] - {h}[$i])

        if {kind}[$i] == {DIRICHLET}:
            {h_out}[$i] = {h}[$i]
        elif {kind}[$i] == {FLUX}:
            # a source heats the node
            {h_out}[$i] = {h}[$i] + ⟨$rate|{dt}⟩ * {inflow}[$i]
        elif {kind}[$i] == {SINK}:
            {h_out}[$i] = {h}[$i] - ⟨$rate * {cond}|{dt} * {decay}⟩ * {h}[$i]
        else:
            {h_out}[$i] = {h}[$i] + $sum
        hook tally
        """,
        kinds="multi_conditional control_flow sparse",
    ),
)
