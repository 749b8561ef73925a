"""Short ideas of the domain `images`: tone curves, colours, sums over windows, blending by short formulas."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "accumulate_frame",
        "accumulate_frame update_model running_average add_frame",
        "add ⟨1:a part of the difference to the running value|the value of the frame to the running value|the scaled value to the running value⟩ of each pixel in place",
        """
        ⟨|if ⟨{locked}[$y, $x]|not {mask}[$y, $x]|{zone}[$y, $x] == {BACKGROUND}⟩:
            return
        ⟩{accf}[$y, $x] += ⟨1:{learn} * ({img}[$y, $x] - ⟨{aux}|{mean_bg}⟩[$y, $x])|{img}[$y, $x]⟨| * {alpha}[$y, $x]| - {bias0}⟩|{gain} * {img}[$y, $x] + {bias0}⟩
        ⟨|{note}[$y, $x] = ⟨{label}[$y, $x]|{zone}[$y, $x]⟩|{value_out}[$y, $x] = {img}[$y, $x] - {aux}[$y, $x]⟩
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
        ⟨{accf}[$y, $x] += ⟨1.0|{alpha}[$y, $x]|{gain}⟩|⟩
        ⟨|{note}[$y, $x] = ⟨{label}[$y, $x]|{view}[$y, $x]⟩⟩
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
        $v = {gain} * {img}[$y, $x] + {bias0}
        ⟨|if ⟨{mask}[$y, $x]|{label}[$y, $x] == {which}⟩:
            $v = ⟨{img}[$y, $x]|{aux}[$y, $x] * {gain}|$v * {contrast}⟩
        ⟩{value_out}[$y, $x] = ⟨$v|$v * $v|{contrast} * ($v - 0.5) + 0.5|$v - {aux}[$y, $x]⟩
        """,
        threads="y x",
        kinds="arithmetic scalar_param image_filter",
    ),
    Idea(
        "tone_curve",
        "tone_curve apply_gamma log_curve encode_values",
        "apply a ⟨1:power|logarithmic|exponential|periodic⟩ curve to each pixel",
        """
        $v = {img}[$y, $x] + ⟨0.1|{knee}|0.2⟩
        {value_out}[$y, $x] = ⟨{gain} * |{bias0} + |⟩⟨1:wp.pow($v, ⟨{contrast}|1.0 / {contrast}⟩)|wp.log(1.0 + $v / {knee})|(1.0 - wp.exp(-{expo} * $v))|wp.sin({expo} * $v)⟩
        ⟨|if {roi}[$y, $x]:
            {note}[$y, $x] = ⟨1|{label}[$y, $x]⟩⟩
        """,
        threads="y x",
        kinds="math scalar_param image_filter",
    ),
    Idea(
        "radial_falloff",
        "vignette radial_falloff lens_falloff distance_weight",
        "⟨1:darken each pixel by|write the weight of each pixel for⟩ its distance to the centre",
        """
        # offset from the centre in pixels
        $dx = float($x) - {rx}
        $dy = float($y) - {ry}
        $w = ⟨wp.exp(-($dx * $dx + $dy * $dy) / (40.0 * {knee}))|1.0 / wp.sqrt(1.0 + {knee} * ($dx * $dx + $dy * $dy))|wp.cos(0.05 * {knee} * ($dx + $dy))⟩
        {value_out}[$y, $x] = ⟨1:{img}[$y, $x] * |⟩$w⟨| * {gain}| + {bias0}⟩
        """,
        threads="y x",
        kinds="math scalar_param arithmetic",
    ),
    Idea(
        "flow_angle",
        "flow_angle gradient_direction edge_direction motion_magnitude",
        "compute the ⟨1:direction|length|energy⟩ of the vector of each pixel",
        """
        $uvv = {flow}[$y, $x]⟨| - wp.vec2({rx}, {ry})| * {gain}⟩
        ⟨|if not {mask}[$y, $x]:
            return
        ⟩{value_out}[$y, $x] = ⟨1:wp.atan2($uvv[1], $uvv[0] + 6.0)|wp.sqrt(wp.dot($uvv, $uvv) + {knee})|wp.log(1.0 + wp.dot($uvv, $uvv))⟩
        ⟨|{note}[$y, $x] = {label}[$y, $x]⟩
        """,
        threads="y x",
        kinds="math vector",
    ),
    Idea(
        "expose_color",
        "expose_color scale_radiance white_balance tint_image",
        "scale the colour of each pixel by ⟨1:the exposure|the white balance|its opacity⟩",
        """
        $rgbv = {rgb}[$y, $x]⟨| + {rgb_b}[$y, $x]| - wp.vec3({bias0})⟩
        ⟨|if {zone}[$y, $x] == {zone_id}:
            $rgbv = {rgb_b}[$y, $x]
        ⟩{rgb_out}[$y, $x] = ⟨1:$rgbv * {expo}|wp.vec3({gain} * $rgbv[0], $rgbv[1], {knee} * $rgbv[2])|$rgbv * {alpha}[$y, $x]⟩⟨| + wp.vec3({bias0}, {bias0}, {bias0})⟩
        """,
        threads="y x",
        kinds="vector scalar_param",
    ),
    Idea(
        "clip_color",
        "clip_highlights chroma_key gamut_clip limit_color",
        "limit the colour of each ⟨1:bright|distant|dark⟩ pixel",
        """
        $rgbv = {hdr}[$y, $x]
        # outliers are pulled back
        if ⟨1:wp.length($rgbv) > {white}|wp.length($rgbv - {rgb}[$y, $x]) > {white}|wp.dot($rgbv, $rgbv) < {white}⟩:
            $rgbv = ⟨$rgbv * 0.5|{rgb}[$y, $x]|wp.normalize($rgbv) * {white}⟩
            ⟨|wp.atomic_add({hits}, 0, 1)⟩
        ⟨|elif {mask}[$y, $x]:
            $rgbv = $rgbv * {expo}⟩
        {ldr_out}[$y, $x] = $rgbv
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
            $rgbv = ⟨wp.lerp($rgbv, {rgb}[$y, $x], {alpha}[$y, $x])|$rgbv + {alpha}[$y, $x] * ({rgb}[$y, $x] - $rgbv)|{rgb}[$y, $x]|wp.cw_mul($rgbv, {rgb}[$y, $x])⟩
            ⟨|{note}[$y, $x] = 1|wp.atomic_add({hits}, 0, 1)⟩
        {rgb_out}[$y, $x] = $rgbv⟨| * {expo}⟩
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
            {rgb_out}[$y, $x] = ⟨{rgb}[$y, $x]|{rgb}[$y, $x] * {alpha}[$y, $x]⟩
        elif {mode}[$y, $x] == {MULTIPLY}:
            {rgb_out}[$y, $x] = wp.cw_mul({rgb}[$y, $x], {rgb_b}[$y, $x])
        else:
            {rgb_out}[$y, $x] = ⟨{rgb_b}[$y, $x]|{rgb}[$y, $x] + {rgb_b}[$y, $x]|{expo} * {rgb_b}[$y, $x]|wp.vec3()⟩
        ⟨|{note}[$y, $x] = {mode}[$y, $x]⟩
        """,
        threads="y x",
        kinds="multi_conditional combined vector",
    ),
    Idea(
        "activation_ladder",
        "apply_activation channel_activation activate_features nonlinearity",
        "apply the activation of each channel",
        """
        $v = {feat}[$c, $y, $x]⟨| + {beta_c}[$c]| * {gain}⟩
        # one activation for each channel
        if {act}[$c] == {RELU}:
            $v = wp.max($v, ⟨0.0|{bias0}⟩)
        elif {act}[$c] == {LEAKY}:
            $v = ⟨wp.where($v > 0.0, $v, {leak} * $v)|{leak} * $v⟩
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
            {value_out}[$y, $x] = ⟨0.0|{bias0}⟩
        elif {label}[$y, $x] ⟨== {which}|> {which}⟩⟨| and {mask}[$y, $x]⟩:
            {value_out}[$y, $x] = {gain} * ⟨{img}[$y, $x]|{aux}[$y, $x]|({img}[$y, $x] - {aux}[$y, $x])⟩
        else:
            {value_out}[$y, $x] = ⟨{img}[$y, $x]|{img}[$y, $x] + {bias0}|{knee}⟩
        """,
        threads="y x",
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "window_filter",
        "window_filter convolve_window box_filter correlate",
        "sum the weighted ⟨1:values|differences|products⟩ of the window of each pixel",
        """
        $tot = float(0.0)
        # weighted sum over the window
        for $dy in range({kh}):
            for $dx in range({kw}):
                $tot += {win}[$dy, $dx] * ⟨1:{img}[wp.min($y + $dy, {h} - 1), wp.min($x + $dx, {w} - 1)]|({img}[($y + $dy) % {h}, $x] - {img}[$y, ($x + $dx) % {w}])|{img}[($y + $dy) % {h}, ($x + $dx) % {w}] * {alpha}[$y, $x]⟩
        {value_out}[$y, $x] = $tot⟨| + {bias0}| * 0.5⟩
        """,
        threads="y x",
        kinds="nested_loop arithmetic image_filter stencil",
    ),
    Idea(
        "channel_pool",
        "global_pool sum_channel channel_energy pool_features",
        "sum the ⟨1:values|squares|values of valid pixels⟩ of each channel",
        """
        $tot = float(0.0)
        # all pixels of the channel
        for $y in range({h}):
            for $x in range({w}):
                ⟨1:$tot += ⟨|{gamma_c}[$c] * ⟩{feat}[$c, $y, $x]|$tot += {feat}[$c, $y, $x] * {feat}[$c, $y, $x]|if {mask}[$y, $x]:
                    $tot += {feat}[$c, $y, $x]⟩
        {chanf}[$c] = $tot⟨| + {beta_c}[$c]| * 0.01⟩
        """,
        threads="c",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "mix_channels",
        "mix_channels project_features pointwise_conv weighted_channels",
        "sum the weighted channels of each pixel",
        """
        $tot = float(0.0)
        # pointwise convolution
        for $c in range({nch}):
            ⟨|if {mixw}[$c] < {bias0}:
                continue
            ⟩$tot += {mixw}[$c] * {planes}[$c, $y, $x]⟨| * {img}[$y, $x]⟩
        {value_out}[$y, $x] = $tot⟨| + {bias0}| + {img}[$y, $x]⟩
        """,
        threads="y x",
        kinds="control_flow arithmetic",
    ),
    Idea(
        "row_energy",
        "row_energy sum_rows row_profile line_integral",
        "sum the ⟨1:values|differences|weighted values⟩ of each row",
        """
        $tot = float(0.0)
        for $x in range(⟨1:{w}|1, {w}|{w}⟩):
            ⟨|if {mask}[$y, $x]:
                continue
            ⟩$tot += ⟨1:{img}[$y, $x]⟨| * {gain}⟩|{img}[$y, $x] - {aux}[$y, $x - 1]|{img}[$y, $x] * {alpha}[$y, $x]⟩
        {rowf}[$y] = $tot⟨| + {bias0}⟩
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
            ⟨1:wp.atomic_add({region_sum}, $lab, {img}[$y, $x])|wp.atomic_add({region_sum}, $lab, ⟨{alpha}[$y, $x]|{gain}⟩ * {img}[$y, $x])|wp.atomic_add({area}, $lab, ⟨1|{label}[$y, $x]⟩)⟩
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
        ⟩wp.⟨atomic_add|atomic_sub⟩({whist}, ⟨1:{ori}[$y, $x]⟨| * 2⟩|{zone}[$y, $x]|{gray}[$y, $x] // 32⟩, ⟨{mag}[$y, $x]|{gain} * {mag}[$y, $x]|{mag}[$y, $x] - {bias0}⟩)
        ⟨|{note}[$y, $x] = ⟨{ori}[$y, $x]|{label}[$y, $x]⟩⟩
        """,
        threads="y x",
        kinds="atomic histograms atomics",
    ),
)  # fmt: skip
