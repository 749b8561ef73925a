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
        ⟩⟨{xio}[$i] += {v}[$i] * {dt}|{xio}[$i] += {relax} * {delta}[$i]|{xio}[$i] += {v}[$i] * {dt} + {push}[$i] * (0.5 * {invm}[$i] * {dt} * {dt})|$step = {v}[$i] * {dt}
        # only along the ground
        {xio}[$i] += wp.vec3($step[0], 0.0, $step[2])⟩
        ⟨|{vio}[$i] += ⟨wp.vec3(0.0, {g} * {dt}, 0.0)|{push}[$i] * ({invm}[$i] * {dt})|{v}[$i] * (-{kd} * {invm}[$i] * {dt})⟩⟩
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
            |if {vflag}[$i] & {SELECTED} != 0:
            ⟩{force}[$i] += ⟨{kp}|{kp} * {frac}[$i]⟩ * $dvec⟨| - {kd} * {v}[$i]⟩
        """,
        kinds="vector cloth",
    ),
    Idea(
        "cap_velocity",
        "cap_velocity clamp_speed limit_velocities apply_speed_limit",
        "limit the speed of each vertex",
        """
        $vi = {v}[$i]⟨| + {push}[$i] * ({invm}[$i] * {dt})| * (1.0 - {kd} * {dt})⟩
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
        "move each vertex below the ground ⟨1:to the ground|back by a part of its depth|to its previous position⟩",
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
        "add the force along each ⟨1:edge|structural edge|edge that does not resist bending⟩ to its first vertex",
        """
        $ia = {ea}[$e]
        $dvec = {x}[{eb}[$e]] - {x}[$ia]
        if ⟨1:$ia != {eb}[$e]|{etype}[$e] == {STRUCT}|{etype}[$e] != {BEND}⟩:
            wp.atomic_add({force}, $ia, ⟨{ke}[$e] * |{kp} * |({ke}[$e] * (1.0 - {len0}[$e] / wp.max(wp.length($dvec), 0.1))) * ⟩$dvec⟨| - {kd} * {v}[$ia]⟩)
            ⟨|wp.atomic_add({valence}, $ia, 1)⟩
        """,
        threads="e",
        kinds="combined atomic vector cloth",
    ),
    Idea(
        "sum_neighbors",
        "⟨1:sum_neighbors|weighted_sum|sum_differences⟩ ⟨1:gather_ring|csr_sum|diffuse_field⟩",
        "sum ⟨1:the field|the weighted field|the differences of the field⟩ over the neighbours of each vertex",
        """
        ⟨|if {bc}[$i] == {DIRICHLET}:
            return
        ⟩$sum = float(0.0)
        # neighbours of the vertex in CSR order
        for $kk in range({nstart}[$i], {nstart}[$i + 1]):
            ⟨1:$sum += {u}[{nlist}[$kk]]|$sum += {wts}[$kk] * {u}[{nlist}[$kk]]|$sum += ⟨|{wts}[$kk] * ⟩({u}[{nlist}[$kk]] - {u}[$i])⟩
        ⟨1:{unew}[$i] = ⟨$sum|$sum / float(wp.max({nstart}[$i + 1] - {nstart}[$i], 1))⟩|{unew}[$i] = ⟨$sum|{rhs}[$i] - $sum⟩|⟨{urate}[$i] = $sum|{unew}[$i] = {u}[$i] + 0.1 * $sum⟩⟩
        """,
        kinds="control_flow arithmetic sparse",
    ),
    Idea(
        "count_ring",
        "count_neighbors ⟨1:ring_degree|higher_colors|selected_ring⟩ count_ring",
        "count the ⟨1:neighbours|neighbours with a higher colour|selected neighbours⟩ of each vertex",
        """
        $num = int(0)
        each ⟨ring|neighbor⟩:
            if ⟨1:$j != $i|{color}[$j] > {color}[$i]|{vflag}[$j] & {SELECTED} != 0⟩:
                $num += 1
        {hitnum}[$i] = $num
        ⟨|{mark0}[$i] = wp.where($num > {hold}, ⟨1, 0|$i, {NONE}⟩)⟩
        """,
        kinds="control_flow multi_conditional sparse",
        integer=True,
    ),
    Idea(
        "relax_heat",
        "⟨5:exchange_heat|heat_vertices|heat_and_decay|decay_temperature⟩ relax_field",
        "⟨1:advance the field in place|compute the rate of change of the field⟩ by ⟨5:the exchange with the surroundings|a source and the exchange with the surroundings|a source and decay|decay⟩",
        """
        ⟨|if {bc}[$i] == {DIRICHLET}:
            return
        |if {vmask}[$i] != 0:
            return
        ⟩$val = {u}[$i]
        ⟨1:{heat}[$i] += {hstep} * (|{urate}[$i] = ⟩⟨5:{hex} * ({tamb} - $val)|{hex} * ({tamb} - $val) + {qsrc}|{qsrc} - {decay} * $val|-{decay} * $val⟩⟨1:)|⟩
        """,
        kinds="arithmetic scalar_param fields",
    ),
    Idea(
        "shape_function",
        "apply_profile evaluate_profile field_response activate_field",
        "apply a ⟨1:bell|sine|logistic|root⟩ function to the field at each vertex",
        """
        $val = {u}[$i]⟨ - {bias}|⟩
        {unew}[$i] = ⟨⟨{ampl}|{ampl} * {frac}[$i]⟩ * |⟩⟨1:wp.exp(-$val * $val ⟨/ ({tone} * {tone})|* {decay}⟩)|wp.sin({wavek} * $val⟨| - {freq} * {time}⟩)|(1.0 / (1.0 + wp.exp(-{kp} * $val)))|wp.sqrt(⟨$val * $val + {ampl}|1.0 + {decay} * $val * $val⟩)⟩
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
        ⟨|if {vmask}[$i] != 0:
            # fixed vertices stay
            $sig = 0.0
        |if {pinned}[$i]:
            $sig = 0.0
        ⟩⟨1:{xio}[$i] += |{wavepos}[$i] = $pos + ⟩wp.vec3(0.0, {ampl} * $sig⟨| * {frac}[$i]⟩, 0.0)
        ⟨|{waveh}[$i] = {ampl} * $sig⟩
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
            {unew}[$i] = ⟨{bcval}[$i]|{tamb}⟩
        elif $kind == {NEUMANN}:
            {unew}[$i] = {u}[$i] + {hstep} * ⟨{flux}|{bcval}[$i]⟩
        ⟨elif $kind == {ROBIN}:
            {unew}[$i] = {u}[$i] + {hstep} * {exchange} * ({tamb} - {u}[$i])
        |⟩else:
            {unew}[$i] = {u}[$i]⟨| + {hstep} * {rhs}[$i]⟩
        """,
        kinds="multi_conditional control_flow scalar_param finite_elements",
    ),
    Idea(
        "material_stiffness",
        "assign_stiffness material_stiffness set_material_values face_material",
        "set the stiffness of each triangle by its material",
        """
        if {mat}[$t] == {COTTON}:
            {tstiff}[$t] = {mu}⟨4:| * {thick}[$t]⟩
        elif {mat}[$t] == {SILK}:
            {tstiff}[$t] = ⟨0.5|0.3⟩ * {mu}⟨4:| * {thick}[$t]⟩
        ⟨elif {mat}[$t] == {LEATHER}:
            # leather hardly changes its area
            {tstiff}[$t] = (2.0 * {mu} + {la})⟨4:| * {thick}[$t]⟩
        |⟩else:
            ⟨{tstiff}[$t] = 0.0|{tclass}[$t] = {mat}[$t]⟩
        """,
        threads="t",
        kinds="multi_conditional control_flow",
    ),
    Idea(
        "metric_product",
        "transform_metric scale_metric pull_back_metric multiply_tensors",
        "multiply the metric of each triangle by the ⟨1:inverse of the rest edges|transposed inverse of the rest edges|given factor|inverse of the rest edges from both sides⟩",
        """
        # 2x2 tensor of the triangle
        $metric = ⟨1:{met}[$t] * {dminv2}[$t]|wp.transpose({dminv2}[$t]) * {met}[$t]|{met}[$t] * {relax}|wp.transpose({dminv2}[$t]) * {met}[$t] * {dminv2}[$t]⟩
        ⟨|if {faces}[$t] == 0:
            # inactive triangles keep their metric
            $metric = {met}[$t]
        |if {mat}[$t] != {target}:
            $metric = {met}[$t]
        ⟩{metout}[$t] = $metric
        ⟨|{inv}[$t] = wp.⟨trace|determinant⟩($metric)⟩
        """,
        threads="t",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "metric_invariants",
        "metric_invariants strain_measure ⟨1:tensor_trace|area_ratio|metric_anisotropy⟩",
        "compute the ⟨1:trace|determinant|anisotropy⟩ of the metric of each triangle",
        """
        $metric = ⟨{met}[$t]|0.5 * ({met}[$t] + wp.transpose({met}[$t]))|wp.transpose({dminv2}[$t]) * {met}[$t] * {dminv2}[$t]⟩
        {inv}[$t] = ⟨1:wp.trace($metric)⟨| - 2.0⟩|wp.determinant($metric)⟨| - 1.0⟩|⟨$metric[0, 0] - $metric[1, 1]|wp.sqrt(($metric[0, 0] - $metric[1, 1]) * ($metric[0, 0] - $metric[1, 1]) + 4.0 * $metric[0, 1] * $metric[0, 1] + 0.01)⟩⟩
        """,
        threads="t",
        kinds="matrix arithmetic",
    ),
    Idea(
        "strain_vector",
        "transform_uv rotate_texcoords map_vertices_2d rest_matrix_times",
        "multiply the ⟨1:rest matrix|metric⟩ of each triangle by the texture coordinates of ⟨2:a corner|an edge|a corner⟩",
        """
        $d = ⟨2:{uv}[{tri}[$t, 0]]|{uv}[{tri}[$t, 1]] - {uv}[{tri}[$t, 0]]|{uv}[{tri}[$t, 2]]⟩
        ⟨{inv}[$t] = wp.dot($d, ⟨1:{dminv2}|{met}⟩[$t] * $d)|$d = ⟨1:{dminv2}|{met}⟩[$t] * $d
        {inv}[$t] = ⟨$d[0]|$d[1]|wp.length_sq($d)⟩⟩
        """,
        threads="t",
        kinds="matrix vector gather_scatter",
    ),
    Idea(
        "modal_sum",
        "modal_sum evaluate_modes sum_modes reconstruct_field",
        "sum the modes of each vertex over all probes",
        """
        ⟨|if {pinned}[$i]:
            return
        ⟩$sum = float(0.0)
        # sum over modes and probes
        for $z in range({modes}):
            for $q in range({probes}):
                $sum += {mode}[$z, $q]⟨ * {coef}[$i, $z]| * {coef}[$i, $z] * {frac}[$i]| * {coef}[$i, $z] * wp.cos({freq} * {time} * float($z + 1))⟩
        ⟨{recon}[$i] =|{heat}[$i] +=⟩ $sum⟨| / float({probes})⟩
        """,
        kinds="nested_loop arithmetic",
    ),
    Idea(
        "ramp_chain",
        "remap_field ramp_values shade_field response_curve",
        "map the field at each vertex by a smooth ramp",
        """
        # 0 before the onset, 1 at saturation
        $ratio = @ramp(⟨{u}[$i]|wp.abs({u}[$i])⟩, {tzero}, {tone})
        {unew}[$i] = @mix(⟨{tamb}|{u}[$i]|{bcval}[$i]⟩, ⟨{qsrc}|{qsrc} * {frac}[$i]⟩, @ease($ratio))
        ⟨|{acc2}[$i] = wp.where($ratio > ⟨0.0|0.5⟩, 1, 0)⟩
        """,
        kinds="arithmetic scalar_param helper_functions",
    ),
    Idea(
        "goal_chain",
        "integrate_goal step_to_target spring_step attachment_step",
        "advance each vertex under a spring to its rest position",
        """
        # acceleration by the spring and the drag
        $acc = @spring({x}[$i], {rest}[$i], {kp}⟨4:| * {invm}[$i]⟩) + @dragged({v}[$i], {kd}⟨4:| * {invm}[$i]⟩)⟨| + {push}[$i] * {invm}[$i]| + wp.vec3(0.0, {g}, 0.0)⟩
        ⟨|if {pinned}[$i]:
            {x_out}[$i] = {x}[$i]
            return
        ⟩{x_out}[$i] = @advance({x}[$i], {v}[$i] + $acc * {dt}, {dt})
        """,
        kinds="vector helper_functions",
    ),
)  # fmt: skip
