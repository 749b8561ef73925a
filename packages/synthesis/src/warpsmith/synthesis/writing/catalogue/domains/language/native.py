"""Native snippets of C++ and CUDA, with adjoints and without."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper
from warpsmith.synthesis.writing.ideas.parts import Idea

HELPERS = (
    helper("soft_clip", '''
soft_clip_snippet = """
    float t = x / limit;
    return x / (1.0f + t * t);
"""
soft_clip_adjoint = """
    float t = x / limit;
    float s = 1.0f + t * t;
    adj_x += adj_ret * (1.0f - t * t) / (s * s);
    adj_limit += adj_ret * 2.0f * x * t * t / (limit * s * s);
"""


@wp.func_native(soft_clip_snippet, adj_snippet=soft_clip_adjoint)
def soft_clip(x: float, limit: float) -> float: ...
'''),
    helper("square_plus", '''
square_snippet = """
    return ⟨x * x + y|x * x + y * y⟩;
"""


@wp.func_native(square_snippet)
def square_plus(x: float, y: float) -> float: ...
'''),
    helper("spring_force", '''
spring_code = """
    float stretch = length - rest;
    return stiffness * stretch;
"""
spring_code_adj = """
    adj_length += stiffness * adj_ret;
    adj_rest -= stiffness * adj_ret;
    adj_stiffness += (length - rest) * adj_ret;
"""


@wp.func_native(spring_code, spring_code_adj)
def native_spring(length: float, rest: float, stiffness: float) -> float: ...
''', '''
spring_code = """
    // stiffer the longer it is
    float stretch = length - rest;
    return stiffness * stretch * stretch * stretch;
"""
spring_code_adj = """
    float stretch = length - rest;
    float slope = 3.0f * stiffness * stretch * stretch;
    adj_length += slope * adj_ret;
    adj_rest -= slope * adj_ret;
    adj_stiffness += stretch * stretch * stretch * adj_ret;
"""


@wp.func_native(spring_code, spring_code_adj)
def native_spring(length: float, rest: float, stiffness: float) -> float: ...
'''),
    helper("lerp_native", '''
lerp_snippet = "return a + (b - a) * t;"
lerp_adj = """
    adj_a += (1.0f - t) * adj_ret;
    adj_b += t * adj_ret;
    adj_t += (b - a) * adj_ret;
"""


@wp.func_native(lerp_snippet, lerp_adj)
def native_lerp(a: float, b: float, t: float) -> float: ...
'''),
    helper("mix_bits", '''
mix_snippet = """
    int h = key ^ (key >> ⟨3|4|2⟩);
    h = (h * ⟨73|37|29⟩ + ⟨11|17|5⟩) & 65535;
    return h ^ (h >> ⟨5|7⟩);
"""


@wp.func_native(mix_snippet)
def mix_bits(key: int) -> int: ...
''', '''
mix_snippet = """
    int folded = (key & 255) ^ (key >> 8);
    return (folded * 31 + ⟨7|13⟩) & 1023;
"""


@wp.func_native(mix_snippet)
def mix_bits(key: int) -> int: ...
'''),
    helper("gray_code", '''
gray_snippet = """
    // neighbours differ in one bit
    return value ^ (value >> 1);
"""


@wp.func_native(gray_snippet)
def to_gray_code(value: int) -> int: ...
'''),
    helper("spread_native", '''
spread_snippet = """
    int v = value & 15;
    v = (v ^ (v << 2)) & 51;
    v = (v ^ (v << 1)) & 85;
    return v;
"""


@wp.func_native(spread_snippet)
def spread_bits(value: int) -> int: ...
'''),
    helper("select_code", '''
select_snippet = """
    return a ⟨<|>|<=|>=⟩ b ? a : b;
"""


@wp.func_native(select_snippet)
def native_select(a: int, b: int) -> int: ...
'''),
    helper("pseudo_huber", '''
huber_snippet = """
    float r = residual / delta;
    return residual * r / (1.0f + r * r);
"""
huber_adj = """
    float r = residual / delta;
    float s = 1.0f + r * r;
    adj_residual += adj_ret * 2.0f * r / (s * s);
    adj_delta -= adj_ret * r * r * (1.0f - r * r) / (s * s);
"""


@wp.func_native(huber_snippet, huber_adj)
def robust_cost(residual: float, delta: float) -> float: ...
'''),
    helper("counter_step", '''
step_snippet = """
    int next = state * 75 + 74;
    return next % 65537;
"""


@wp.func_native(step_snippet)
def lehmer_step(state: int) -> int: ...
'''),
    helper("rotate_bits", '''
rotate_snippet = """
    int low = value & 255;
    return ((low << shift) | (low >> (8 - shift))) & 255;
"""


@wp.func_native(rotate_snippet)
def rotate_byte(value: int, shift: int) -> int: ...
'''),
)  # fmt: skip

NATIVE = (
    Idea(
        "native_clip",
        "soft_clip_values limit_signal compress_range soften",
        "compress large values by a native function",
        """
        hook begin
        $x = ⟨{x}[$i]|{x}[$i] - {y}[$i]|{x}[$i] * {w}[$i]⟩
        ⟨2:{x_out}[$i] = @soft_clip($x, {cut})|$r = @soft_clip($x, {w}[$i])
        {x_out}[$i] = $x - $r|if wp.abs($x) > {cut}:
            # small values pass unchanged
            $x = @soft_clip($x, ⟨2.0|{k}⟩)
            wp.atomic_add({counter}, 0, 1)
        {x_out}[$i] = $x|wp.atomic_add({group_x}, {lab}[$i], @soft_clip($x, {k}))⟩
        hook end
        """,
        kinds="native",
    ),
    Idea(
        "native_spring",
        "spring_forces_native link_forces eval_links pull_elements",
        "compute the force along each link by a native function",
        """
        hook begin
        $j = {link}[$i]
        $d = {p}[$j] - {p}[$i]
        $l = wp.length($d) + 1.0e-3
        ⟨2:$f = @spring_force($l, {k}, {w}[$i])
        {v_out}[$i] = $d * ($f / $l)|{x_out}[$i] = @spring_force($l, ⟨1.0|{w}[$j]⟩, {k})|if $j == $i or {flags}[$j] & {SKIP} != 0:
            return
        $f = @spring_force($l, {w}[$i], {k})
        {v_out}[$i] = $d * ($f / $l)⟨|
        {x_out}[$i] = $f⟩⟩
        """,
        kinds="native vector gather_scatter",
    ),
    Idea(
        "native_blend",
        "blend_native lerp_columns mix_values crossfade",
        "blend values by a native function",
        """
        hook begin
        $t = ⟨{cut}|float({lab}[$i]) / float({bins})⟩
        ⟨2:{x_out}[$i] = @lerp_native({x}[$i], {y}[$i], $t)|$j = {link}[$i]
        {x_out}[$i] = @lerp_native({x}[$i], {x}[$j], $t)|if {flags}[$i] & {DIRTY} ⟨==|!=⟩ 0:
            {x_out}[$i] = @lerp_native({x}[$i], {y}[$i], $t)
        else:
            {x_out}[$i] = {y}[$i]|$v = {v}[$i]
        {v_out}[$i] = wp.vec3(@lerp_native($v[0], {x}[$i], $t), @lerp_native($v[1], {y}[$i], $t), $v[2])⟩
        hook end
        """,
        kinds="native",
    ),
    Idea(
        "native_hash",
        "hash_native scramble_keys assign_buckets mix_keys",
        "hash each key by native bit operations ⟨2:into a bucket|and mark collisions with the next key|⟩",
        """
        hook begin
        $r = @mix_bits({keys}[$i])
        ⟨2:{i_out}[$i] = $r % {bins}
        wp.atomic_add({group_n}, $r % {bins}, 1)|{i_out}[$i] = $r
        $j = ($i + 1) % {n}
        if (@mix_bits({keys}[$j]) & ⟨3|7⟩) == ($r & ⟨3|7⟩):
            wp.atomic_add({counter}, 0, 1)|{i_out}[$i] = $r⟨| & ⟨63|255⟩⟩⟩
        hook end
        """.replace("⟨63|255⟩", "127"),
        kinds="native integer_bits",
        integer=True,
    ),
    Idea(
        "native_gray",
        "gray_codes encode_gray to_gray encode_positions",
        "encode ⟨2:keys|thread indices|labels and keys⟩ as Gray codes",
        """
        hook begin
        ⟨2:{i_out}[$i] = @gray_code({keys}[$i])|{i_out}[$i] = @gray_code($i⟨| >> 1⟩)|$q = {keys}[$i] * {bins} + {lab}[$i]
        {i_out}[$i] = @gray_code($q)
        ⟨if $q & 1 == 0:
            wp.atomic_add({counter}, 0, 1)|{state_out}[$i] = @gray_code($q + 1) ^ @gray_code($q)⟩⟩
        """,
        kinds="native integer_bits",
        integer=True,
    ),
    Idea(
        "native_morton",
        "morton_keys interleave_native z_order_keys cell_codes",
        "interleave the bits of the row and the column by native code",
        """
        ⟨2:{around}[$i, $j] = @spread_native($i) | (@spread_native($j) << 1)|$r = @spread_native($i) + 2 * @spread_native($j)
        if {alive}[$i, $j] == 1:
            {around}[$i, $j] = $r
        else:
            {around}[$i, $j] = -1|if {alive}[$i, $j] == 0:
            return
        {around}[$i, $j] = (@spread_native($j) << 1) + @spread_native($i)
        wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="i j",
        kinds="native integer_bits multi_dim",
        integer=True,
    ),
    Idea(
        "native_select",
        "select_native choose_codes pick_smaller limit_codes",
        "select between ⟨2:keys of linked elements|a key and a bound|flags and labels⟩ by a native ternary",
        """
        hook begin
        ⟨2:$j = {link}[$i]
        {i_out}[$i] = @select_code({keys}[$i], {keys}[$j])|{i_out}[$i] = @select_code({keys}[$i], ⟨250|100⟩)|{i_out}[$i] = @select_code({flags}[$i], {lab}[$i])⟩
        hook end
        """,
        kinds="native",
        integer=True,
    ),
    Idea(
        "native_cost",
        "robust_costs residual_costs evaluate_cost accumulate_cost",
        "accumulate a robust cost of the residuals by a native function with an adjoint",
        """
        hook begin
        $d = ⟨{x}[$i] - {y}[$i]|({x}[$i] - {y}[$i]) * {w}[$i]|{x}[$i] * {k} - {y}[$i]⟩
        ⟨2:wp.atomic_add({group_x}, {lab}[$i], @pseudo_huber($d, {cut}))|{x_out}[$i] = @pseudo_huber($d, {cut})⟨|
        wp.atomic_add({group_x}, {lab}[$i], 1.0)⟩|$r = @pseudo_huber($d, {w}[$i])
        if $r > ⟨0.25|0.5⟩:
            wp.atomic_add({counter}, 0, 1)
        {x_out}[$i] = $r⟩
        hook end
        """.replace("⟨|\n        wp.atomic_add({group_x}, {lab}[$i], 1.0)⟩", ""),
        kinds="native losses",
    ),
    Idea(
        "native_sequence",
        "advance_sequence lehmer_sequence generate_codes step_generator",
        "advance a sequence of integers by native code",
        """
        hook begin
        $s = ⟨{keys}[$i] + 1|{keys}[$i] * {bins} + {lab}[$i] + 1|$i + 1⟩
        for $q in range(⟨2|3|4⟩):
            $s = @counter_step($s)
        ⟨2:{i_out}[$i] = $s % ⟨1000|{bins}⟩|{i_out}[$i] = $s & ⟨255|63⟩
        if $s % 2 == 0:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_add({group_n}, $s % {bins}, 1)⟩
        """,
        kinds="native control_flow",
        integer=True,
    ),
    Idea(
        "native_rotate",
        "rotate_bytes scramble_bytes cipher_keys permute_bits",
        "rotate the bits of the low byte of each key",
        """
        hook begin
        ⟨2:{i_out}[$i] = @rotate_bits({keys}[$i], ⟨1|3|{lab}[$i] % 8⟩)|$r = @rotate_bits({keys}[$i], ⟨2|5⟩) ^ ⟨{flags}[$i]|{lab}[$i]⟩
        {i_out}[$i] = @rotate_bits($r, 3)|$r = @rotate_bits({keys}[$i], 4)
        if $r > {keys}[$i] & 255:
            $r = {keys}[$i] & 255
        {i_out}[$i] = $r⟩
        hook end
        """.replace("$r > {keys}[$i] & 255", "$r > ({keys}[$i] & 255)"),
        kinds="native integer_bits",
        integer=True,
    ),
    Idea(
        "native_square",
        "squared_norms energy_terms native_energy sum_of_squares",
        "compute sums of squares by a native function without an adjoint",
        """
        hook begin
        $v = {v}[$i]
        ⟨2:$r = @square_plus($v[0], @square_plus($v[1], $v[2]))|$r = @square_plus({x}[$i], {w}[$i])⟩
        {x_out}[$i] = ⟨$r|wp.sqrt($r + 0.01)|0.5 * {w}[$i] * $r⟩
        hook end
        """.replace("wp.sqrt($r + 0.01)", "0.5 * $r"),
        kinds="native",
        forward_only=True,
    ),
)
