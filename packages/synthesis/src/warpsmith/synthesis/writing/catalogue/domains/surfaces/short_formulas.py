"""Short ideas of the domain `surfaces`: fields, sums over neighbours, forces, formulas with a few numbers."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "move_vertices",
        "move_vertices apply_velocity drift add_step",
        "add a step to the position of each vertex in place",
        """
        ⟨|if {pinned}[$i]:
            return
        |if {vflag}[$i] & {PINNED} != 0:
            return
        ⟩⟨{xio}[$i] += {v}[$i] * {dt}|{xio}[$i] += {relax} * ({rest}[$i] - {prev}[$i])|{xio}[$i] -= {v}[$i] * ({dt} * {relax})|$step = {v}[$i] * {dt}
        {xio}[$i] += ⟨wp.vec3($step[0], 0.0, $step[2])|$step * {invm}[$i]⟩⟩
        ⟨|{vio}[$i] += ⟨wp.vec3(0.0, {g} * {dt}, 0.0)|{push}[$i] * ({invm}[$i] * {dt})|-{kd} * {v}[$i]⟩⟩
        """,
        kinds="vector cloth",
    ),
    Idea(
        "pull_to_rest",
        "pull_to_rest goal_forces attract_vertices attachment_force",
        "add the force that pulls ⟨1:each|each pinned|each selected⟩ vertex to its rest position",
        """
        # offset from the rest position in m
        $dvec = {rest}[$i] - {x}[$i]⟨| - {v}[$i] * {dt}⟩
        ⟨1:|if {pinned}[$i]:
            |if {vflag}[$i] ⟨>= 2|& {SELECTED} != 0⟩:
            ⟩{force}[$i] += ⟨{kp}|{kp} * {frac}[$i]|{kp} / {dt}⟩ * $dvec⟨| - {kd} * {v}[$i]| + {push}[$i]⟩
        """,
        kinds="vector cloth",
    ),
    Idea(
        "cap_velocity",
        "cap_velocity clamp_speed limit_velocities apply_speed_limit",
        "limit the speed of each vertex",
        """
        $vi = {v}[$i]⟨| + {push}[$i] * {dt}| * (1.0 - {kd})⟩
        $len = wp.length($vi)
        # scale the velocity back to the limit
        if $len > {vmax}:
            $vi = ⟨$vi * ({vmax} / $len)|wp.normalize($vi) * {vmax}⟩
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        ⟨|elif {pinned}[$i]:
            $vi = wp.vec3()⟩
        {v_out}[$i] = $vi
        """,
        kinds="vector combined control_flow math",
    ),
    Idea(
        "floor_contact",
        "floor_contact project_to_floor ground_response keep_above_ground",
        "move each vertex below the ground ⟨1:to the ground|back by its depth|to its previous position⟩",
        """
        $xn = {x}[$i]⟨| + {v}[$i] * {dt}⟩
        ⟨|if {pinned}[$i]:
            return
        ⟩if $xn[1] < {floor}:
            # penetrates the ground
            {x_out}[$i] = ⟨1:wp.vec3($xn[0], {floor}, $xn[2])|$xn + wp.vec3(0.0, {relax} * ({floor} - $xn[1]), 0.0)|{prev}[$i]⟩
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        else:
            {x_out}[$i] = $xn
        """,
        kinds="combined vector control_flow contact",
    ),
    Idea(
        "edge_pull",
        "edge_forces pull_edges spring_impulse stretch_edges",
        "add the force along each ⟨1:edge|structural edge|edge that is not bent⟩ to its first vertex",
        """
        $ia = {ea}[$e]
        $dvec = {x}[{eb}[$e]] - {x}[$ia]
        if ⟨1:$ia != {eb}[$e]|{etype}[$e] == {STRUCT}|{etype}[$e] != {BEND}⟩:
            wp.⟨atomic_add|atomic_sub⟩({force}, $ia, ⟨{ke}[$e] * |{kp} * ⟩$dvec⟨| - {kd} * {v}[$ia]⟩)
            ⟨|wp.atomic_add({valence}, $ia, 1)⟩
        """,
        threads="e",
        kinds="combined atomic vector cloth",
    ),
    Idea(
        "sum_neighbors",
        "sum_neighbors neighbor_average ring_sum smooth_field",
        "sum ⟨1:the field|the weighted field|the differences of the field⟩ over the neighbours of each vertex",
        """
        $sum = float(0.0)
        # neighbours of the vertex in CSR order
        for $kk in range({nstart}[$i], {nstart}[$i + 1]):
            ⟨1:$sum += ⟨{lambda_} * |⟩{u}[{nlist}[$kk]]|$sum += {wts}[$kk] * {u}[{nlist}[$kk]]|$sum += ⟨|{wts}[$kk] * ⟩({u}[{nlist}[$kk]] - {u}[$i])⟩
        ⟨{unew}|{urate}⟩[$i] = ⟨$sum|0.5 * $sum|{diag}[$i] * {u}[$i] - $sum|{rhs}[$i] - $sum⟩
        """,
        kinds="control_flow arithmetic sparse",
    ),
    Idea(
        "count_ring",
        "count_neighbors ring_degree count_open_slots valid_neighbors",
        "count the ⟨1:neighbours|neighbours with a higher colour|selected neighbours⟩ of each vertex",
        """
        $num = int(0)
        ⟨for $k in range({nstart}[$i], {nstart}[$i + 1]):
            $j = {nlist}[$k]|for $k in range({nodes}):
            $j = wp.max({ring}[$i, $k], 0)⟩
            if ⟨1:$j != $i|{color}[$j] > {color}[$i]|{vflag}[$j] & {SELECTED} != 0⟩:
                $num += ⟨1|{tag}[$j]⟩
        {hitnum}[$i] = $num
        ⟨|{mark0}[$i] = wp.where($num > {hold}, ⟨1, 0|$i, {NONE}⟩)⟩
        """,
        kinds="control_flow multi_conditional sparse",
        integer=True,
    ),
    Idea(
        "relax_heat",
        "exchange_heat cool_vertices relax_field decay_temperature",
        "⟨1:add the exchange with the surroundings to the field in place|compute the rate of change of the field⟩",
        """
        $val = {u}[$i]⟨| - {bias}| + {bias} * {frac}[$i]⟩
        ⟨1:{heat}[$i] +=|{urate}[$i] =⟩ ⟨{hstep} * {hex} * ({tamb} - $val)|{hex} * ({tamb} - $val) + {qsrc}|{qsrc} - {decay} * $val|-{decay} * $val * $val⟩
        ⟨|if {bc}[$i] == {DIRICHLET}:
            {acc2}[$i] = 1⟩
        """,
        kinds="arithmetic scalar_param fields",
    ),
    Idea(
        "shape_function",
        "apply_profile evaluate_profile field_response activate_field",
        "apply a ⟨1:bell|sine|logistic|root⟩ function to the field at each vertex",
        """
        $val = {u}[$i]⟨ - {bias}| * {frac}[$i]|⟩
        {unew}[$i] = ⟨⟨{ampl}|{ampl} * {frac}[$i]⟩ * |⟩⟨1:wp.exp(-$val * $val ⟨/ {tone}|* {decay}⟩)|wp.sin({wavek} * $val⟨| - {freq} * {time}⟩)|(1.0 / (1.0 + wp.exp(-{kp} * $val)))|wp.sqrt(⟨$val * $val + {ampl}|1.0 + {decay} * $val * $val⟩)⟩
        ⟨|{acc2}[$i] = wp.where($val > {cut}, 1, 0)⟩
        """,
        kinds="math scalar_param arithmetic",
    ),
    Idea(
        "wave_height",
        "wave_height offset_surface ripple_height lift_vertices",
        "⟨1:add a wave to|write a wave above⟩ the position of each vertex",
        """
        $pos = {rest}[$i]
        # travelling wave
        $sig = ⟨wp.sin|wp.cos⟩({wavek} * ⟨$pos[0]|$pos[2]|($pos[0] + $pos[2])⟩ - {freq} * {time})
        ⟨|if {vmask}[$i] == 0:
            $sig = ⟨0.0|-$sig⟩
        ⟩⟨1:{xio}[$i] += |{wavepos}[$i] = $pos + ⟩wp.vec3(0.0, {ampl} * $sig⟨| * {frac}[$i]⟩, 0.0)
        ⟨|{waveh}[$i] = ⟨{ampl} * $sig|$sig⟩⟩
        """,
        kinds="math vector scalar_param",
    ),
    Idea(
        "boundary_values",
        "apply_boundary set_boundary_values boundary_rates impose_conditions",
        "compute the value of each node by its boundary condition",
        """
        $kind = {bc}[$i]
        # prescribed value, flux or exchange
        if $kind == {DIRICHLET}:
            {unew}[$i] = ⟨{bcval}[$i]|{tamb}|{bcval}[$i] + {bias}⟩
        elif $kind == {NEUMANN}:
            {unew}[$i] = {u}[$i] + ⟨{flux}|{flux} * {hstep}⟩
        ⟨elif $kind == {ROBIN}:
            {unew}[$i] = {u}[$i] + {exchange} * ({tamb} - {u}[$i])
        |⟩else:
            {unew}[$i] = ⟨{u}[$i]|{rhs}[$i]|0.0⟩
        """,
        kinds="multi_conditional control_flow scalar_param finite_elements",
    ),
    Idea(
        "material_stiffness",
        "assign_thickness material_scale set_material_values face_material",
        "set a value of each triangle by its material",
        """
        if {mat}[$t] == {COTTON}:
            {fden}[$t] = ⟨{mu}|{thick}[$t] * {mu}⟩
        elif {mat}[$t] == {SILK}:
            {fden}[$t] = ⟨{la}|0.5 * {thick}[$t]|{la} * {thick}[$t]⟩
        ⟨elif {mat}[$t] == {LEATHER}:
            {fden}[$t] = {thick}[$t]⟨| * {rho}| + {rho}⟩
        |⟩else:
            ⟨{fden}[$t] = ⟨{thick}[$t]|0.0⟩|{tclass}[$t] = {mat}[$t]⟩
        """,
        threads="t",
        kinds="multi_conditional control_flow",
    ),
    Idea(
        "metric_product",
        "transform_metric scale_metric pull_back_metric multiply_tensors",
        "multiply the metric of each triangle by the ⟨1:inverse of the rest edges|transposed inverse of the rest edges|given factor⟩",
        """
        # 2x2 tensor of the triangle
        $metric = ⟨1:{met}[$t] * {dminv2}[$t]|wp.transpose({dminv2}[$t]) * {met}[$t]|{met}[$t] * {relax}⟩
        ⟨|if {faces}[$t] > 0:
            $metric = ⟨wp.transpose($metric)|{met}[$t]⟩
        ⟩{metout}[$t] = $metric⟨| - wp.identity(n=2, dtype=float)| * {thick}[$t]⟩
        """,
        threads="t",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "metric_invariants",
        "metric_invariants tensor_trace strain_measure area_ratio",
        "compute the ⟨1:trace|determinant|anisotropy⟩ of the metric of each triangle",
        """
        $metric = {met}[$t]⟨| * {dminv2}[$t]| + wp.transpose({met}[$t])⟩
        {inv}[$t] = ⟨1:wp.trace($metric)⟨| - 2.0⟩|wp.determinant($metric)⟨| - 1.0⟩|$metric[0, 0] - $metric[1, 1]⟩⟨| * {thick}[$t]⟩
        """,
        threads="t",
        kinds="matrix arithmetic",
    ),
    Idea(
        "strain_vector",
        "transform_uv rotate_texcoords map_vertices_2d rest_matrix_times",
        "multiply the ⟨1:rest matrix|metric⟩ of each triangle by the texture coordinates of a corner",
        """
        $d = ⟨{uv}[{tri}[$t, 0]]|{uv}[{tri}[$t, 1]] - {uv}[{tri}[$t, 0]]|{uv}[{tri}[$t, 2]]⟩
        ⟨{inv}[$t] = wp.dot($d, ⟨1:{dminv2}|{met}⟩[$t] * $d)|$d = ⟨1:{dminv2}|{met}⟩[$t] * $d
        {inv}[$t] = ⟨$d[0]|$d[1]|wp.length_sq($d)⟩⟩⟨| * {thick}[$t]| + {bias}⟩
        """,
        threads="t",
        kinds="matrix vector gather_scatter",
    ),
    Idea(
        "modal_sum",
        "modal_sum evaluate_modes sum_modes reconstruct_field",
        "sum the modes of each vertex over all probes",
        """
        $sum = float(0.0)
        # sum over modes and probes
        for $z in range({modes}):
            for $q in range({probes}):
                $sum += {mode}[$z, $q]⟨ * {coef}[$i, $z]| * {coef}[$i, $z] * {frac}[$i]| * ({u}[$i] + {bias})⟩
        ⟨{recon}[$i] =|{heat}[$i] +=⟩ $sum⟨| * 0.5| + {bias}⟩
        """,
        kinds="nested_loop arithmetic",
    ),
    Idea(
        "match_patterns",
        "match_patterns count_supports table_matches count_codes",
        "count the table entries that match the tag of each vertex",
        """
        $num = int(0)
        # compare with the whole table
        for $z in range({modes}):
            for $q in range({probes}):
                if {modeint}[$z, $q] ⟨== {vflag}[$i]|> {vmask}[$i]|& {tag}[$i] != 0⟩:
                    $num += ⟨1|{modeint}[$z, $q]|$z + 1⟩
        {hitnum}[$i] = $num⟨| + {cool}[$i]⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "count_cells",
        "count_cells flag_counts grid_summary count_flagged",
        "count the cells of the grid that have the flag of each mode",
        """
        $num = int(0)
        for $r in range({rows}):
            for $q in range({cols}):
                if {gridflag}[$r, $q] ⟨==|>=|!=⟩ $z:
                    $num = $num + ⟨1|$r|$q + 1⟩
        {modesum}[$z] = ⟨$num|2 * $num|$num - $z⟩
        """,
        threads="z",
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "ramp_chain",
        "remap_field ramp_values shade_field response_curve",
        "map the field at each vertex by a smooth ramp",
        """
        # 0 before the onset, 1 at saturation
        $ratio = @ramp(⟨{u}[$i]|{u}[$i] + {frac}[$i]|{frac}[$i]⟩, {tzero}, {tone})
        {unew}[$i] = @mix(⟨{tamb}|{u}[$i]|{bcval}[$i]⟩, ⟨{qsrc}|{rhs}[$i]⟩, @ease($ratio))
        ⟨|{acc2}[$i] = ⟨{vflag}[$i]|{bc}[$i]⟩⟩
        """,
        kinds="arithmetic scalar_param helper_functions",
    ),
    Idea(
        "goal_chain",
        "integrate_goal step_to_target spring_step attachment_step",
        "advance each vertex under a spring to its rest position",
        """
        # spring and drag in m/s^2
        $acc = @spring({x}[$i], ⟨{rest}[$i]|{prev}[$i]⟩, {kp}) + @dragged({v}[$i], {kd})⟨| + {push}[$i]⟩
        ⟨|if {pinned}[$i]:
            $acc = wp.vec3()
        ⟩{x_out}[$i] = @advance({x}[$i], ⟨{v}[$i] + $acc * {dt}|$acc|{v}[$i]⟩, {dt})
        """,
        kinds="vector helper_functions",
    ),
)  # fmt: skip
