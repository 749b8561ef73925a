"""Ideas of the domain `geometry`: trees of boxes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TREES = (
    Idea(
        "radix_tree",
        "build_radix_tree karras_build build_internal_nodes emit_hierarchy",
        "build the inner nodes of a binary radix tree over the sorted Morton codes",
        """
        if $k ⟨>= {m} - 1|== {m} - 1⟩:
            return

        # direction of the range of the node
        $fwd = @common_prefix({codes}, $k, $k + 1, {m})
        $back = @common_prefix({codes}, $k, $k - 1, {m})
        $dir = int(1)
        if $back > $fwd:
            $dir = int(-1)
        $dmin = wp.min($fwd, $back)

        # double the length while the prefix stays longer
        $lmax = int(2)
        while @common_prefix({codes}, $k, $k + $lmax * $dir, {m}) > $dmin:
            $lmax = $lmax * 2
        $len = int(0)
        $step = ⟨$lmax // 2|$lmax >> 1⟩
        while $step > 0:
            if @common_prefix({codes}, $k, $k + ($len + $step) * $dir, {m}) > $dmin:
                $len = $len + $step
            $step = ⟨$step // 2|$step >> 1⟩
        $last = $k + $len * $dir

        # find the split position
        $dnode = @common_prefix({codes}, $k, $last, {m})
        $off = int(0)
        $step2 = $len
        while $step2 > 1:
            $step2 = ($step2 + 1) // 2
            if $off + $step2 < $len and @common_prefix({codes}, $k, $k + ($off + $step2) * $dir, {m}) > $dnode:
                $off = $off + $step2
        $gamma = $k + $off * $dir + wp.min($dir, 0)

        ⟨{oleft}[$k] = $gamma
        {oright}[$k] = $gamma + 1
        $mask = int(0)
        if wp.min($k, $last) == $gamma:
            # the left child is a leaf
            $mask = $mask | 1
        if wp.max($k, $last) == $gamma + 1:
            $mask = $mask | 2
        {oleaf}[$k] = $mask|if wp.min($k, $last) == $gamma:
            {oleft}[$k] = $gamma + {m} - 1
        else:
            {oleft}[$k] = $gamma
        if wp.max($k, $last) == $gamma + 1:
            {oright}[$k] = $gamma + {m}
        else:
            {oright}[$k] = $gamma + 1⟩
        ⟨|{split}[$k] = $gamma⟩
        """,
        threads="k",
        kinds="control_flow while_loop integer_bits",
        integer=True,
    ),
    Idea(
        "refit",
        "refit_nodes refit_level merge_child_bounds update_node_bounds",
        "merge the bounds of the two children of each inner node⟨1:| of one level|⟩",
        """
        ⟨1:|if {level}[$k] != {qlevel}:
            return
        |⟩$l = {left}[$k]
        $r = {right}[$k]
        ⟨4:if $l < 0 and $r < 0:
            # leaves keep their bounds
            {onlo}[$k] = {nlo}[$k]
            {onhi}[$k] = {nhi}[$k]
            return
        |if $l < 0 or $r < 0:
            ⟨{onlo}[$k] = {nlo}[$k]
            {onhi}[$k] = {nhi}[$k]
            |⟩return
        |if $l == {NONE}:
            {onlo}[$k] = {nlo}[$k]
            {onhi}[$k] = {nhi}[$k]
            return
        if $r == {NONE}:
            return
        |if {isleaf}[$k] == 1:
            $prim = wp.max({leafbox}[$k], 0)
            {onlo}[$k] = {lo}[$prim]
            {onhi}[$k] = {hi}[$prim]
            return
        if $l < 0 or $r < 0:
            return
        ⟩
        ⟨4:# one child may be missing
        $first = wp.max($l, $r)
        $low = {nlo}[$first]
        $high = {nhi}[$first]
        if $l >= 0 and $l != $first:
            $low = wp.min($low, {nlo}[$l])
            $high = wp.max($high, {nhi}[$l])|$low = wp.min({nlo}[$l], {nlo}[$r])
        $high = wp.max({nhi}[$l], {nhi}[$r])|$low = {nlo}[$l]
        $high = {nhi}[$l]
        if $r != $l:
            $low = wp.min($low, {nlo}[$r])
            $high = wp.max($high, {nhi}[$r])|$low = wp.min({nlo}[$l], {nlo}[$r])
        $high = wp.max({nhi}[$l], {nhi}[$r])⟩
        ⟨|$low = $low - wp.vec3({margin}, {margin}, {margin})
        $high = $high + wp.vec3({margin}, {margin}, {margin})
        ⟩{onlo}[$k] = $low

        {onhi}[$k] = $high
        ⟨|$ext = $high - $low
        {narea}[$k] = 2.0 * ($ext[0] * $ext[1] + $ext[1] * $ext[2] + $ext[2] * $ext[0])|{ncenter}[$k] = 0.5 * ($low + $high)⟩
        """,
        threads="k",
        kinds="vector combined",
    ),
    Idea(
        "node_depth",
        "compute_node_depths walk_to_root trace_parents label_subtrees",
        "walk from each node to the root⟨1: and store the depth| and store the ancestor| and store both⟩",
        """
        $cur = $k
        $steps = int(0)
        ⟨while {parent}[$cur] >= 0 and $steps < {STACK}:
            $cur = {parent}[$cur]
            $steps = $steps + 1|while $steps < {STACK}:
            $above = {parent}[$cur]
            if $above < 0⟨| or $above == $cur⟩:
                break
            $cur = $above
            $steps = $steps + 1⟩
        ⟨|if $steps == {STACK}:
            # broken chain
            $cur = {NONE}
        ⟩⟨1:{ndepth}[$k] = $steps|{nroot}[$k] = $cur|{ndepth}[$k] = $steps
        {nroot}[$k] = $cur⟩
        ⟨|wp.atomic_max({ndeep}, 0, $steps)|if $steps > 4:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="k",
        kinds="control_flow while_loop",
        integer=True,
    ),
    Idea(
        "traverse",
        "query_boxes traverse_skip_list stackless_query walk_nodes",
        "walk through the nodes in depth-first order and ⟨1:count the boxes that overlap the query|find the first box that overlaps the query⟩",
        """
        $qmin = {qlo}[$a]
        $qmax = {qhi}[$a]
        $num = int(0)
        ⟨1:|$best = int(-1)
        ⟩$node = int(0)
        while $node < {m}⟨1:| and $best < 0⟩:
            $prim = {leafbox}[$node]
            if $prim ⟨< 0|== {NONE}⟩:
                # inner node: go to its first child
                $node = $node + 1
                continue
            $bmin = {qlo}[$prim]
            $bmax = {qhi}[$prim]
            ⟨if $qmin[0] > $bmax[0] or $qmax[0] < $bmin[0]:|if $qmin[0] > $bmax[0] or $qmax[0] < $bmin[0] or $qmin[1] > $bmax[1] or $qmax[1] < $bmin[1]:⟩
                # a miss skips the subtree
                $node = $node + {skip}[$node]
            else:
                ⟨if $prim != $a:|if $prim != $a and {group}[$prim] != {group}[$a]:⟩
                    $num = $num + 1
                    ⟨1:|$best = $prim⟩
                $node = $node + 1

        ⟨1:{hits}[$a] = $num|{firsthit}[$a] = $best⟩
        ⟨|if $num > 2:
            wp.atomic_add({count}, 0, 1)|if $num == 0:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="a",
        kinds="nested_loop control_flow while_loop",
        integer=True,
    ),
    Idea(
        "split_cost",
        "split_costs sah_cost evaluate_splits node_costs",
        "compute the cost of each node from the surfaces and the numbers of its children",
        """
        $l = {left}[$k]
        $r = {right}[$k]
        $own = {nsurf}[$k]
        if $l < 0 or $r < 0:
            # leaf
            {ncost}[$k] = {cleaf} * $own
            return

        $cost = {ctrav} + ({nsurf}[$l] * float({skip}[$l]) + {nsurf}[$r] * float({skip}[$r])) * {cleaf} / $own
        ⟨|# a leaf with all boxes may be cheaper
        $cost = wp.min($cost, {cleaf} * float({skip}[$k]))
        |if {level}[$k] > 1:
            # deep nodes cost more
            $cost = $cost + {ctrav}
        ⟩⟨if $cost > ⟨5:5.0|6.0⟩:
            # limit the cost
            {ncost}[$k] = ⟨5:5.0|6.0⟩
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        else:
            {ncost}[$k] = $cost|{ncost}[$k] = $cost⟩
        ⟨|{nratio}[$k] = {nsurf}[$l] / ({nsurf}[$l] + {nsurf}[$r])⟩
        """,
        threads="k",
        kinds="arithmetic control_flow scalar_param",
    ),
)
