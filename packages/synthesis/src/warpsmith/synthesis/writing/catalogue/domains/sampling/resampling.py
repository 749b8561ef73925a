"""Ideas of the domain `sampling`: draws from discrete distributions, resampling, streams of random integers."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

RESAMPLING = (
    Idea(
        "systematic",
        "systematic_resample resample_particles find_ancestors select_ancestors",
        "find the ancestor of each sample by ⟨1:systematic|stratified|multinomial⟩ resampling of integer weights",
        """
        ⟨2:if {flag}[$i] == ⟨{SUSPECT}|2⟩:
            # keep the sample
            {pick}[$i] = $i
            return
        |⟩⟨1:$key = ($i * {total} + {shift}) // ({n} + 1)|$rng = wp.rand_init({seed}, $i)
        $key = ($i * {total} + wp.randi($rng, 0, {total})) // ({n} + 1)|$rng = wp.rand_init({seed}⟨| + {epoch}⟩, $i)
        $key = wp.randi($rng, 0, {total})⟩
        # the last offset that is not larger than the key
        ⟨3:$lo = @lower_bound({cum}, {n} - 1, $key)|$lo = int(0)
        $hi = int({n} - 1)
        while $lo < $hi:
            $mid = ($lo + $hi + 1) // 2
            if {cum}[$mid] <= $key:
                $lo = $mid
            else:
                $hi = $mid - 1|$lo = int(0)
        $hi = int(⟨{n}|{n} - 1⟩)
        while $hi - $lo > 1:
            $mid = ($lo + $hi) ⟨>> 1|// 2|/ 2⟩
            if {cum}[$mid] > $key:
                $hi = $mid
            else:
                $lo = $mid⟩

        {pick}[$i] = $lo
        ⟨4:{many_out}[$i] = {many}[$lo]|if $lo != $i:
            # replaced by another one
            wp.atomic_add({hits}, 0, 1)|{tag_out}[$i] = {tag}[$lo]|{state_out}[$i] = {seeds}[$lo]|⟩
        """,
        kinds="control_flow while_loop monte_carlo sorting",
        integer=True,
    ),
    Idea(
        "categorical",
        "sample_categorical draw_category inverse_cdf draw_bins",
        "draw a bin for each sample from a table of ⟨1:cumulative probabilities|aliases⟩",
        """
        hook begin
        $rng = wp.rand_init(⟨{seed}, $i|{seeds}[$i]|{seed} + {epoch}, {seeds}[$i]⟩)
        ⟨1:# invert the distribution function
        $u = wp.randf($rng)
        ⟨2:$lo = int(0)
        $hi = int({bins} - 1)
        while $lo < $hi:
            $mid = ($lo + $hi) // 2
            if {cdf}[$mid] < $u:
                $lo = $mid + 1
            else:
                $hi = $mid
        $b = $lo|$b = int(0)
        for $k in range({bins}⟨ - 1|⟩):
            if {cdf}[$k] < $u⟨| and $b < {bins} - 1⟩:
                $b += 1
        $b = wp.min($b, {bins} - 1)|$b = int(0)
        while $b < {bins} - 1 and {cdf}[$b] < $u:
            $b += 1⟩|$b = wp.randi($rng, 0, {bins})
        if wp.randi($rng, 0, 1000) >= {chance}[$b]:
            ⟨# take the other outcome of the bin
            |⟩$b = {alias}[$b]⟩

        {pick}[$i] = $b
        ⟨4:wp.atomic_add({hcount}, $b, 1)|if $b == ⟨0|{bins} - 1⟩:
            wp.atomic_add({hits}, 0, 1)|# samples that are already there
        {tie_out}[$i] = {hist}[$b]|⟩
        """,
        kinds="control_flow while_loop monte_carlo random_noise",
    ),
    Idea(
        "bootstrap",
        "bootstrap_sum bootstrap_replicates resample_counts draw_replicate",
        "sum up a resample with replacement of the ⟨1:counts|quality codes⟩ for each replicate",
        """
        hook begin
        $rng = wp.rand_init({seed}, ⟨$i|$i * 16 + {flag}[$i]|{seeds}[$i]⟩)

        # draw with replacement
        $sum = int(0)
        ⟨2:$best = int(0)
        |$hits = int(0)
        |⟩for $k in range(⟨{n}|{trials}|24⟩):
            $j = wp.randi($rng, 0, {n})
            ⟨3:if {flag}[$j] == ⟨{SUSPECT}|3⟩:
                continue
            |if {grp}[$j] != {grp}[$i]:
                continue
            |⟩$sum += ⟨1:{many}[$j]|{flag}[$j]⟩
            ⟨2:$best = wp.max($best, ⟨1:{many}[$j]|{flag}[$j]⟩)|if $j == $i⟨| or {tag}[$j] == {tag}[$i]⟩:
                $hits += 1|⟩

        {boot_out}[$i] = $sum
        ⟨2:wp.atomic_max({top}, 0, $best)|{hit_out}[$i] = $hits|⟩
        ⟨4:wp.atomic_add({gcount}, {grp}[$i], 1)|⟩
        """,
        kinds="control_flow monte_carlo random_noise gather_scatter reduction",
        integer=True,
    ),
    Idea(
        "streams",
        "advance_streams lcg_step seed_streams update_rng_states",
        "advance the random stream of each sample, and draw ⟨1:an index|a die|a bit pattern⟩ from it",
        """
        ⟨2:hook begin
        |⟩$h = {seeds}[$i]⟨ + $i| ^ $i| + {epoch}⟩
        ⟨3:for $k in range(⟨2|3|4⟩):
            $h = @next_state($h)|$h = @next_state($h)
        ⟨# decorrelate
        $h = @next_state($h ^ {shift})
        |⟩|$k = int(0)
        while $k < {many}[$i] % ⟨4|8⟩:
            $h = @next_state($h)
            $k += 1⟩
        ⟨1:{pick}[$i] = ⟨$h % {n}|($h >> 3) % {n}⟩|$die = ⟨$h % 6 + 1|(($h >> 5) % 6) + 1⟩
        ⟨if $die == 6:
            wp.atomic_add({hits}, 0, 1)
        |⟩{pick}[$i] = $die|# number of set bits
        $count = int(0)
        for $bit in range(⟨15|8⟩):
            $count += ($h >> $bit) & 1
        {pick}[$i] = $count⟩
        {state_out}[$i] = ⟨4:$h|$h & {MASK}|$h ^ ($h >> 8)⟩
        """,
        kinds="arithmetic integer_bits random_noise helper_functions",
        integer=True,
    ),
    Idea(
        "gather_resampled",
        "gather_resampled copy_ancestors apply_resampling select_survivors",
        "copy the state of the ancestor of each sample, and reset ⟨1:its weight|its counters⟩",
        """
        $j = ⟨1:{pick_in}[$i]|wp.min({pick_in}[$i], {n} - 1)⟩
        ⟨2:if {flag}[$j] == {BAD}:
            return
        |⟩⟨3:{x_out}[$i] = {x}[$j]
        |{p_out}[$i] = {p}[$j]
        |{x_out}[$i] = {x}[$j]
        {p_out}[$i] = {p}[$j]
        |⟨if $j == $i:
            {x_out}[$i] = {x}[$i]
        else:
            $rng = wp.rand_init({seed}, $i)
            {x_out}[$i] = {x}[$j] + {step} * wp.randn($rng)
        |# roughen the copies
        {x_out}[$i] = {x}[$j] + {step} * {eps}[$i]
        ⟩⟩⟨1:{wt_out}[$i] = ⟨1.0 / float({n})|{wt}[$i] / {wt}[$j]⟩|{many_out}[$i] = 0⟩
        ⟨4:{tag_out}[$i] = {tag}[$j]|if $j != $i:
            wp.atomic_add({hits}, 0, 1)|{state_out}[$i] = {seeds}[$j] + $i|⟩
        """,
        kinds="gather_scatter arithmetic monte_carlo",
    ),
)
