"""Ideas of the domain `rendering`: short kernels for colors, projections, matrices and single shading terms."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_SHADING = (
    Idea(
        "color_mix",
        "apply_color_matrix mix_channels convert_colors adapt_white",
        "multiply the color of each pixel by the color matrix⟨1:| and clip it| or its transpose| and a gain⟩",
        """
        ⟨hook pixel
        |⟩⟨1:⟨{img_rgb}[$y, $x] = {rgb_mat}[0] * $rgb_in|# decode a gamma of two
        {img_rgb}[$y, $x] = {rgb_mat}[0] * wp.cw_mul($rgb_in, $rgb_in)⟩|$c = {rgb_mat}[0] * $rgb_in
        {img_rgb}[$y, $x] = ⟨wp.max($c, wp.vec3(0.0, 0.0, 0.0))|wp.min($c, wp.vec3(1.0, 1.0, 1.0))⟩|if {ids}[$y, $x] == {wanted}:
            {img_rgb}[$y, $x] = wp.transpose({rgb_mat}[0]) * $rgb_in
        else:
            {img_rgb}[$y, $x] = {rgb_mat}[0] * $rgb_in|{img_rgb}[$y, $x] = {rgb_mat}[0] * $rgb_in * {exposure}
        ⟨{img_f}[$y, $x] = @luminance({rgb_mat}[0] * $rgb_in)|⟩⟩
        """,
        threads="y x",
        kinds="matrix vector",
    ),
    Idea(
        "clip_space",
        "project_to_clip clip_points view_transform to_clip_space",
        "transform each point to clip space ⟨1:and keep its depth|and mark points behind the camera|relative to the camera⟩",
        """
        hook point
        ⟨1:$clip = {view}[0] * wp.vec4($pt[0], $pt[1], $pt[2], 1.0)
        {pt_depth}[$p] = ⟨$clip[2]|$clip[2] / wp.max($clip[3], 0.2)⟩|$clip = {view}[0] * wp.vec4($pt[0], $pt[1], $pt[2], 1.0)
        if $clip[2] ⟨< {near}|+ $clip[3] < 0.0⟩:
            {pt_pixel}[$p] = {NO_HIT}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {pt_depth}[$p] = $clip[2]|$eye_p = wp.transform_point({view}[0], $pt - {cam_pos}[0])
        {pt_depth}[$p] = ⟨$eye_p[2]|wp.length($eye_p)⟩⟩
        """,
        threads="p",
        kinds="matrix",
    ),
    Idea(
        "instance_basis",
        "instance_normals normal_matrix rotate_normals basis_from_pose",
        "rotate the normal of each instance by the matrix of its pose⟨1:| and scale it| for visible instances⟩",
        """
        ⟨1:hook instance
        |hook instance
        |⟩$rot = wp.quat_to_matrix(wp.transform_get_rotation($q_pose))
        ⟨1:{inst_n}[$q] = ⟨$rot * {inst_normal}[$q]|wp.normalize($rot * {inst_normal}[$q])⟩|{inst_n}[$q] = $rot * {inst_normal}[$q] * {inst_rad}[$q]|if ({inst_flags}[$q] & {VISIBLE}) != 0:
            {inst_n}[$q] = $rot * {inst_normal}[$q]
        else:
            {inst_n}[$q] = {inst_normal}[$q]⟩
        ⟨|{inst_p}[$q] = wp.transform_get_translation($q_pose) + $rot * {inst_local}[$q]⟩
        """,
        threads="q",
        kinds="vector transform",
    ),
    Idea(
        "vignette_gain",
        "exposure_curve gamma_curve tone_curve log_encode",
        "apply ⟨1:a gamma curve|an exponential curve|a logarithmic curve|a curve by the mode⟩ to the brightness of each pixel",
        """
        ⟨hook pixel
        |⟩$luma = @luminance($rgb_in)
        ⟨1:{img_f}[$y, $x] = wp.pow($luma + 0.01, ⟨0.4545|0.4167⟩)|{img_f}[$y, $x] = 1.0 - wp.exp(-{exposure} * $luma)|{img_f}[$y, $x] = wp.log(1.0 + {exposure} * $luma)|if {mode}[$y, $x] == 0:
            {img_f}[$y, $x] = wp.sqrt($luma + 0.001)
        elif {mode}[$y, $x] == 1:
            {img_f}[$y, $x] = 1.0 - wp.exp(-$luma)
        else:
            {img_f}[$y, $x] = $luma / (1.0 + $luma)⟩
        """,
        threads="y x",
        kinds="math",
    ),
    Idea(
        "linear_depth",
        "linearize_depth depth_to_view normalize_depth depth_fade",
        "convert the depth of each pixel ⟨1:to view space|to the range of the planes|to a fade factor⟩",
        """
        ⟨hook pixel
        |⟩$z = {depth}[$y, $x]
        ⟨1:{img_z}[$y, $x] = ⟨{near} * {far} / ({far} - $z / {far} * ({far} - {near}))|{near} / (1.0 - $z / {far} * (1.0 - {near} / {far}))⟩|{img_z}[$y, $x] = ($z - {near}) / ({far} - {near})|{img_f}[$y, $x] = ⟨wp.clamp(($z - {near}) / {focus}, 0.0, 1.0)|1.0 - $z / ($z + {focus})⟩⟩
        """,
        threads="y x",
        kinds="arithmetic",
    ),
    Idea(
        "blend_layers",
        "blend_layers mix_images lerp_frames cross_fade",
        "blend two layers ⟨1:by opacity|by a constant|by depth|by mode⟩",
        """
        ⟨1:$a = {alpha}[$y, $x]⟨
        # smooth ends
        $a = $a * $a * (3.0 - 2.0 * $a)|⟩
        {img_rgb}[$y, $x] = $rgb_in * (1.0 - $a) + {color_b}[$y, $x] * $a|{img_rgb}[$y, $x] = ⟨wp.lerp($rgb_in, {color_b}[$y, $x], {mix})|$rgb_in * (1.0 - {mix}) + {color_b}[$y, $x] * {mix}⟩|if {depth_b}[$y, $x] < {depth}[$y, $x] + {blend}:
            {img_rgb}[$y, $x] = {color_b}[$y, $x]
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {img_rgb}[$y, $x] = $rgb_in|if {mode}[$y, $x] == 0:
            {img_rgb}[$y, $x] = $rgb_in + {color_b}[$y, $x] * {mix}
        elif {mode}[$y, $x] == 1:
            {img_rgb}[$y, $x] = wp.cw_mul($rgb_in, {color_b}[$y, $x])
        else:
            {img_rgb}[$y, $x] = wp.max($rgb_in, {color_b}[$y, $x])⟩
        """,
        threads="y x",
        kinds="vector scalar_param",
    ),
    Idea(
        "three_terms",
        "shade_hit simple_shading lit_color phong_term",
        "shade each hit by ⟨1:a reflected highlight|the angle of its light|the distance of its point⟩ and the brightness of its color",
        """
        ⟨hook ray
        |⟩$s = ⟨1:@lambert(@reflect($d, $n), $l)|@lambert($n, $l) * @fade({hit_t}[$i], 9.0)|@fade(wp.length(@ray_at($o, $d, {hit_t}[$i]) - {cam_pos}[0]), 9.0)⟩
        {out_f}[$i] = @luminance({base_color}[$i]) * ⟨$s|($s + {ambient})|$s * $s⟩
        ⟨if $s > ⟨0.5|0.3⟩:
            {out_flag}[$i] = 1|{out_rgb}[$i] = {base_color}[$i] * $s|⟩
        """,
        kinds="vector helper_functions",
    ),
    Idea(
        "pack_hit",
        "encode_hit pack_normal write_packed encode_shade",
        "pack the ⟨1:normal|color|faded color⟩ of each hit into an integer",
        """
        ⟨hook ray
        |⟩⟨1:{out_bits}[$i] = @channel(@to_unit($n[0])) | (@channel(@to_unit($n[1])) << 8)⟨ | (@channel(@fade({hit_t}[$i], 9.0)) << 16)| | (@channel(@lambert($n, $l)) << 16)⟩|$v = {base_color}[$i]
        {out_bits}[$i] = @channel($v[0]) | (@channel($v[1]) << 8) | (@channel($v[2]) << 16)
        {out_f}[$i] = @luminance($v) * @lambert($n, $l)|$v = {base_color}[$i] * @fade({hit_t}[$i], 9.0)
        {out_bits}[$i] = @channel($v[0]) + (@channel($v[1]) << 8) + (@channel($v[2]) << 16)⟩
        ⟨{out_flag}[$i] = 1 if {hit_id}[$i] >= 0 else 0|⟩
        """,
        kinds="arithmetic helper_functions",
    ),
    Idea(
        "normal_preview",
        "preview_normals normal_colors debug_shading matcap_color",
        "show ⟨1:the normal|the normal with its light|the distance⟩ of each hit as a color",
        """
        ⟨hook ray
        |⟩⟨1:$rgb = wp.vec3(@to_unit($n[0]), @to_unit($n[1]), @to_unit($n[2]))
        {out_rgb}[$i] = $rgb⟨| * @fade({hit_t}[$i], 9.0)⟩|$rgb = wp.vec3(@to_unit($n[0]), @to_unit($n[1]), @to_unit($n[2]))
        {out_rgb}[$i] = $rgb * ⟨@lambert($n, $l)|(@lambert($n, $l) + {ambient})⟩|$s = @fade({hit_t}[$i], 9.0)
        {out_rgb}[$i] = ⟨wp.vec3($s, $s, $s)|{base_color}[$i] * $s⟩⟩
        ⟨if wp.dot($n, $d) > 0.0:
            # seen from behind
            {out_flag}[$i] = 1|⟩
        """,
        kinds="vector helper_functions",
    ),
    Idea(
        "wrap_lookup",
        "wrap_coords texel_lookup tiled_fetch sample_nearest",
        "fetch ⟨1:the nearest texel|the nearest texel where its height is large|the brightness of the nearest texel⟩ of each hit",
        """
        ⟨hook ray
        |⟩# the texture begins at the middle of the coordinates
        $tx = @wrap(int(wp.floor(({uv}[$i][0] - 1.5) * float({tw}))), {tw})
        $ty = @wrap(int(wp.floor(({uv}[$i][1] - 1.5) * float({th}))), {th})
        ⟨1:{out_rgb}[$i] = ⟨{texels}[$ty, $tx]|wp.cw_mul({texels}[$ty, $tx], {base_color}[$i])⟩|if {height_map}[$ty, $tx] > 0.5:
            {out_rgb}[$i] = {texels}[$ty, $tx]
        else:
            {out_rgb}[$i] = {base_color}[$i]|{out_f}[$i] = @luminance({texels}[$ty, $tx])⟩
        """,
        kinds="vector helper_functions",
    ),
    Idea(
        "add_light",
        "add_light accumulate_light light_energy count_lit",
        "add ⟨1:the brightness of lit rays|the number of rays of each state|the throughput⟩ to the totals",
        """
        ⟨1:$s = wp.dot($n, $l)
        if $s > 0.0:
            wp.atomic_add({energy}, 0, ⟨$s * @luminance({base_color}[$i])|@luminance({base_color}[$i])⟩)
            ⟨wp.atomic_add({counter}, 0, 1)|⟩|if {hit_id}[$i] >= 0:
            wp.atomic_add({per_obj}, {hit_id}[$i], 1)
        wp.atomic_add({stats}, {ray_state}[$i], 1)|hook ray
        wp.atomic_add({energy}, 0, ⟨@luminance({throughput}[$i])|wp.max({throughput}[$i][0], wp.max({throughput}[$i][1], {throughput}[$i][2]))⟩)
        ⟨wp.atomic_add({counter}, 0, 1)|⟩⟩
        """,
        kinds="atomic atomics",
    ),
    Idea(
        "mode_color",
        "color_by_mode apply_pixel_mode select_color debug_colors",
        "set the color of each pixel by ⟨1:its mode|its depth|its object⟩",
        """
        ⟨1:if {mode}[$y, $x] == 0:
            {img_rgb}[$y, $x] = $rgb_in * {exposure}
        elif {mode}[$y, $x] == 1:
            {img_rgb}[$y, $x] = ⟨{color_b}[$y, $x]|{color_b}[$y, $x] * {exposure}⟩
        else:
            {img_rgb}[$y, $x] = wp.lerp($rgb_in, {color_b}[$y, $x], {mix})|if {depth}[$y, $x] < {focus} * 0.5:
            {img_rgb}[$y, $x] = $rgb_in * {exposure}
        elif {depth}[$y, $x] < {focus}:
            {img_rgb}[$y, $x] = $rgb_in
            ⟨{img_i}[$y, $x] = 1|wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {img_rgb}[$y, $x] = ⟨wp.vec3({ambient}, {ambient}, {ambient})|$rgb_in * wp.exp(-{fog} * ({depth}[$y, $x] - {focus}))|{color_b}[$y, $x]⟩|if {ids}[$y, $x] == {NO_HIT}:
            {img_rgb}[$y, $x] = ⟨wp.vec3({ambient}, {ambient}, {ambient})|{color_b}[$y, $x]⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        elif {ids}[$y, $x] == {wanted}:
            {img_rgb}[$y, $x] = $rgb_in * {exposure} + wp.vec3(0.2, ⟨0.0|0.2⟩, 0.0)
        else:
            {img_rgb}[$y, $x] = ⟨$rgb_in|$rgb_in * 0.5⟩⟩
        """,
        threads="y x",
        kinds="combined multi_conditional scalar_param",
    ),
)
