"""Static expressions, factories of functions, types and tables made by Python before compilation."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper
from warpsmith.synthesis.writing.ideas.parts import Idea

PARAMETERS = (
    data("rgb", VEC3, 0.0, 1.0, "colors rgb pixels src_color", "color of each pixel"),
    data("rgb_out", VEC3, 0.0, 0.0, "colors_out rgb_out pixels_out dst_color", "converted color of each pixel"),
    data("uv_out", VEC2, 0.0, 0.0, "projected uv screen_pos pixel_coords", "projection of each point"),
    data("alive", INT, 0, 1, "cells grid state occupancy", "1 for each occupied cell", "n m"),
    data("around", INT, 0, 0, "neighbor_counts counts degree_out occupied_around", "number of occupied neighbours of each cell", "n m"),
    data("grid", FLOAT, -1.0, 1.0, "field u phi temperature", "value of each cell", "n m"),
    data("grid_out", FLOAT, 0.0, 0.0, "field_out du laplacian result_field", "result of each cell", "n m"),
    data("levels", INT, 0, 0, "levels quantized codes_q q_out", "quantized value of each element"),
)  # fmt: skip

HELPERS = (
    helper("poly_order", "POLY_ORDER = ⟨2|3|4⟩"),
    helper("levels_bits", "QUANT_BITS = ⟨4|6|8⟩"),
    helper("cell_width", "CELL_WIDTH = ⟨0.5|0.25|0.1⟩"),
    helper("hash_bits", "HASH_BITS = ⟨5|6|7⟩"),
    helper("remap", """
# specialized for the range of the data
def make_remap(low: float, high: float):
    @wp.func
    def remap(x: float) -> float:
        return ⟨(x - low) / (high - low)|low + (high - low) * x⟩

    return remap


remap_unit = make_remap(⟨-3.0|-4.0⟩, ⟨3.0|5.0⟩)
""", """
# a parabola with fixed coefficients
def make_power(scale: float, bias: float):
    @wp.func
    def shape(x: float) -> float:
        ⟨y = scale * x + bias
        return y * y|return scale * x * x + bias⟩

    return shape


shape_square = make_power(⟨2.0|0.5|1.5⟩, ⟨0.1|0.25|1.0⟩)
""", """
# the factory keeps the parameters out of the signature
def make_deadzone(width: float, gain: float):
    @wp.func
    def deadzone(x: float) -> float:
        # zero around the center, linear outside
        if wp.abs(x) < width:
            return 0.0
        return gain * (x - wp.sign(x) * width)

    return deadzone


apply_deadzone = make_deadzone(⟨0.5|0.25⟩, ⟨1.0|2.0⟩)
"""),
    helper("activation", """
@wp.func
def soft_step(x: float) -> float:
    return ⟨1.0 / (1.0 + wp.exp(-x))|wp.tanh(x)⟩


@wp.func
def leaky_step(x: float) -> float:
    return wp.where(x > 0.0, x, ⟨0.01|0.1⟩ * x)


USE_LEAKY = ⟨True|False⟩
""", """
@wp.func
def leaky_step(x: float) -> float:
    return ⟨wp.max(x, 0.0)|wp.clamp(x, 0.0, 6.0)⟩


@wp.func
def soft_step(x: float) -> float:
    return ⟨wp.log(1.0 + wp.exp(x))|x / (1.0 + wp.abs(x))⟩


USE_LEAKY = ⟨True|False⟩
"""),
    helper("gauss_rule", """
GAUSS_POINTS = wp.constant(wp.vec3(-0.7745967, 0.0, 0.7745967))
GAUSS_WEIGHTS = wp.constant(wp.vec3(0.5555556, 0.8888889, 0.5555556))
"""),
    helper("color_matrix", """
RGB_TO_YUV = wp.constant(
    wp.mat33(
        0.299, 0.587, 0.114,
        -0.147, -0.289, 0.436,
        0.615, -0.515, -0.100,
    )
)
""", """
LUMA = wp.vec3(0.2126, 0.7152, 0.0722)
RGB_TO_YUV = wp.mat33(0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131)
""", """
RGB_TO_YUV = wp.constant(wp.mat33(0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505))
"""),
    helper("vec5", """
vec5 = wp.types.vector(length=5, dtype=float)
"""),
    helper("mat23", """
mat23 = wp.types.matrix(shape=(2, 3), dtype=float)
"""),
    helper("ring", """
RING_ROW = wp.constant(wp.vec4i(⟨7:1, -1, 0, 0|1, 1, -1, -1⟩))
RING_COL = wp.constant(wp.vec4i(⟨7:0, 0, 1, -1|1, -1, 1, -1⟩))
"""),
    helper("cross_ring", """
STEP_ROW = wp.vec4i(1, -1, 0, 0)
STEP_COL = wp.vec4i(0, 0, 1, -1)
""", """
STEP_ROW = wp.constant(wp.vec4i(0, 1, 0, -1))
STEP_COL = wp.constant(wp.vec4i(1, 0, -1, 0))
"""),
    helper("weights4", """
SMOOTH_WEIGHTS = wp.constant(wp.vec4(⟨0.125, 0.375, 0.375, 0.125|0.4, 0.3, 0.2, 0.1|0.25, 0.25, 0.25, 0.25⟩))
""", """
SMOOTH_WEIGHTS = wp.vec4(⟨-0.1, 0.6, 0.6, -0.1|0.0, 0.2, 0.3, 0.5⟩)
"""),
    helper("combine_op", """
@wp.func
def take_sum(a: float, b: float) -> float:
    return a + b


@wp.func
def take_difference(a: float, b: float) -> float:
    return ⟨wp.abs(a - b)|a - b⟩


USE_SUM = ⟨True|False⟩
"""),
)  # fmt: skip

CLOSURES = (
    Idea(
        "static_order",
        "evaluate_series polynomial_static horner_static eval_poly",
        "evaluate a polynomial whose degree is a Python constant",
        """
        hook begin
        $x = {x}[$i] ⟨* 0.3|* {w}[$i] * 0.25|/ 3.0⟩
        $s = float(⟨1.0|0.0|0.5⟩)
        ⟨3:# the loop is unrolled
        |⟩for $q in range(wp.static(@poly_order⟨|+ 1⟩)):
            ⟨2:$s = $s * $x + ⟨1.0|float($q)|{k}⟩|$s += $x / float($q + 1)|if $q % 2 == 0:
                $s += $x * float($q)
            else:
                $s -= $x * $x⟩
        {x_out}[$i] = $s
        hook end
        """.replace("@poly_order⟨|+ 1⟩", "⟨@poly_order|@poly_order + 1⟩"),
        kinds="closure_static arithmetic",
    ),
    Idea(
        "static_levels",
        "quantize_values to_levels encode_fixed_point quantize",
        "quantize each value to a number of bits that Python fixes",
        """
        hook begin
        $t = wp.clamp(({x}[$i] + 3.0) / 6.0, 0.0, 1.0)
        ⟨2:{levels}[$i] = int($t * wp.static(float((1 << @levels_bits) - 1)) + 0.5)|$q = int($t * float(wp.static(2**@levels_bits)))
        {levels}[$i] = wp.min($q, wp.static(2**@levels_bits - 1))|$q = int($t * wp.static(float(1 << @levels_bits)))
        if $q >= wp.static(1 << @levels_bits) or {flags}[$i] & {SKIP} != 0:
            $q = 0
            wp.atomic_add({counter}, 0, 1)
        {levels}[$i] = $q⟩
        hook end
        """,
        kinds="closure_static",
        forward_only=True,
    ),
    Idea(
        "factory_map",
        "apply_remap shape_response map_values apply_curve",
        "map each value by a function that a factory made for fixed parameters",
        """
        hook begin
        ⟨2:{x_out}[$i] = @remap({x}[$i])|$r = @remap({x}[$i]) - @remap({y}[$i])
        {x_out}[$i] = $r * {w}[$i]|if {lab}[$i] ⟨==|<=⟩ {which}:
            {x_out}[$i] = @remap({x}[$i])
        else:
            {x_out}[$i] = {x}[$i]|$v = {v}[$i]
        {v_out}[$i] = wp.vec3(@remap($v[0]), @remap($v[1]), $v[2])⟩
        hook end
        """,
        kinds="closure_static helper_functions",
    ),
    Idea(
        "static_choice",
        "apply_activation nonlinearity_static activate forward_activation",
        "apply one of two functions that a Python flag selects",
        """
        hook begin
        $x = ⟨{x}[$i]|{x}[$i] * {w}[$i]|{x}[$i] + {y}[$i]⟩
        $r = wp.static(⟨leaky_step if @activation else soft_step|soft_step if @activation else leaky_step⟩)($x)
        ⟨2:{x_out}[$i] = $r|{x_out}[$i] = $r * {k}
        if $x > {cut}:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_add({group_x}, {lab}[$i], $r)⟩
        hook end
        """,
        kinds="closure_static",
    ),
    Idea(
        "gauss_integral",
        "integrate_cells gauss_quadrature cell_averages integrate_intervals",
        "integrate ⟨2:a cubic|a Gaussian|a rational function⟩ over an interval by a rule of three points",
        """
        # midpoint and half width of the interval
        $c = ⟨{x}[$i]|0.5 * ({x}[$i] + {y}[$i])⟩
        $h = ⟨0.5 * {w}[$i]|{w}[$i]⟩
        $s = float(0.0)
        for $q in range(3):
            $t = $c + $h * GAUSS_POINTS[$q]
            $s += @gauss_rule[$q] * ⟨2:($t * $t * $t ⟨-|+⟩ $t)|wp.exp(-$t * $t ⟨* 0.5|⟩)|(⟨1.0|$t⟩ / (1.0 + $t * $t))⟩
        ⟨3:{x_out}[$i] = $s * $h|{x_out}[$i] = 0.5 * $s|wp.atomic_add({group_x}, {lab}[$i], $s * $h)⟩
        hook end
        """,
        kinds="closure_static reduction",
    ),
    Idea(
        "convert_colors",
        "convert_color apply_color_matrix rgb_transform color_space",
        "convert colors by a constant matrix ⟨2:|and scale the chroma|and clip them⟩",
        """
        hook begin
        $c = ⟨{rgb}[$i]|{rgb}[$i] * {k}⟩
        ⟨3:# rows: luma, then both chroma channels
        |⟩$t = @color_matrix * $c
        ⟨2:{rgb_out}[$i] = $t|{rgb_out}[$i] = wp.vec3($t[0], $t[1] * {k}, $t[2] * {k})|{rgb_out}[$i] = wp.vec3(wp.clamp($t[0], 0.0, 1.0), $t[1], $t[2])⟩
        ⟨4:if $t[0] > ⟨0.5|0.4⟩:
            wp.atomic_add({group_n}, {lab}[$i], 1)|{i_out}[$i] = int($t[0] * 255.0)|⟩
        """,
        kinds="closure_static matrix",
    ),
    Idea(
        "five_features",
        "score_features linear_model evaluate_features quadratic_features",
        "compute a score of five features of each element",
        """
        $a = @vec5({x}[$i], {y}[$i], {w}[$i], ⟨{x}[$i] * {y}[$i]|{x}[$i] * {x}[$i]|{x}[$i] - {y}[$i]⟩, ⟨1.0|{k}⟩)
        ⟨2:{x_out}[$i] = wp.dot($a, @vec5(⟨0.5, 0.25, -0.5, 0.1, 1.0|1.0, -1.0, 0.2, 0.05, 0.3⟩))|{x_out}[$i] = wp.length_sq($a)|$b = @vec5(⟨0.2|{k}⟩)
        {x_out}[$i] = wp.dot($a, $b)|$s = float(0.0)
        for $q in range(⟨5|4⟩):
            $s += wp.abs($a[$q])
        {x_out}[$i] = $s⟩
        hook end
        """,
        kinds="closure_static arithmetic",
    ),
    Idea(
        "project_points",
        "project_points to_screen orthographic_projection drop_depth",
        "project points to the plane of an image by a matrix of two rows",
        """
        hook begin
        ⟨3:# focal length on the diagonal
        |⟩$a = @mat23(⟨{k}, 0.0, 0.5, 0.0, {k}, 0.5|1.0, 0.0, -0.5, 0.0, 1.0, -0.5|0.7, -0.7, 0.0, 0.4, 0.4, 0.8⟩)
        $t = $a * {p}[$i]
        ⟨2:{uv_out}[$i] = $t|{uv_out}[$i] = $t / (⟨3.0|4.0⟩ + {p}[$i][2])|{uv_out}[$i] = $t
        if wp.max(wp.abs($t)) < ⟨1.0|{cut}⟩:
            wp.atomic_add({counter}, 0, 1)
            {i_out}[$i] = 1|{x_out}[$i] = wp.length($t) * {w}[$i]⟩
        """,
        kinds="closure_static",
    ),
    Idea(
        "ring_neighbors",
        "count_ring_neighbors moore_counts occupied_around neighbor_census",
        "count the occupied ⟨7:direct|diagonal⟩ neighbours of each cell with tables of offsets",
        """
        $n = int(0)
        for $q in range(4):
            $row = $i + RING_ROW[$q]
            $col = $j + @ring[$q]
            ⟨2:if $row >= 0 and $row < {n} and $col >= 0 and $col < {m}:
                $n += {alive}[$row, $col]|if $row < 0 or $row >= {n} or $col < 0 or $col >= {m}:
                continue
            if {alive}[$row, $col] == ⟨1|0⟩:
                $n += 1⟩
        ⟨3:{around}[$i, $j] = $n|if {alive}[$i, $j] == ⟨1|0⟩:
            {around}[$i, $j] = $n
        else:
            {around}[$i, $j] = ⟨-1|-$n⟩|if $n ⟨> 2|== 2⟩:
            wp.atomic_add({counter}, 0, 1)
        {around}[$i, $j] = ⟨$n|$n + {alive}[$i, $j]⟩⟩
        """,
        threads="i j",
        kinds="closure_static cellular_automata control_flow",
        integer=True,
    ),
    Idea(
        "static_laplacian",
        "laplacian_static diffuse_field heat_rhs five_point_laplacian",
        "apply the five-point Laplacian with a spacing that Python fixes",
        """
        $s = ⟨float(0.0)|0.0 * {grid}[$i, $j]⟩
        for $q in range(4):
            $row = wp.clamp($i + STEP_ROW[$q], 0, {n} - 1)
            $col = wp.clamp($j + @cross_ring[$q], 0, {m} - 1)
            $s += {grid}[$row, $col] - {grid}[$i, $j]
        ⟨3:# divide by the square of the spacing
        |⟩{grid_out}[$i, $j] = ⟨2:$s * wp.static(1.0 / (@cell_width * @cell_width))|{grid}[$i, $j] + {dt} * $s * wp.static(@cell_width**-2)|$s / wp.static(@cell_width**2)⟩
        """.replace("⟨float(0.0)|0.0 * {grid}[$i, $j]⟩", "float(0.0)"),
        threads="i j",
        kinds="closure_static stencil multi_dim",
    ),
    Idea(
        "smooth_weights",
        "smooth_signal binomial_filter weighted_window fir_filter",
        "filter a signal with ⟨four|fixed⟩ weights",
        """
        $s = float(0.0)
        for $q in range(4):
            ⟨2:$j = wp.clamp($i + $q - ⟨1|2⟩, 0, {n} - 1)|$j = ($i + $q) % {n}⟩
            $s += @weights4[$q] * ⟨{x}[$j]|{x}[$j] * {w}[$j]|({x}[$j] - {y}[$j])⟩
        ⟨3:{x_out}[$i] = $s|{x_out}[$i] = {x}[$i] - $s|if {flags}[$i] & {PINNED} != 0:
            {x_out}[$i] = {x}[$i]
            return
        {x_out}[$i] = $s⟩
        """,
        kinds="closure_static stencil",
    ),
    Idea(
        "static_hash",
        "hash_keys bucket_of_keys fibonacci_hash hash_to_slots",
        "hash keys into a table whose size is a power of two",
        """
        hook begin
        $key = {keys}[$i]
        ⟨2:$r = ($key ^ ($key >> 4)) & wp.static((1 << @hash_bits) - 1)|$r = ($key * ⟨73|37|101⟩ + ⟨17|11⟩) % wp.static(1 << @hash_bits)|$r = ($key * 40503) & 65535
        $r = $r >> wp.static(16 - @hash_bits)⟩
        {i_out}[$i] = $r
        ⟨3:if $r ⟨<|>=⟩ wp.static(1 << (@hash_bits - 1)):
            wp.atomic_add({counter}, 0, 1)|wp.atomic_add({group_n}, $r % {bins}, 1)|⟩
        """,
        kinds="closure_static integer_bits",
        integer=True,
    ),
    Idea(
        "function_value",
        "combine_arrays binary_op elementwise_op apply_binary",
        "combine two arrays by a function that a Python flag selects",
        """
        hook begin
        $j = ⟨$i|{link}[$i]|($i + 1) % {n}⟩
        ⟨2:{x_out}[$i] = wp.static(take_sum if @combine_op else take_difference)({x}[$i], {y}[$j])|$r = wp.static(take_sum if @combine_op else take_difference)({x}[$i], {x}[$j] * {w}[$j])
        {x_out}[$i] = wp.static(take_sum if @combine_op else take_difference)($r, {y}[$i])|if {lab}[$i] == {lab}[$j]⟨| and {flags}[$j] > 1⟩:
            {x_out}[$i] = wp.static(take_sum if @combine_op else take_difference)({x}[$i], {x}[$j])
        else:
            {x_out}[$i] = {x}[$i]⟩
        hook end
        """,
        kinds="closure_static helper_functions",
    ),
)
