"""Rows of the domain `sampling` for short kernels: uniform draws, points with matrices, numbers."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, VEC2
from warpsmith.synthesis.writing.ideas.declare import data, integer, number

FIELDS = (
    data("u1", FLOAT, 0.05, 0.95, "uniforms u u1 draws", "first uniform number of each sample"),
    data("u2", FLOAT, 0.05, 0.95, "uniforms2 v u2 draws_b", "second uniform number of each sample"),
    data("eps", FLOAT, -1.5, 1.5, "noise eps shocks normals", "normal number of each sample"),
    data("vel", VEC2, -1.0, 1.0, "drift_velocity vel walker_vel flow", "drift of each walker"),
    data("home", VEC2, -1.0, 1.0, "homes origin anchors start_pos", "place where each walker started"),
    data("A", MAT22, -0.3, 1.3, "transforms A mix_matrix rotations", "matrix of each sample", "n", "near_identity"),
    data("C", MAT22, -0.2, 1.2, "covariances C sigma cov_in", "covariance of each sample", "n", "near_identity"),
    data("A_out", MAT22, 0.0, 0.0, "transforms_out A_new matrix_out result", "new matrix of each sample"),
    data("cov_sum", MAT22, 0.0, 0.0, "cov_sum scatter moment_sum xx_sum", "sum of the outer products", "1", start=0.0),
    data("p_sum", VEC2, 0.0, 0.0, "position_sum center_sum p_total", "sum of the positions", "1", start=0.0),
    data("dist_out", FLOAT, 0.0, 0.0, "distances dist_out d_out radius_out", "distance of each sample"),
    data("tag_out", INT, 0, 0, "tags_out tag_new codes_out category_out", "new category of each sample"),
    data("lot_out", FLOAT, 0.0, 0.0, "book_values value_out book_total gross", "value of each portfolio", "books"),
    data("feat_out", FLOAT, 0.0, 0.0, "feature_sums feat_out column_sums col_total", "sum of each feature", "feat"),
    data("chan_out", FLOAT, 0.0, 0.0, "channel_sums chan_out lag_sum ch_total", "sum of each channel", "ch"),
    data("pairs_out", INT, 0, 0, "pair_counts pairs_out matches_out repeats", "number of equal pairs of each sequence"),
    data("stamp", INT, 0, 40, "timestamps stamp last_seen updated", "step in which each stream was changed last"),
    number("scale", 0.4, 2.0, "scale gain a", "factor"),
    number("bias", -1.0, 1.0, "bias shift b", "shift"),
    number("alpha", 0.05, 0.6, "alpha smoothing rate", "share of the new value"),
    number("slope", 0.5, 3.0, "slope steepness k", "steepness"),
    number("range", 0.5, 0.9, "radius max_radius cutoff", "largest distance from the origin"),
    integer("every", 2, 4, "stride every thin", "distance of the samples that are kept"),
    integer("fallback", 0, 3, "default_tag fallback fill_value", "category of samples without one"),
    integer("order", 3, 4, "order filter_order taps_used", "number of coefficients that are used"),
)  # fmt: skip
