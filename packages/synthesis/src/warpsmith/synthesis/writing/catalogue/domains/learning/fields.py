"""Rows of the domain `learning` for short kernels: points and rotations as predictions or parameters, feature maps."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT33, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, integer, number, size

FIELDS = (
    size("fh", 5, 9, "map_height fh rows", "height of the feature maps"),
    size("fw", 5, 9, "map_width fw cols", "width of the feature maps"),
    data("pt", VEC3, -1.5, 1.5, "pred_points x_pred points predicted", "predicted point of each row"),
    data("pt_true", VEC3, -1.5, 1.5, "target_points x_true gt_points target_xyz", "target point of each row"),
    data("pt_grad", VEC3, 0.0, 0.0, "grad_points dx point_grads d_pred", "gradient for each predicted point", start=0.0),
    data("normal", VEC3, -1.0, 1.0, "target_normals nrm gt_normals normals", "normal at each target point", "n", "unit"),
    data("rot", MAT33, -0.3, 1.3, "pred_rotations R rotations rot_pred", "predicted rotation of each row", "n", "near_identity"),
    data("rot_true", MAT33, -0.3, 1.3, "target_rotations R_true gt_rotations rot_target", "target rotation of each row", "n", "near_identity"),
    data("rot_out", MAT33, 0.0, 0.0, "rotations_out R_new cov_out rot_out", "resulting matrix of each row"),
    data("rot_loss", FLOAT, 0.0, 0.0, "rotation_loss rot_err pose_loss angle_loss", "loss of each rotation"),
    data("xyz", VEC3, -1.0, 1.0, "positions xyz means params_xyz", "points that are optimized", "np"),
    data("gxyz", VEC3, -1.0, 1.0, "position_grads gxyz d_means grad_xyz", "gradient for each point", "np"),
    data("mxyz", VEC3, -0.5, 0.5, "position_momentum mxyz mean_buf vel_xyz", "momentum of each point", "np"),
    data("xyz_out", VEC3, 0.0, 0.0, "positions_out xyz_new means_out params_xyz_out", "updated points", "np"),
    data("precond", MAT33, -0.3, 1.3, "preconditioners P inv_hessian precond", "preconditioner of each point", "np", "near_identity"),
    data("fmap", FLOAT, -1.0, 1.0, "feature_maps fmap maps_in channels", "feature maps", "maps fh fw"),
    data("tv_out", FLOAT, 0.0, 0.0, "tv_loss smoothness map_loss tv", "roughness of each map", "maps"),
    data("attn_out", FLOAT, 0.0, 0.0, "key_sums score_sums attn_total dots", "sum of the products of each row", "n"),
    data("dup_out", INT, 0, 0, "duplicate_counts repeats num_equal dup", "number of repeated keys of each row", "n"),
    data("idle", INT, 0, 9, "idle_steps since_update stale stale_steps", "steps without an update of each parameter", "np"),
    data("size3", VEC3, 0.1, 1.0, "scales sizes extents scaling", "extent of each row along its three axes", "n"),
    data("mxyz_out", VEC3, 0.0, 0.0, "momentum_out mxyz_new mean_buf_out vel_xyz_out", "new momentum of each point", "np"),
    data("stale", INT, 0, 0, "stale_count num_stale n_stale", "number of parameters by group that were not updated for long", "groups", start=0.0),
    number("beta", 0.6, 0.95, "beta momentum_factor rho", "share of the old value"),
    number("cut", 0.5, 1.5, "cutoff max_error threshold", "largest error that counts"),
    number("power", 1.2, 2.5, "power exponent gamma", "exponent"),
    integer("vocab_limit", 10, 18, "max_id id_limit vocab_limit", "first id that is not in the vocabulary"),
    integer("every", 2, 4, "stride every interval", "distance of the steps"),
    integer("used_keys", 4, 6, "num_keys_used context_len key_limit", "number of keys that are read"),
    integer("used_feat", 4, 8, "head_dim num_used_features feat_used", "number of features that are read"),
)  # fmt: skip
