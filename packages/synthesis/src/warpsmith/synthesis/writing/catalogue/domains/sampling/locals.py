"""Locals of the domain `sampling`: their names and the ways to obtain them, and loops over ragged rows."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import local, loop

NAMES = {
    "x": "x value xi sample",
    "y": "y target yi response",
    "w": "w weight wi mass",
    "g": "group g gid cls",
    "rng": "rng state rng_state rand_state",
    "u": "u u1 xi rand_u",
    "u2": "v u2 eta rand_v",
    "z": "z gauss shock noise",
    "k": "k n it kk",
    "sum": "total s accum result",
    "count": "count num c hits",
    "hits": "hits inside n_in successes",
    "cx": "cx px col x0",
    "cy": "cy py row y0",
    "nx": "nx next_x new_col tx",
    "ny": "ny next_y new_row ty",
    "d": "direction d move way",
    "lo": "lo left first low",
    "hi": "hi right last high",
    "mid": "mid middle m center",
    "b": "bin_id b bin_idx cls_b",
    "bit": "bit b shift_k pos",
    "zs": "z z_score std_x normed",
    "die": "roll die face pips",
    "j": "j other src pick",
    "a": "a cur current x_cur",
    "prop": "proposal cand x_prop trial_x",
    "e": "energy_diff log_ratio delta_e log_alpha",
    "key": "target key goal rank_key",
    "h": "h state hash lcg",
    "begin": "begin start lo first",
    "end": "end stop hi last",
    "prev": "prev last previous before",
    "cur": "cur now current value",
    "best": "best longest max_len record",
    "st": "price s_t spot_t path",
    "pay": "payoff pay intrinsic cash",
    "pay2": "payoff_anti pay_mirror pay2 cash_anti",
    "hedge": "delta hedge sens slope",
    "st2": "price_anti s_mirror spot_anti path2",
    "health": "state health s0 status",
    "next": "new_state next_state s1 after",
    "n1": "count_new n1 seen total_n",
    "delta": "delta diff d residual",
    "slot": "slot pos index write_idx",
    "old": "old oldest dropped leaving",
    "time": "clock free_at t_free time",
    "wait": "wait delay waiting lag",
    "disc": "discount disc df factor",
    "d1": "d1 d_plus dp m1",
    "d2": "d2 d_minus dm m2",
    "qt": "lots qty amount units",
    "as": "asset_id a inst asset",
    "val": "exposure value worth pos_value",
    "spread": "spread dev scale sd",
    "day": "days day timer elapsed",
    "new": "arrivals new n_new incoming",
    "done": "served done n_served finished",
    "idle": "idle idle_ticks free_time unused",
    "late": "late n_late overdue missed",
    "r": "r radius rad mag",
}

LOCALS = (
    local("x", "{x}[$i]"),
    local("y", "{y}[$i]"),
    local("w", "{wt}[$i]"),
    local("g", "{grp}[$i]"),
)

LOOPS = (
    loop(
        "ragged",
        """
        for $k in range({start}[$c], {start}[$c + 1]):
            body
        """,
        """
        $begin = {start}[$c]
        $end = {start}[$c + 1]
        for $k in range($begin, $end):
            body
        """,
        """
        $begin = {start}[$c]
        $length = {start}[$c + 1] - $begin
        for $off in range($length):
            $k = $begin + $off
            body
        """,
    ),
    loop(
        "position",
        """
        for $k in range({pstart}[$bk], {pstart}[$bk + 1]):
            $as = {asset}[$k]
            body
        """,
        """
        $begin = {pstart}[$bk]
        $end = {pstart}[$bk + 1]
        for $k in range($begin, $end):
            $as = {asset}[$k]
            body
        """,
        """
        for $k in range({pstart}[$bk], {pstart}[$bk + 1]):
            $as = {asset}[$k]
            if {qty}[$k] != 0:
                body
        """,
    ),
    loop(
        "contact",
        """
        for $k in range({meet}):
            $j = {link}[$ag, $k]
            if $j < 0⟨| or $j == $ag⟩:
                continue
            body
        """,
        """
        for $k in range({meet}):
            $j = {link}[$ag, $k]
            if $j >= 0:
                body
        """,
    ),
)
