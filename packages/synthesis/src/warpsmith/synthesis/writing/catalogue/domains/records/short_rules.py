"""Ideas of the domain `records`: short ladders, loops over columns and rows, helpers, sums and small vectors of features."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_RULES = (
    Idea(
        "row_level",
        "row_levels grade_rows assign_level rate_rows",
        "set the level of each row by ⟨1:its key|its age and cost|its state bits⟩",
        """
        ⟨1:if {keys}[$i] < {lo}:
            {out_val}[$i] = {LATE}
        elif {keys}[$i] < {hi}:
            {out_val}[$i] = {NORMAL}
        else:
            {out_val}[$i] = ⟨{BEST}|{IDLE}⟩|if {ages}[$i] > {MAX_AGE}:
            {out_val}[$i] = ⟨{BEST}|{NORMAL}⟩
        elif {cost}[$i] > {HEAVY}:
            {out_val}[$i] = {LATE}
        ⟨elif {ages}[$i] < {MIN_AGE}:
            {out_val}[$i] = {IDLE}
        |⟩else:
            {out_val}[$i] = {cost}[$i] + 4|$state_now = {state}[$i]
        if ($state_now & {LOCKED}) != 0:
            {out_val}[$i] = {IDLE}
        elif ($state_now & {DIRTY}) != 0:
            {out_val}[$i] = ⟨{BEST}|{NORMAL}⟩
        else:
            {out_val}[$i] = {LATE} + $state_now⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "row_sum",
        "row_sums sum_cells row_extrema count_cells",
        "compute ⟨1:the sum|the largest cell|the number of cells above the limit|the column of the least cell⟩ of each row",
        """
        hook skip
        ⟨1:$sum = int(0)
        for $k in range(⟨{width}|1, {width}⟩):
            $sum += {cells}[$i, $k]
        {out_val}[$i] = $sum|$sum = int(-1)
        for $k in range({width}):
            $sum = wp.max($sum, {cells}[$i, $k])
        {out_val}[$i] = $sum|$sum = int(0)
        for $k in range({width}):
            if {cells}[$i, $k] ⟨> {pivot}|!= {cells_b}[$i, $k]⟩:
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
        "count ⟨1:equal pairs of cells|inversions|pairs with a small difference⟩ of each row",
        """
        $sum = int(0)
        for $k in range({width}):
            for $j in range(⟨$k + 1, {width}|$k⟩):
                if ⟨1:{tokens}[$i, $k] == {tokens}[$i, $j]|{cells}[$i, $j] > {cells}[$i, $k]|wp.abs({cells}[$i, $k] - {cells}[$i, $j]) < {tolerance}⟩:
                    $sum += ⟨1|wp.abs($k - $j)|{cells_b}[$i, $k]⟩
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
        "count the ⟨1:entries of the table equal to cells|rows with smaller cells|equal items⟩ for each row",
        """
        $sum = int(0)
        ⟨1:for $k in range({width}):
            for $j in range({m}):
                if {table_keys}[$j] == {cells}[$i, $k] ⟨|% 32⟩:
                    $sum += 1|for $j in range({n}):
            for $k in range({width}):
                if {cells}[$j, $k] < {cells}[$i, $k]:
                    $sum += 1|for $k in range({row_start}[$i], {row_start}[$i + 1]):
            for $j in range({width}):
                if {items}[$k] == {tokens}[$i, $j]:
                    $sum += ⟨1|{items}[$k]⟩⟩
        {out_val}[$i] = $sum
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "three_helpers",
        "encode_rows pack_fields row_signature digest_fields",
        "combine ⟨1:a field, its hash and its bits|the sign-extended field and its code|set bits and their number⟩ of each word",
        """
        ⟨hook skip
        |⟩⟨1:$digit = @field($word, {skip_bits}, 8)
        {out_val}[$i] = ⟨@low_byte($word) + @wrap_slot($digit, 61)|@wrap_slot(@low_byte($word), 31) ^ $digit⟩|$digit = @sign_extend(@field($word, {skip_bits}, 6), 6)
        {out_val}[$i] = @low_byte($word) - $digit|$digit = @set_bits(@low_byte($word), {DIRTY})
        {out_val}[$i] = @wrap_slot($digit, {RADIX}) + @field($word, 8, 4)⟩
        ⟨{out_flag}[$i] = 1 if $digit > 8 else 0|wp.atomic_add({hist}, $digit & {MASK}, 1)|⟩
        """,
        kinds="arithmetic helper_functions",
        integer=True,
    ),
    Idea(
        "level_helpers",
        "schedule_rows rank_requests choose_slot route_rows",
        "route each row by ⟨1:its key|its values|its number⟩ with three helpers",
        """
        ⟨hook skip
        |⟩$slot = @wrap_slot(⟨1:{keys}[$i] * 7|{keys}[$i] + {cost}[$i]|$i * {stride}⟩, {groups})
        {out_val}[$i] = ($slot << 8) + @low_byte(@pick_larger(⟨1:{cost}[$i], {ages}[$i]|{cost}[$i], {keys}[$i]|{keys}[$i], {pivot}⟩))
        ⟨wp.atomic_add({members}, $slot, 1)|wp.atomic_max({highest}, $slot, {cost}[$i])|⟩
        """,
        kinds="arithmetic helper_functions",
        integer=True,
    ),
    Idea(
        "score_helpers",
        "score_rows rate_samples soft_scores link_scores",
        "score each row by ⟨1:its measurement|its distance to the group|its feature⟩ with smooth helpers",
        """
        ⟨hook skip
        |⟩⟨1:{score}[$i] = @logistic({reals}[$i]) * @square({weights}[$i]) + @bump({reals}[$i], {clip})|if $grp < 0:
            return
        $x = {reals}[$i] - {levels}[$grp]
        {score}[$i] = @square($x) * {weights}[$i] + @bump($x, {clip}) * @logistic($x)|$x = @square({real_cells}[$i, 0]) - @logistic({reals}[$i])
        {score}[$i] = $x * @bump({real_cells}[$i, 1], {clip})⟩
        ⟨{out_flag}[$i] = 1|⟩
        """,
        kinds="math helper_functions scalar_param",
    ),
    Idea(
        "group_totals",
        "group_totals sum_by_group tally_groups reduce_groups",
        "⟨1:sum the values|count rows|find the extreme keys|sum the weights⟩ of each group",
        """
        ⟨if $grp < 0:
            return
        |if $grp == {NONE} or not {valid}[$i]:
            return
        |if $grp == {NONE} or {part}[$i] != {which}:
            return
        ⟩⟨1:wp.atomic_add({totals}, $grp, ⟨{values}[$i]|{cost}[$i]⟩)|wp.atomic_add({members}, $grp, ⟨1|{ages}[$i]⟩)|wp.atomic_min({lowest}, $grp, {keys}[$i])
        wp.atomic_max({highest}, $grp, {keys}[$i])|wp.atomic_add({group_weight}, $grp, {weights}[$i])
        ⟨wp.atomic_add({group_real}, $grp, {weights}[$i] * {reals}[$i])|⟩⟩
        """,
        kinds="atomic atomics reduction control_flow",
    ),
    Idea(
        "feature_vectors",
        "feature_vectors embed_rows row_moments planar_features",
        "compute ⟨1:the length|the projection|the moments⟩ of the first features of each row ⟨2:as a vector|with a matrix⟩",
        """
        ⟨hook skip
        |⟩⟨2:$v = wp.vec3({real_cells}[$i, 0], {real_cells}[$i, 1], {reals}[$i])
        ⟨1:{score}[$i] = wp.length($v) ⟨* {weights}[$i]|+ {scale}⟩|{score}[$i] = wp.dot($v, wp.vec3(1.0, ⟨{scale}|-1.0⟩, {clip}))|$v = wp.cw_mul($v, $v)
        {score}[$i] = $v[0] + $v[1] + $v[2]⟩|$v = wp.vec2({real_cells}[$i, 0], {real_cells}[$i, 1])
        $A = wp.mat22({weights}[$i], {scale}, ⟨{scale}|-{scale}⟩, 2.0)
        {score}[$i] = ⟨1:wp.length($A * $v)|wp.dot($v, $A * $v)|wp.determinant($A) * wp.dot($v, $v)⟩⟩
        ⟨|if {score}[$i] > {clip}:
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
        $u = ⟨wp.inverse($A) * $v|wp.transpose($A) * $v|$A @ $A * $v⟩|$A = wp.mat22({weights}[$i], 0.0, 0.0, 2.0) @ wp.outer($v, $v)
        $u = $A * wp.vec2(1.0, {scale})⟩
        {real_out}[$i, 0] = $u[0]
        {real_out}[$i, 1] = $u[1]
        ⟨{score}[$i] = ⟨wp.trace($A)|wp.determinant($A)⟩|⟩
        """,
        kinds="matrix vector",
    ),
    Idea(
        "clip_features",
        "clip_features limit_and_mark soft_clip bounded_features",
        "transform each feature ⟨1:by a clip|by its sign|by a power law|by the operator of its row⟩",
        """
        $x = {real_cells}[$i, $c] * {scale}
        ⟨1:{real_out}[$i, $c] = wp.clamp($x, -{clip}, {clip})|if $x > {clip}:
            {real_out}[$i, $c] = {clip}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        elif $x < 0.0:
            {real_out}[$i, $c] = 0.1 * $x
        else:
            {real_out}[$i, $c] = $x|{real_out}[$i, $c] = ⟨wp.sqrt(1.0 + $x * $x)|wp.log(1.0 + $x * $x)|wp.sin($x)⟩|if {op}[$i] == {OP_EQ}:
            {real_out}[$i, $c] = $x
        elif {op}[$i] == {OP_NE}:
            {real_out}[$i, $c] = wp.abs($x)
        elif {op}[$i] == {OP_LT}:
            {real_out}[$i, $c] = wp.exp(-$x * $x)
        else:
            {real_out}[$i, $c] = wp.min($x, {clip})⟩
        """,
        threads="i c",
        kinds="scalar_param arithmetic",
    ),
    Idea(
        "row_vectors",
        "select_features route_features update_vectors gated_features",
        "scale the first two features of each row by ⟨1:the operator|the partition|the level of its group⟩",
        """
        $v = wp.vec2({real_cells}[$i, 0], {real_cells}[$i, 1])
        ⟨1:if {op}[$i] == {OP_EQ}:
            {score}[$i] = wp.length($v) ⟨* {scale}|+ {scale}⟩
        elif {op}[$i] == {OP_NE}:
            {score}[$i] = wp.dot($v, $v) * {clip}
        ⟨elif {op}[$i] == {OP_LT}:
            {score}[$i] = $v[0] * {scale}
        |⟩else:
            {score}[$i] = {clip} * $v[1]|if {part}[$i] == {which} and {valid}[$i]:
            {score}[$i] = wp.dot($v, wp.vec2({scale}, {clip}))
        elif $v[0] > {clip}:
            {score}[$i] = {clip} ⟨* {weights}[$i]|+ $v[1]⟩
            ⟨{out_flag}[$i] = 1|⟩
        else:
            {score}[$i] = $v[0] * {scale}|if $grp < 0:
            {score}[$i] = {scale} * $v[0]
        elif {levels}[$grp] > $v[1]:
            {score}[$i] = {clip} * {levels}[$grp]
            ⟨{out_flag}[$i] = 1|wp.atomic_add({members}, $grp, 1)|⟩
        else:
            {score}[$i] = wp.length($v - wp.vec2({levels}[$grp], {clip}))⟩
        """,
        kinds="combined multi_conditional scalar_param",
    ),
)
