"""Short ideas of the domain `geometry`: copies, resets, counters and codes that change in place."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COPIES = (
    Idea(
        "reorder_points",
        "reorder_points gather_sorted permute_points copy_points",
        "copy the points ⟨1:in sorted order|in their order|and replace those that are not in use⟩",
        """
        ⟨|if ⟨not {alive}[$i]|{pmask}[$i] & {VISIBLE} == 0⟩:
            return
        |if {match}[$i] < 0:
            return
        ⟩{gp}[$i] = ⟨1:{p}[{order}[$i]]|⟨{p}|{src}|{pio}⟩[$i]|wp.where({alive}[$i], {p}[$i], ⟨{src}[$i]|wp.vec3()⟩)⟩
        ⟨{gr}[$i] = ⟨{rad}[$i]|{rad}[{order}[$i]]|{margin}⟩|{rvec}[$i] = ⟨wp.vec3()|{w}[$i]⟩|⟩
        ⟨|{pout}[$i] = ⟨{pmask}[$i]|{order}[$i]|0⟩⟩
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
        ⟩{olo}[$a] = ⟨1:wp.vec3({tmax}, {tmax}, {tmax})|{lo}[$a]⟨| - wp.vec3({margin})⟩|wp.vec3(-{tmax}, -{tmax}, ⟨-{tmax}|0.0⟩)⟩
        {ohi}[$a] = ⟨1:wp.vec3(-{tmax}, -{tmax}, -{tmax})|{hi}[$a]⟨| + wp.vec3({margin})⟩|wp.vec3({tmax}, {tmax}, {tmax})⟩
        ⟨|{bflag}[$a] = ⟨{INSIDE}|0|{group}[$a]⟩⟩
        """,
        threads="a",
        kinds="vector scalar_param ray_tracing",
    ),
    Idea(
        "fill_queries",
        "reset_queries init_distances clear_results fill_defaults",
        "set the results of each query to their initial values",
        """
        ⟨|if {layer}[$i] ⟨== {lane}|& {bits} == 0⟩:
            return
        ⟩{pd}[$i] = ⟨{tmax}|{rmax}|{tmax} + {rad}[$i]|wp.where({alive}[$i], {tmax}, {rmax})⟩
        ⟨{pshape}[$i] = {NONE}|{pnear}[$i] = ⟨{p}[$i]|wp.vec3()⟩|{pout}[$i] = ⟨0|{layer}[$i]⟩⟩
        ⟨|{resw}[$i] = ⟨0.0|{conf}[$i]|{amp}⟩⟩
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
        {pairbuf}[$at] = ⟨$i|{order}[$i]|$i + {first}|{order}[$i] + {first}⟩
        {pairbuf}[$at + 1] = ⟨1:{match}[$i]|{up}[$i]|($i + 1) % {n}⟩⟨| + {first}⟩
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
        if ⟨$flags & {bits} != 0|not {alive}[$i]|{partner}[$i] < 0|{pmask}[$i] > 1⟩:
            {layer}[$i] = ⟨$flags & ~{bits}|$flags ^ {bits}|$flags >> 1|0⟩
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        ⟨|else:
            {layer}[$i] = ⟨$flags | {bits}|$flags | {pmask}[$i]|{bits}⟩⟩
        """,
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "age_cache",
        "age_contacts update_cache_age expire_matches tick_contacts",
        "count in place how long each point has been matched",
        """
        if ⟨{partner}[$i] ⟨>= 0|!= {NONE}⟩|{pmask}[$i] > 0|{alive}[$i]⟩:
            {age}[$i] = {age}[$i] + ⟨1|{pmask}[$i]⟩
        else:
            {age}[$i] = ⟨0|{age}[$i] // 2|wp.max({age}[$i] - 1, 0)⟩
            ⟨{partner}[$i] = {NONE}|wp.atomic_add({count}, 0, 1)|⟩
        ⟨|{pstate}[$i] = ⟨wp.where({age}[$i] > {hold}, 1, 0)|{age}[$i] % {hold}⟩⟩
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
            {stage}[$i] = ⟨1|wp.where({alive}[$i], 1, 2)|{pmask}[$i]⟩
        elif $st == 1:
            ⟨if {match}[$i] >= 0:
                {stage}[$i] = 2|{stage}[$i] = ⟨2|3 - {pmask}[$i] % 2⟩⟩
        ⟨elif $st == 2:
            {ttl}[$i] = {hold}
        |⟩else:
            {stage}[$i] = ⟨0|{lane}⟩
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
            {ttl}[$i] = ⟨$wait - 1|$wait // 2|wp.max($wait - {hold}, 0)⟩
            ⟨|{slots}[$i] = ⟨{NONE}|{lane}⟩⟩
        elif ⟨{alive}[$i]|{match}[$i] >= 0|{layer}[$i] & {bits} != 0⟩:
            {ttl}[$i] = {hold}⟨| + {pmask}[$i]⟩
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
        ⟩{voxid}[$x, $y, $z] = ⟨1:($x * {ny} + $y) * {nz} + $z|($z * {ny} + $y) * {nx} + $x|(($x // 2) * {ny} + $y // 2) * {nz} + $z // 2⟩⟨| + {first}⟩
        ⟨|{inside}[$x, $y, $z] = ⟨{mat}[$x, $y, $z]|($x + $y + $z) % 2⟩⟩
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
        if ⟨{occ}[$x, $y, $z] == ⟨0|1⟩|{mat}[$x, $y, $z] ⟨==|!=⟩ {lane}|{mat}[$x, $y, $z] > $st⟩:
            {voxels}[$x, $y, $z] = ⟨0|$st // 2|wp.max($st - 1, 0)⟩
        ⟨elif $st < ⟨2|{lane}⟩:
            {voxels}[$x, $y, $z] = $st + 1|else:
            {voxels}[$x, $y, $z] = ⟨$st + 1|{mat}[$x, $y, $z]⟩|else:
            wp.atomic_add({count}, 0, ⟨1|$st⟩)⟩
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
        wp.atomic_add({bins}, $slot, ⟨1|{pmask}[$i]⟩)
        ⟨|{cellid}[$i] = ⟨$slot|$slot + {first}⟩⟩
        """,
        kinds="atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "count_children",
        "count_children node_degree num_children tree_fanout",
        "count the ⟨1:children|leaves below|later children⟩ of each node",
        """
        $num = int(0)
        # all nodes that name this one as parent
        for $j in range({m}):
            if {parent}[$j] == $k⟨1:| and {isleaf}[$j] == 1| and $j > $k⟩:
                $num += ⟨1|{skip}[$j]⟩
        {kids}[$k] = $num⟨| + {level}[$k]⟩
        ⟨|{ndepth}[$k] = ⟨{level}[$k]|$num // 2⟩⟩
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
        # all cells with this x
        for $y in range({ny}):
            for $z in range({nz}):
                ⟨1:$num += {occ}[$x, $y, $z]⟨| * {mat}[$x, $y, $z]⟩|if {mat}[$x, $y, $z] ⟨==|>⟩ {lane}:
                    $num += ⟨1|$z⟩|if {voxels}[$x, $y, $z] != {mat}[$x, $y, $z]:
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
        "count the cells of the first slab that match the layer of each point",
        """
        $num = int(0)
        # cells of one slab
        for $y in range({ny}):
            for $z in range({nz}):
                if {mat}[⟨0|$i % {nx}⟩, $y, $z] ⟨== {pmask}[$i]|> {partner}[$i]|& {layer}[$i] != 0⟩:
                    $num = $num + ⟨1|$y|$z + 1⟩
        {pmatch}[$i] = $num⟨| + {ttl}[$i]⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "polygon_sums",
        "polygon_checksum sum_corners lattice_sum ring_sum",
        "sum the ⟨1:coordinates|differences|positive coordinates⟩ of the corners of each polygon",
        """
        $num = int(0)
        # corners of the polygon
        for $k in range({poff}[$g], {poff}[$g + 1]):
            ⟨1:$num += {pxyi}[$k][0]⟨| * {pxyi}[$k][1]⟩|$num += {pxyi}[$k][0] - {pxyi}[$k][1]|$num += wp.max({pxyi}[$k][⟨0|1⟩], 0)⟩
        {psum}[$g] = $num⟨| - {lane}⟩
        ⟨|{pclass}[$g] = ⟨{poff}[$g + 1] - {poff}[$g]|wp.where($num > 0, 1, 0)⟩⟩
        """,
        threads="g",
        kinds="control_flow reduction",
        integer=True,
    ),
    Idea(
        "layer_chain",
        "refresh_layers apply_layer_rules sync_layers propagate_layers",
        "update the layer bits of each point by three rules",
        """
        $flags = ⟨{layer}[$i]|{layer}[{order}[$i]]|{pmask}[$i]⟩
        if @bit_on($flags, ⟨{bits}|{ENABLED}|{VISIBLE}⟩):
            $flags = @bit_set($flags, ⟨4|{bits}⟩)
        ⟨else:
            $flags = @bit_clear($flags, ⟨{VISIBLE}|{bits}⟩)|elif {alive}[$i]:
            $flags = @bit_clear($flags, ⟨{ENABLED}|1⟩)⟩
        {pstate}[$i] = $flags
        """,
        kinds="control_flow",
        integer=True,
    ),
)  # fmt: skip
