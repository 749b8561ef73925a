"""Ideas of the domain `contacts`: islands of bodies in contact and their sleep."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

ISLANDS = (
    Idea(
        "label_islands",
        "propagate_labels label_islands island_label_pass merge_components",
        "give the bodies of each contact the lesser of their labels",
        """
        hook contact
        ⟨if $ba < 0 or $bb < 0:
            # static shapes do not connect islands
            return
        |if $ba == -1 or $bb == -1 or $ba == $bb:
            return
        ⟩⟨if {motion}[$ba] != {DYNAMIC} or {motion}[$bb] != {DYNAMIC}:
            return
        |if {motion}[$ba] == {STATIC} or {motion}[$bb] == {STATIC}:
            return
        |⟩$la = {label}[$ba]
        $lb = {label}[$bb]
        ⟨if $la < $lb:
            wp.atomic_min({label_out}, $bb, $la)
            wp.atomic_add({changed}, 0, 1)
        elif $lb < $la:
            wp.atomic_min({label_out}, $ba, $lb)
            wp.atomic_add({changed}, 0, 1)
        |$least = wp.min($la, $lb)
        wp.atomic_min({label_out}, $ba, $least)
        wp.atomic_min({label_out}, $bb, $least)
        ⟨if $la != $lb:
            wp.atomic_add({changed}, 0, 1)
        |⟩|$least = wp.min($la, $lb)
        if $la > $least:
            wp.atomic_min({label_out}, $ba, $least)
        ⟨if $lb > $least:
            wp.atomic_min({label_out}, $bb, $least)
        |wp.atomic_min({label_out}, $bb, $least)
        ⟩⟩
        """,
        threads="c",
        kinds="atomic control_flow contact atomics early_exit",
        integer=True,
    ),
    Idea(
        "wake_bodies",
        "wake_contact_bodies propagate_wake wake_by_contact request_wakeup",
        "wake bodies that are in contact with ⟨1:a moving body|an awake island|a scripted body⟩",
        """
        hook contact
        ⟨if {state}[$c] == {SEPARATE}:
            return

        |if {state}[$c] == {SEPARATE} or {age}[$c] > {age_max}:
            return

        |⟩⟨if $ba < 0 or $bb < 0:
            return
        |if $ba == -1 or $bb == -1 or $ba == $bb:
            return
        ⟩⟨1:if {awake}[$ba] == 1 and {awake}[$bb] == 0:
            wp.atomic_max({wake_out}, $bb, 1)
        elif {awake}[$bb] == 1 and {awake}[$ba] == 0:
            wp.atomic_max({wake_out}, $ba, 1)
        |$isl_a = {island}[$ba]
        $isl_b = {island}[$bb]
        if $isl_a >= 0:
            if {island_awake}[$isl_a] == 1:
                wp.atomic_max({wake_out}, $bb, 1)
        if $isl_b >= 0:
            if {island_awake}[$isl_b] == 1:
                wp.atomic_max({wake_out}, $ba, 1)
        |if {motion}[$ba] == {KINEMATIC} and {motion}[$bb] == {DYNAMIC}:
            wp.atomic_max({wake_out}, $bb, 1)
        ⟨elif {motion}[$bb] == {KINEMATIC} and {motion}[$ba] == {DYNAMIC}:
            wp.atomic_max({wake_out}, $ba, 1)
        |⟩⟩
        """,
        threads="c",
        kinds="atomic multi_conditional control_flow contact atomics early_exit",
        integer=True,
    ),
    Idea(
        "island_timers",
        "island_idle_time accumulate_island_sleep min_island_idle gather_island_timers",
        "find the least number of idle steps⟨1: and the number of bodies| and the number of active bodies|⟩ of each island",
        """
        hook body
        $isl = {island}[$b]
        ⟨if $isl < 0:
            return
        |if $isl == -1:
            # a body on its own
            return
        ⟩⟨$steps = {idle}[$b]
        |$steps = {idle}[$b]
        if {awake}[$b] == 0:
            $steps = wp.max($steps, {patience})
        |$steps = wp.min({idle}[$b], {patience})
        ⟩wp.atomic_min({isl_min}, $isl, $steps)
        ⟨1:wp.atomic_add({isl_n}, $isl, 1)
        |if $steps ⟨< {patience}|> 0⟩:
            wp.atomic_add({isl_n}, $isl, 1)
        |⟩
        """,
        threads="b",
        kinds="atomic control_flow contact atomics reduction early_exit",
        integer=True,
    ),
    Idea(
        "sleep_islands",
        "update_island_sleep put_islands_to_sleep island_sleep_pass decide_island_sleep",
        "decide which islands sleep",
        """
        ⟨if {island_awake}[$n] == 0:
            # already asleep
            {isl_out}[$n] = 1
            return
        |⟩$steps = {island_idle}[$n]
        ⟨if $steps >= {patience}:
            {isl_out}[$n] = 1
            wp.atomic_add({changed}, 0, 1)
        else:
            {isl_out}[$n] = 0
        |{isl_out}[$n] = 1 if $steps > {patience} else 0
        |if $steps == 0:
            {isl_out}[$n] = 0
        elif $steps < {patience}:
            # about to fall asleep
            {isl_out}[$n] = 2
        else:
            {isl_out}[$n] = 1⟩
        ⟨{isl_min}[$n] = $steps + 1
        |{isl_min}[$n] = wp.min($steps + 1, {patience})
        |⟩
        """,
        threads="n",
        kinds="control_flow contact early_exit",
        integer=True,
    ),
    Idea(
        "sleep_bodies",
        "apply_island_sleep update_body_awake sleep_island_bodies sync_body_sleep",
        "put the bodies of sleeping islands to sleep and wake the others",
        """
        $isl = {island}[$b]
        ⟨if {motion}[$b] == {STATIC}:
            {awake_out}[$b] = 0
            return
        |if {motion}[$b] != {DYNAMIC}:
            {awake_out}[$b] = 1
            return
        |⟩$now = {awake}[$b]
        if $isl >= 0:
            ⟨if {island_awake}[$isl] == 1:
                $now = 1
            elif {island_idle}[$isl] >= {patience}:
                $now = 0
            |$now = {island_awake}[$isl]
            if {island_idle}[$isl] < ⟨3|{patience}⟩:
                # disturbed a short time ago
                $now = 1
            |if {island_idle}[$isl] >= {patience} and {idle}[$b] > 2:
                $now = 0
            else:
                $now = 1⟩
        ⟨elif {idle}[$b] > {patience}:
            $now = 0
        |else:
            # a body without contacts has its own timer
            $now = 1 if {idle}[$b] < {patience} else 0
        |⟩{awake_out}[$b] = $now
        ⟨if $now != {awake}[$b]:
            wp.atomic_add({changed}, 0, 1)
        |⟩
        """,
        threads="b",
        kinds="multi_conditional control_flow contact gather_scatter",
        integer=True,
    ),
)
