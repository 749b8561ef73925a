"""Ideas of the domain `sampling`: filters, ring buffers, windows, events of signals with several channels."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SIGNALS = (
    Idea(
        "fir",
        "fir_filter apply_fir convolve_channels filter_signal",
        "filter each channel with ⟨1:a causal|a centered|a strided⟩ FIR filter",
        """
        ⟨2:if $s >= {len}[$c]:
            # padding
            ⟨{sig_out}[$c, $s] = 0.0
            |⟩return
        |if {bad}[$c] ⟨!= 0|== 1⟩:
            {sig_out}[$c, $s] = {sig}[$c, $s]
            return
        |⟩
        $sum = float(0.0)
        for $k in range({taps}):
            # tap k reads a ⟨1:past|shifted|past⟩ sample
            ⟨1:$j = $s - $k|$j = $s + $k - {taps} / 2|$j = $s - 2 * $k⟩
            ⟨3:if $j >= 0⟨1:| and $j < {t}|⟩:
                $sum += {coef}[$k] * {sig}[$c, $j]|⟨1:if $j < 0|if $j < 0 or $j >= {t}|if $j < 0⟩:
                continue
            $sum += {coef}[$k] * {sig}[$c, $j]|# repeat the ends
            $j = wp.clamp($j, 0, {t} - 1)
            $sum += {sig}[$c, $j] * {coef}[$k]⟩
        ⟨4:{sig_out}[$c, $s] = $sum|{sig_out}[$c, $s] = ⟨$sum + {sig}[$c, $s] * {gain}[$c]|{sig}[$c, $s] - $sum⟩⟩
        """,
        threads="c s",
        kinds="control_flow multi_dim stencil",
    ),
    Idea(
        "channel_energy",
        "channel_energy ragged_power sum_channels measure_level",
        "sum up ⟨1:the energy|the amplitude|the differences⟩ of each channel of a ragged signal",
        """
        hook channel
        $sum = float(0.0)
        ⟨2:$count = int(0)
        ||⟩each ragged:
            ⟨1:$sum += {flat}[$k] * {flat}[$k]|$sum += wp.abs({flat}[$k])|if $k > {start}[$c]:
                $delta = {flat}[$k] - {flat}[$k - 1]
                $sum += $delta * $delta⟩
            ⟨2:if ⟨3:{flat}[$k]|wp.abs({flat}[$k])⟩ > {level}:
                $count += 1|if ⟨3:{flat}[$k]|wp.abs({flat}[$k])⟩ > {level}:
                wp.atomic_add({hits}, 0, 1)|⟩
        {pow_out}[$c] = $sum⟨| / float(wp.max({start}[$c + 1] - {start}[$c], 1))⟩
        ⟨2:{cross_out}[$c] = $count||if {start}[$c + 1] - {start}[$c] < ⟨4|6⟩:
            # too short
            wp.atomic_add({lost}, 0, 1)⟩
        """,
        kinds="control_flow reduction",
        threads="c",
    ),
    Idea(
        "push_ring",
        "push_samples ring_buffer_push update_history moving_sum",
        "write the new sample of each channel to its ring buffer, and update ⟨1:the moving sum|the last jump⟩",
        """
        ⟨2:hook channel
        |if {bad}[$c] == ⟨1|2⟩:
            ⟨{last_out}[$c] = {MISSING}
            |⟩return
        |⟩$slot = {head}[$c] % {ring}
        ⟨3:$old = {buf}[$c, $slot]|# the slot contains the oldest sample
        $old = int({buf}[$c, $slot])⟩
        $cur = {fresh}[$c]
        ⟨4:if ⟨6:$cur > {trigger}|$cur < -{trigger}|wp.abs($cur) > {trigger}⟩:
            $cur = ⟨6:⟨{trigger}|$old⟩|⟨-{trigger}|$old⟩|$old⟩
            ⟨wp.atomic_add({lost}, 0, 1)|⟩
        |⟩{buf}[$c, $slot] = $cur
        ⟨1:{acc}[$c] += $cur - $old|if wp.abs($cur - $old) > {trigger}:
            # a jump over the length of the buffer
            {last_out}[$c] = $slot⟩
        # advance the head
        ⟨5:{head}[$c] = ($slot + 1) % {ring}|$slot += 1
        if $slot ⟨==|>=⟩ {ring}:
            $slot = 0
            ⟨wp.atomic_add({hits}, 0, 1)|⟩
        {head}[$c] = $slot⟩
        """,
        threads="c",
        kinds="arithmetic control_flow",
        integer=True,
    ),
    Idea(
        "ring_stats",
        "ring_extremes history_range scan_history ring_summary",
        "find ⟨1:the range|the number of large samples|the newest large sample⟩ in the ring buffer of each channel",
        """
        hook channel
        $best = int(⟨1:-1000|0|-1⟩)
        ⟨1:$low = int(1000)
        ||⟩⟨2:for $k in range({ring}):
            # from the newest to the oldest
            $slot = ({head}[$c] + {ring} - 1 - $k) % {ring}|$slot = ({head}[$c] + {ring} - 1) % {ring}
        for $k in range({ring}):
            $slot = ($slot + 1) % {ring}⟩
            $cur = ⟨{buf}[$c, $slot]|wp.abs({buf}[$c, $slot])⟩
            ⟨3:if $cur == 0:
                continue
            |⟩⟨1:if $cur > $best:
                $best = $cur
            if $cur < $low:
                $low = $cur|if $cur > {trigger}⟨| or $cur < -{trigger}⟩:
                $best += 1|if $cur > {trigger}:
                $best = $k
                ⟨2:break|⟩⟩

        # summary of the buffer
        ⟨1:{span_out}[$c] = $best - $low|{cross_out}[$c] = $best|{last_out}[$c] = $best⟩
        ⟨4:⟨1:wp.atomic_max({top}, 0, $best)|wp.atomic_add({hits}, 0, $best)|if $best < 0:
            # none is large
            wp.atomic_add({lost}, 0, 1)⟩|⟩
        """,
        threads="c",
        kinds="control_flow reduction early_exit",
        integer=True,
    ),
    Idea(
        "biquad",
        "biquad_step iir_filter filter_frame update_biquad",
        "advance the ⟨1:second-order|first-order⟩ recursive filter of each channel by one ⟨2:sample|sample with gain⟩",
        """
        hook channel
        $u = {inp}[$c]⟨2:| * {gain}[$c]⟩
        ⟨3:if wp.abs($u) < {level}:
            # gate
            $u = $u * ⟨0.1|0.25⟩
        |if {bad}[$c] == ⟨1|2⟩:
            $u = 0.5 * $u
        |⟩⟨1:⟨4:# transposed direct form II
        $y = {b0} * $u + {s1}[$c]
        {s1_out}[$c] = {b1} * $u - {a1} * $y + {s2}[$c]
        {s2_out}[$c] = {b0} * $u - {a2} * $y|# direct form II
        $w = $u - {a1} * {s1}[$c] - {a2} * {s2}[$c]
        $y = {b0} * $w + {b1} * {s1}[$c]
        {s1_out}[$c] = $w
        {s2_out}[$c] = {s1}[$c]⟩|⟨4:$y = {b0} * $u + {b1} * {s1}[$c] - {a1} * {s2}[$c]
        {s1_out}[$c] = $u
        {s2_out}[$c] = $y|$y = {s1}[$c] + (1.0 - {decay}) * ($u - {s1}[$c])
        {s1_out}[$c] = $y⟩⟩

        ⟨5:if wp.abs($y) > 0.5:
            wp.atomic_add({lost}, 0, 1)
        |⟩{y_out}[$c] = ⟨6:$y|wp.clamp($y, -1.0, 1.0)|$u - $y⟩
        """,
        threads="c",
        kinds="arithmetic control_flow scalar_param",
    ),
    Idea(
        "detect_events",
        "detect_edges count_crossings find_onsets schmitt_trigger",
        "count the ⟨1:upward crossings with hysteresis|pulses with a dead time|local maxima above a threshold⟩ of each channel",
        """
        hook channel
        $state = int(0)
        $count = int(0)
        $last = int(⟨-1|{MISSING}⟩)
        ⟨1:||$prev = int(0)⟩
        ⟨3:for $k in range({start}[$c], {start}[$c + 1]):
            $cur = {raw}[$k]|$begin = {start}[$c]
        for $k in range($begin, {start}[$c + 1]):
            $cur = {raw}[$k]|for $k in range({start}[$c] + 1, {start}[$c + 1]):
            $cur = ⟨{raw}[$k]|({raw}[$k] + {raw}[$k - 1]) / 2⟩⟩
            ⟨1:if $state == 0:
                if $cur > {trigger}:
                    $state = 1
                    $count += 1
                    $last = $k
            elif $cur < ⟨-{trigger}|0⟩:
                $state = 0|⟨if $cur > {trigger} and $state == 0|if $state == 0 and $cur >= {trigger}⟩:
                # a pulse begins
                $state = ⟨2|3⟩
                $count += 1
                $last = $k
            elif $cur < {trigger} / 2 and $state > 0:
                $state -= 1|if $state == 1 and $cur < $prev:
                # the sample before was a maximum
                $count += 1
                $last = $k - 1
            $state = 0
            if $cur > {trigger} and $cur > $prev:
                $state = 1
            $prev = $cur⟩

        {cross_out}[$c] = $count
        ⟨4:{last_out}[$c] = $last|if $count > 0⟨| and $state == 0⟩:
            {last_out}[$c] = $last - {start}[$c]
        else:
            {last_out}[$c] = {MISSING}
            ⟨wp.atomic_add({lost}, 0, 1)|⟩|{last_out}[$c] = $last
        wp.atomic_add({hits}, 0, $count)⟩
        """,
        threads="c",
        kinds="control_flow multi_conditional",
        integer=True,
        docs="State machine for events: armed, in a pulse, waiting",
    ),
    Idea(
        "window_frames",
        "window_frames cut_frames apply_window extract_segments",
        "cut overlapping windows from a signal, and taper them",
        """
        $j = $fr * {hop} + ⟨$q|$q - 2|$q + {shift}⟩
        ⟨1:if $j < 0 or $j >= {wl}:
            {frame_out}[$fr, $q] = 0.0
            return
        $u = {wave}[$j]|$j = wp.clamp($j, 0, {wl} - 1)
        $u = {wave}[$j]|⟨# mirror at the end
        |⟩if $j >= {wl}:
            $j = 2 * {wl} - 2 - $j
        $j = wp.max($j, 0)
        $u = {wave}[$j]⟩
        ⟨2:if $j > 0:
            # pre-emphasis
            $u = $u - {decay} * {wave}[$j - 1]
        |if wp.abs($u) < {level}:
            $u = $u * ⟨0.5|0.1⟩
        |⟩# weight of the window
        $w = @taper($q, {win})
        {frame_out}[$fr, $q] = ⟨3:$u * $w|$w * $u * $w|$u * wp.sqrt($w + 1.0e-3)⟩
        """,
        threads="fr q",
        kinds="math multi_dim",
    ),
    Idea(
        "autocorrelation",
        "autocorrelation compute_acf lag_products correlate_lags",
        "sum up the products of samples at each lag of each channel",
        """
        ⟨1:if {bad}[$c] != 0:
            {corr_out}[$c, $lag] = 0.0
            return
        |if $lag >= {len}[$c] / ⟨2|3⟩:
            return
        |⟩$sum = float(0.0)
        ⟨2:for $k in range($lag, {len}[$c]):
            |for $k in range({len}[$c] - $lag):
            ⟩$u = ⟨2:{sig}[$c, $k - $lag]|{sig}[$c, $k + $lag]⟩
            ⟨$sum += {sig}[$c, $k] * $u|if wp.abs($u) > ⟨{level}|0.1⟩:
                # ignore the noise
                $sum += {sig}[$c, $k] * $u⟩

        {corr_out}[$c, $lag] = $sum⟨| / float({len}[$c])| / float({len}[$c] - $lag)⟩
        """,
        threads="c lag",
        kinds="control_flow multi_dim reduction",
    ),
    Idea(
        "quantize",
        "quantize_signal encode_samples mu_law_encode compress_signal",
        "encode each sample with ⟨1:mu-law|equal steps|a square-root law⟩ and count the clipped ones",
        """
        ⟨2:if $s >= {len}[$c]:
            {level_out}[$c, $s] = {MISSING}
            return
        |if {bad}[$c] != 0:
            return
        |⟩$u = {sig}[$c, $s] * ⟨{gain}[$c]|1.25⟩
        ⟨3:if $s > 0:
            # the difference to the sample before
            $u = $u - {sig}[$c, $s - 1] * ⟨{decay}|0.5⟩
        |⟩if $u > 1.0 or $u < -1.0:
            wp.atomic_add({lost}, 0, 1)
            $u = wp.clamp($u, -1.0, 1.0)
        ⟨1:$a = wp.log(1.0 + 255.0 * wp.abs($u)) / 5.545177
        if $u < 0.0:
            $a = -$a|$a = $u|$a = wp.sign($u) * wp.sqrt(wp.abs($u))⟩
        # index of the step
        $b = int(wp.floor(($a + 1.0) * ⟨4:8.0|16.0|4.0⟩))
        {level_out}[$c, $s] = wp.min($b, ⟨4:15|31|7⟩)
        ⟨5:{sig_out}[$c, $s] = ⟨$a|$u⟩|wp.atomic_add({hcount}, wp.clamp($b, 0, {bins} - 1), 1)|⟩
        """,
        threads="c s",
        kinds="math control_flow multi_dim",
    ),
    Idea(
        "resample",
        "resample_channels interpolate_channels change_rate stretch_signal",
        "resample each channel to ⟨1:another rate|its full length⟩ by ⟨3:linear|linear|linear|nearest-neighbour⟩ interpolation",
        """
        ⟨1:$u = float($s) * ⟨0.75|0.5⟩|$u = float($s) * float({len}[$c] - 1) / float({t})⟩
        $j = int($u)
        ⟨1:⟨if $j + 1 >= {len}[$c]:
            # hold the last sample
            {sig_out}[$c, $s] = {sig}[$c, {len}[$c] - 1]
            return
        |$j = wp.min($j, {len}[$c] - 2)
        |if $j > {len}[$c] - 2:
            {sig_out}[$c, $s] = 0.0
            return
        ⟩|$j = wp.min($j, {len}[$c] - 2)
        ⟩$w = $u - float($j)

        ⟨3:{sig_out}[$c, $s] = (1.0 - $w) * {sig}[$c, $j] + $w * {sig}[$c, $j + 1]|$x = {sig}[$c, $j]
        {sig_out}[$c, $s] = $x + $w * ({sig}[$c, $j + 1] - $x)|{sig_out}[$c, $s] = wp.lerp({sig}[$c, $j], {sig}[$c, $j + 1], $w)|# the nearer sample
        if $w > 0.5:
            $j += 1
        {sig_out}[$c, $s] = {sig}[$c, $j]⟩
        ⟨4:wp.atomic_add({pow_out}, $c, {sig}[$c, $j] * {sig}[$c, $j])|wp.atomic_add({chan_out}, $c, {sig}[$c, $j])|⟩
        """,
        threads="c s",
        kinds="arithmetic multi_dim gather_scatter",
    ),
)
