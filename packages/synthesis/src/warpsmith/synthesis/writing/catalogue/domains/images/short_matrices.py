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
        ⟩{rgb_out}[$y, $x] = ⟨1:{ccm}[0]|wp.transpose({ccm}[0])⟩ * ⟨{rgb}[$y, $x]|{hdr}[$y, $x]|({rgb}[$y, $x] - {rgb_b}[$y, $x])⟩⟨| * {expo}| + {rgb_b}[$y, $x]⟩
        """,
        threads="y x",
        kinds="matrix vector",
    ),
    Idea(
        "affine_flow",
        "transform_flow rotate_vectors map_motion apply_linear_map",
        "multiply the ⟨1:linear map|tensor|transposed tensor⟩ by the vector of each pixel",
        """
        $uvv = {flow}[$y, $x]⟨| - wp.vec2({rx}, {ry})⟩
        ⟨|if {locked}[$y, $x]:
            $uvv = ⟨wp.vec2()|-$uvv⟩
        ⟩{vec_out}[$y, $x] = ⟨1:{affine}[0]|{tensor}[$y, $x]|wp.transpose({tensor}[$y, $x])⟩ * $uvv⟨| * {gain}| + {flow}[$y, $x]⟩
        """,
        threads="y x",
        kinds="matrix vector",
    ),
    Idea(
        "tensor_response",
        "tensor_response corner_measure hessian_trace edge_measure",
        "compute the ⟨1:trace|determinant|anisotropy⟩ of the tensor of each pixel",
        """
        $ten = {tensor}[$y, $x]⟨| * {alpha}[$y, $x]| + wp.transpose({tensor}[$y, $x])⟩
        {value_out}[$y, $x] = ⟨1:wp.trace($ten)|wp.determinant($ten)⟨| - {knee} * wp.trace($ten)⟩|$ten[0, 0] - $ten[1, 1]⟩⟨| - {bias0}| * {gain}⟩
        ⟨|{note}[$y, $x] = {label}[$y, $x]⟩
        """,
        threads="y x",
        kinds="matrix arithmetic",
    ),
    Idea(
        "curve_chain",
        "grade_image tone_chain soft_tone remap_tones",
        "normalize, bend and blend the value of each pixel",
        """
        $v = @curve(@norm_gray(⟨{img}|{aux}|{mean_bg}⟩[$y, $x], {bias0}, {gain}))
        # fade between both tones
        {value_out}[$y, $x] = @mixv({img}[$y, $x], $v, ⟨{alpha}[$y, $x]|{knee}|{learn}⟩)
        ⟨|{note}[$y, $x] = {label}[$y, $x]⟩
        """,
        threads="y x",
        kinds="arithmetic scalar_param helper_functions",
    ),
    Idea(
        "color_chain",
        "develop_color grade_colors exposure_chain luma_chain",
        "expose the colour of each pixel and bend its luminance",
        """
        $rgbv = @scale_rgb(⟨{rgb}|{hdr}⟩[$y, $x], ⟨{expo}|{gain}⟩)
        # bent luminance
        $v = @curve(@gray_of($rgbv))
        ⟨{lum_out}[$y, $x] = $v⟨| * {alpha}[$y, $x]⟩|{rgb_out}[$y, $x] = $rgbv * $v⟩
        """,
        threads="y x",
        kinds="vector helper_functions",
    ),
    Idea(
        "level_chain",
        "remap_levels posterize_pixels tone_steps quantize_pixels",
        "invert, reduce and clip the grey level of each pixel",
        """
        # fewer levels
        $level = @posterize(⟨{gray}[$y, $x]|{gray_b}[$y, $x]|{lut}[{gray}[$y, $x]]⟩, ⟨{delta}|16|{levels}⟩)
        ⟨if {mask}[$y, $x]:
            $level = @invert($level)
        |if {label}[$y, $x] == {which}:
            $level = @invert($level)
        ⟩{gray_out}[$y, $x] = @clip8($level⟨ + {delta}| * 2| - {gray_b}[$y, $x]⟩)
        """,
        threads="y x",
        kinds="control_flow image_filter",
        integer=True,
    ),
)  # fmt: skip
