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
        ⟨{key_out}[⟨2:$c|{order}[$c]|$c⟩] = {key}[⟨2:$c|$c|{order}[$c]⟩]|{age_out}[⟨2:$c|{order}[$c]|$c⟩] = {age}[⟨2:$c|$c|{order}[$c]⟩]⟨| + 1⟩|⟩
        """,
        threads="c",
        kinds="gather_scatter contact",
    ),
    Idea(
        "reset_impulses",
        "reset_impulses init_impulses clear_unmatched start_impulses",
        "set the impulses of ⟨1:unmatched contacts to zero and copy the others|new contacts from their depth|all contacts to a share of those of the step before⟩",
        """
        $m = {match}[$c]
        ⟨1:if $m ⟨< 0|== -1⟩:
            {imp_out}[$c] = 0.0
        else:
            {imp_out}[$c] = {impulse}[$m]|if $m >= 0:
            {imp_out}[$c] = {impulse}[$m]
        else:
            {imp_out}[$c] = {ke} * {dt} * wp.max(-{dist}[$c], 0.0)|$lam = float(0.0)
        if $m >= 0:
            $lam = {warm} * {impulse}[$m]
        {imp_out}[$c] = $lam⟩
        ⟨{match_out}[$c] = $m|{valid}[$c] = 1 if $m >= 0 else 0|{age_out}[$c] = {age}[$c] + 1 if $m >= 0 else 0|⟩
        """,
        threads="c",
        kinds="gather_scatter contact",
    ),
    Idea(
        "clear_pairs",
        "clear_pairs init_pair_list fill_pair_codes copy_pairs",
        "fill the list of pairs with ⟨1:their codes|codes that ignore the order of the shapes|their numbers⟩, or -1 for those that are switched off",
        """
        if ⟨{pmode}[$p] == 0|({pmode}[$p] & 1) == 0|{pmode}[$p] == 0 or {pair_hit}[$p] == 0⟩:
            {pkey}[$p] = -1
            ⟨2:{hit}[$p] = 0|{pair_key}[$p] = -1|⟩
        else:
            {pkey}[$p] = ⟨1:$ga * {ng} + $gb|wp.min($ga, $gb) * {ng} + wp.max($ga, $gb)|⟨$p|{base} + $p⟩⟩
            ⟨2:{hit}[$p] = 1|{pair_key}[$p] = $p|⟩
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
            {age}[$c] = ⟨{age}[$c] + 1|wp.min({age}[$c] + 1, {age_max})⟩
            ⟨wp.atomic_add({event_n}, {PERSIST}, 1)|⟩
        else:
            {age}[$c] = ⟨0|wp.max({age}[$c] - {grace}, 0)⟩
            ⟨wp.atomic_add({event_n}, {END}, 1)|# not at rest any more
            {bits}[$c] = {bits}[$c] & ~2|⟩
        ⟨|{type_out}[$c] = {state}[$c]|{type_out}[$c] = 1 if {state}[$c] == {STICK} else 0⟩
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
            {valid}[$c] = 1
        elif {miss}[$c] ⟨< {grace}|<= {grace}|<= {grace} or {state}[$c] == {STICK}⟩:
            ⟨# kept for a while
            |⟩{miss}[$c] = {miss}[$c] + 1
            {valid}[$c] = 1
            ⟨wp.atomic_add({event_n}, {PERSIST}, 1)|⟩
        else:
            {valid}[$c] = 0
            wp.atomic_add({event_n}, {END}, 1)
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
            ⟨{state}[$c] = {STICK} if {seen}[$c] > 0 else {SEPARATE}|if {miss}[$c] > {grace}:
                {state}[$c] = {SEPARATE}⟩
        elif $st == {SEPARATE}:
            ⟨if {seen}[$c] > 0:
                {state}[$c] = {SLIDE}|{state}[$c] = {SLIDE} if {seen}[$c] > 0 else 0|# the entry is free again
            {state}[$c] = 0⟩
        ⟨elif $st == {SLIDE}|else⟩:
            {state}[$c] = ⟨{STICK} if {age}[$c] > {age_max} else {SLIDE}|{SLIDE} if {seen}[$c] > 0 else {SEPARATE}⟩
        ⟨|{type_out}[$c] = $st|{event}[$c] = {END} if $st == {SEPARATE} else {PERSIST}⟩
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
            # found in this step
            $mask = $mask | 1|if {age}[$c] ⟨>|>=⟩ {age_max}:
            # at rest
            $mask = $mask | 2|if {condim}[$c] == 1:
            # frictionless
            $mask = $mask & ~4⟩
        ⟨elif {miss}[$c] ⟨>|>=⟩ {grace}:
            # lost
            $mask = $mask & ~1|else:
            $mask = $mask & ~8|⟩
        {bits}[$c] = $mask
        ⟨|{type_out}[$c] = ($mask >> ⟨1|2⟩) & 1|{valid}[$c] = $mask & 1⟩
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
        ⟨wp.atomic_add({total}, 0, {pair_hit}[$p])|{pkey}[$p] = $ga * {ng} + $gb|⟩
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
        $k = @code_of($a, @greater($ga, $gb), {ng})|$k = @code_of(@lesser({gtype}[$ga], {gtype}[$gb]), @greater({gtype}[$ga], {gtype}[$gb]), 5)⟩⟨| + {base}⟩
        ⟨if {pmode}[$p] == 0:
            $k = -1|if $ga == $gb:
            # a shape does not collide with itself
            $k = -1|⟩
        {pkey}[$p] = $k
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
            if ⟨1:{island_idle}[$n] ⟨>|>=⟩ {patience}|{isl_energy}[$n] ⟨<|<=⟩ {e_lim}⟩:
                {isl_state}[$n] = 1
        elif $st == 1:
            {isl_state}[$n] = ⟨1:2 if {island_idle}[$n] > {patience} else 0|2 if {isl_energy}[$n] < {e_lim} else 0⟩
        elif {island_awake}[$n] ⟨== 1|> 0⟩:
            # woken from outside
            {isl_state}[$n] = 0
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        """,
        threads="n",
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "near_pairs",
        "near_pairs count_near_shapes same_cell_pairs cell_neighbors",
        "count the pairs of ⟨1:shapes|shapes whose categories match⟩ in the cell of each shape",
        """
        $num = int(0)
        for $k in range({ng}):
            if {cell}[$k] == {cell}[$g]⟨| and {group}[$k] != 0⟩:
                for $other in range(⟨$k|$k + 1, {ng}⟩):
                    ⟨# each pair once
                    |⟩if {cell}[$other] == {cell}[$k]⟨1:| and ({contype}[$other] & {affinity}[$k]) != 0⟩:
                        $num += 1
        {near_n}[$g] = $num
        """,
        threads="g",
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "repeated_contacts",
        "repeated_contacts count_repeats same_key_contacts contact_repeats",
        "count the pairs of contacts of each body ⟨1:that belong to the same pair of shapes|of the same dimension⟩",
        """
        $num = int(0)
        for $k in range({con_start}[$b], {con_start}[$b + 1]):
            $con = {con_list}[$k]
            ⟨if {invalid}[$con]:
                continue
            |if {state}[$con] == {SEPARATE}:
                continue
            |⟩for $pos in range(⟨{con_start}[$b], $k|$k + 1, {con_start}[$b + 1]⟩):
                ⟨1:# the lower bits number the contacts of a pair
                if {key}[{con_list}[$pos]] ⟨>> 3 == {key}[$con] >> 3|// 8 == {key}[$con] // 8⟩:
                    $num += 1|if {condim}[{con_list}[$pos]] == {condim}[$con]:
                    $num += 1⟩
        {double_n}[$b] = $num
        """,
        threads="b",
        kinds="nested_loop control_flow contact",
        integer=True,
    ),
)
