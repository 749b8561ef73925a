"""Short ideas of the domain `geometry`: copies, resets, counters and codes that change in place."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COPIES = (
    Idea(
        "reorder_points",
        "reorder_points gather_sorted permute_points copy_points",
        "copy the points in ⟨1:sorted order|descending order|sorted order and replace those that are not in use⟩",
        """
        ⟨1:⟨|if ⟨not {alive}[{order}[$i]]|{pmask}[{order}[$i]] & {VISIBLE} == 0⟩:
            return
        ⟩|⟨|if ⟨not {alive}[{order}[{n} - 1 - $i]]|{pmask}[{order}[{n} - 1 - $i]] & {VISIBLE} == 0⟩:
            return
        ⟩|⟩{gp}[$i] = ⟨1:{p}[{order}[$i]]|{p}[{order}[{n} - 1 - $i]]|wp.where({alive}[{order}[$i]], {p}[{order}[$i]], ⟨{src}[{order}[$i]]|wp.vec3()⟩)⟩
        ⟨|{gr}[$i] = {rad}[{order}[⟨1:$i|{n} - 1 - $i|$i⟩]]⟩
        ⟨|{gathered}[$i] = {raw}[{order}[⟨1:$i|{n} - 1 - $i|$i⟩]]⟩
        """,
        kinds="vector gather_scatter early_exit",
    ),
    Idea(
        "reset_bounds",
        "reset_bounds init_boxes clear_aabbs prepare_bounds",
        "⟨1:set each box to the empty box|copy the corners of each box|set each box to the largest box⟩",
        """
        ⟨|if {group}[$a] ⟨< 0|!= {groupmask}⟩:
            return
        ⟩{olo}[$a] = ⟨1:wp.vec3({extent}, {extent}, {extent})|{lo}[$a]⟨5:| - wp.vec3({margin})⟩|wp.vec3(-{extent}, -{extent}, ⟨-{extent}|{ground}⟩)⟩
        {ohi}[$a] = ⟨1:wp.vec3(-{extent}, -{extent}, -{extent})|{hi}[$a]⟨5:| + wp.vec3({margin})⟩|wp.vec3({extent}, {extent}, {extent})⟩
        ⟨|{bflag}[$a] = ⟨{INSIDE}|{OUTSIDE}⟩⟩
        """,
        threads="a",
        kinds="vector scalar_param",
    ),
    Idea(
        "fill_queries",
        "reset_queries init_distances clear_results fill_defaults",
        "set the results of each query to their initial values",
        """
        ⟨|if {layer}[$i] ⟨== {lane}|& {bits} == 0⟩:
            return
        ⟩{pd}[$i] = ⟨{tmax}|{rmax}|wp.where({alive}[$i], {tmax}, 0.0)⟩
        ⟨{pshape}[$i] = {NONE}|{pnear}[$i] = ⟨{p}[$i]|wp.vec3()⟩|{pout}[$i] = ⟨0|{NONE}⟩⟩
        ⟨|{resw}[$i] = ⟨0.0|{conf}[$i]|1.0⟩⟩
        """,
        kinds="scalar_param ray_tracing",
    ),
    Idea(
        "pack_pairs",
        "pack_pairs write_pairs interleave_ids build_pair_buffer",
        "write the index of each point and that of its ⟨1:match|parent|successor⟩ to the pair buffer",
        """
        ⟨|if ⟨{match}[$i] < 0|{pmask}[$i] == 0⟩:
            return
        ⟩$at = 2 * $i
        {pairbuf}[$at] = $i⟨5:| + {first}⟩
        {pairbuf}[$at + 1] = ⟨1:{match}[$i]|{up}[$i]|($i + 1) % {n}⟩⟨5:| + {first}⟩
        ⟨|wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="arithmetic gather_scatter",
        integer=True,
    ),
    Idea(
        "update_layers",
        "update_layers mask_layers clear_layer_bits set_collision_mask",
        "change the layer bits of each point in place",
        """
        # bits before the update
        $flags = {layer}[$i]
        if ⟨$flags & {bits} != 0|not {alive}[$i]|{partner}[$i] < 0|{pmask}[$i] & {VISIBLE} == 0⟩:
            {layer}[$i] = ⟨$flags & ~{bits}|$flags ^ {bits}|0⟩
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        ⟨|else:
            {layer}[$i] = ⟨$flags | {bits}|{bits}⟩⟩
        """,
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "age_cache",
        "age_contacts update_cache_age expire_matches tick_contacts",
        "count in place how long each point has been matched",
        """
        if {partner}[$i] ⟨4:>= 0|!= {NONE}|>= 0 and {alive}[$i]⟩:
            {age}[$i] = {age}[$i] + 1
        else:
            {age}[$i] = ⟨0|{age}[$i] // 2|wp.max({age}[$i] - 1, 0)⟩
            ⟨4:⟨wp.atomic_add({count}, 0, 1)|⟩|⟨wp.atomic_add({count}, 0, 1)|⟩|⟨{partner}[$i] = {NONE}|wp.atomic_add({count}, 0, 1)|⟩⟩
        ⟨|{pstate}[$i] = wp.where({age}[$i] > {hold}, 1, 0)⟩
        """,
        kinds="control_flow contact",
        integer=True,
    ),
    Idea(
        "query_stages",
        "advance_queries step_stage query_state_machine update_status",
        "advance the stage of the query of each point in place",
        """
        $st = {stage}[$i]
        # idle, searching, matched, done
        if $st == 0:
            {stage}[$i] = ⟨1|wp.where({alive}[$i], 1, 3)⟩
        elif $st == 1:
            ⟨if {match}[$i] >= 0:
                {stage}[$i] = 2|{stage}[$i] = wp.where({match}[$i] >= 0, 2, 3)|# wait until the point is in use
            {stage}[$i] = wp.where({alive}[$i], 2, 1)⟩
        ⟨elif $st == 2:
            {stage}[$i] = 3
            ⟨|{ttl}[$i] = {hold}⟩
        |⟩else:
            {stage}[$i] = 0
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "count_down",
        "tick_ttl decrement_ttl countdown_marks update_cooldowns",
        "count the remaining steps of each point down in place",
        """
        $wait = {ttl}[$i]
        # the mark expires after some steps
        if $wait > 0:
            {ttl}[$i] = ⟨$wait - 1|wp.max($wait - 2, 0)⟩
            ⟨|if $wait == 1:
                # the slot is free again
                {slots}[$i] = {NONE}⟩
        elif ⟨{alive}[$i]|{match}[$i] >= 0|{layer}[$i] & {bits} != 0⟩:
            {ttl}[$i] = {hold}
        ⟨|else:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="control_flow multi_conditional scalar_param",
        integer=True,
    ),
    Idea(
        "cell_indices",
        "number_cells linear_index flatten_cells write_cell_ids",
        "write the linear index of each ⟨1:cell|cell, layer by layer|block of cells⟩",
        """
        ⟨|if {occ}[$x, $y, $z] == ⟨0|1⟩:
            return
        ⟩{voxid}[$x, $y, $z] = ⟨1:($x * {ny} + $y) * {nz} + $z|($z * {ny} + $y) * {nx} + $x|(($x // 2) * (({ny} + 1) // 2) + $y // 2) * (({nz} + 1) // 2) + $z // 2⟩⟨| + {first}⟩
        ⟨|⟨{inside}[$x, $y, $z] = wp.where({mat}[$x, $y, $z] > 0, 1, 0)|# checkerboard
        {inside}[$x, $y, $z] = ($x + $y + $z) % 2⟩⟩
        """,
        threads="x y z",
        kinds="arithmetic multi_dim",
        integer=True,
    ),
    Idea(
        "voxel_states",
        "update_voxels age_voxels erode_cells decay_occupancy",
        "change the state of each cell in place",
        """
        $st = {voxels}[$x, $y, $z]
        if ⟨{occ}[$x, $y, $z] == ⟨0|1⟩|{mat}[$x, $y, $z] ⟨==|!=⟩ {lane}⟩:
            {voxels}[$x, $y, $z] = ⟨0|$st // 2|wp.max($st - 1, 0)⟩
        ⟨elif $st < ⟨2|3⟩:
            {voxels}[$x, $y, $z] = $st + 1|else:
            {voxels}[$x, $y, $z] = $st + 1|else:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="x y z",
        kinds="control_flow multi_dim",
        integer=True,
    ),
    Idea(
        "bin_codes",
        "count_cells bin_points histogram_codes count_buckets",
        "count the points of each ⟨1:bucket|low bucket|cell⟩",
        """
        ⟨|if ⟨not {alive}[$i]|{match}[$i] < 0|{layer}[$i] & {bits} == 0⟩:
            return
        ⟩$slot = {raw}[$i] ⟨1:% {BINS}|& 31|>> 14⟩
        # one more point in the bucket
        wp.atomic_add({bins}, $slot, 1)
        ⟨|{cellid}[$i] = $slot⟩
        """,
        kinds="atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "count_children",
        "count_children node_degree num_children tree_fanout",
        "count the ⟨1:children|children that are leaves|later children|children of one level⟩ of each node",
        """
        $num = int(0)
        # all nodes that name this one as parent
        for $j in range({m}):
            ⟨if {parent}[$j] == $k⟨1:| and {isleaf}[$j] == 1| and $j > $k| and {level}[$j] == {qlevel}⟩:
                $num += 1|if {parent}[$j] != $k⟨1:| or {isleaf}[$j] == 0| or $j <= $k| or {level}[$j] != {qlevel}⟩:
                continue
            $num += 1⟩
        {kids}[$k] = $num
        ⟨|{ndepth}[$k] = {level}[$k]⟩
        """,
        threads="k",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "slab_counts",
        "count_slabs slice_occupancy count_layers occupied_cells",
        "count the ⟨1:occupied cells|cells of a material|changed cells⟩ of each slab",
        """
        $num = int(0)
        ⟨5:# all cells|# the inner cells⟩ with this x
        for $y in range(⟨5:{ny}|1, {ny} - 1⟩):
            for $z in range(⟨5:{nz}|1, {nz} - 1⟩):
                ⟨1:⟨$num += {occ}[$x, $y, $z]|if {occ}[$x, $y, $z] == 1:
                    $num += 1⟩|if ⟨{mat}[$x, $y, $z] ⟨==|>⟩ {lane}|{occ}[$x, $y, $z] == 1 and {mat}[$x, $y, $z] == {lane}⟩:
                    $num += 1|if {voxels}[$x, $y, $z] != {occ}[$x, $y, $z]:
                    $num += 1⟩
        {slab}[$x] = $num
        """,
        threads="x",
        kinds="nested_loop multi_dim reduction",
        integer=True,
    ),
    Idea(
        "match_cells",
        "count_matching_cells lookup_cells match_codes count_layer_cells",
        "count the cells of ⟨1:the first|the last|one⟩ slab whose material is in the layer bits of each point",
        """
        ⟨|if not {alive}[$i]:
            {pmatch}[$i] = 0
            return
        ⟩$num = int(0)
        # cells of one slab
        for $y in range({ny}):
            for $z in range({nz}):
                if ⟨({layer}[$i] >> {mat}[⟨1:0|{nx} - 1|$i % {nx}⟩, $y, $z]) & 1 == 1|{layer}[$i] & (1 << {mat}[⟨1:0|{nx} - 1|$i % {nx}⟩, $y, $z]) != 0⟩:
                    $num = $num + 1
        {pmatch}[$i] = $num
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "polygon_sums",
        "polygon_sums sum_corners lattice_sum ring_sum",
        "sum the ⟨1:coordinates|absolute coordinates|positive coordinates|squared distances to the origin⟩ of the corners of each polygon",
        """
        $num = int(0)
        # corners of the polygon
        for $k in range({poff}[$g], {poff}[$g + 1]):
            ⟨1:$num += {pxyi}[$k][⟨0|1⟩]|$num += wp.abs({pxyi}[$k][0]) + wp.abs({pxyi}[$k][1])|$num += wp.max({pxyi}[$k][⟨0|1⟩], 0)|$num += {pxyi}[$k][0] * {pxyi}[$k][0] + {pxyi}[$k][1] * {pxyi}[$k][1]⟩
        {psum}[$g] = $num
        ⟨|{pnum}[$g] = {poff}[$g + 1] - {poff}[$g]⟩
        """,
        threads="g",
        kinds="control_flow reduction",
        integer=True,
    ),
    Idea(
        "layer_chain",
        "refresh_layers apply_layer_rules sync_layers propagate_layers",
        "update the ⟨1:layer|flag⟩ bits of each point by those that are set",
        """
        ⟨|if {match}[$i] < 0:
            return
        ⟩$flags = ⟨1:{layer}[$i]|{pmask}[$i]⟩
        if @bit_on($flags, ⟨1:{bits}|⟨{ENABLED}|{VISIBLE}⟩⟩):
            $flags = @bit_set($flags, 4)
        ⟨else:
            $flags = @bit_clear($flags, ⟨1:{bits}|{VISIBLE}⟩)|elif not {alive}[$i]:
            # unused
            $flags = @bit_clear($flags, ⟨1:{bits}|{ENABLED}⟩)⟩
        {pstate}[$i] = $flags
        """,
        kinds="control_flow",
        integer=True,
    ),
)  # fmt: skip
