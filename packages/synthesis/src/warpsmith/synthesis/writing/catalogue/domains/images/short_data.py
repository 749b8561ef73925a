"""Rows of the short ideas of the domain `images`: arrays that change in place, windows, small matrices, small helper functions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, integer, number, size

SHORT_PARAMETERS = (
    size("kh", 2, 4, "kernel_h window_h ky_size k_rows", "number of rows of the window"),
    size("kw", 2, 4, "kernel_w window_w kx_size k_cols", "number of columns of the window"),
    size("nch", 3, 5, "num_channels channels depth_c n_ch", "number of channels that are summed"),
    data("grayio", INT, 0, 255, "pixels gray frame img", "grey levels, changed in place", "h w"),
    data("labelio", INT, 0, 5, "labels segmentation class_map seg", "class of each pixel, changed in place", "h w"),
    data("seen", INT, 0, 6, "visit_count frame_hits age seen", "number of frames of each pixel", "h w"),
    data("tmode", INT, 0, 3, "track_state pixel_state motion_state status", "state of each pixel, changed in place", "h w"),
    data("hold_t", INT, 0, 5, "hold_counter timeout freeze_time countdown", "remaining frames of each pixel", "h w"),
    data("bitio", INT, 0, 7, "flag_bits mask_bits plane_bits flags", "flag bits of each pixel, changed in place", "h w"),
    data("fg", INT, 0, 1, "binary bin_img fg bw", "binary image, 1 for foreground", "h w"),
    data("boxmode", INT, 0, 3, "box_state track_state det_state status", "state of each box, changed in place", "boxes"),
    data("boxmiss", INT, 0, 5, "miss_count lost_frames age idle", "number of frames since each box was seen", "boxes"),
    data("boxseen", INT, -1, 1, "match_id assigned det_match hits", "match of each box, -1 for none", "boxes"),
    data("accf", FLOAT, 0.0, 1.0, "accumulator running_sum model bg_acc", "running value of each pixel, changed in place", "h w"),
    data("accrgb", VEC3, 0.0, 1.0, "accum_color radiance_sum film color_acc", "running colour of each pixel, changed in place", "h w"),
    data("line", INT, 0, 0, "flat_pixels linear_out raster buffer", "pixels, one row after the other", "h*w"),
    data("note", INT, 0, 0, "marks class_out status_out mark_map", "mark of each pixel", "h w"),
    data("value_out", FLOAT, 0.0, 0.0, "values_out response result out", "new value of each pixel", "h w"),
    data("win", FLOAT, -0.3, 0.3, "kernel weights window_w taps", "weights of the window", "kh kw", shared=True),
    data("tmpl", INT, 0, 255, "template pattern thresholds reference", "grey levels of the template", "kh kw", shared=True),
    data("matches", INT, 0, 0, "match_count num_matches score hits", "number of matches of each pixel", "h w"),
    data("planes", FLOAT, -1.0, 1.0, "planes feature_maps x channels_in", "value of each channel and pixel", "nch h w"),
    data("mixw", FLOAT, -0.5, 0.5, "mix_weights channel_w projection head_w", "weight of each channel", "nch", shared=True),
    data("rowf", FLOAT, 0.0, 0.0, "row_sums row_energy line_sum profile", "sum of each row", "h"),
    data("rown", INT, 0, 0, "row_counts row_hits num_per_row", "number of pixels of each row", "h"),
    data("chanf", FLOAT, 0.0, 0.0, "channel_sums pooled gap_out channel_energy", "sum of each channel", "ch"),
    data("boxn", INT, 0, 0, "box_hits num_inside inside_count", "number of pixels of each box", "boxes"),
    data("tensor", MAT22, -0.4, 1.4, "structure_tensor tensors hessian J_map", "structure tensor of each pixel", "h w", "near_identity"),
    data("tensor_out", MAT22, 0.0, 0.0, "tensors_out smooth_tensor hessian_out", "new tensor of each pixel", "h w"),
    data("affine", MAT22, -0.4, 1.4, "affine rotation_2d A lin_map", "linear part of the map", "1", "near_identity", shared=True),
    data("vec_out", VEC2, 0.0, 0.0, "vectors_out flow_out motion_out mapped", "new vector of each pixel", "h w"),
    integer("mbits", 1, 6, "mask bit_mask plane_mask", "bits to work on"),
    integer("hold", 2, 4, "max_misses hold_frames patience", "number of frames to wait"),
    number("gain", 0.5, 1.8, "gain scale alpha_gain", "gain of the image"),
    number("bias0", -0.3, 0.3, "offset bias brightness", "offset of the image"),
    number("knee", 0.3, 1.2, "knee shoulder rolloff", "level at which the curve bends"),
    number("rx", -2.0, 2.0, "center_x origin_x tx", "column of the centre in pixels"),
    number("ry", -2.0, 2.0, "center_y origin_y ty", "row of the centre in pixels"),
)  # fmt: skip

SHORT_NAMES = {
    "st": "st status state_p current",
    "wait": "left remaining t_left wait",
    "tot": "total acc accum sum_v",
    "num": "num count hits matched",
    "at": "at linear slot offset_p",
    "bitv": "flags bit_v plane pix_bits",
    "rgbv": "c color_p rgb_val pix",
    "level": "level gray_v g_val lvl",
    "ten": "J tensor m_p ten",
    "uvv": "v flow_p uv_p motion_v",
}

SHORT_HELPERS = (
    helper("norm_gray", "def ⟨normalize_gray|to_unit⟩(v: float, mean: float, k: float)⟨| -> float⟩:\n    return (v - mean) * k", "def ⟨stretch|apply_gain⟩(v: float, offset: float, gain: float)⟨| -> float⟩:\n    return gain * v + offset"),
    helper("curve", "def ⟨s_curve|smooth_curve⟩(t: float)⟨| -> float⟩:\n    u = wp.clamp(t, 0.0, 1.0)\n    return u * u * (3.0 - 2.0 * u)", "def ⟨soft_clip|compress_tone⟩(t: float)⟨| -> float⟩:\n    return t / (1.0 + wp.abs(t))"),
    helper("mixv", "def ⟨mix|lerp_values⟩(a: float, b: float, t: float)⟨| -> float⟩:\n    return a + (b - a) * t", "def ⟨blend|cross_fade⟩(a: float, b: float, w: float)⟨| -> float⟩:\n    return (1.0 - w) * a + w * b"),
    helper("invert", "def ⟨invert|negative⟩(v: int)⟨| -> int⟩:\n    return 255 - v", "def ⟨complement|invert_level⟩(v: int)⟨| -> int⟩:\n    return v ^ 255"),
    helper("clip8", "def ⟨clip8|saturate_u8⟩(v: int)⟨| -> int⟩:\n    return wp.clamp(v, 0, 255)", "def ⟨to_byte|limit_level⟩(v: int)⟨| -> int⟩:\n    return wp.min(wp.max(v, 0), 255)"),
    helper("posterize", "def ⟨posterize|quantize⟩(v: int, step: int)⟨| -> int⟩:\n    return (v // step) * step", "def ⟨reduce_levels|snap_level⟩(v: int, width: int)⟨| -> int⟩:\n    return v - v % width"),
    helper("scale_rgb", "def ⟨expose|apply_exposure⟩(c: wp.vec3, k: float)⟨| -> wp.vec3⟩:\n    return c * k", "def ⟨white_balance|tint⟩(c: wp.vec3, k: float)⟨| -> wp.vec3⟩:\n    return wp.vec3(c[0] * k, c[1], c[2] / k)"),
    helper("gray_of", "def ⟨luma|gray_of⟩(c: wp.vec3)⟨| -> float⟩:\n    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]", "def ⟨mean_channel|intensity⟩(c: wp.vec3)⟨| -> float⟩:\n    return (c[0] + c[1] + c[2]) / 3.0"),
)  # fmt: skip
