"""Short ideas of the domain `images`: matrices of colours and vectors, chains of helper functions."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_MATRICES = (
    Idea(
        "color_matrix",
        "color_matrix apply_ccm convert_colors transform_colors",
        "multiply the colour of each pixel by the ⟨1:colour matrix|transposed colour matrix⟩",
        """
        ⟨|if not {mask}[$y, $x]:
            return
        |if {view}[$y, $x] < 0:
            return
        ⟩$rgbv = ⟨1:{ccm}[0]|wp.transpose({ccm}[0])⟩ * ⟨{rgb}|{hdr}⟩[$y, $x]
        {rgb_out}[$y, $x] = ⟨$rgbv|{expo} * $rgbv|wp.max($rgbv, wp.vec3(0.0, 0.0, 0.0))⟩
        """,
        threads="y x",
        kinds="matrix vector",
    ),
    Idea(
        "affine_flow",
        "⟨4:transform_flow|transform_positions⟩ ⟨4:map_motion|map_positions⟩ apply_linear_map",
        "multiply the ⟨1:linear map|tensor|transposed tensor⟩ by the ⟨4:vector|position⟩ of each pixel",
        """
        $uvv = ⟨4:{flow}[$y, $x]|wp.vec2(float($x) - {rx}, float($y) - {ry})⟩
        ⟨|if {locked}[$y, $x]:
            {vec_out}[$y, $x] = $uvv
            return
        |if not {mask}[$y, $x]:
            return
        ⟩{vec_out}[$y, $x] = ⟨1:{affine}[0]|{tensor}[$y, $x]|wp.transpose({tensor}[$y, $x])⟩ * $uvv
        """,
        threads="y x",
        kinds="matrix vector",
    ),
    Idea(
        "tensor_response",
        "tensor_response ⟨1:tensor_trace|corner_measure|tensor_anisotropy⟩",
        "compute the ⟨1:trace|⟨4:determinant|Harris response⟩|anisotropy⟩ of the tensor of each pixel",
        """
        ⟨|if ⟨not {mask}[$y, $x]|{locked}[$y, $x]⟩:
            return
        ⟩$ten = ⟨{tensor}[$y, $x]|0.5 * ({tensor}[$y, $x] + wp.transpose({tensor}[$y, $x]))⟩
        {value_out}[$y, $x] = ⟨1:wp.trace($ten)|wp.determinant($ten)⟨4:| - 0.05 * wp.trace($ten) * wp.trace($ten)⟩|$ten[0, 0] - $ten[1, 1]⟩
        """,
        threads="y x",
        kinds="matrix arithmetic",
    ),
    Idea(
        "curve_chain",
        "grade_image tone_chain soft_tone remap_tones",
        "normalize, bend and blend the value of each pixel",
        """
        ⟨|if {locked}[$y, $x]:
            # left as it is
            {value_out}[$y, $x] = ⟨4:{img}|{aux}⟩[$y, $x]
            return
        ⟩$v = @curve(@norm_gray(⟨4:{img}|{aux}⟩[$y, $x], {bias0}, {gain}))
        # fade between both tones
        {value_out}[$y, $x] = @mixv(⟨4:{img}|{aux}⟩[$y, $x], $v, ⟨{alpha}[$y, $x]|0.5|0.8⟩)
        """,
        threads="y x",
        kinds="arithmetic scalar_param helper_functions",
    ),
    Idea(
        "color_chain",
        "develop_color grade_colors exposure_chain luma_chain",
        "expose the colour of each pixel and bend its luminance",
        """
        ⟨|if not {mask}[$y, $x]:
            return
        ⟩$rgbv = @scale_rgb(⟨{rgb}|{hdr}⟩[$y, $x], ⟨{expo}|{gain}⟩)
        $lum = @gray_of($rgbv)
        # bent luminance
        $v = @curve($lum)
        ⟨{lum_out}[$y, $x] = $v|{rgb_out}[$y, $x] = $rgbv * ($v / ($lum + 0.01))⟩
        """,
        threads="y x",
        kinds="vector helper_functions",
    ),
    Idea(
        "level_chain",
        "remap_levels posterize_pixels tone_steps quantize_pixels",
        "reduce the grey levels, invert some pixels, change the ⟨4:contrast|brightness⟩ and clip the result",
        """
        # fewer levels
        $level = @posterize(⟨{gray}[$y, $x]|{gray_b}[$y, $x]|{lut}[{gray}[$y, $x]]⟩, ⟨16|32|256 // {levels}⟩)
        ⟨if {mask}[$y, $x]:
            $level = @invert($level)
        |if {label}[$y, $x] == {which}:
            $level = @invert($level)
        ⟩{gray_out}[$y, $x] = @clip8(⟨4:2 * $level - 128|$level ⟨+|-⟩ 32⟩)
        """,
        threads="y x",
        kinds="control_flow image_filter",
        integer=True,
    ),
)  # fmt: skip
