"""Short ideas of the domain `images`: tone curves, colours, sums over windows, blending by short formulas."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "accumulate_frame",
        "accumulate_frame update_model running_average add_frame",
        "add ⟨1:a part of the difference to the running value|the value of the frame to the running value|the scaled value to the running value⟩ of each pixel in place",
        """
        ⟨|if ⟨{locked}[$y, $x]|not {mask}[$y, $x]|{label}[$y, $x] == {BACKGROUND}⟩:
            return
        ⟩{accf}[$y, $x] += ⟨1:{learn} * ({img}[$y, $x] - ⟨{aux}|{mean_bg}⟩[$y, $x])|{img}[$y, $x]⟨| * {alpha}[$y, $x]⟩|{gain} * {img}[$y, $x]⟨| + {bias0}⟩⟩
        ⟨|{value_out}[$y, $x] = {img}[$y, $x] - {aux}[$y, $x]⟩
        """,
        threads="y x",
        kinds="arithmetic",
    ),
    Idea(
        "accumulate_color",
        "accumulate_color add_sample splat_radiance film_update",
        "add the ⟨1:radiance|weighted colour|difference of the colours⟩ of each pixel to its running colour in place",
        """
        ⟨|if ⟨{view}[$y, $x] < 0|not {roi}[$y, $x]⟩:
            return
        ⟩{accrgb}[$y, $x] += ⟨1:{hdr}[$y, $x]⟨| * {expo}⟩|{alpha}[$y, $x] * {rgb}[$y, $x]|{learn} * ({rgb}[$y, $x] - {rgb_b}[$y, $x])⟩
        ⟨{accf}[$y, $x] += ⟨1:1.0|{alpha}[$y, $x]|1.0⟩|⟩
        """,
        threads="y x",
        kinds="vector",
    ),
    Idea(
        "adjust_levels",
        "adjust_levels brightness_contrast linear_map apply_window",
        "change the brightness and the contrast of each pixel",
        """
        # linear map of the intensity
        $v = ⟨{gain} * {img}[$y, $x] + {bias0}|{contrast} * ({img}[$y, $x] - 0.5) + 0.5 + {bias0}⟩
        ⟨|if ⟨{locked}[$y, $x]|not {mask}[$y, $x]|{label}[$y, $x] == {which}⟩:
            # left as it is
            $v = {img}[$y, $x]
        ⟩{value_out}[$y, $x] = ⟨$v|wp.clamp($v, 0.0, 1.0)⟩
        """,
        threads="y x",
        kinds="arithmetic scalar_param image_filter",
    ),
    Idea(
        "tone_curve",
        "tone_curve ⟨1:apply_gamma|log_curve|exposure_curve|sine_curve⟩",
        "apply ⟨1:a power|a logarithmic|an exponential|a sine⟩ curve to each pixel",
        """
        ⟨|if not {roi}[$y, $x]:
            {value_out}[$y, $x] = {img}[$y, $x]
            return
        ⟩$v = ⟨{img}[$y, $x] + 0.01|wp.max({img}[$y, $x], 0.01)⟩
        {value_out}[$y, $x] = ⟨{gain} * |⟩⟨1:wp.pow($v, ⟨{gam}|1.0 / {gam}⟩)|wp.log(1.0 + $v / {knee})|(1.0 - wp.exp(-{expo} * $v))|wp.sin({expo} * $v)⟩
        """,
        threads="y x",
        kinds="math scalar_param image_filter",
    ),
    Idea(
        "radial_falloff",
        "⟨1:vignette|radial_weight⟩ radial_falloff ⟨1:lens_falloff|distance_weight⟩",
        "⟨1:darken each pixel by|write the weight of each pixel for⟩ its distance to the centre",
        """
        ⟨|if not {mask}[$y, $x]:
            return
        ⟩# offset from the centre in pixels
        $dx = float($x) - {rx}
        $dy = float($y) - {ry}
        $w = ⟨wp.exp(-($dx * $dx + $dy * $dy) / (40.0 * {knee}))|1.0 / wp.sqrt(1.0 + {knee} * ($dx * $dx + $dy * $dy))|1.0 / (1.0 + 0.1 * {knee} * ($dx * $dx + $dy * $dy))|wp.cos(0.05 * {knee} * wp.sqrt($dx * $dx + $dy * $dy + 0.01))⟩
        {value_out}[$y, $x] = ⟨1:{img}[$y, $x] * |⟩$w
        """,
        threads="y x",
        kinds="math scalar_param arithmetic",
    ),
    Idea(
        "flow_angle",
        "⟨1:flow_angle|flow_length|flow_energy⟩ ⟨1:motion_direction|motion_magnitude|motion_energy⟩",
        "compute the ⟨1:direction|length|logarithmic energy⟩ of the vector of each pixel",
        """
        $uvv = {flow}[$y, $x]
        ⟨|if ⟨not {mask}[$y, $x]|{locked}[$y, $x]|{label}[$y, $x] == {ignore}⟩:
            return
        ⟩{value_out}[$y, $x] = ⟨1:⟨wp.atan2($uvv[1], $uvv[0])|wp.degrees(wp.atan2($uvv[1], $uvv[0]))⟩|wp.sqrt(wp.dot($uvv, $uvv) + 1.0e-4)|wp.log(1.0 + wp.dot($uvv, $uvv))⟩
        """,
        threads="y x",
        kinds="math vector",
    ),
    Idea(
        "expose_color",
        "⟨1:expose_color|white_balance|premultiply_color⟩ ⟨1:scale_radiance|balance_colors|weight_by_opacity⟩",
        "scale the colour of each pixel by ⟨1:the exposure|the white balance|its opacity⟩",
        """
        ⟨|if {zone}[$y, $x] != {zone_id}:
            {rgb_out}[$y, $x] = ⟨6:{rgb}|{hdr}⟩[$y, $x]
            return
        |if not {mask}[$y, $x]:
            return
        ⟩$rgbv = ⟨6:{rgb}|{hdr}⟩[$y, $x]
        $rgbv = ⟨1:$rgbv * {expo}|wp.vec3({wb_r} * $rgbv[0], $rgbv[1], {wb_b} * $rgbv[2])|$rgbv * {alpha}[$y, $x]⟩
        {rgb_out}[$y, $x] = ⟨$rgbv|wp.min($rgbv, wp.vec3(1.0, 1.0, 1.0))⟩
        """,
        threads="y x",
        kinds="vector scalar_param",
    ),
    Idea(
        "clip_color",
        "⟨1:clip_highlights|reject_outliers|clip_channels⟩ limit_color",
        "limit the colour of each ⟨1:bright|distant|overexposed⟩ pixel",
        """
        $rgbv = {hdr}[$y, $x]
        # outliers are pulled back
        if ⟨1:wp.length($rgbv) > {white}|wp.length($rgbv - {rgb}[$y, $x]) > {white}|wp.max($rgbv[0], wp.max($rgbv[1], $rgbv[2])) > {white}⟩:
            $rgbv = ⟨1:⟨$rgbv * ({white} / wp.length($rgbv))|wp.normalize($rgbv) * {white}⟩|⟨{rgb}[$y, $x]|0.5 * ($rgbv + {rgb}[$y, $x])⟩|⟨wp.min($rgbv, wp.vec3({white}, {white}, {white}))|$rgbv * ({white} / wp.max($rgbv[0], wp.max($rgbv[1], $rgbv[2])))⟩⟩
            ⟨|wp.atomic_add({hits}, 0, 1)⟩
        {ldr_out}[$y, $x] = $rgbv⟨| / {white}⟩
        """,
        threads="y x",
        kinds="combined vector control_flow",
    ),
    Idea(
        "composite_pixels",
        "composite_pixels blend_layers alpha_over paste_foreground",
        "put the foreground of each ⟨1:pixel|selected pixel|opaque pixel⟩ over the background",
        """
        $rgbv = {rgb_b}[$y, $x]
        # foreground over background
        if ⟨1:not {locked}[$y, $x]|{label}[$y, $x] == {which}|{alpha}[$y, $x] > {thresh}⟩:
            $rgbv = ⟨wp.lerp($rgbv, {rgb}[$y, $x], {alpha}[$y, $x])|$rgbv + {alpha}[$y, $x] * ({rgb}[$y, $x] - $rgbv)|{rgb}[$y, $x]⟩
            ⟨|{note}[$y, $x] = 1|wp.atomic_add({hits}, 0, 1)⟩
        {rgb_out}[$y, $x] = $rgbv
        """,
        threads="y x",
        kinds="combined vector control_flow",
    ),
    Idea(
        "blend_ladder",
        "blend_by_mode apply_blend_mode mix_layers layer_blend",
        "blend the colours of each pixel by its mode",
        """
        if {mode}[$y, $x] == {NORMAL}:
            {rgb_out}[$y, $x] = ⟨{rgb}[$y, $x]|wp.lerp({rgb_b}[$y, $x], {rgb}[$y, $x], {alpha}[$y, $x])⟩
        elif {mode}[$y, $x] == {MULTIPLY}:
            {rgb_out}[$y, $x] = wp.cw_mul({rgb}[$y, $x], {rgb_b}[$y, $x])
        ⟨elif {mode}[$y, $x] == {SCREEN}:
            {rgb_out}[$y, $x] = {rgb}[$y, $x] + {rgb_b}[$y, $x] - wp.cw_mul({rgb}[$y, $x], {rgb_b}[$y, $x])
        |⟩else:
            {rgb_out}[$y, $x] = ⟨{rgb_b}[$y, $x]|0.5 * ({rgb}[$y, $x] + {rgb_b}[$y, $x])|wp.min({rgb}[$y, $x] + {rgb_b}[$y, $x], wp.vec3(1.0, 1.0, 1.0))⟩
        """,
        threads="y x",
        kinds="multi_conditional combined vector",
    ),
    Idea(
        "activation_ladder",
        "apply_activation channel_activation activate_features nonlinearity",
        "apply the activation of each channel",
        """
        $v = ⟨|{gamma_c}[$c] * ⟩{feat}[$c, $y, $x]⟨| + {beta_c}[$c]⟩
        # one activation for each channel
        if {act}[$c] == {RELU}:
            $v = wp.max($v, 0.0)
        elif {act}[$c] == {LEAKY}:
            $v = ⟨wp.where($v > 0.0, $v, {leak} * $v)|wp.max($v, {leak} * $v)⟩
        ⟨elif {act}[$c] == {SIGMOID}:
            $v = 1.0 / (1.0 + wp.exp(-$v))
        |⟩{norm_out}[$c, $y, $x] = $v
        """,
        threads="c y x",
        kinds="multi_conditional control_flow",
    ),
    Idea(
        "class_weights",
        "class_weights zone_gain weight_by_class set_class_cost",
        "weight each pixel by its class",
        """
        if {label}[$y, $x] == {ignore}:
            {value_out}[$y, $x] = 0.0
        elif ⟨{label}[$y, $x] == {which}|{zone}[$y, $x] == {zone_id}⟩⟨| and {mask}[$y, $x]⟩:
            {value_out}[$y, $x] = {gain} * ⟨4:{img}[$y, $x]|{aux}[$y, $x]|({img}[$y, $x] - {aux}[$y, $x])⟩
        else:
            {value_out}[$y, $x] = ⟨4:{img}[$y, $x]|{aux}[$y, $x]|{img}[$y, $x] - {aux}[$y, $x]⟩
        """,
        threads="y x",
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "window_filter",
        "window_filter ⟨1:convolve_window|window_differences|correlate⟩",
        "sum the weighted ⟨1:values|differences to the centre|products with the second image⟩ of the window of each pixel",
        """
        $tot = float(0.0)
        # weighted sum over the window
        for $dy in range({kh}):
            for $dx in range({kw}):
                $tot += {win}[$dy, $dx] * ⟨1:{img}[⟨2:wp.min($y + $dy, {h} - 1), wp.min($x + $dx, {w} - 1)|($y + $dy) % {h}, ($x + $dx) % {w}⟩]|({img}[⟨2:wp.min($y + $dy, {h} - 1), wp.min($x + $dx, {w} - 1)|($y + $dy) % {h}, ($x + $dx) % {w}⟩] - {img}[$y, $x])|{img}[⟨2:wp.min($y + $dy, {h} - 1), wp.min($x + $dx, {w} - 1)|($y + $dy) % {h}, ($x + $dx) % {w}⟩] * {aux}[⟨2:wp.min($y + $dy, {h} - 1), wp.min($x + $dx, {w} - 1)|($y + $dy) % {h}, ($x + $dx) % {w}⟩]⟩
        {value_out}[$y, $x] = $tot
        """,
        threads="y x",
        kinds="nested_loop arithmetic image_filter stencil",
    ),
    Idea(
        "channel_pool",
        "⟨4:sum_channel|global_pool⟩ ⟨1:channel_values|channel_energy|masked_channel|channel_magnitude⟩",
        "⟨4:sum|average⟩ the ⟨1:values|squares|values of valid pixels|absolute values⟩ of each channel",
        """
        ⟨|if {keep}[$c] == 0:
            return
        ⟩$tot = float(0.0)
        # all pixels of the channel
        for $y in range({h}):
            for $x in range({w}):
                ⟨1:$tot += {feat}[$c, $y, $x]|$tot += {feat}[$c, $y, $x] * {feat}[$c, $y, $x]|if {mask}[$y, $x]:
                    $tot += {feat}[$c, $y, $x]|$tot += wp.abs({feat}[$c, $y, $x])⟩
        {chanf}[$c] = $tot⟨4:| / float({h} * {w})⟩
        """,
        threads="c",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "mix_channels",
        "mix_channels project_features pointwise_conv weighted_channels",
        "sum the weighted channels of each pixel",
        """
        ⟨|if not {mask}[$y, $x]:
            return
        ⟩$tot = float(⟨0.0|{bias0}⟩)
        # pointwise convolution
        for $c in range({nch}):
            ⟨|if wp.abs({mixw}[$c]) < 0.1:
                # hardly any weight
                continue
            ⟩$tot += {mixw}[$c] * {planes}[$c, $y, $x]
        {value_out}[$y, $x] = $tot
        """,
        threads="y x",
        kinds="control_flow arithmetic",
    ),
    Idea(
        "row_energy",
        "⟨1:row_values|row_variation|line_integral|row_energy⟩ row_profile ⟨4:sum_rows|average_rows⟩",
        "⟨4:sum|average⟩ the ⟨1:values|changes|weighted values|squares⟩ of each row",
        """
        $tot = float(0.0)
        for $x in range(⟨1:{w}|1, {w}|{w}|{w}⟩):
            ⟨|if not {mask}[$y, $x]:
                continue
            ⟩$tot += ⟨1:{img}[$y, $x]|wp.abs({img}[$y, $x] - {img}[$y, $x - 1])|{img}[$y, $x] * {alpha}[$y, $x]|{img}[$y, $x] * {img}[$y, $x]⟩
        {rowf}[$y] = $tot⟨4:| / float({w})⟩
        """,
        threads="y",
        kinds="control_flow arithmetic reduction",
    ),
    Idea(
        "region_sums",
        "region_sums accumulate_regions segment_intensity object_sums",
        "add the ⟨1:intensity|weighted intensity|number⟩ of each pixel to its region",
        """
        $lab = {region}[$y, $x]
        # -1 marks pixels without a region
        if $lab ⟨>= 0|!= {NONE}⟩⟨| and {mask}[$y, $x]⟩:
            ⟨1:wp.atomic_add({region_sum}, $lab, {img}[$y, $x])|wp.atomic_add({region_sum}, $lab, ⟨{alpha}|{aux}⟩[$y, $x] * {img}[$y, $x])|wp.atomic_add({area}, $lab, 1)⟩
            ⟨|wp.atomic_add({sum_x}, $lab, $x)|wp.atomic_max({max_x}, $lab, $x)⟩
        """,
        threads="y x",
        kinds="atomic control_flow gather_scatter",
    ),
    Idea(
        "scatter_weights",
        "scatter_weights vote_bins orientation_votes weight_histogram",
        "add the weight of each pixel to the bin of its ⟨1:direction|zone|level⟩",
        """
        ⟨|if {mag}[$y, $x] < {low}:
            return
        ⟩wp.atomic_add({whist}, ⟨1:{ori}[$y, $x]|{zone}[$y, $x]|{gray}[$y, $x] // 32⟩, ⟨{mag}[$y, $x]|{mag}[$y, $x] * {mag}[$y, $x]⟩)
        ⟨|wp.atomic_add({hits}, 0, 1)⟩
        """,
        threads="y x",
        kinds="atomic histograms atomics",
    ),
)  # fmt: skip
