"""Ideas of the domain `bodies`: integer work on the kinematic tree."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TOPOLOGY = (
    Idea(
        "ancestors",
        "count_ancestors compute_body_depth walk_to_root tree_distance",
        "count the links between each body and the root of its tree⟨1:| and mark them in a bit mask|⟩",
        """
        ⟨# bounded, in case the parents contain a cycle|⟩
        $cur = ⟨$b|$par⟩
        $count = int(0)
        ⟨1:|$mask = int(0)
        |⟩⟨2:while $cur >= 0 and $count < ⟨8|16|{nc}⟩:
            ⟨1:|$mask = @set_bit($mask, $cur)
            |⟩$cur = {parent}[$cur]
            $count += 1
        |for $k in range(⟨8|12|16⟩):
            if $cur < 0⟨| or {weld}[$cur] == $cur⟩:
                break
            ⟨1:|$mask = @set_bit($mask, $cur)
            |⟩$count += 1
            $cur = {parent}[$cur]
        |while $cur != -1:
            ⟨1:|$mask = @set_bit($mask, $cur)
            |⟩$count += 1
            if $count >= ⟨10|16⟩:
                break
            $cur = {parent}[$cur]⟩
        {hops}[$b] = $count
        ⟨1:|{bits}[$b] = $mask
        |⟩⟨if $count < 4:
            wp.atomic_add({level_count}, $count, 1)
        |if $cur >= 0:
            # the walk was cut off
            wp.atomic_add({moved}, 0, 1)
        |⟩
        """,
        threads="b",
        kinds="control_flow while_loop",
        integer=True,
    ),
    Idea(
        "level_histogram",
        "count_levels bodies_per_level histogram_depth count_bodies",
        "count the bodies at each depth⟨1: and the children of each body||⟩",
        """
        ⟨if {body_type}[$b] == {STATIC}:
            return
        |if {env}[$b] == -1 or {body_type}[$b] == {STATIC}:
            return
        |if not {mask}[$b]:
            return
        |⟩⟨wp.atomic_add({level_count}, {depth}[$b], 1)
        |$lvl = {depth}[$b]
        if $lvl <= {level}:
            wp.atomic_add({level_count}, $lvl, 1)
        |wp.atomic_add({level_count}, wp.min({depth}[$b], 2), 1)⟩
        ⟨1:if $par >= 0:
            wp.atomic_add({n_child}, $par, 1)
        ||⟨if {flags}[$b] & {ACTIVE} != 0:
            wp.atomic_add({moved}, 0, 1)
        |⟩⟩
        """,
        threads="b",
        kinds="atomic histograms atomics early_exit",
        integer=True,
    ),
    Idea(
        "joint_sizes",
        "count_joint_dofs joint_type_sizes assign_joint_widths joint_dimensions",
        "look up the number of degrees of freedom⟨1: and coordinates|⟩ of each joint⟨2:| and count the types|⟩",
        """
        ⟨if not {enabled}[$j]:
            {width_out}[$j] = 0
            return
        |if $par_j == {jchild}[$j]:
            # a joint of a body with itself
            {width_out}[$j] = 0
            return
        |⟩⟨$n = @dof_width($typ)
        |$n = int(1)
        if $typ == {FREE}:
            $n = 6
        elif $typ == {BALL}:
            $n = 3
        elif $typ == {UNIVERSAL}:
            $n = 2
        elif $typ == {FIXED}:
            $n = 0
        |$n = wp.where($typ == {FREE}, 6, 1)
        if $typ == {BALL}:
            $n = 3
        elif $typ == {UNIVERSAL}:
            $n = 2
        elif $typ == {FIXED}:
            $n = 0⟩
        {width_out}[$j] = $n
        ⟨1:# rotations are stored as quaternions
        ⟨if $typ == {FREE} or $typ == {BALL}:
            {coords_out}[$j] = $n + 1
        else:
            {coords_out}[$j] = $n
        |{coords_out}[$j] = wp.where($n == 3 or $n == 6, $n + 1, $n)⟩
        |⟩⟨2:|wp.atomic_add({type_count}, $typ, 1)
        |⟨if $par_j == -1:
            # joints to the world
            wp.atomic_add({type_count}, 7, 1)
        |⟩⟩
        """,
        threads="j",
        kinds="multi_conditional control_flow histograms atomics",
        integer=True,
    ),
    Idea(
        "dof_trees",
        "dof_tree_ids label_dof_trees dof_chain_length build_dof_chains",
        "find the ⟨1:tree|last degree of freedom towards the root|number of degrees of freedom towards the root⟩ of each degree of freedom",
        """
        ⟨if {limited}[$d] == 0 and {mode}[$d] == 0:
            # passive degrees of freedom are left out
            return
        |⟩$cur = ⟨$d|int($d)⟩
        $count = int(0)
        ⟨while {dof_parent}[$cur] >= 0 and $count < ⟨6|12⟩:
            $cur = {dof_parent}[$cur]
            $count += 1
        |for $k in range(⟨6|10⟩):
            $prev = {dof_parent}[$cur]
            if $prev < 0:
                break
            $count += 1
            $cur = $prev
        |while $count < ⟨8|10⟩:
            $prev = {dof_parent}[$cur]
            if $prev == -1⟨| or $prev == $d⟩:
                break
            $cur = $prev
            $count += 1⟩
        ⟨1:{tree_out}[$d] = ⟨{root}[{dof_body}[$cur]]|{dof_body}[$cur]⟩
        |{tree_out}[$d] = $cur
        |{last_out}[$d] = $count⟨| + 1⟩⟩
        """,
        threads="d",
        kinds="control_flow while_loop gather_scatter",
        integer=True,
    ),
    Idea(
        "child_links",
        "mark_child_links validate_child_table check_children count_valid_children",
        "count entries of the child table that ⟨1:agree|disagree|point outside of the tree|belong to welded bodies⟩",
        """
        $child = {children}[$b, $c]
        ⟨if $child < 0:
            return
        |if $child == -1 or $child == $b:
            return
        ⟩
        ⟨1:if {parent}[$child] == $b:
            wp.atomic_add({n_child}, $b, 1)
        ⟨else:
            wp.atomic_add({moved}, 0, 1)
        |⟩|if {parent}[$child] != $b:
            # the parent names another body
            wp.atomic_add({moved}, 0, 1)
        |if {root}[$child] != {root}[$b]:
            wp.atomic_add({n_child}, $b, 1)
        |if {weld}[$child] == ⟨$b|{weld}[$b]⟩:
            wp.atomic_add({n_child}, $b, 1)
            ⟨wp.atomic_add({moved}, 0, 1)|⟩⟩
        """,
        threads="b c",
        kinds="atomic multi_dim atomics early_exit",
        integer=True,
    ),
    Idea(
        "fill_ids",
        "init_body_ids reset_tree_labels init_levels fill_defaults",
        "initialize the ⟨1:labels|bits|distances⟩ of bodies",
        """
        ⟨1:⟨{id_out}[$b] = ⟨$b|{root}[$b]|{weld}[$b]⟩|{id_out}[$b] = {nb} - 1 - $b⟩
        ⟨{parent_out}[$b] = ⟨-1|{parent}[$b]⟩
        |⟩|{flags_out}[$b] = ⟨{ACTIVE}|{ACTIVE} + {NO_GRAVITY}|{flags}[$b] & ~{SLEEPING}⟩
        {id_out}[$b] = $b
        |⟨{hops}[$b] = ⟨0|{depth}[$b]⟩|{hops}[$b] = 0 if $par < 0 else -1⟩
        {id_out}[$b] = $b⟩
        """,
        threads="b",
        kinds="arithmetic",
        integer=True,
    ),
)
