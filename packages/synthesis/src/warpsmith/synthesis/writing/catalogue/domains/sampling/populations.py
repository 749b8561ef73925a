"""Ideas of the domain `sampling`: epidemics of agents with contacts, queues with servers."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

POPULATIONS = (
    Idea(
        "infect",
        "update_agents sir_step infect_agents step_epidemic",
        "advance the state of health of each agent by one day: ⟨1:infection, incubation, recovery|infection and recovery⟩",
        """
        $health = {sir}[$ag]
        $next = int($health)
        $day = {days}[$ag] + 1
        ⟨2:if $health == {D}:
            {sir_out}[$ag] = ⟨{D}|$health⟩
            ⟨{days_out}[$ag] = $day
            |⟩return

        |⟩if $health == {S}:
            $rng = wp.rand_init(⟨{seed}, $ag|{seed} + {today}, $ag|{seed}, $ag * 64 + {today}⟩)
            ⟨3:for $k in range({meet}):
                $j = {link}[$ag, $k]
                if $j >= 0⟨| and $j != $ag⟩:
                    if {sir}[$j] == {I} and wp.randi($rng, 0, 1000) < {risk}[{band}[$ag]]:
                        $next = ⟨1:{E}|{I}⟩|$count = int(0)
            for $k in range({meet}):
                $j = {link}[$ag, $k]
                if $j < 0:
                    continue
                if {sir}[$j] == {I}:
                    $count += 1
            ⟨# the risks of all contacts add up
            |⟩if wp.randi($rng, 0, 1000) < $count * {risk}[{band}[$ag]]:
                $next = ⟨1:{E}|{I}⟩⟩
        ⟨1:elif $health == {E}:
            if $day >= {latent}:
                $next = {I}
        elif $health == {I}:
            if $day ⟨>=|>⟩ {sick}:
                $next = {R}|elif $health == {I}⟨:
            if $day > {sick}:
                $next = {R}| and $day > {sick}:
            $next = {R}⟩⟩
        ⟨4:elif $health == {R} and $day > ⟨9|11⟩:
            # immunity ends
            $next = {S}
        |⟩if $next != $health:
            # the clock starts again
            $day = 0
            ⟨5:if $health == {S}:
                # a new case
                wp.atomic_add({rcount}, {region}[$ag], 1)|wp.atomic_add({scount}, $next, 1)
            wp.atomic_sub({scount}, $health, 1)|if $next == {I}:
                wp.atomic_add({rcount}, {region}[$ag], 1)⟩

        {sir_out}[$ag] = $next
        {days_out}[$ag] = $day
        """,
        threads="ag",
        kinds="multi_conditional control_flow nested_loop monte_carlo random_noise",
        integer=True,
        docs="Compartments: susceptible, exposed, infectious, recovered, isolated",
    ),
    Idea(
        "exposure",
        "count_exposures trace_contacts find_sources contact_tracing",
        "count the infectious ⟨2:contacts|contacts|contacts of the contacts⟩ of each agent⟨1:| and find the first one⟩",
        """
        hook agent
        $count = int(0)
        ⟨1:|$j0 = int({MISSING})
        ⟩⟨2:each contact:
            if {sir}[$j] == {I}:
                $count += 1
                ⟨1:|if $j0 == {MISSING}:
                    $j0 = $j⟩|each contact:
            if {sir}[$j] != {I}⟨| or {days}[$j] > {sick}⟩:
                continue
            if {region}[$j] == {region}[$ag]⟨| or {band}[$j] == {band}[$ag]⟩:
                # close contacts count twice
                $count += 2
            else:
                $count += 1
            ⟨1:|if $j0 < 0:
                $j0 = $j⟩|each contact:
            for $q in range({meet}):
                # contacts of contacts
                $m = {link}[$j, $q]
                if $m >= 0 and $m != $ag:
                    if {sir}[$m] == {I}⟨| and {days}[$m] > {latent}⟩:
                        $count += 1
                        ⟨1:|if $j0 == {MISSING}:
                            $j0 = $m⟩⟩

        {exposed_out}[$ag] = $count
        ⟨1:|{source_out}[$ag] = $j0⟩
        ⟨3:if $count > ⟨1|2⟩:
            # a suspected case
            wp.atomic_add({rcount}, {region}[$ag], 1)|if $count == 0:
            wp.atomic_add({safe}, 0, 1)
        elif $count > ⟨2|3⟩:
            # a suspected case
            wp.atomic_add({cases}, 0, 1)|wp.atomic_max({longest}, 0, $count)|⟩
        """,
        threads="ag",
        kinds="nested_loop multi_conditional gather_scatter control_flow",
        integer=True,
    ),
    Idea(
        "census",
        "count_states region_census tally_agents update_census",
        "count the agents in each state of health and ⟨1:the cases in each region|the sick in each region⟩",
        """
        hook agent
        $health = {sir}[$ag]
        wp.atomic_add({scount}, $health, 1)

        # cases by region
        ⟨1:if $health == {E} or $health == {I}:
            wp.atomic_add({rcount}, {region}[$ag], 1)⟨
            if {days}[$ag] == ⟨0|1⟩:
                # a new case
                wp.atomic_add({cases}, 0, 1)|⟩|if $health == {I}⟨| and {days}[$ag] < {sick}⟩:
            wp.atomic_add({rcount}, {region}[$ag], 1)⟨
        elif $health == {D}:
            # known cases are isolated
            wp.atomic_add({cases}, 0, 1)|⟩⟩⟨
        elif $health == {S}:
            wp.atomic_add({safe}, 0, 1)|⟩
        ⟨3:wp.atomic_max({longest}, 0, {days}[$ag])|{code_out}[$ag] = ⟨$health * {ages} + {band}[$ag]|{days}[$ag] * 8 + $health⟩|{days_out}[$ag] = {days}[$ag] + 1|⟩
        """,
        threads="ag",
        kinds="atomic histograms control_flow atomics reduction",
        integer=True,
    ),
    Idea(
        "serve_jobs",
        "simulate_queue serve_jobs run_servers queue_waiting",
        "simulate the jobs of each server ⟨1:in the order of arrival|until it closes⟩ and sum up the waiting times",
        """
        ⟨2:$begin = {qstart}[$sv]
        $end = {qstart}[$sv + 1]
        if $begin == $end:
            {wait_out}[$sv] = ⟨0|{MISSING}⟩
            return

        |⟩$time = int(0)
        $wait = int(0)
        $idle = int(0)
        $late = int(0)
        ⟨2:for $k in range($begin, $end)|for $k in range({qstart}[$sv], {qstart}[$sv + 1])⟩:
            $cur = {arrive}[$k]
            if $cur >= $time:
                # the server has been idle
                $idle += $cur - $time
                $time = $cur
            else:
                $wait += $time - $cur
                if $time - $cur > {patience}:
                    $late += 1
                    ⟨3:continue|⟩
            ⟨1:|if $time > ⟨300|250⟩:
                break
            ⟩$time += {work}[$k]⟨| + 1⟩

        {wait_out}[$sv] = $wait
        ⟨4:{idle_out}[$sv] = $idle|{late_out}[$sv] = $late|{idle_out}[$sv] = $idle
        {late_out}[$sv] = $late⟩
        ⟨5:if $late > 0:
            wp.atomic_add({turned}, 0, $late)|wp.atomic_max({longest}, 0, $wait)|⟩
        """,
        threads="sv",
        kinds="control_flow multi_conditional early_exit",
        integer=True,
    ),
    Idea(
        "step_queue",
        "step_queues advance_servers update_backlog queue_tick",
        "advance each queue by one tick with random arrivals",
        """
        $rng = wp.rand_init({seed}⟨| + {today}⟩, $sv)
        $count = {backlog}[$sv]
        ⟨1:$new = wp.randi($rng, 0, ⟨4|6⟩)|$new = int(wp.poisson($rng, ⟨2.0|3.0⟩))|$new = int(0)
        while $new < 5 and wp.randi($rng, 0, 100) < ⟨60|50⟩:
            # geometric
            $new += 1⟩
        ⟨2:if $count + $new > {room}:
            # the rest is turned away
            wp.atomic_add({turned}, 0, $count + $new - {room})
            $count = {room}
        else:
            $count += $new|$count = wp.min($count + $new, {room})|# the room is not limited
        $count += $new⟩
        ⟨3:$done = wp.min($count, {pace})|$done = int(0)
        for $k in range({pace}):
            if $count - $done > 0 and wp.randi($rng, 0, 10) < ⟨7|8⟩:
                $done += 1|$done = wp.min($count, {pace})
        if {work}[$sv] > ⟨4|6⟩:
            # a long job
            $done = wp.min($done, 1)⟩

        # the rest waits for the next tick
        {served_out}[$sv] = $done
        {backlog_out}[$sv] = $count - $done
        ⟨4:wp.atomic_add({jobs}, 0, $done)|wp.atomic_max({longest}, 0, $count - $done)|⟩
        """,
        threads="sv",
        kinds="control_flow scalar_param monte_carlo random_noise",
        integer=True,
    ),
    Idea(
        "reset_runs",
        "reset_agents restart_runs reinit_population reset_chains",
        "reset the agents that are ⟨1:vaccinated|recovered|recovered or isolated⟩ to the start of the simulation",
        """
        ⟨1:if not {vax}[$ag]:
            return|if {sir}[$ag] != {R}:
            return|if {sir}[$ag] != {R} and {sir}[$ag] != {D}:
            return⟩
        ⟨2:{sir_out}[$ag] = {S}
        {days_out}[$ag] = 0|{sir_out}[$ag] = {S}
        |if {band}[$ag] == 0:
            # the first cases are young
            {sir_out}[$ag] = {I}
        else:
            {sir_out}[$ag] = {S}
        {days_out}[$ag] = 0⟩
        ⟨3:{exposed_out}[$ag] = 0
        |⟩⟨4:{source_out}[$ag] = {MISSING}
        |⟩⟨5:{code_out}[$ag] = 0|{code_out}[$ag] = {band}[$ag] * 64 + {today}|⟩
        """,
        threads="ag",
        kinds="control_flow early_exit",
        integer=True,
    ),
)
