"""Short ideas of the domain `contacts` on integers and copies: ages, states, bits, keys, lists of contacts, pairs and islands."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_STATE = (
    Idea(
        "copy_contacts",
        "copy_contacts store_contact_list save_previous_contacts write_contact_pairs",
        "copy the ⟨1:shapes|positions and normals|shapes and positions|distances and normals⟩ of the contacts⟨2:| in their new order| from the new order⟩",
        """
        hook contact
        ⟨1:{a_out}[⟨2:$c|{order}[$c]|$c⟩] = {c_a}[⟨2:$c|$c|{order}[$c]⟩]
        {b_out}[⟨2:$c|{order}[$c]|$c⟩] = {c_b}[⟨2:$c|$c|{order}[$c]⟩]|{pos_out}[⟨2:$c|{order}[$c]|$c⟩] = {pos}[⟨2:$c|$c|{order}[$c]⟩]
        {n_out}[⟨2:$c|{order}[$c]|$c⟩] = {normal}[⟨2:$c|$c|{order}[$c]⟩]|{a_out}[⟨2:$c|{order}[$c]|$c⟩] = {c_a}[⟨2:$c|$c|{order}[$c]⟩]
        {pos_out}[⟨2:$c|{order}[$c]|$c⟩] = {pos}[⟨2:$c|$c|{order}[$c]⟩]|{gap_out}[⟨2:$c|{order}[$c]|$c⟩] = {dist}[⟨2:$c|$c|{order}[$c]⟩]
        {n_out}[⟨2:$c|{order}[$c]|$c⟩] = {normal}[⟨2:$c|$c|{order}[$c]⟩]⟩
        ⟨{key_out}[$c] = {key}[$c]|{type_out}[$c] = {condim}[$c]|{age_out}[$c] = {age}[$c] + 1|⟩
        """,
        threads="c",
        kinds="gather_scatter contact",
    ),
    Idea(
        "reset_impulses",
        "reset_impulses init_impulses clear_unmatched start_impulses",
        "set the impulses of ⟨1:unmatched contacts to zero and copy the others|new contacts from their depth|all contacts from the step before⟩",
        """
        $m = {match}[$c]
        ⟨1:if $m ⟨< 0|== -1⟩:
            {imp_out}[$c] = 0.0
        else:
            {imp_out}[$c] = {impulse}[$m]|if $m >= 0:
            {imp_out}[$c] = {impulse}[$m]
        else:
            {imp_out}[$c] = {gain} * wp.max(-{dist}[$c], 0.0)|$m = wp.max($m, 0)
        {imp_out}[$c] = {impulse}[$m]⟩
        ⟨{match_out}[$c] = $m|{fric_out}[$c] = {tangent}[$c]|{bias_out}[$c] = {bias_in}[$c]|⟩
        """,
        threads="c",
        kinds="gather_scatter contact",
    ),
    Idea(
        "clear_pairs",
        "clear_pairs init_pair_list fill_pair_codes copy_pairs",
        "fill the list of pairs with ⟨1:their first shapes|their codes|their shapes in order⟩ or -1",
        """
        ⟨if {pmode}[$p] ⟨== 0|> 1⟩:
            |if {pair_hit}[$p] == 0:
            ⟩{pkey}[$p] = -1
            ⟨{hit}[$p] = 0|{pair_key}[$p] = $p|⟩
        else:
            {pkey}[$p] = ⟨1:$ga|$ga * {ng} + $gb|wp.min($ga, $gb)⟩
            ⟨{hit}[$p] = {pmode}[$p]|{pair_key}[$p] = $gb|⟩
        """,
        threads="p",
        kinds="gather_scatter control_flow",
        integer=True,
    ),
    Idea(
        "age_contacts",
        "age_contacts update_contact_age tick_contacts count_contact_steps",
        "count the steps of each contact that ⟨1:was found again|was found|is not switched off⟩",
        """
        hook contact
        if ⟨1:{match}[$c] >= 0|{seen}[$c] > 0|not {invalid}[$c]⟩:
            {age}[$c] = ⟨{age}[$c] + 1|wp.min({age}[$c] + 1, {age_max})|{age}[$c] + {seen}[$c]⟩
            ⟨wp.atomic_add({event_n}, ⟨1|2⟩, 1)|⟩
        else:
            {age}[$c] = ⟨0|{age}[$c] // 2⟩
            ⟨wp.atomic_add({event_n}, 0, 1)|{bits}[$c] = {bits}[$c] & ~2|⟩
        ⟨|{type_out}[$c] = {state}[$c]|{type_out}[$c] = {condim}[$c] * {base}⟩
        """,
        threads="c",
        kinds="control_flow contact",
        integer=True,
    ),
    Idea(
        "lost_contacts",
        "lost_contacts count_missed drop_lost_contacts expire_contacts",
        "count the steps for which each contact was not found and drop it after some of them",
        """
        if {seen}[$c] ⟨> 0|!= 0⟩:
            {miss}[$c] = ⟨0|wp.max({miss}[$c] - {grace}, 0)⟩
        ⟨elif {miss}[$c] ⟨<|<=⟩ {grace}|elif {state}[$c] == {STICK}⟩:
            {miss}[$c] = {miss}[$c] + 1
            ⟨wp.atomic_add({event_n}, 1, 1)|⟩
        else:
            {valid}[$c] = -1
            wp.atomic_add({event_n}, ⟨3|0⟩, 1)
        """,
        threads="c",
        kinds="atomic multi_conditional control_flow contact",
        integer=True,
    ),
    Idea(
        "contact_states",
        "contact_states update_contact_state stick_slip_state state_transition",
        "let each contact go to its next state",
        """
        $st = {state}[$c]
        if $st == {STICK}:
            ⟨if {age}[$c] > {age_max}:
                {state}[$c] = {SLIDE}|{state}[$c] = {STICK} if {seen}[$c] > 0 else {SEPARATE}|if {miss}[$c] > {grace}:
                {state}[$c] = {SEPARATE}⟩
        elif $st == {SEPARATE}:
            ⟨if {seen}[$c] > 0:
                {state}[$c] = {SLIDE}|{state}[$c] = 0⟩
        ⟨elif $st == {SLIDE}|else⟩:
            {state}[$c] = ⟨{STICK}|{SEPARATE}⟩
        ⟨|{type_out}[$c] = $st * 4 + {seen}[$c]|{event}[$c] = $st⟩
        """,
        threads="c",
        kinds="multi_conditional control_flow contact",
        integer=True,
    ),
    Idea(
        "contact_bits",
        "contact_bits set_contact_flags mark_contacts update_contact_bits",
        "set and clear the bits of each contact",
        """
        hook contact
        $mask = {bits}[$c]
        ⟨if {seen}[$c] > 0:
            $mask = $mask | ⟨1|4⟩|if {age}[$c] ⟨>|<=⟩ {age_max}:
            $mask = $mask | 2|if {condim}[$c] == 1:
            # frictionless
            $mask = $mask & ~4⟩
        ⟨elif {miss}[$c] > {grace}:
            $mask = $mask & ~1|else:
            $mask = $mask ^ 8|⟩
        {bits}[$c] = $mask
        ⟨|{type_out}[$c] = ($mask >> ⟨1|2⟩) & 1|{type_out}[$c] = $mask + {base}⟩
        """,
        threads="c",
        kinds="control_flow integer_bits contact scalar_param",
        integer=True,
    ),
    Idea(
        "pair_ages",
        "pair_ages track_pair_overlap update_pair_age age_pairs",
        "count the steps for which each pair has overlapped",
        """
        if {pair_hit}[$p] ⟨!= 0|== 1⟩⟨| and {pmode}[$p] > 0⟩:
            {pair_age}[$p] = ⟨{pair_age}[$p] + 1|wp.min({pair_age}[$p] + 1, {age_max})⟩
            ⟨wp.atomic_add({hits}, $ga, 1)|⟩
        ⟨elif {pair_age}[$p] > {grace}:
            {pair_age}[$p] = {pair_age}[$p] - {grace}|else⟩:
            {pair_age}[$p] = 0
        ⟨wp.atomic_add({total}, 0, {pair_hit}[$p])|{pkey}[$p] = $ga * {base} + $gb|⟩
        """,
        threads="p",
        kinds="atomic control_flow",
        integer=True,
    ),
    Idea(
        "pair_codes",
        "pair_codes canonical_pairs encode_pair_ids pair_identifiers",
        "compute a code of each pair that does not depend on the order of its shapes",
        """
        ⟨$k = @code_of(@lesser($ga, $gb), @greater($ga, $gb), {ng})|$a = @lesser($ga, $gb)
        $k = @code_of($a, @greater($ga, $gb), {ng})|$k = @code_of(@lesser({gtype}[$ga], {gtype}[$gb]), @greater({gtype}[$ga], {gtype}[$gb]), 5)⟩
        ⟨if {pmode}[$p] == 0:
            $k = -1|if $ga == $gb:
            # a shape does not collide with itself
            $k = -1|⟩
        {pkey}[$p] = ⟨$k|$k + {base}⟩
        ⟨|{hit}[$p] = {pair_hit}[$p]|wp.atomic_add({hits}, $ga, 1)⟩
        """,
        threads="p",
        kinds="arithmetic helper_functions sorting",
        integer=True,
    ),
    Idea(
        "island_states",
        "island_states update_island_state island_sleep_state step_islands",
        "let each island go to its next state by its ⟨1:idle steps|energy⟩",
        """
        $st = {isl_state}[$n]
        if $st == 0:
            if ⟨1:{island_idle}[$n] > {patience}|{isl_energy}[$n] < {e_lim}⟩:
                {isl_state}[$n] = 1
        elif $st == 1:
            {isl_state}[$n] = ⟨1:2 if {island_idle}[$n] > {patience} else 0|2 if {isl_energy}[$n] < {e_lim} else 0⟩
        elif {island_awake}[$n] ⟨== 1|> 0⟩:
            # woken from outside
            {isl_state}[$n] = ⟨0|1⟩
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        """,
        threads="n",
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "near_pairs",
        "near_pairs count_near_shapes same_cell_pairs cell_neighbors",
        "count the pairs of ⟨1:shapes of the cell of each shape|larger shapes in its cell⟩",
        """
        $num = int(0)
        for $k in range({ng}):
            if {cell}[$k] == {cell}[$g]⟨| and {group}[$k] != 0⟩:
                for $other in range(⟨$k|{ng}|$g⟩):
                    ⟨1:if {cell}[$other] == {cell}[$k]:
                        $num += 1|if {contype}[$other] & {affinity}[$g] != 0:
                        $num += 1⟩
        {near_n}[$g] = $num
        """,
        threads="g",
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "repeated_contacts",
        "repeated_contacts count_repeats same_key_contacts contact_repeats",
        "count the contacts of each body ⟨1:whose key repeats or precedes another one|with an equal dimension⟩",
        """
        $num = int(0)
        for $k in range({con_start}[$b], {con_start}[$b + 1]):
            $con = {con_list}[$k]
            ⟨if {invalid}[$con]:
                continue
            |if {state}[$con] == {SEPARATE}:
                continue
            |⟩for $pos in range({con_start}[$b], ⟨{con_start}[$b + 1]|$k⟩):
                ⟨1:if {key}[{con_list}[$pos]] ⟨<=|<⟩ {key}[$con]:
                    $num += 1|if {condim}[{con_list}[$pos]] == {condim}[$con]:
                    $num += ⟨1|{age}[$con]⟩⟩
        {double_n}[$b] = $num
        """,
        threads="b",
        kinds="nested_loop control_flow contact",
        integer=True,
    ),
)
