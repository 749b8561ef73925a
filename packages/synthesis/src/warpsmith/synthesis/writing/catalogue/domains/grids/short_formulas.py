"""Short ideas of the domain `grids`: fields and velocities by short formulas, sums over windows, particles and nodes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "add_source",
        "add_source heat_cells apply_sources inject_field",
        "add the ⟨1:source|exchange with the surroundings|decay⟩ of each cell to the field in place",
        """
        ⟨|if {solid2}[$i, $j]:
            return
        |if {flags}[$i, $j] ⟨==|!=⟩ {INFLOW}:
            return
        ⟩{uio}[$i, $j] += ⟨1:⟨{amp}|{dt}⟩ * {source}[$i, $j]|⟨|{dt} * ⟩{decay} * ({ambient} - {u}[$i, $j])|-{decay} * {u}[$i, $j]⟨| * {u}[$i, $j]⟩⟩
        ⟨|# excess over the surroundings
        {meas}[$i, $j] = {u}[$i, $j] - {ambient}⟩
        """,
        threads="i j",
        kinds="arithmetic scalar_param fields",
    ),
    Idea(
        "combine_fields",
        "combine_fields axpy_field blend_fields scale_add",
        "combine ⟨1:two fields|the field and its source|the field and its difference to another one⟩ by given factors",
        """
        ⟨|if ⟨not {mask}[$i, $j]|{solid2}[$i, $j]|{level}[$i, $j] != {which}⟩:
            {u_out}[$i, $j] = {u}[$i, $j]
            return
        ⟩{u_out}[$i, $j] = ⟨1:{amp} * {u}[$i, $j] ⟨+|-⟩ {kappa} * ⟨{dye}|{eta}|{p}⟩[$i, $j]|{amp} * {u}[$i, $j] ⟨+|-⟩ {kappa} * {source}[$i, $j]|{u}[$i, $j] + {amp} * ({dye}[$i, $j] - {u}[$i, $j])⟩
        """,
        threads="i j",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "push_velocity",
        "push_velocity apply_gravity add_forces accelerate_cells",
        "add the acceleration of each cell to its velocity in place",
        """
        ⟨|if ⟨{solid2}[$i, $j]|not {mask}[$i, $j]|{flags}[$i, $j] == {SOLID}⟩:
            return
        ⟩⟨{vio}[$i, $j] += {dt} * wp.vec2({gx}, {gy})⟨| * {dye}[$i, $j]⟩|{vio}[$i, $j] += wp.vec2(0.0, {dt} * {lift} * ({u}[$i, $j] - {ambient}))|{vio}[$i, $j] -= {damp} * ⟨|{dt} * ⟩{vel}[$i, $j]⟩
        """,
        threads="i j",
        kinds="vector scalar_param",
    ),
    Idea(
        "wall_velocity",
        "wall_velocity enforce_walls apply_no_slip boundary_velocity",
        "compute the velocity of each cell at walls and openings",
        """
        $vc = {vel}[$i, $j]⟨| * (1.0 - {damp})⟩
        # no flow through walls
        if {flags}[$i, $j] == {SOLID}:
            $vc = ⟨wp.vec2()|-$vc|wp.vec2(0.0, $vc[1])⟩
        elif {flags}[$i, $j] == {INFLOW}:
            $vc = ⟨wp.vec2({inflow}, 0.0)|wp.vec2({inflow}, $vc[1])⟩
        ⟨|elif $i == 0:
            # no flow through the left side
            $vc = wp.vec2(0.0, $vc[1])⟩
        {vel_out}[$i, $j] = $vc
        """,
        threads="i j",
        kinds="combined vector multi_conditional",
    ),
    Idea(
        "limit_velocity",
        "limit_velocity cap_speed clamp_wind limit_cell_speed",
        "limit the speed of each cell",
        """
        $vc = {vel3}[$i, $j, $k]⟨| + {force3}[$i, $j, $k] * {dt}⟩
        # scale back to the limit
        if ⟨wp.length($vc) > {limit}|wp.length_sq($vc) > {limit} * {limit}⟩:
            $vc = ⟨wp.normalize($vc) * {limit}|$vc * ({limit} / wp.length($vc))⟩
            ⟨|wp.atomic_add({changed}, 0, 1)⟩
        ⟨|elif ⟨not {mask3}[$i, $j, $k]|{flags3}[$i, $j, $k] == {SOLID}⟩:
            $vc = wp.vec3()⟩
        {vel3_out}[$i, $j, $k] = $vc
        """,
        threads="i j k",
        kinds="combined vector control_flow",
    ),
    Idea(
        "field_gradient",
        "field_gradient central_difference pressure_gradient grad_field",
        "compute the gradient of the ⟨1:field|pressure|terrain⟩ at each cell",
        """
        # forward differences, periodic
        $east = ⟨1:{u}|{p}|{land}⟩[($i + 1) % {nx}, $j]
        $north = ⟨1:{u}|{p}|{land}⟩[$i, ($j + 1) % {ny}]
        {fluxout}[$i, $j] = ⟨|-{kappa} * |{inv_h} * ⟩wp.vec2($east - ⟨1:{u}|{p}|{land}⟩[$i, $j], $north - ⟨1:{u}|{p}|{land}⟩[$i, $j])
        ⟨|# the east is higher than the north
        {note}[$i, $j] = wp.where($east > $north, 1, 0)⟩
        """,
        threads="i j",
        kinds="vector stencil",
    ),
    Idea(
        "profile_value",
        "apply_profile evaluate_profile interface_profile response_field",
        "apply ⟨1:an interface|a bell|a root|a wave⟩ profile to the field of each cell",
        """
        $val = ⟨{eta}|{w_now}|{u}⟩[$i, $j]⟨| - {off}⟩
        {meas}[$i, $j] = ⟨{amp} * |⟩⟨1:wp.tanh($val / {wide})|wp.exp(-$val * $val / {wide})|wp.sqrt({wide} + $val * $val)|wp.sin({wide} * $val)⟩
        ⟨|{note}[$i, $j] = wp.where($val > {theta}, 1, 0)⟩
        """,
        threads="i j",
        kinds="math scalar_param arithmetic",
    ),
    Idea(
        "cell_speed",
        "cell_speed flow_measures velocity_scalars speed_of_cells",
        "compute the ⟨1:speed of|direction of the flow in|speed of the fastest wave in|kinetic energy of⟩ each cell",
        """
        ⟨|if {depth}[$i, $j] < {dry}:
            return
        ⟩$vc = {vel}[$i, $j]⟨| + {dt} * wp.vec2({gx}, {gy})⟩
        {meas}[$i, $j] = ⟨1:wp.sqrt(wp.dot($vc, $vc) + 0.0001)|wp.atan2($vc[1], $vc[0])|⟨wp.sqrt({g} * {depth}[$i, $j] + 0.01) + wp.length($vc)|wp.length($vc) + wp.sqrt({g} * wp.max({depth}[$i, $j], {dry}))⟩|0.5 * wp.dot($vc, $vc)⟩
        """,
        threads="i j",
        kinds="math vector",
    ),
    Idea(
        "window_sum",
        "convolve_window weighted_window filter_field apply_stencil",
        "sum the weighted ⟨1:values|differences|products⟩ of the window of each cell",
        """
        $tot = float(0.0)
        # weighted sum over the window
        for $di in range({span}):
            for $dj in range({reach}):
                $tot += {taps}[$di, $dj] * ⟨1:{u}[⟨4:($i + $di) % {nx}|wp.min($i + $di, {nx} - 1)⟩, ⟨4:($j + $dj) % {ny}|wp.min($j + $dj, {ny} - 1)⟩]|({u}[⟨4:($i + $di) % {nx}|wp.min($i + $di, {nx} - 1)⟩, ⟨4:($j + $dj) % {ny}|wp.min($j + $dj, {ny} - 1)⟩] - {u}[$i, $j])|{u}[⟨4:($i + $di) % {nx}|wp.min($i + $di, {nx} - 1)⟩, ⟨4:($j + $dj) % {ny}|wp.min($j + $dj, {ny} - 1)⟩] * {conduct}[⟨4:($i + $di) % {nx}|wp.min($i + $di, {nx} - 1)⟩, ⟨4:($j + $dj) % {ny}|wp.min($j + $dj, {ny} - 1)⟩]⟩
        {conv}[$i, $j] = $tot
        ⟨|if $tot > 0.0:
            wp.atomic_add({changed}, 0, 1)⟩
        """,
        threads="i j",
        kinds="nested_loop arithmetic stencil",
    ),
    Idea(
        "layer_sums",
        "layer_sums slice_mass sum_layers layer_average",
        "⟨2:sum|average⟩ the ⟨1:values|squares|values inside of the band⟩ of each layer",
        """
        $tot = float(0.0)
        # all cells of the layer
        for $i in range({nx}):
            for $j in range({ny}):
                ⟨1:$tot += {u3}[$i, $j, $k]|$tot += {phi3}[$i, $j, $k] * {phi3}[$i, $j, $k]|if wp.abs({phi3}[$i, $j, $k]) < {band}:
                    $tot += {u3}[$i, $j, $k]⟩
        {laysum}[$k] = ⟨2:$tot|$tot / float({nx} * {ny})⟩
        """,
        threads="k",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "direction_sum",
        "sum_directions lattice_density sum_populations lattice_moment",
        "sum the populations of each cell over all directions⟨1:| times the x component| times the y component| times the weight⟩",
        """
        ⟨|if ⟨{solid2}[$i, $j]|{flags}[$i, $j] == {SOLID}⟩:
            return
        ⟩$tot = float(0.0)
        # all lattice directions
        for $q in range({dirs}):
            $tot += ⟨1:|float({cx}[$q]) * |float({cy}[$q]) * |{wq}[$q] * ⟩{f}[$q, $i, $j]
        ⟨1:{macro_rho}|{meas}|{meas}|{meas}⟩[$i, $j] = $tot
        """,
        threads="i j",
        kinds="control_flow arithmetic",
    ),
    Idea(
        "column_sum",
        "column_integral sum_column column_mass vertical_average",
        "sum the ⟨1:field|depth|weighted field⟩ of each column",
        """
        $tot = float(0.0)
        # along the column
        for $j in range(⟨{ny}|1, {ny} - 1⟩):
            ⟨|if not {mask}[$i, $j]:
                continue
            ⟩$tot += ⟨1:{u}[$i, $j]⟨| * {h}⟩|{depth}[$i, $j]⟨| * {h}⟩|{u}[$i, $j] * {conduct}[$i, $j]⟩
        {colsum}[$i] = $tot
        """,
        threads="i",
        kinds="control_flow arithmetic reduction",
    ),
    Idea(
        "total_field",
        "total_field sum_mass accumulate_total field_norm",
        "add the ⟨1:value|square|product⟩ of each cell to the total",
        """
        ⟨|if ⟨{solid2}[$i, $j]|{level}[$i, $j] != {which}|not {mask}[$i, $j]⟩:
            return
        ⟩$val = {u}[$i, $j]⟨| - {ambient}⟩
        wp.atomic_add({total}, 0, ⟨1:$val|$val * $val|$val * {source}[$i, $j]⟩⟨| * {h} * {h}⟩)
        ⟨|wp.atomic_add({tally}, {flags}[$i, $j], 1)⟩
        """,
        threads="i j",
        kinds="atomic reduction",
    ),
    Idea(
        "deposit_particles",
        "deposit_particles scatter_mass splat_momentum particles_to_grid",
        "add ⟨1:the mass of each particle|the momentum of each particle|one for each particle⟩ to its cell",
        """
        hook particle
        # ⟨2:cell that contains|node next to⟩ the particle
        $cx = ⟨2:int({pos}[$pt][0])|wp.min(int({pos}[$pt][0] + 0.5), {nx} - 1)⟩
        $cy = ⟨2:int({pos}[$pt][1])|wp.min(int({pos}[$pt][1] + 0.5), {ny} - 1)⟩
        ⟨1:wp.atomic_add({grid_m}, $cx, $cy, {pmass}[$pt])|wp.atomic_add({grid_mv}, $cx, $cy, {pmass}[$pt] * {pvel}[$pt])|wp.atomic_add({nodecount}, $cx, $cy, 1)⟩
        ⟨|{pcell}[$pt] = ⟨$cx * {ny} + $cy|$cy * {nx} + $cx⟩⟩
        """,
        threads="pt",
        kinds="atomic vector gather_scatter",
    ),
    Idea(
        "move_particles",
        "move_particles advect_points step_particles drift_particles",
        "add the step of each particle to its position in place",
        """
        if ⟨{pkind}[$pt] ⟨== 1|!= 2⟩|{pmass}[$pt] > 1.0|wp.length({pvel}[$pt]) > {theta}⟩:
            {ppos}[$pt] += ⟨{pvel}[$pt] * {dt}|{dt} * ({pvel}[$pt] + {dt} * wp.vec2({gx}, {gy}))|{dt} * ({pvel}[$pt] + 0.5 * {dt} * wp.vec2({gx}, {gy}))⟩
        ⟨else:
            {pcount}[$pt] = {pcount}[$pt] + 1|⟩
        """,
        threads="pt",
        kinds="combined vector control_flow particles",
    ),
    Idea(
        "cell_values",
        "boundary_field set_cell_values apply_cell_type impose_boundary",
        "set the field of each cell by its code",
        """
        # one rule for each type of cell
        if {flags}[$i, $j] == {INFLOW}:
            {u_out}[$i, $j] = ⟨{amp}|{ambient} + {amp}⟩
        elif {flags}[$i, $j] == {OUTFLOW}:
            {u_out}[$i, $j] = ⟨{u}[$i, $j]|{u}[wp.max($i - 1, 0), $j]⟩
        ⟨elif {flags}[$i, $j] == {SOLID}:
            {u_out}[$i, $j] = ⟨0.0|{ambient}⟩
        |⟩else:
            {u_out}[$i, $j] = ⟨{u}[$i, $j] + {dt} * {source}[$i, $j]|{u}[$i, $j]⟩
        """,
        threads="i j",
        kinds="multi_conditional control_flow scalar_param",
    ),
)  # fmt: skip
