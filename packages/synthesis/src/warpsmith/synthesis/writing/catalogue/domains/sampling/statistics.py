"""Ideas of the domain `sampling`: histograms, moments, ranks, runs."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

STATISTICS = (
    Idea(
        "histogram",
        "compute_histogram bin_samples fill_histogram histogram",
        "count the samples in ⟨1:equal bins|bins with given edges⟩, and those outside",
        """
        hook begin
        ⟨1:⟨3:if $x < {lo}⟨ or $x >= {hi}|⟩:
            wp.atomic_add({lost}, 0, 1)
            return
        |⟩$b = int(($x - {lo}) / ({hi} - {lo}) * float({bins}))
        ⟨$b = wp.clamp($b, 0, {bins} - 1)|$b = wp.max(0, wp.min($b, {bins} - 1))⟩|$u = ⟨wp.abs($x) * 0.5|0.25 * $x + 0.5⟩
        ⟨3:if $u < {cdf}[0]:
            # below the first edge
            wp.atomic_add({lost}, 0, 1)
            return
        |⟩$b = @find_bin({cdf}, {bins}, $u)⟩
        ⟨2:wp.atomic_add({hcount}, $b, 1)|wp.atomic_add({hcount}, $b, 1)
        wp.atomic_add({hmass}, $b, $w)|if {flag}[$i] != {SUSPECT}:
            # doubtful samples do not count
            wp.atomic_add({hmass}, $b, $w)
            wp.atomic_add({hcount}, $b, 1)⟩
        ⟨4:{pick}[$i] = $b|if $b == {bins} - 1:
            {pick}[$i] = {MISSING}
        else:
            {pick}[$i] = $b|⟩
        """,
        kinds="atomic histograms control_flow atomics",
    ),
    Idea(
        "joint_histogram",
        "joint_histogram confusion_counts count_pairs cross_tabulate",
        "count the pairs of ⟨1:group and category|successive groups⟩",
        """
        hook begin
        $g = {grp}[$i]
        ⟨1:$b = {tag}[$i]
        if $b < 0⟨4: or $b >= {groups}|⟩:
            wp.atomic_add({lost}, 0, 1)
            return
        ⟨4:|⟨$b = $b % {groups}|$b = wp.min($b, {groups} - 1)⟩⟩|⟨if $i == 0:
            return
        $b = {grp}[$i - 1]|$b = {grp}[($i + 1) % {n}]|$b = {grp}[wp.max($i - 1, 0)]⟩⟩

        ⟨2:if $g == $b:
            wp.atomic_add({hits}, 0, 1)
            wp.atomic_add({joint}, $g, $g, 1)
        else:
            |⟩wp.atomic_add({joint}, ⟨$g, $b|$b, $g|wp.min($g, $b), wp.max($g, $b)⟩, 1)
        ⟨3:{pick}[$i] = ⟨$g * {groups} + $b|$b * {groups} + $g⟩|wp.atomic_add({gcount}, $g, 1)|⟩
        """,
        kinds="atomic histograms control_flow atomics early_exit",
        integer=True,
    ),
    Idea(
        "moments",
        "accumulate_moments group_moments sum_groups reduce_groups",
        "sum up the ⟨1:values|values and squares|weighted values⟩ of each group",
        """
        hook begin
        hook value
        ⟨1:wp.atomic_add({gsum}, $g, $x)|wp.atomic_add({gsum}, $g, $x)
        wp.atomic_add({gsq}, $g, ⟨$x * $x|($x - {mean}[$g]) * ($x - {mean}[$g])⟩)|wp.atomic_add({gsum}, $g, $x * $w)
        wp.atomic_add({gsq}, $g, $w * $x * $x)⟩
        ⟨2:# number of samples of the group
        wp.atomic_add({gcount}, $g, 1)|if $x > {mean}[$g]:
            # samples above the mean
            wp.atomic_add({gcount}, $g, 1)⟨
        elif $x < {lo}:
            wp.atomic_add({lost}, 0, 1)|⟩|wp.atomic_add({gcount}, $g, {many}[$i])⟩
        ⟨3:{z_out}[$i] = ⟨($x - {mean}[$g]) / {dev}[$g]|$x - {mean}[$g]⟩|⟩
        """,
        kinds="atomic reduction atomics gather_scatter",
    ),
    Idea(
        "running_moments",
        "update_running_stats welford_update running_mean update_moments",
        "update the running mean and the sum of squares of each stream with a new sample",
        """
        hook begin
        ⟨1:if {many}[$i] == 0:
            # the first sample
            {m1_out}[$i] = $x
            {m2_out}[$i] = 0.0
            {many_out}[$i] = 1
            return
        |⟩$n1 = {many}[$i] + 1
        hook value

        $delta = $x - {m1}[$i]
        ⟨2:# Welford's update
        $cur = {m1}[$i] + $delta / float($n1)
        {m2_out}[$i] = {m2}[$i] + $delta * ($x - $cur)|# exponential forgetting
        $cur = {m1}[$i] + (1.0 - {decay}) * $delta
        {m2_out}[$i] = {decay} * ({m2}[$i] + (1.0 - {decay}) * $delta * $delta)|$cur = ({m1}[$i] * float({many}[$i]) + $x) / float($n1)
        {m2_out}[$i] = {m2}[$i] + $delta * $delta * float({many}[$i]) / float($n1)⟩
        {m1_out}[$i] = $cur
        ⟨3:{many_out}[$i] = $n1|{many_out}[$i] = wp.min($n1, ⟨16|10⟩)|if $n1 > ⟨10|15⟩:
            {many_out}[$i] = ⟨1|$n1 / 2⟩⟨
            wp.atomic_add({hits}, 0, 1)|⟩
        else:
            {many_out}[$i] = $n1⟩
        ⟨4:{z_out}[$i] = $delta / wp.sqrt({m2}[$i] / float($n1) + 0.1)|if wp.abs($delta) > {clip}:
            wp.atomic_add({lost}, 0, 1)|⟩
        """,
        kinds="arithmetic control_flow",
        docs="Running statistics in one pass: count, mean and sum of squared deviations",
    ),
    Idea(
        "standardize",
        "standardize z_scores normalize_groups whiten_samples",
        "subtract the mean of the group from each sample, and divide by the standard deviation",
        """
        hook begin
        # distance from the mean in standard deviations
        ⟨1:$zs = ($x - {mean}[$g]) / {dev}[$g]|$zs = ($x - {mean}[$g]) / wp.sqrt({dev}[$g] * {dev}[$g] + ⟨1.0e-5|0.01⟩)|$delta = $x - {mean}[$g]
        $zs = $delta / {dev}[$g]⟩
        ⟨2:if wp.abs($zs) > {clip}:
            ⟨# an outlier
            |⟩wp.atomic_add({lost}, 0, 1)
            $zs = ⟨0.0|wp.clamp($zs, -{clip}, {clip})|wp.sign($zs) * {clip}⟩
        |$zs = wp.clamp($zs, -{clip}, {clip})
        |if {flag}[$i] == {SUSPECT}:
            # towards the mean
            $zs = $zs * 0.5
        |⟩{z_out}[$i] = ⟨3:$zs|$zs * {r}[$i] + {mean}[$g]|@normal_cdf($zs)|1.0 - @normal_cdf(wp.abs($zs))|@normal_pdf($zs) / {dev}[$g]⟩
        ⟨4:if $zs > ⟨0.0|1.0⟩:
            wp.atomic_add({gcount}, $g, 1)|wp.atomic_add({gsq}, $g, $zs * $zs)|⟩
        """,
        kinds="arithmetic gather_scatter helper_functions",
    ),
    Idea(
        "quantile",
        "find_quantiles histogram_quantile locate_percentile quantile_bins",
        "find the bin of a histogram that contains each quantile",
        """
        ⟨1:$total = int(0)
        for $k in range({bins}):
            $total += {hist}[$k]
        $key = ($total * {want}[$i] + 99) // 100|$total = int(0)
        for $k in range({bins}):
            $total += {hist}[$k]
        $key = {want}[$i] * $total // 100⟩

        # walk along the cumulative counts
        ⟨2:$sum = int(0)
        $b = int(0)
        while $b < {bins} - 1:
            $sum += {hist}[$b]
            if $sum >= $key:
                break
            $b += 1|$sum = int({hist}[0])
        $b = int(0)
        while $b < {bins} - 1 and $sum < $key:
            $b += 1
            $sum += {hist}[$b]|$sum = int(0)
        $b = int({bins} - 1)
        for $k in range({bins}):
            $sum += {hist}[$k]
            if $sum >= $key:
                $b = $k
                break⟩

        {cut_bin}[$i] = $b
        ⟨3:{pick2}[$i] = $b + 1|if $b == ⟨0|{bins} - 1⟩:
            # in an open bin
            wp.atomic_add({lost}, 0, 1)|# samples of the same bin
        {tie_out}[$i] = {hist}[$b]|⟩
        """,
        kinds="control_flow histograms while_loop early_exit",
        integer=True,
    ),
    Idea(
        "rank",
        "rank_samples count_smaller compute_ranks rank_order",
        "count the samples that are ⟨1:smaller|larger|smaller and in the same group⟩, with ties in the order of the index",
        """
        ⟨2:if {tag}[$i] == {MISSING}:
            {rank_out}[$i] = {MISSING}
            return

        |⟩$key = ⟨3:{many}[$i]|{seeds}[$i] / 8|{want}[$i] / 4⟩
        # position in ascending order
        $count = int(0)
        ⟨4:$same = int(0)
        |⟩for $j in range({n}):
            ⟨1:⟨if {flag}[$j] == 3:
                continue
            |⟩$cur = ⟨3:{many}[$j]|{seeds}[$j] / 8|{want}[$j] / 4⟩
            if $cur < $key|$cur = ⟨3:{many}[$j]|{seeds}[$j] / 8|{want}[$j] / 4⟩
            if $cur > $key|if {grp}[$j] != {grp}[$i]:
                continue
            $cur = ⟨3:{many}[$j]|{seeds}[$j] / 8|{want}[$j] / 4⟩
            if $cur < $key⟩:
                $count += 1
            elif $cur == $key ⟨and $j < $i|and $j > $i⟩:
                $count += 1
                ⟨4:$same += 1|⟩

        {rank_out}[$i] = $count
        ⟨4:{tie_out}[$i] = $same|⟩
        ⟨5:if $count < ⟨5|10⟩:
            # among the first
            wp.atomic_add({hits}, 0, 1)|⟩
        """,
        kinds="multi_conditional sorting control_flow",
        integer=True,
    ),
    Idea(
        "longest_run",
        "longest_run find_streaks count_runs run_lengths",
        "find the longest run of ⟨1:equal symbols|one symbol|rising symbols⟩ in each sequence",
        """
        $prev = int({series}[$i, 0])
        $len1 = int(⟨1:1|0|1⟩)
        $best = int(⟨1:1|0|1⟩)
        $count = int(0)
        for $k in range(1, {t}):
            $cur = {series}[$i, $k]
            ⟨2:if $cur == ⟨3|0⟩:
                # a gap
                continue
            |⟩if ⟨1:$cur == $prev|$cur == {symbol}|$cur >= $prev⟩:
                $len1 += 1
                ⟨3:if $len1 > $best:
                    $best = $len1
                |$best = wp.max($best, $len1)⟩
            else:
                $len1 = ⟨1:1|0|1⟩
                ⟨1:$count += 1|if $cur != $prev:
                    $count += 1|$count += 1⟩
            $prev = $cur

        {run_out}[$i] = $best
        ⟨5:{turn_out}[$i] = $count|wp.atomic_add({hits}, 0, $count)⟩
        ⟨6:wp.atomic_max({top}, 0, $best)|⟩
        """,
        kinds="control_flow multi_conditional reduction",
        integer=True,
    ),
    Idea(
        "covariance",
        "compute_covariance gram_matrix feature_products accumulate_cov",
        "sum up the products of each pair of features over the observations",
        """
        ⟨1:if $fb > $fa:
            # symmetric, the lower half is enough
            return
        |⟩# product of two columns of the table
        $sum = float(0.0)
        for $k in range({obs}):
            ⟨2:$sum += {table}[$k, $fa] * {table}[$k, $fb]|$u = {table}[$k, $fa]
            $u2 = {table}[$k, $fb]
            $sum += $u * $u2|# weighted observations
            $sum += {wt}[$k] * {table}[$k, $fa] * {table}[$k, $fb]|if wp.abs({table}[$k, $fa]) > ⟨0.9|0.8⟩:
                # an outlier
                continue
            $sum += {table}[$k, $fa] * {table}[$k, $fb]⟩
        ⟨3:if $fa == $fb:
            # ridge
            $sum = $sum + ⟨0.01|0.1⟩
        |⟩{cov}[$fa, $fb] = $sum⟨| / float({obs})| / float({obs} - 1)⟩
        """,
        threads="fa fb",
        kinds="control_flow arithmetic multi_dim reduction linear_algebra",
    ),
)
