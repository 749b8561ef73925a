"""Double and half precision, narrow integers, and conversions between them."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, TYPES
from warpsmith.synthesis.writing.ideas.declare import data, helper, number
from warpsmith.synthesis.writing.ideas.parts import Idea

DOUBLE, HALF = TYPES["float64"], TYPES["float16"]
VEC3D, VEC3H, MAT33D = TYPES["vec3d"], TYPES["vec3h"], TYPES["mat33d"]
INT64, UINT8, UINT32, INT16 = TYPES["int64"], TYPES["uint8"], TYPES["uint32"], TYPES["int16"]

PARAMETERS = (
    data("xd", DOUBLE, -2.0, 2.0, "positions_d x64 x_wide coords_d", "coordinate of each element in double precision"),
    data("yd", DOUBLE, 0.5, 2.0, "masses_d w64 y_wide weights_d", "weight of each element in double precision"),
    data("vd", VEC3D, -2.0, 2.0, "points_d p64 world_pos positions_wide", "position of each element in double precision"),
    data("ud", VEC3D, -2.0, 2.0, "velocities_d v64 world_vel vel_wide", "velocity of each element in double precision"),
    data("md", MAT33D, -0.3, 1.3, "matrices_d jac64 frames_d mats_wide", "matrix of each element in double precision", "n", "near_identity"),
    data("xh", HALF, -2.0, 2.0, "features_h x16 half_values packed_values", "value of each element in half precision"),
    data("wh", HALF, 0.5, 2.0, "weights_h w16 half_weights packed_weights", "weight of each element in half precision"),
    data("vh", VEC3H, -2.0, 2.0, "normals_h n16 half_vectors packed_normals", "vector of each element in half precision"),
    data("b8", UINT8, 0, 250, "bytes_in pixels_u8 raw_bytes levels_u8", "byte of each element"),
    data("s16", INT16, -300, 300, "samples_i16 pcm fixed_in raw16", "sample of each element as a short integer"),
    data("u32", UINT32, 0, 60000, "words_in packed_u32 hashes raw_words", "unsigned word of each element"),
    data("l64", INT64, 0, 100000, "ticks global_ids stamps wide_ids", "wide integer of each element"),
    data("xd_out", DOUBLE, 0.0, 0.0, "result_d out64 wide_out precise", "result in double precision"),
    data("vd_out", VEC3D, 0.0, 0.0, "points_d_out p64_out world_pos_out wide_pos", "vector in double precision"),
    data("xh_out", HALF, 0.0, 0.0, "features_h_out out16 half_out packed_out", "result in half precision"),
    data("vh_out", VEC3H, 0.0, 0.0, "normals_h_out n16_out half_vec_out packed_vec", "vector in half precision"),
    data("b8_out", UINT8, 0, 0, "bytes_out pixels_out encoded levels_out", "resulting byte of each element"),
    data("l64_out", INT64, 0, 0, "keys64 sort_keys64 wide_keys packed64", "wide key of each element"),
    data("u32_out", UINT32, 0, 0, "words_out hashed u32_out packed_words", "resulting word of each element"),
    data("dsum", DOUBLE, 0.0, 0.0, "total_d sum64 precise_sum energy_d", "sum in double precision", "1", start=0.0),
    data("lsum", INT64, 0, 0, "total64 tick_sum count64 wide_total", "sum of wide integers", "1", start=0.0),
    data("mono", FLOAT, 0.0, 0.0, "values_f x32 narrowed single", "result in single precision"),
    data("tag", INT, 0, 0, "tags id32 lower_bits narrowed_ids", "result as an integer"),
    number("hd", 0.01, 0.1, "dt h step_d time_step_d", "time step in s", dtype=DOUBLE),
    number("kd", 0.5, 2.0, "scale_d gain_d alpha64 factor_d", "factor in double precision", dtype=DOUBLE),
)  # fmt: skip

HELPERS = (
    helper("wide_dot", """
def ⟨dot_wide|dot64⟩(a: wp.vec3, b: wp.vec3) -> wp.float64:
    # products of single precision are exact in double precision
    s = wp.float64(a[0]) * wp.float64(b[0])
    s += wp.float64(a[1]) * wp.float64(b[1])
    return s + wp.float64(a[2]) * wp.float64(b[2])
"""),
    helper("to_half", """
def ⟨to_half|pack_half⟩(a: wp.vec3) -> wp.vec3h:
    return wp.vec3h(wp.float16(a[0]), wp.float16(a[1]), wp.float16(a[2]))
"""),
    helper("from_half", """
def ⟨from_half|unpack_half⟩(a: wp.vec3h) -> wp.vec3:
    return wp.vec3(float(a[0]), float(a[1]), float(a[2]))
"""),
    helper("horner_d", """
def ⟨sine_series|taylor_wide⟩(x: wp.float64) -> wp.float64:
    x2 = x * x
    ⟨return x * (wp.float64(1.0) - x2 / wp.float64(6.0) + x2 * x2 / wp.float64(120.0))|return wp.float64(1.0) - x2 / wp.float64(2.0) + x2 * x2 / wp.float64(24.0)⟩
"""),
)  # fmt: skip

PRECISION = (
    Idea(
        "oscillator_d",
        "integrate_double step_oscillator_d symplectic_step64 advance_d",
        "advance oscillators in double precision",
        """
        ⟨3:# explicit types: literals are single precision
        |⟩$acc = ⟨{vd}[$i] * (-{kd} / {yd}[$i])|{vd}[$i] * -{kd} - {ud}[$i] * wp.float64(⟨0.1|0.5⟩)⟩
        $u = {ud}[$i] + $acc * {hd}
        ⟨{vd_out}[$i] = {vd}[$i] + $u * {hd}
        ⟨|wp.atomic_add({dsum}, 0, wp.float64(0.5) * {yd}[$i] * wp.dot($u, $u))|{mono}[$i] = float(wp.length($acc))⟩|$x = {vd}[$i] + $u * {hd}
        {vd_out}[$i] = $x
        ⟨{xd_out}[$i] = wp.length_sq($x)|{mono}[$i] = float($x[1])⟩⟩
        """,
        kinds="mixed_precision",
    ),
    Idea(
        "relative_positions",
        "camera_relative to_local_frame relative_to_origin shift_origin",
        "store positions relative to ⟨2:another element|the first element|a step back⟩ in single precision",
        """
        hook begin
        $d = ⟨2:{vd}[$i] - {vd}[{link}[$i]]|{vd}[$i] - {vd}[0]|{vd}[$i] - {ud}[$i] * {hd}⟩
        ⟨3:# the difference is small enough for single precision
        |⟩{v_out}[$i] = wp.vec3(float($d[0]), float($d[1]), float($d[2]))
        ⟨4:{mono}[$i] = float(wp.length_sq($d))|{xd_out}[$i] = wp.dot($d, {ud}[$i])|wp.atomic_add({dsum}, 0, wp.dot($d, $d))|⟩
        """,
        kinds="mixed_precision vector",
    ),
    Idea(
        "advance_wide",
        "integrate_wide advance_orbits drift_double step_bodies64",
        "advance positions in double precision by velocities in ⟨2:double|single⟩ precision",
        """
        hook begin
        ⟨2:{vd_out}[$i] = {vd}[$i] + {ud}[$i] * {hd}|$v = {v}[$i]
        $u = wp.vec3d(wp.float64($v[0]), wp.float64($v[1]), wp.float64($v[2]))
        {vd_out}[$i] = {vd}[$i] + $u * {hd}|$u = {md}[$i] * {ud}[$i]
        {vd_out}[$i] = {vd}[$i] + {hd} * $u⟩
        ⟨3:wp.atomic_add({dsum}, 0, wp.length_sq({ud}[$i]))|{mono}[$i] = float({vd}[$i][1])|⟩
        """,
        kinds="mixed_precision",
    ),
    Idea(
        "compensated_sum",
        "sum_features precise_mean accumulate_double row_sum64",
        "sum each row in double precision and store ⟨2:the mean|the sum|the sum of squares⟩ in single precision",
        """
        $s = wp.float64(0.0)
        for $c in range({m}):
            $s += ⟨2:wp.float64({table}[$i, $c])|wp.float64({table}[$i, $c]) * wp.float64({table}[0, $c])|wp.float64({table}[$i, $c]) * wp.float64({table}[$i, $c])⟩
        ⟨3:{mono}[$i] = float($s * wp.float64(⟨0.125|0.2⟩))|{mono}[$i] = wp.float32($s)|wp.atomic_add({dsum}, 0, $s)|{xd_out}[$i] = $s⟩
        """,
        kinds="mixed_precision reduction",
    ),
    Idea(
        "kahan_row",
        "kahan_sum compensated_row neumaier_sum careful_sum",
        "sum eight values with a compensation for lost digits",
        """
        $s = float(0.0)
        $lost = float(0.0)
        for $q in range(⟨6|8|4⟩):
            $t = {x}[($i + $q) % {n}] - $lost
            $r = $s + $t
            ⟨3:# what the addition rounds off
            |⟩$lost = ($r - $s) - $t
            $s = $r
        ⟨2:{mono}[$i] = $s|{mono}[$i] = $s * {w}[$i]|wp.atomic_add({group_x}, {lab}[$i], $s)⟩
        """.replace("sum eight values", "sum values"),
        kinds="mixed_precision arithmetic",
    ),
    Idea(
        "half_storage",
        "compress_normals pack_vectors half_encode store_half",
        "⟨2:pack vectors to half precision|unpack vectors of half precision|blend vectors of half precision⟩",
        """
        hook begin
        ⟨2:{vh_out}[$i] = @to_half({v}[$i]⟨| * {k}⟩)|{v_out}[$i] = @from_half({vh}[$i])⟨| * {w}[$i]⟩|$v = @from_half({vh}[$i]) * {k} + {v}[$i]
        {vh_out}[$i] = @to_half($v)⟩
        hook end
        """,
        kinds="mixed_precision vector",
    ),
    Idea(
        "half_features",
        "scale_half fused_half activation_half relu_half",
        "⟨2:scale features|apply a rectifier|add a bias⟩ in half precision",
        """
        hook begin
        ⟨2:{xh_out}[$i] = {xh}[$i] * {wh}[$i]|$x = float({xh}[$i])
        if $x < 0.0:
            $x = ⟨0.0|0.01 * $x⟩
        {xh_out}[$i] = wp.float16($x)|{xh_out}[$i] = {xh}[$i] + wp.float16(⟨0.5|{k}⟩)|{mono}[$i] = float({xh}[$i]) * float({wh}[$i])⟩
        hook end
        """,
        kinds="mixed_precision",
    ),
    Idea(
        "bytes_to_float",
        "decode_pixels normalize_bytes bytes_to_unit decode_u8",
        "⟨2:decode bytes to the unit interval|encode values as bytes|limit bytes⟩",
        """
        ⟨2:{mono}[$i] = float({b8}[$i]) ⟨/ 255.0|* (1.0 / 255.0)⟩|$q = ⟨int(wp.clamp({x}[$i] * 40.0 + 128.0, 0.0, 255.0))|int(wp.round(wp.clamp({x}[$i] * 40.0 + 128.0, 0.0, 255.0)))⟩
        {b8_out}[$i] = wp.uint8($q)|$q = int({b8}[$i]) + ⟨{flags}[$i]|{keys}[$i] % 64⟩
        if $q > 255:
            $q = 255
            wp.atomic_add({counter}, 0, 1)
        {b8_out}[$i] = wp.uint8($q)⟩
        """.replace("int(wp.clamp", "int(wp.clamp"),
        kinds="mixed_precision",
        forward_only=True,
    ),
    Idea(
        "decode_samples",
        "decode_pcm dequantize fixed_to_float scale_samples",
        "convert short integers to ⟨2:floats|another fixed-point format|floats with a gate⟩",
        """
        $q = int({s16}[$i])
        ⟨2:{mono}[$i] = float($q) / ⟨256.0|128.0⟩|{tag}[$i] = ($q * ⟨3|5⟩ + ⟨64|128⟩) ⟨// 2|- {keys}[$i]⟩|if wp.abs($q) < ⟨40|60⟩:
            {mono}[$i] = 0.0
            return
        {mono}[$i] = float($q) * ⟨0.01|0.005⟩⟩
        """.replace("⟨// 2|- {keys}[$i]⟩", "- {keys}[$i]"),
        kinds="mixed_precision",
    ),
    Idea(
        "wide_keys",
        "make_keys64 pack_sort_keys combine_ids build_wide_keys",
        "build wide keys from ⟨2:a label and an index|a time stamp and a label|two keys⟩",
        """
        hook begin
        ⟨2:$q = (wp.int64({lab}[$i]) << wp.int64(32)) + wp.int64($i)|$q = {l64}[$i] * wp.int64({bins}) + wp.int64({lab}[$i])|$q = wp.int64({keys}[$i]) * wp.int64(⟨1000003|65536⟩) + wp.int64({keys}[{link}[$i]])⟩
        {l64_out}[$i] = $q
        ⟨3:{tag}[$i] = int($q % wp.int64(⟨1000|97⟩))|wp.atomic_add({lsum}, 0, $q)|⟩
        """,
        kinds="mixed_precision integer_bits",
        integer=True,
    ),
    Idea(
        "unsigned_hash",
        "hash_words fnv_step mix_unsigned murmur_mix",
        "mix unsigned words by shifts and multiplications",
        """
        $h = ⟨{u32}[$i]|wp.uint32({keys}[$i])|{u32}[$i] ^ wp.uint32($i)⟩
        ⟨3:# multiplication wraps around
        |⟩$h = ⟨2:($h ^ ($h >> wp.uint32(16))) * wp.uint32(⟨73244475|40503⟩)|($h ^ wp.uint32(61)) * wp.uint32(16777619)|($h << wp.uint32(3)) ^ ($h >> wp.uint32(5))⟩
        $h = $h ^ ($h >> wp.uint32(⟨13|15⟩))
        ⟨4:{u32_out}[$i] = $h|{tag}[$i] = int($h % wp.uint32(⟨64|101⟩))|{u32_out}[$i] = $h
        if $h % wp.uint32(2) == wp.uint32(0):
            wp.atomic_add({counter}, 0, 1)|if $h & wp.uint32(⟨4|8⟩) != wp.uint32(0):
            {tag}[$i] = 1
        else:
            {tag}[$i] = ⟨0|{lab}[$i]⟩⟩
        """,
        kinds="mixed_precision integer_bits",
        integer=True,
    ),
    Idea(
        "wide_product",
        "precise_dot dot_double projection_error exact_dot",
        "compute scalar products of vectors in double precision",
        """
        $s = @wide_dot({v}[$i], ⟨{p}[$i]|{v}[{link}[$i]]|{v}[$i]⟩)
        ⟨2:{xd_out}[$i] = $s|{mono}[$i] = float($s)|{mono}[$i] = float($s - wp.float64(wp.dot({v}[$i], {p}[$i])))|wp.atomic_add({dsum}, 0, $s)⟩
        hook end
        """,
        kinds="mixed_precision helper_functions",
    ),
    Idea(
        "series_double",
        "evaluate_series_d taylor_double phase_series wide_series",
        "evaluate a series in double precision⟨2:| and round it to single precision| and compare it with the function⟩",
        """
        $x = {xd}[$i] * wp.float64(⟨0.5|0.4⟩)
        ⟨2:{xd_out}[$i] = @horner_d($x)|{mono}[$i] = float(@horner_d($x))|{xd_out}[$i] = @horner_d($x) - wp.⟨sin|cos⟩($x)⟩
        hook end
        """,
        kinds="mixed_precision",
    ),
    Idea(
        "reinterpret_bits",
        "float_bits order_preserving_keys sortable_floats exponent_of",
        "reinterpret floats as integers to get ⟨2:sortable keys|their exponents|their signs⟩",
        """
        $q = wp.cast({x}[$i], wp.int32)
        ⟨2:if $q < 0:
            # negative numbers sort in reverse
            $q = $q ^ 2147483647
        {tag}[$i] = $q|{tag}[$i] = (($q >> 23) & 255) - 127|{tag}[$i] = wp.where($q < 0, ⟨-1|0⟩, 1)⟩
        """,
        kinds="mixed_precision integer_bits",
        forward_only=True,
    ),
)
