"""Rows that only the short ideas of the domain `graphs` use: a few more arrays, scalars and one-line helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, MAT33, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number

SHORT_PARAMETERS = (
    data("reach", INT, 0, 2, "reached touched hit_mask visited_now", "number of frontier nodes that reach each node"),
    data("offer", INT, 0, 60, "offers proposed_dist candidate_dist dist_try", "distance that was proposed for each node"),
    data("via", INT, 0, "n", "via via_node offer_src from_node", "node that made the proposal"),
    data("quota", INT, 0, 6, "quota budget slots_left remaining", "number of links that each node may still make"),
    data("used", INT, 0, 4, "row_lengths ell_len num_used nbr_count", "number of entries of each row of the neighbour table"),
    data("inflow", FLOAT, -1.0, 1.0, "inflow net_flow flux_in source", "rate at which each node receives, per second"),
    data("grad", FLOAT, -1.0, 1.0, "feature_grad grad d_feat feat_delta", "change of each feature", "n c"),
    data("h2", VEC2, -1.0, 1.0, "embeddings h2 node_emb z", "embedding of each node"),
    data("rel2", MAT22, -1.0, 1.0, "relation_matrices W_rel rel_mats basis", "matrix of each type of edges", "4", shared=True),
    data("frame", MAT33, -0.4, 1.4, "node_frames R frame node_rot", "frame of each node", "n", "near_identity"),
    data("force", VEC3, -1.0, 1.0, "forces f node_force net_force", "force on each node in N"),
    data("rest", FLOAT, 0.3, 1.5, "rest_lengths l0 rest_len edge_rest", "rest length of each edge in m", "m"),
    data("tag_out", INT, 0, 0, "node_tags tag_out tags classes", "class of each node"),
    data("pair_out", INT, 0, 0, "edges_out edge_index_out pairs_new coo_out", "both nodes of each edge", "m 2"),
    data("cost_out", INT, 0, 0, "costs_out edge_cost_out travel_cost weight_int", "cost of each edge", "m"),
    data("wnew", FLOAT, 0, 0, "affinity edge_affinity kernel_weights sim", "affinity of the nodes of each edge", "m"),
    data("wsum", FLOAT, 0, 0, "strength weighted_degree row_sum node_strength", "weighted sum at each node"),
    data("fsum", VEC3, 0, 0, "force_acc spring_forces f_acc node_f", "sum of the spring forces at each node in N", start=0),
    data("h2_acc", VEC2, 0, 0, "messages2 h2_acc msg2 z_acc", "sum of the messages to each node", start=0),
    data("cov", MAT33, 0, 0, "covariance cov_out shape_tensor moments", "sum of the outer products of the edge vectors"),
    data("local_out", VEC3, 0, 0, "local_pos rel_out x_local local_coords", "position of each node in a local frame in m"),
    data("twohop", INT, 0, 0, "two_hop_count paths2 num_paths second_order", "number of paths of two edges"),
    data("dup", INT, 0, 0, "duplicates num_dup repeated dup_count", "number of repeated neighbours"),
    data("gate", FLOAT, 0, 0, "gates activation_out gate_out act", "activation of each node"),
    integer("boost", 1, 5, "boost age_step increment bonus", "number added in each step"),
    number("gain", 0.2, 1.5, "gain scale strength alpha", "factor of the change"),
    number("decay", 0.05, 0.5, "decay leak_rate loss_rate beta", "share that is lost per second"),
    number("bound", 0.3, 0.8, "bound max_change clip limit_val", "largest change"),
    number("sigma", 0.8, 2.0, "sigma bandwidth length_scale kernel_width", "width of the kernel in m"),
    number("lo_cut", 0.2, 0.45, "low_cut t_low lower_threshold", "score below which a node is unimportant"),
    number("hi_cut", 0.55, 0.85, "high_cut t_high upper_threshold", "score above which a node is important"),
    number("ks", 2.0, 20.0, "stiffness ks spring_k", "stiffness of the springs in N/m"),
)  # fmt: skip

SHORT_HELPERS = (
    helper("pack2", "def ⟨pack_pair|edge_code⟩(a: int, b: int)⟨| -> int⟩:\n    return ⟨a * 64 + b|(a << 6) | b⟩"),
    helper("low", "def ⟨smaller_id|first_node⟩(a: int, b: int)⟨| -> int⟩:\n    return wp.min(a, b)"),
    helper("high", "def ⟨larger_id|second_node⟩(a: int, b: int)⟨| -> int⟩:\n    return wp.max(a, b)"),
    helper("squash", "def ⟨sigmoid|logistic⟩(z: float)⟨| -> float⟩:\n    return 1.0 / (1.0 + wp.exp(-z))"),
    helper(
        "stretch",
        "def ⟨stretch|elongation⟩(d: wp.vec3, rest: float)⟨| -> float⟩:\n    return wp.length(d) - rest",
    ),
    helper(
        "unit",
        "def ⟨unit_vector|safe_direction⟩(d: wp.vec3)⟨| -> wp.vec3⟩:\n    return d / (wp.length(d) + 0.01)",
    ),
    helper("hooke", "def ⟨hooke|spring_tension⟩(k: float, s: float)⟨| -> float⟩:\n    return ⟨k * s|k * wp.max(s, 0.0)⟩"),
)
