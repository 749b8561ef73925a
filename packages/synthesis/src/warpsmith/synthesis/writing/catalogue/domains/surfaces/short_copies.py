"""Short ideas of the domain `surfaces`: copies, resets, gathers, flags, counters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COPIES = (
    Idea(
        "save_positions",
        "save_positions copy_vertices store_previous snapshot_state",
        "copy the ⟨1:positions|rest positions|previous positions|positions in the new order⟩⟨2:| of free vertices| of selected vertices| of vertices with a boundary condition⟩",
        """
        ⟨2:|if ⟨{pinned}[$i]|{vmask}[$i] != 0⟩:
            return
        |if {vflag}[$i] & {SELECTED} == 0:
            return
        |if {bc}[$i] ⟨< 0|== {NONE}⟩:
            return
        ⟩{x_out}[$i] = ⟨1:{x}[$i]|{rest}[$i]|{prev}[$i]|{x}[{perm}[$i]]⟩
        ⟨⟨{v_out}[$i] = ⟨1:⟨{v}[$i]|wp.vec3()⟩|wp.vec3(0.0, 0.0, 0.0)|{v}[$i]|{v}[{perm}[$i]]⟩|{acc0}[$i] = ⟨wp.vec3()|{push}[$i]⟩⟩|⟩
        ⟨|{acc2}[$i] = ⟨{vflag}[$i]|{bc}[$i]|0⟩⟩
        """,
        kinds="vector gather_scatter early_exit cloth",
    ),
    Idea(
        "fill_field",
        "fill_field reset_values init_temperature set_field",
        "set the field at each vertex to ⟨1:the value of the surroundings|the strength of the source|the value of the surroundings or of the source⟩",
        """
        ⟨|if {pinned}[$i]:
            return
        |if {vmask}[$i] != 0:
            return
        ⟩{unew}[$i] = ⟨1:{tamb}|⟨{qsrc}|{qsrc} * {frac}[$i]⟩|⟨wp.where({bc}[$i] < 0, {tamb}, {qsrc})|{qsrc} if {tag}[$i] & {bitmask} != 0 else {tamb}⟩⟩
        ⟨|{urate}[$i] = 0.0⟩
        ⟨|{acc2}[$i] = ⟨0|-1⟩|{acc0}[$i] = wp.vec3()⟩
        """,
        kinds="scalar_param finite_elements",
    ),
    Idea(
        "pack_coordinates",
        "pack_positions flatten_vertices export_coordinates write_buffer",
        "write the coordinates of each vertex to a flat buffer",
        """
        $pos = ⟨{x}|{prev}⟩[⟨5:$i|{perm}[$i]⟩]
        ⟨|if {pinned}[⟨5:$i|{perm}[$i]⟩]:
            # held vertices are written at rest
            $pos = {rest}[⟨5:$i|{perm}[$i]⟩]
        ⟩{packx}[3 * $i] = $pos[0]
        ⟨4:|# from z up to y up
        |# from y up to z up
        ⟩{packx}[3 * $i + 1] = ⟨4:$pos[1]|$pos[2]|-$pos[2]⟩
        {packx}[3 * $i + 2] = ⟨4:$pos[2]|-$pos[1]|$pos[1]⟩
        """,
        kinds="arithmetic vector gather_scatter cloth",
    ),
    Idea(
        "copy_index_buffer",
        "copy_indices append_faces write_indices offset_indices",
        "copy the corners of each triangle to the index buffer⟨1:| and shift them to the first vertex of the mesh|, with the winding reversed⟩",
        """
        ⟨|if {mat}[$t] ⟨!=|==⟩ {target}:
            return
        ⟩$at = 3 * $t⟨1: + $a| + $a| + 2 - $a⟩
        {flatout}[$at] = ⟨1:⟨{tri}[$t, $a]|{flat}[3 * $t + $a]|{remap}[{tri}[$t, $a]]⟩|⟨{tri}[$t, $a]|{flat}[3 * $t + $a]⟩ + {base}|⟨{tri}[$t, $a]|{flat}[3 * $t + $a]|{remap}[{tri}[$t, $a]]⟩⟩
        ⟨|{heface}[$at] = $t⟩
        """,
        threads="t a",
        kinds="arithmetic gather_scatter multi_dim finite_elements",
        integer=True,
    ),
    Idea(
        "gather_selection",
        "gather_selected collect_vertices pick_values extract_selection",
        "gather the values of the selected vertices",
        """
        # vertex of this entry
        $src = {pick}[$p]
        ⟨|if {pinned}[$src]:
            return
        |if {vmask}[$src] == 2:
            # ignored vertex
            {pickint}[$p] = {NONE}
            return
        ⟩{pickint}[$p] = ⟨{tag}[$src]|{tag}[$src] & {bitmask}|{vflag}[$src]⟩
        ⟨|{pickx}[$p] = ⟨{x}|{rest}|{prev}⟩[$src]|{pickval}[$p] = ⟨{u}|{bcval}⟩[$src]⟩
        """,
        threads="p",
        kinds="control_flow gather_scatter early_exit cloth",
    ),
    Idea(
        "scatter_selection",
        "scatter_selected add_picked_forces apply_handles pull_vertices",
        "add ⟨1:heat|a force|one hit⟩ at each selected vertex to ⟨1:the field|its force|its counter⟩",
        """
        $src = {pick}[$p]
        ⟨|if {pinned}[$src]:
            return
        |if {vmask}[$src] != 0:
            return
        ⟩⟨1:wp.atomic_add({heat}, $src, ⟨{hstep} * {qsrc}|{hstep} * {frac}[$src] * {qsrc}|{hstep} * {hex} * ({tamb} - {u}[$src])⟩)|wp.atomic_add({force}, $src, ⟨{kp} * ({rest}[$src] - {x}[$src])|{kp} * ({pickx}[$p] - {x}[$src])|{push}[$src] - {kd} * {v}[$src]⟩)|wp.atomic_add({valence}, $src, 1)⟩
        ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="p",
        kinds="atomic gather_scatter",
    ),
    Idea(
        "clear_flags",
        "clear_flags update_tags mask_bits reset_tag_bits",
        "change the tag bits of each vertex in place",
        """
        # bits before the update
        $flags = {tag}[$i]
        ⟨if $flags & {bitmask} != 0:|if {pinned}[$i]:|if {vmask}[$i] == ⟨0|1⟩:|if {vflag}[$i] & {SELECTED} != 0:⟩
            {tag}[$i] = ⟨$flags & ~{bitmask}|0|$flags ^ {bitmask}⟩
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        ⟨|else:
            {tag}[$i] = ⟨$flags | {bitmask}|$flags | {vflag}[$i]⟩⟩
        """,
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "count_down",
        "tick_cooldowns update_timers count_down decrement_counters",
        "count the waiting steps of each vertex down in place",
        """
        # steps that remain
        $wait = {cool}[$i]
        ⟨|if {vmask}[$i] == ⟨1|2⟩:
            # frozen
            return
        ⟩if $wait > 0:
            {cool}[$i] = $wait - 1
        ⟨elif {vflag}[$i] & {SELECTED} != 0:
            {cool}[$i] = {hold}|else:
            {cool}[$i] = {hold}|elif {pinned}[$i]:
            # held vertices wait longer
            {cool}[$i] = {hold} ⟨+ 1|* 2⟩|⟩
        ⟨|{acc2}[$i] = ⟨wp.where($wait == 1, 1, 0)|wp.where($wait > 0, 1, 0)⟩⟩
        """,
        kinds="control_flow scalar_param",
        integer=True,
    ),
    Idea(
        "step_phases",
        "step_phases advance_phase update_stage vertex_state_machine",
        "advance the phase of each vertex in place",
        """
        $st = {phase}[$i]
        if $st == 0:
            ⟨# waiting vertices start when they are selected
            if {vflag}[$i] & {SELECTED} != 0:
                {phase}[$i] = 1|# held vertices keep waiting
            {phase}[$i] = wp.where({pinned}[$i], 0, 1)|{phase}[$i] = 1⟩
        elif $st == 1:
            {phase}[$i] = ⟨2|wp.where({vmask}[$i] == 1, 3, 2)|wp.where({pinned}[$i], 1, 2)⟩
        ⟨elif $st == 2:
            {phase}[$i] = ⟨3|0⟩
        |⟩else:
            ⟨{phase}[$i] = 0|wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "overload_counter",
        "update_edge_damage count_overloads age_edges track_strain",
        "count in place how long each edge was overloaded",
        """
        ⟨|if {etype}[$e] == {BEND}:
            return
        ⟩if ⟨{lam}[$e] > {cut}|wp.length($xb - $xa) > ⟨{smax}|{tear}⟩ * {len0}[$e]⟩:
            {elife}[$e] = {elife}[$e] + 1
            ⟨|{torn}[$e] = wp.where({elife}[$e] > ⟨{hold}|5⟩, 1, 0)|wp.atomic_add({ncount}, 0, 1)⟩
        else:
            {elife}[$e] = ⟨0|wp.max({elife}[$e] - 1, 0)⟩
            {lam_out}[$e] = ⟨0.0|{relax} * {lam}[$e]⟩
        """,
        threads="e",
        kinds="control_flow multi_conditional",
    ),
    Idea(
        "swap_corners",
        "swap_corners reverse_faces flip_faces mirror_triangles",
        "swap the ⟨1:last|first⟩ two corners of marked triangles in place",
        """
        # marked triangles only
        if ⟨{side}[$t] == 1|{mat}[$t] == {target}|{faces}[$t] > 0⟩:
            $corner = {trio}[$t, 1]
            {trio}[$t, 1] = {trio}[$t, ⟨1:2|0⟩]
            {trio}[$t, ⟨1:2|0⟩] = $corner
            ⟨|{tflag}[$t] = 1|wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="t",
        kinds="control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "count_tags",
        "count_tags tag_histogram color_sizes count_groups",
        "count the vertices of each ⟨1:colour|tag|number of bits⟩",
        """
        ⟨|if ⟨{pinned}[$i]|{vmask}[$i] == 2|{remap}[$i] < 0⟩:
            return
        ⟩$group = ⟨1:{color}[$i]|{tag}[$i] & {bitmask}|({tag}[$i] & 1) + (({tag}[$i] >> 1) & 1) + ({tag}[$i] >> 2)⟩
        # one bucket for each value
        wp.atomic_add({colorcount}, $group, 1)
        ⟨|if $group ⟨== 0|!= 0⟩:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="atomic control_flow histograms atomics",
        integer=True,
    ),
    Idea(
        "flag_chain",
        "refresh_flags update_vertex_bits propagate_tags sync_flags",
        "update the tag bits of each vertex by its flags",
        """
        $flags = ⟨{tag}[$i]|{tag}[{parent}[$i]]⟩
        if @has_bit({vflag}[$i], ⟨{SELECTED}|{PINNED}⟩):
            $flags = @set_bit($flags, ⟨4:4|{bitmask}⟩)
        ⟨else:|elif {remap}[$i] ⟨< 0|== {NONE}⟩:|elif {vmask}[$i] == 2:⟩
            $flags = @clear_bit($flags, ⟨4:4|{bitmask}⟩)
        {mark0}[$i] = $flags
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "match_patterns",
        "match_patterns count_supports table_matches count_codes",
        "count the table entries that match the tag of each vertex",
        """
        ⟨|if {pinned}[$i]:
            return
        ⟩$num = int(0)
        # compare with the whole table
        for $z in range({modes}):
            for $q in range({probes}):
                if {modeint}[$z, $q] ⟨== {tag}[$i]|& {tag}[$i] != 0|& {tag}[$i] == {modeint}[$z, $q]⟩:
                    $num += 1
        {hitnum}[$i] = $num
        ⟨|{mark0}[$i] = wp.where($num > {hold}, 1, 0)⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "count_cells",
        "count_cells flag_counts grid_summary count_flagged",
        "count the ⟨2:cells|inner cells⟩ of the grid that have ⟨1:|at least⟩ the flag of each mode",
        """
        $num = int(0)
        for $r in range(⟨2:{rows}|1, {rows} - 1⟩):
            for $q in range(⟨2:{cols}|1, {cols} - 1⟩):
                if {gridflag}[$r, $q] ⟨1:==|>=⟩ $z:
                    $num ⟨= $num + 1|+= 1⟩
        {modesum}[$z] = $num
        ⟨|wp.atomic_add({ncount}, 0, $num)⟩
        """,
        threads="z",
        kinds="nested_loop control_flow",
        integer=True,
    ),
)  # fmt: skip
