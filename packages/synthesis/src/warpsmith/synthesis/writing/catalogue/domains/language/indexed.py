"""Kernels that read a selection of an array through an indexed array."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, TYPES, VEC3
from warpsmith.synthesis.writing.ideas.declare import data
from warpsmith.synthesis.writing.ideas.parts import Idea

PARAMETERS = (
    data("sx", FLOAT, -2.0, 2.0, "selected subset active picked", "values of the selected elements", indexed=True, shared=True),
    data("sm", FLOAT, 0.5, 2.0, "selected_mass active_mass m_sel subset_mass", "masses of the selected elements in kg", indexed=True, shared=True),
    data("sv", VEC3, -2.0, 2.0, "selected_vel active_qd v_sel subset_v", "velocities of the selected elements in m/s", indexed=True, shared=True),
    data("sp", VEC3, -2.0, 2.0, "selected_points active_q x_sel subset_pos", "positions of the selected elements in m", indexed=True, shared=True),
    data("si", INT, 0, 7, "selected_labels active_ids id_sel subset_labels", "labels of the selected elements", indexed=True, shared=True),
    data("sd", TYPES["float64"], -2.0, 2.0, "selected_precise active_d d_sel subset_d", "precise values of the selected elements", indexed=True, shared=True),
    data("st", FLOAT, -2.0, 2.0, "selected_rows block sub_table table_view", "selected rows and columns of a table", "n m", indexed=True, shared=True),
    data("gi", INT, 0, "bins", "owner_of group_of member_of slot_of", "group of each selected element", shared=True),
    data("ke", FLOAT, 0.0, 0.0, "kinetic_energy energy_out ke energies", "kinetic energy of each selected element in J"),
    data("mom", VEC3, 0.0, 0.0, "momentum total_momentum p_total momentum_sum", "sum of the momentum in kg m/s", "1", start=0.0),
    data("ssum", FLOAT, 0.0, 0.0, "selected_sum total subset_total sum_out", "sum of the selected values", "1", start=0.0),
    data("t_out", FLOAT, 0.0, 0.0, "table_out block_out dense packed_rows", "copy of the selection", "n m"),
    data("r_out", FLOAT, 0.0, 0.0, "row_sums row_totals reduced row_out", "sum of each selected row"),
)  # fmt: skip

INDEXED = (
    Idea(
        "pack_selected",
        "compact_selection pack_selected gather_subset copy_active",
        "pack the selected ⟨1:values|vectors|labels⟩ densely",
        """
        hook begin
        ⟨1:{x_out}[$i] = {sx}[$i]⟨| * {k}| * {w}[$i]⟩|{v_out}[$i] = {sp}[$i]⟨| * {k}| - {p}[$i]⟩|{i_out}[$i] = {si}[$i]⟨| * {bins} + {lab}[$i]⟩⟩
        hook end
        """,
        kinds="indexed_array gather_scatter",
    ),
    Idea(
        "selected_energy",
        "kinetic_energy_selected energy_of_active subset_energy active_energy",
        "compute the kinetic energy of the selected bodies ⟨2:|and their momentum|and its sum⟩",
        """
        $v = {sv}[$i]
        ⟨3:# E = m v^2 / 2
        |⟩$e = 0.5 * {sm}[$i] * wp.dot($v, $v)
        ⟨2:{ke}[$i] = $e|{ke}[$i] = $e
        wp.atomic_add({mom}, 0, $v * {sm}[$i])|wp.atomic_add({ssum}, 0, $e)⟩
        hook end
        """,
        kinds="indexed_array reduction",
    ),
    Idea(
        "advance_selected",
        "integrate_selected step_active advance_subset move_active",
        "advance the selected particles by a step ⟨2:|under gravity|with a limit of the speed⟩",
        """
        hook begin
        $v = {sv}[$i]
        ⟨2:$x = {sp}[$i] + $v * {dt}|$v = $v + wp.vec3(0.0, ⟨-9.81|-1.62⟩, 0.0) * {dt}
        $x = {sp}[$i] + $v * {dt}|if wp.length($v) > {cut}:
            $v = wp.normalize($v) * {cut}
        $x = {sp}[$i] + $v * {dt}⟩
        {v_out}[$i] = ⟨$x|$x - {p}[$i]⟩
        hook end
        """,
        kinds="indexed_array particles",
    ),
    Idea(
        "selected_census",
        "count_selected_labels label_census selection_histogram tally_subset",
        "count the labels of the selected elements",
        """
        hook begin
        ⟨2:$q = {si}[$i] % {bins}
        wp.atomic_add({group_n}, $q, ⟨1|{flags}[$i]⟩)|if {si}[$i] ⟨>|==⟩ ⟨3|4⟩:
            wp.atomic_add({counter}, 0, 1)
            {i_out}[$i] = 1
        else:
            {i_out}[$i] = 0|if {si}[$i] == {lab}[$i]:
            wp.atomic_add({counter}, 0, 1)
        {state_out}[$i] = ({si}[$i] << 3) | {lab}[$i]⟩
        """.replace("hook begin\n        ⟨2:", "⟨2:"),
        kinds="indexed_array histograms",
        integer=True,
    ),
    Idea(
        "selected_window",
        "smooth_selected selection_average filter_subset selected_differences",
        "⟨2:average|difference|sum⟩ each selected value and the following ones",
        """
        hook begin
        ⟨2:{x_out}[$i] = 0.5 * ({sx}[$i] + {sx}[($i + 1) % {n}])|if $i == 0:
            {x_out}[$i] = {sx}[$i]
        else:
            {x_out}[$i] = {sx}[$i] - {sx}[$i - 1]|$s = float(0.0)
        for $q in range(⟨3|4⟩):
            $j = wp.min($i + $q, {n} - 1)
            $s += {sx}[$j]⟨| * {w}[$j]⟩
        {x_out}[$i] = $s⟩
        hook end
        """,
        kinds="indexed_array stencil",
    ),
    Idea(
        "selected_groups",
        "sum_selected_by_group group_totals reduce_selection segment_selected",
        "add up the selected values of each group",
        """
        hook begin
        $q = {gi}[$i]
        $x = {sx}[$i]⟨| * {sm}[$i]| - {y}[$i]⟩
        ⟨2:wp.atomic_add({group_x}, $q, $x)|if $x > ⟨0.0|{cut}⟩:
            wp.atomic_add({group_x}, $q, $x)
            wp.atomic_add({group_n}, $q, 1)|{x_out}[$i] = $x
        wp.atomic_add({group_x}, $q, $x * $x)⟩
        """,
        kinds="indexed_array atomics reduction",
    ),
    Idea(
        "selected_table",
        "copy_block extract_block gather_block dense_copy",
        "copy the selected rows and columns of a table⟨2:|, scaled by the weight of the row|, limited to a range⟩",
        """
        ⟨2:{t_out}[$i, $j] = {st}[$i, $j]|{t_out}[$i, $j] = {st}[$i, $j] * {w}[$i]|{t_out}[$i, $j] = wp.clamp({st}[$i, $j], -{cut}, {cut})|if {lab}[$i] != {which}:
            {t_out}[$i, $j] = ⟨0.0|{table}[$i, $j]⟩
            return
        {t_out}[$i, $j] = {st}[$i, $j]⟩
        """,
        threads="i j",
        kinds="indexed_array multi_dim",
    ),
    Idea(
        "selected_rows",
        "row_sums_selected reduce_rows dot_rows row_norms",
        "sum each selected row ⟨2:|with weights|of squares⟩",
        """
        $s = float(0.0)
        for $c in range({m}):
            ⟨2:$s += {st}[$i, $c]|$s += {st}[$i, $c] * {table}[$i, $c]|$s += {st}[$i, $c] * {st}[$i, $c]|if $c % 2 == 0:
                $s += {st}[$i, $c]⟩
        ⟨3:{r_out}[$i] = $s|{r_out}[$i] = $s * {w}[$i]|wp.atomic_add({ssum}, 0, $s)⟩
        """.replace("$s * {w}[$i]", "2.0 * $s"),
        kinds="indexed_array reduction",
    ),
    Idea(
        "selected_precise",
        "sum_precise accumulate_selected selection_error precise_difference",
        "compare selected values in double precision with single precision",
        """
        hook begin
        $d = {sd}[$i] - wp.float64({x}[$i])
        ⟨2:{x_out}[$i] = float($d)|{x_out}[$i] = wp.float32($d * $d)|{x_out}[$i] = float(wp.abs($d)) * {w}[$i]⟩
        hook end
        """,
        kinds="indexed_array mixed_precision",
    ),
)
