"""Ideas of the domain `records`: short ladders, loops over columns and rows, helpers, sums and small vectors of features."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_RULES = (
    Idea(
        "row_level",
        "row_levels grade_rows assign_level rate_rows",
        "set the level of each row by ⟨1:its key|its age and cost|its state bits⟩",
        """
        ⟨1:if {keys}[$i] ⟨<|<=⟩ {lo}:
            {out_val}[$i] = ⟨2:{LATE}|{BEST}⟩
        elif {keys}[$i] ⟨<|<=⟩ {hi}:
            {out_val}[$i] = {NORMAL}
        else:
            {out_val}[$i] = ⟨2:{BEST}|{LATE}⟩|if {ages}[$i] > {MAX_AGE}:
            {out_val}[$i] = {BEST}
        elif {cost}[$i] ⟨>|>=⟩ {HEAVY}:
            {out_val}[$i] = {LATE}
        ⟨elif {ages}[$i] < {MIN_AGE}:
            # new rows settle first
            {out_val}[$i] = {IDLE}
        |⟩else:
            {out_val}[$i] = {NORMAL}|$state_now = {state}[$i]
        if ($state_now & {LOCKED}) != 0:
            {out_val}[$i] = {IDLE}
        elif ($state_now & {DIRTY}) != 0:
            {out_val}[$i] = ⟨{BEST}|{NORMAL}⟩
        else:
            {out_val}[$i] = ⟨{LATE}|{LATE} if ($state_now & {LIVE}) != 0 else {IDLE}⟩⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "row_sum",
        "row_sums sum_cells row_extrema count_cells",
        "compute ⟨1:the sum|the largest cell|the number of cells above the limit|the number of changed cells|the column of the least cell⟩ of each row",
        """
        hook skip
        ⟨1:$sum = int(0)
        ⟨for $k in range({width}):|# the first column holds the key
        for $k in range(1, {width}):⟩
            $sum += {cells}[$i, $k]
        {out_val}[$i] = $sum|$sum = int(-1)
        for $k in range({width}):
            $sum = wp.max($sum, {cells}[$i, $k])
        {out_val}[$i] = $sum|$sum = int(0)
        for $k in range({width}):
            if {cells}[$i, $k] > {pivot}:
                $sum += 1
        {out_count}[$i] = $sum|$sum = int(0)
        for $k in range({width}):
            ⟨if {cells}[$i, $k] != {cells_b}[$i, $k]:|if wp.abs({cells}[$i, $k] - {cells_b}[$i, $k]) > {tolerance}:⟩
                $sum += 1
        {out_count}[$i] = $sum|$sum = int(0)
        for $k in range(1, {width}):
            if {cells}[$i, $k] < {cells}[$i, $sum]:
                $sum = $k
        {out_pos}[$i] = $sum⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "cell_pairs",
        "count_pairs count_inversions equal_pairs pair_distances",
        "⟨2:count|sum the distances of⟩ ⟨1:equal pairs of tokens|inversions of the cells|pairs of cells with a small difference⟩ in each row",
        """
        $sum = int(0)
        for $k in range({width}):
            for $j in range(⟨4:$k + 1, {width}|$k⟩):
                if ⟨1:{tokens}[$i, $k] == {tokens}[$i, $j]|{cells}[$i, $j] ⟨4:<|>⟩ {cells}[$i, $k]|wp.abs({cells}[$i, $k] - {cells}[$i, $j]) < {tolerance}⟩:
                    $sum += ⟨2:1|⟨4:$j - $k|$k - $j⟩⟩
        {out_count}[$i] = $sum
        ⟨|if $sum > 2:
            {out_flag}[$i] = 1⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "table_pairs",
        "match_table count_matches scan_table dominance_count",
        "count the ⟨1:entries of the table that equal a cell of the row|smaller cells of all rows|items that equal a token of the row⟩ for each row",
        """
        $sum = int(0)
        ⟨1:for $k in range({width}):
            for $j in range({m}):
                if {table_keys}[$j] == {cells}[$i, $k]:
                    $sum += 1|for $j in range({n}):
            for $k in range({width}):
                if {cells}[$j, $k] < {cells}[$i, $k]:
                    $sum += 1|for $k in range({row_start}[$i], {row_start}[$i + 1]):
            for $j in range({width}):
                if {items}[$k] == {tokens}[$i, $j]:
                    $sum += 1⟩
        {out_val}[$i] = $sum
        ⟨|wp.atomic_add({counter}, 0, $sum)|wp.atomic_max({stats}, 0, $sum)⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "three_helpers",
        "encode_rows pack_fields row_signature digest_fields",
        "pack ⟨1:the bucket of a field and the lowest byte|a signed field and the lowest byte|the marked lowest byte and a field⟩ of each word into one number",
        """
        ⟨hook skip
        |⟩⟨1:$digit = @field($word, {skip_bits}, 8)
        {out_val}[$i] = ⟨(@wrap_slot($digit, {groups}) << 8) + @low_byte($word)|@low_byte($word) * {groups} + @wrap_slot($digit, {groups})⟩|$digit = @sign_extend(@field($word, {skip_bits}, 6), 6)
        {out_val}[$i] = ⟨$digit * 256 + @low_byte($word)|($digit << 8) + @low_byte($word)⟩|$digit = @set_bits(@low_byte($word), {DIRTY})
        {out_val}[$i] = ⟨($digit << 4) + @field($word, 8, 4)|$digit + (@field($word, 8, 4) << 8)⟩⟩
        ⟨{out_aux}[$i] = $digit|wp.atomic_add({hist}, $digit & {MASK}, 1)|⟩
        """,
        kinds="arithmetic helper_functions",
        integer=True,
    ),
    Idea(
        "level_helpers",
        "schedule_rows rank_requests choose_slot route_rows",
        "route each row by ⟨1:its key|its first column|its number⟩ and pack its slot with ⟨3:the larger of its cost and age|its value, at least zero|the larger of its cost and the cost of a heavy row⟩",
        """
        ⟨hook skip
        |⟩$slot = @wrap_slot(⟨1:{keys}[$i]|{cells}[$i, 0]|⟨$i|$i // {BLOCK}⟩⟩, {groups})
        {out_val}[$i] = ($slot << 8) + @low_byte(@pick_larger(⟨3:{cost}[$i], {ages}[$i]|{values}[$i], 0|{cost}[$i], {HEAVY}⟩))
        ⟨wp.atomic_add({members}, $slot, 1)|wp.atomic_max({highest}, $slot, {cost}[$i])|⟩
        """,
        kinds="arithmetic helper_functions",
        integer=True,
    ),
    Idea(
        "score_helpers",
        "score_rows rate_samples soft_scores link_scores",
        "score each row by ⟨1:its measurement|its distance to the group|its first features⟩ with smooth helpers",
        """
        ⟨hook skip
        |⟩⟨1:{score}[$i] = {weights}[$i] * ⟨@logistic({scale} * {reals}[$i])|@bump({reals}[$i], {clip})⟩|if $grp < 0:
            return
        $x = {reals}[$i] - {levels}[$grp]
        {score}[$i] = {weights}[$i] * ⟨@bump($x, {clip})|(1.0 - @bump($x, {clip}))⟩|⟨# soft membership in a circle
        $x = @square({real_cells}[$i, 0]) + @square({real_cells}[$i, 1])
        {score}[$i] = @logistic({scale} - $x)|# the second feature gates the first
        $x = @logistic({scale} * {real_cells}[$i, 0])
        {score}[$i] = $x * @bump({real_cells}[$i, 1], {clip})⟩⟩
        ⟨wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="math helper_functions scalar_param",
    ),
    Idea(
        "group_totals",
        "group_totals sum_by_group tally_groups reduce_groups",
        "⟨1:sum the ⟨2:values|work⟩|count the rows|find the extreme keys|sum the weights⟩ of each group",
        """
        ⟨if $grp < 0:
            return
        |if $grp == {NONE} or not {valid}[$i]:
            return
        |if $grp == {NONE} or {part}[$i] != {which}:
            return
        ⟩⟨1:wp.atomic_add({totals}, $grp, ⟨2:{values}[$i]|{cost}[$i]⟩)⟨|
        wp.atomic_add({members}, $grp, 1)⟩|wp.atomic_add({members}, $grp, 1)|wp.atomic_min({lowest}, $grp, {keys}[$i])
        wp.atomic_max({highest}, $grp, {keys}[$i])|wp.atomic_add({group_weight}, $grp, {weights}[$i])
        ⟨wp.atomic_add({group_real}, $grp, {weights}[$i] * {reals}[$i])|⟩⟩
        """,
        kinds="atomic atomics reduction control_flow",
    ),
    Idea(
        "feature_vectors",
        "feature_vectors embed_rows row_moments planar_features",
        "compute ⟨1:the length|the projection|the second moment⟩ of the first features of each row ⟨2:as a vector|with a matrix⟩",
        """
        ⟨hook skip
        |⟩⟨2:$v = wp.vec3({real_cells}[$i, 0], {real_cells}[$i, 1], {reals}[$i])
        $feature = ⟨1:⟨wp.length($v)|{weights}[$i] * wp.length($v)⟩|wp.dot($v, wp.normalize(wp.vec3(1.0, {scale}, ⟨0.0|-1.0⟩)))|⟨wp.dot($v, $v) / 3.0|{weights}[$i] * wp.dot($v, $v)⟩⟩|$v = wp.vec2({real_cells}[$i, 0], {real_cells}[$i, 1])
        ⟨# each feature has its own weight
        $A = wp.mat22({weights}[$i], 0.0, 0.0, {scale})|# rotates and scales
        $A = wp.mat22({scale}, -{clip}, {clip}, {scale})⟩
        $feature = ⟨1:wp.length($A * $v)|wp.dot(wp.vec2(1.0, 0.0), $A * $v)|wp.dot($v, $A * $v)⟩⟩
        {score}[$i] = $feature
        ⟨|if $feature > {clip}:
            {out_flag}[$i] = 1⟩
        """,
        kinds="vector",
    ),
    Idea(
        "weight_matrices",
        "moment_matrices whiten_pairs rotate_features covariance_terms",
        "transform the first two features of each row by ⟨1:a rotation|a weighted matrix|their outer product⟩",
        """
        ⟨hook skip
        |⟩$v = wp.vec2({real_cells}[$i, 0], {real_cells}[$i, 1])
        ⟨1:$A = wp.mat22(wp.cos({reals}[$i]), -wp.sin({reals}[$i]), wp.sin({reals}[$i]), wp.cos({reals}[$i]))
        $u = $A * $v|$A = wp.mat22({weights}[$i] + 1.0, ⟨0.0|{scale} * 0.2⟩, {scale} * 0.2, {weights}[$i] + 1.0)
        $u = ⟨wp.inverse($A) * $v|wp.transpose($A) * $v|$A @ $A * $v⟩|$A = {weights}[$i] * wp.outer($v, $v)
        $u = ⟨$A * wp.vec2(1.0, 0.0)|wp.vec2($A[0, 0], $A[1, 1])⟩⟩
        {real_out}[$i, 0] = $u[0]
        {real_out}[$i, 1] = $u[1]
        ⟨{score}[$i] = ⟨1:{weights}[$i] * wp.length($u)|⟨wp.trace($A)|wp.determinant($A)⟩|wp.trace($A)⟩|⟩
        """,
        kinds="matrix vector",
    ),
    Idea(
        "clip_features",
        "clip_features limit_and_mark soft_clip bounded_features",
        "transform each feature ⟨1:by a clip|by its sign|by a smooth curve|by the state of its row⟩",
        """
        $x = {real_cells}[$i, $c] * {scale}
        ⟨1:{real_out}[$i, $c] = wp.clamp($x, -{clip}, {clip})|if $x > {clip}:
            {real_out}[$i, $c] = {clip}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        elif $x < 0.0:
            {real_out}[$i, $c] = 0.1 * $x
        else:
            {real_out}[$i, $c] = $x|{real_out}[$i, $c] = ⟨wp.sqrt(1.0 + $x * $x) - 1.0|wp.log(1.0 + $x * $x)|wp.tanh($x)|$x / (1.0 + wp.abs($x))⟩|if ({state}[$i] & {LIVE}) == 0:
            # unused rows have no features
            {real_out}[$i, $c] = 0.0
        elif ({state}[$i] & {DIRTY}) != 0:
            {real_out}[$i, $c] = wp.clamp($x, -{clip}, {clip})
        else:
            {real_out}[$i, $c] = $x⟩
        """,
        threads="i c",
        kinds="scalar_param arithmetic",
    ),
    Idea(
        "row_vectors",
        "select_features route_features update_vectors gated_features",
        "score the first two features of each row by ⟨1:its state|the norm of its partition|the level of its group⟩",
        """
        $v = wp.vec2({real_cells}[$i, 0], {real_cells}[$i, 1])
        ⟨1:if ({state}[$i] & {LIVE}) == 0:
            {score}[$i] = 0.0
        elif ({state}[$i] & {DIRTY}) != 0:
            # changed rows count by their weight
            {score}[$i] = {weights}[$i] * ⟨wp.length($v)|wp.min(wp.length($v), {clip})⟩
        ⟨elif ({state}[$i] & {LOCKED}) != 0:
            {score}[$i] = wp.min(wp.length($v), {clip})
        |⟩else:
            {score}[$i] = {scale} * wp.length($v)|if {part}[$i] == 0:
            {score}[$i] = {scale} * ⟨wp.length($v)|wp.sqrt(wp.dot($v, $v) + 0.01)⟩
        elif {part}[$i] == 1:
            {score}[$i] = {scale} * (wp.abs($v[0]) + wp.abs($v[1]))
        else:
            # the larger component
            {score}[$i] = {scale} * wp.max(wp.abs($v[0]), wp.abs($v[1]))|if $grp < 0:
            {score}[$i] = {scale} * wp.length($v)
        elif {levels}[$grp] > wp.length($v):
            # shorter than the reference of the group
            {score}[$i] = {levels}[$grp] - wp.length($v)
            ⟨{out_flag}[$i] = 1|wp.atomic_add({members}, $grp, 1)|⟩
        else:
            {score}[$i] = ⟨{scale} * (wp.length($v) - {levels}[$grp])|wp.min({scale} * (wp.length($v) - {levels}[$grp]), {clip})⟩⟩
        """,
        kinds="combined multi_conditional scalar_param",
    ),
)
