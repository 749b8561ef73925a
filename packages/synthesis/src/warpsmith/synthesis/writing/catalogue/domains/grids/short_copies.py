"""Short ideas of the domain `grids`: copies, resets, counters and codes that change in place."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COPIES = (
    Idea(
        "copy_velocity",
        "copy_velocity save_velocity swap_fields store_state",
        "copy the velocity of each cell⟨1:| and drop its y part| and mirror it along y| of open cells⟩",
        """
        ⟨1:|||if ⟨{solid2}[$i, $j]|{flags}[$i, $j] == {SOLID}⟩:
            return
        ⟩{vel_out}[$i, $j] = ⟨1:{vel}[$i, $j]|wp.vec2({vel}[$i, $j][0], 0.0)|wp.vec2({vel}[$i, $j][0], -{vel}[$i, $j][1])|{vel}[$i, $j]⟩
        ⟨{dye_out}[$i, $j] = {dye}[$i, $j]|{u_out}[$i, $j] = {u}[$i, $j]|⟩
        ⟨|{note}[$i, $j] = {flags}[$i, $j]⟩
        """,
        threads="i j",
        kinds="vector multi_dim fields",
    ),
    Idea(
        "fill_cells",
        "fill_cells reset_field init_temperature set_ambient",
        "set each cell to ⟨1:a given value|a value of its code|a value that depends on its row⟩",
        """
        ⟨|if ⟨not {mask}[$i, $j]|{level}[$i, $j] != {which}⟩:
            return
        ⟩{u_out}[$i, $j] = ⟨1:⟨{ambient}|{amp}⟩|wp.where({flags}[$i, $j] == ⟨{SOLID}|{INFLOW}⟩, {amp}, {ambient})|{ambient} + {off} * float($j)⟩
        ⟨{p_out}[$i, $j] = 0.0|{vel_out}[$i, $j] = wp.vec2(⟨{inflow}|0.0⟩, 0.0)|⟩
        ⟨|{note}[$i, $j] = 0⟩
        """,
        threads="i j",
        kinds="scalar_param multi_dim fields",
    ),
    Idea(
        "inject_coarse",
        "inject_coarse downsample_strided pick_even_cells restrict_injection",
        "copy ⟨1:every second cell|the second cell of each block|the mean of two cells⟩ of the fine grid",
        """
        ⟨|if {solid2}[$i, $j]:
            return
        ⟩{coarse}[$i, $j] = ⟨1:{fine}[2 * $i, 2 * $j]|{fine}[2 * $i + 1, 2 * $j]|0.5 * ({fine}[2 * $i, 2 * $j] + {fine}[2 * $i + 1, ⟨2 * $j|2 * $j + 1⟩])⟩
        ⟨|# first guess
        {p_out}[$i, $j] = 0.0⟩
        ⟨|# colour of the cell
        {note}[$i, $j] = ($i + $j) % 2⟩
        """,
        threads="i j",
        kinds="arithmetic multi_dim gather_scatter fields",
    ),
    Idea(
        "flatten_codes",
        "flatten_codes pack_flags linearize_grid write_linear_codes",
        "write the code of each cell to a flat buffer",
        """
        # rows one after the other
        $at = ⟨$i * {ny} + $j|$i * {ny} + {ny} - 1 - $j|({nx} - 1 - $i) * {ny} + $j⟩
        ⟨|if {block}[$i, $j] < 0:
            # cells without a block
            {flati}[$at] = -1
            return
        ⟩{flati}[$at] = ⟨{flags}[$i, $j]|{level}[$i, $j] * 4 + {flags}[$i, $j]|{material}[$i, $j]⟩
        ⟨|{note}[$i, $j] = $at⟩
        """,
        threads="i j",
        kinds="arithmetic gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "gather_active",
        "gather_active collect_cells compact_values read_active_cells",
        "gather the ⟨1:values|codes|magnitudes⟩ of the active cells",
        """
        # linear index of the active cell
        $src = {ids}[$a]
        ⟨|if {cflag}[$src] == ⟨{SOLID}|{lane}⟩:
            ⟨1:{sparse_out}[$a] = 0.0|{sparse_code}[$a] = -1|{sparse_out}[$a] = 0.0⟩
            return
        ⟩⟨1:{sparse_out}[$a] = ⟨{val}[$src]|wp.max({val}[$src], 0.0)⟩|{sparse_code}[$a] = ⟨{cflag}[$src]|wp.where({cflag}[$src] == {FLUID}, 1, 0)⟩|{sparse_out}[$a] = wp.abs({val}[$src])⟩
        ⟨|wp.atomic_add({tally}, {cflag}[$src], 1)⟩
        """,
        threads="a",
        kinds="arithmetic control_flow gather_scatter fields",
    ),
    Idea(
        "mark_cells",
        "mark_cells update_cell_bits clear_marks flag_cells",
        "change the bits of each cell in place",
        """
        # bits before the update
        $bits = {cellmark}[$c]
        if ⟨$bits & {bits} != 0|{cflag}[$c] ⟨==|!=⟩ {SOLID}|{line}[$c] == 1⟩:
            {cellmark}[$c] = ⟨$bits & ~{bits}|$bits ^ {bits}|0⟩
            ⟨|wp.atomic_add({changed}, 0, 1)⟩
        ⟨|else:
            {cellmark}[$c] = ⟨$bits | {bits}|{bits}⟩⟩
        """,
        threads="c",
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "age_cells",
        "age_cells update_ages grow_old count_generations",
        "count the generations of each live cell in place",
        """
        if {life}[$i, $j] == 1:
            {age}[$i, $j] = ⟨{age}[$i, $j] + 1|wp.min({age}[$i, $j] + 1, {max_age})⟩
        ⟨elif {age}[$i, $j] > 0:
            # died in this generation
            {age}[$i, $j] = 0
            wp.atomic_add({deaths}, 0, 1)|else:
            {age}[$i, $j] = ⟨0|wp.max({age}[$i, $j] - 1, 0)⟩|elif {mask}[$i, $j]:
            {age}[$i, $j] = 0⟩
        ⟨|wp.atomic_add({tally}, {life}[$i, $j], 1)⟩
        """,
        threads="i j",
        kinds="control_flow multi_conditional cellular_automata",
        integer=True,
    ),
    Idea(
        "count_down",
        "tick_timers count_down update_refractory decrement_cooldown",
        "count the remaining steps of each cell down in place",
        """
        $wait = {clock}[$i, $j]
        # steps that remain
        if $wait > 0:
            {clock}[$i, $j] = ⟨$wait - 1|wp.max($wait - 2, 0)⟩
        ⟨else:
            {clock}[$i, $j] = {hold}|elif {chance}[$i, $j] < {odds}:
            {clock}[$i, $j] = {hold}
            ⟨|wp.atomic_add({changed}, 0, 1)⟩|elif {mask}[$i, $j]:
            {clock}[$i, $j] = {hold}⟩
        ⟨|{note}[$i, $j] = wp.where($wait > 1, 1, 0)⟩
        """,
        threads="i j",
        kinds="control_flow scalar_param cellular_automata",
        integer=True,
    ),
    Idea(
        "burn_step",
        "step_fire advance_state burn_cells forest_state_machine",
        "advance the state of each cell in place",
        """
        $st = {mode}[$i, $j]
        # fuel, fire, ash, bare ground
        if $st == {TREE}:
            ⟨if {chance}[$i, $j] < {odds}:
                {mode}[$i, $j] = {FIRE}|{mode}[$i, $j] = wp.where({mask}[$i, $j], {FIRE}, {TREE})⟩
        elif $st == {FIRE}:
            {mode}[$i, $j] = {ASH}
            ⟨|{fuel}[$i, $j] = ⟨0|{fuel}[$i, $j] // 2⟩⟩
        ⟨elif $st == {ASH}:
            {mode}[$i, $j] = {EMPTY}|else:
            {mode}[$i, $j] = ⟨{TREE}|{EMPTY}⟩|else:
            {fuel}[$i, $j] = {fuel}[$i, $j] + 1⟩
        """,
        threads="i j",
        kinds="multi_conditional control_flow cellular_automata",
        integer=True,
    ),
    Idea(
        "toggle_cells",
        "toggle_cells flip_bits seed_cells set_masked_cells",
        "change the bit of ⟨1:each selected cell|each cell of a checkerboard|each cell on the rim⟩ in place",
        """
        if ⟨1:⟨{mask}[$i, $j]|{chance}[$i, $j] < {odds}|{level}[$i, $j] == {which}⟩|($i + $j) % 2 == {parity}|$i == 0 or $j == 0 or $i == {nx} - 1 or $j == {ny} - 1⟩:
            {alive}[$i, $j] = ⟨1 - {alive}[$i, $j]|{alive}[$i, $j] ^ 1|{alive}[$i, $j] | {life}[$i, $j]|{alive}[$i, $j] & {life}[$i, $j]⟩
            ⟨|wp.atomic_add({changed}, 0, 1)|{note}[$i, $j] = 1⟩
        """,
        threads="i j",
        kinds="control_flow multi_dim cellular_automata",
        integer=True,
    ),
    Idea(
        "voxel_bits",
        "update_voxel_flags set_voxel_bits mask_voxels clear_block_bits",
        "change the flag bits of each voxel in place",
        """
        ⟨|if ⟨not {mask3}[$i, $j, $k]|$k == 0⟩:
            return
        ⟩if ⟨{flags3}[$i, $j, $k] == {SOLID}|{solid3}[$i, $j, $k] == 0|{material3}[$i, $j, $k] ⟨==|!=⟩ {lane}⟩:
            {vox}[$i, $j, $k] = {vox}[$i, $j, $k] ⟨& ~{bits}|^ {bits}⟩
        else:
            {vox}[$i, $j, $k] = ⟨{vox}[$i, $j, $k] | {bits}|{bits}⟩
        """,
        threads="i j k",
        kinds="control_flow multi_dim integer_bits",
        integer=True,
    ),
    Idea(
        "tile_states",
        "update_tiles sleep_tiles advance_tiles wake_chunks",
        "update the state and the counter of each tile in place",
        """
        # tiles without changes fall asleep
        if {tilebusy}[$b] > 0:
            {tilewait}[$b] = 0
            {tilemode}[$b] = ⟨1|wp.where({tilebusy}[$b] > 1, 2, 1)⟩
        elif {tilewait}[$b] ⟨>= {hold}|> 2⟩:
            {tilemode}[$b] = 0
            ⟨|{tilewait}[$b] = 0⟩
            ⟨|wp.atomic_add({changed}, 0, 1)⟩
        else:
            {tilewait}[$b] = {tilewait}[$b] + 1
        """,
        threads="b",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "count_types",
        "count_types tally_cells material_histogram type_counts",
        "count the cells of each ⟨1:code|material|level⟩",
        """
        ⟨|if ⟨not {mask}[$i, $j]|{block}[$i, $j] < 0|{solid2}[$i, $j]⟩:
            return
        ⟩wp.atomic_add({tally}, ⟨1:{flags}|{material}|{level}⟩[$i, $j], 1)
        ⟨|wp.atomic_add({block_cells}, {tile}[$i, $j], 1)⟩
        """,
        threads="i j",
        kinds="atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "layer_counts",
        "count_layers occupied_per_layer slice_counts layer_statistics",
        "count the ⟨1:occupied voxels|voxels of a code|voxels with a flag⟩ of each layer",
        """
        $num = int(0)
        ⟨5:# all voxels|# the inner voxels⟩ of the layer
        for $i in range(⟨5:{nx}|1, {nx} - 1⟩):
            for $j in range(⟨5:{ny}|1, {ny} - 1⟩):
                ⟨1:⟨$num += {solid3}[$i, $j, $k]|if {solid3}[$i, $j, $k] == 1:
                    $num += 1⟩|if ⟨{flags3}[$i, $j, $k] ⟨==|!=⟩ {lane}|{solid3}[$i, $j, $k] == 1 and {flags3}[$i, $j, $k] == {lane}⟩:
                    $num += 1|if {vox}[$i, $j, $k] & {bits} != 0:
                    $num += 1⟩
        {laynum}[$k] = $num
        """,
        threads="k",
        kinds="nested_loop multi_dim reduction",
        integer=True,
    ),
    Idea(
        "match_window",
        "match_window count_matches template_match compare_codes",
        "count the cells of the window of each cell that match the pattern",
        """
        $num = int(0)
        # compare the window with the pattern
        for $di in range({span}):
            for $dj in range({reach}):
                ⟨if ⟨1:{flags}|{material}⟩[⟨2:wp.min($i + $di, {nx} - 1)|($i + $di) % {nx}⟩, ⟨2:wp.min($j + $dj, {ny} - 1)|($j + $dj) % {ny}⟩] == {pattern}[$di, $dj]:
                    $num += 1|# zero matches every code
                if {pattern}[$di, $dj] == 0 or ⟨1:{flags}|{material}⟩[⟨2:wp.min($i + $di, {nx} - 1)|($i + $di) % {nx}⟩, ⟨2:wp.min($j + $dj, {ny} - 1)|($j + $dj) % {ny}⟩] == {pattern}[$di, $dj]:
                    $num += 1⟩
        {hits}[$i, $j] = $num
        ⟨|if $num > 1:
            wp.atomic_add({changed}, 0, 1)⟩
        """,
        threads="i j",
        kinds="nested_loop control_flow stencil",
        integer=True,
    ),
    Idea(
        "column_counts",
        "count_columns column_profile column_population row_scan",
        "count the ⟨1:live cells|burning cells|cells with fuel⟩ of each column",
        """
        $num = int(0)
        for $j in range(⟨{ny}|1, {ny} - 1⟩):
            if ⟨1:{life}[$i, $j] == 1|{state}[$i, $j] == {FIRE}|{fuel}[$i, $j] > 0⟩⟨| and {mask}[$i, $j]⟩:
                $num += 1
        {colnum}[$i] = $num
        """,
        threads="i",
        kinds="control_flow reduction",
        integer=True,
    ),
    Idea(
        "flag_chain",
        "refresh_flags voxel_flag_rules update_bits sync_voxel_flags",
        "compute the new flag bits of each voxel",
        """
        $bits = {vox}[$i, $j, $k]
        if @bit_on($bits, {bits}):
            $bits = @bit_set($bits, ⟨8|16⟩)
        ⟨else:
            $bits = @bit_clear($bits, ⟨{bits}|4⟩)|elif ⟨not {mask3}[$i, $j, $k]|{solid3}[$i, $j, $k] == 0⟩:
            # unused
            $bits = @bit_clear($bits, ⟨4|{bits}⟩)⟩
        {voxout}[$i, $j, $k] = $bits
        """,
        threads="i j k",
        kinds="control_flow multi_dim",
        integer=True,
    ),
)  # fmt: skip
