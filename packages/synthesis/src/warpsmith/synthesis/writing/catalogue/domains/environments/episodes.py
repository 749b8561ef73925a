"""Ideas of the domain `environments`: terminations, resets, commands, curricula, randomization."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

EPISODES = (
    Idea(
        "terminations",
        "check_termination compute_terminations check_done update_dones termination_check",
        "decide for each environment whether its episode ends, and why",
        """
        ⟨$t = {steps}[$e] + 1
        {steps}[$e] = $t
        |{steps}[$e] += 1
        $t = {steps}[$e]
        ⟩$why = int({RUNNING})
        ⟨if $h < {min_h}:
            $why = {FELL}
        elif wp.length({pos}[$e]) > {bounds}:
            $why = {OUT}
        ⟨elif {upright}[$e] < -0.5:
            # upside down
            $why = {FELL}
        |⟩elif $t >= {max_steps}:
            $why = {TIMEOUT}|if $h < {min_h} or {upright}[$e] < -0.2:
            # no termination while the robot settles
            if $t > {grace}:
                $why = {FELL}
        elif $t >= {max_steps}:
            $why = {TIMEOUT}
            ⟨{timeout_out}[$e] = True|⟩|for $k in range({bodies}):
            # no body but the feet may touch the ground
            if {body_force}[$e, $k] > {crash_force} and {body_kind}[$k] != {STATIC}:
                $why = {CRASH}
        if $why == {RUNNING}:
            if $h < {min_h}:
                $why = {FELL}
            elif $t >= {max_steps}:
                $why = {TIMEOUT}⟩
        if $why == {RUNNING}:
            return
        {reason}[$e] = $why
        {done_out}[$e] = ⟨True|$why != {TIMEOUT}⟩
        ⟨|wp.atomic_add({reason_count}, $why, 1)⟩
        ⟨|{episode}[$e] += 1⟩
        """,
        threads="e",
        kinds="control_flow multi_conditional early_exit",
        docs="set a reason code for fallen, lost and late robots; running episodes stay unchanged",
    ),
    Idea(
        "reset_joints",
        "reset_joints reset_dofs randomize_joints reset_joint_state reset_idx",
        "reset the joints of ⟨1:environments whose episode has ended|the listed environments|flagged environments⟩",
        """
        ⟨1:if not {done}[$e]:
            {q_reset}[$e, $j] = $q
            ⟨{qd_reset}[$e, $j] = $qd
            |⟩return
        $id = int($e)|$id = {reset_ids}[$e]|if {reset_flag}[$e] == 0:
            {q_reset}[$e, $j] = {q}[$e, $j]
            return
        $id = int($e)⟩
        $rng = wp.rand_init({seed}, $id * {dofs} + $j)
        ⟨$val = {default}[$j] + {spread} * (2.0 * wp.randf($rng) - 1.0)|$val = {default}[$j] * (1.0 + {spread} * wp.randf($rng))|$val = {lower}[$j] + ({upper}[$j] - {lower}[$j]) * wp.randf($rng)|$val = {default}[$j] + {spread} * wp.randf($rng, -1.0, 1.0)⟩
        ⟨if {level}[$id] == 0:
            # the first level starts at rest
            $val = {default}[$j]
        |⟩{q_reset}[$id, $j] = ⟨$val|wp.clamp($val, {lower}[$j], {upper}[$j])⟩
        ⟨{qd_reset}[$id, $j] = 0.1 * (2.0 * wp.randf($rng) - 1.0)|⟩
        """,
        threads="e j",
        kinds="control_flow random_noise",
    ),
    Idea(
        "reset_episodes",
        "reset_episodes reset_buffers reset_envs clear_episode reset_counters",
        "reset counters of the environments whose episode has ended",
        """
        ⟨if {reset_flag}[$e] == 0:
            ⟨{steps}[$e] += 1
            |{cmd_time}[$e] += 1
            |⟩return
        |if not {done}[$e]:
            {steps}[$e] += 1
            return
        ⟩⟨{snapshot}[$e] = {steps}[$e]
        |⟩{steps}[$e] = 0
        {episode}[$e] += 1
        ⟨{cmd_time}[$e] = 0
        |{streak}[$e] = wp.max({streak}[$e], 0)
        |⟩{near_steps}[$e] = 0
        ⟨|if {reset_flag}[$e] == 2:
            # the level changes as well
            {level_out}[$e] = ({level}[$e] + 1) % {levels}
        else:
            {level_out}[$e] = {level}[$e]|{level_out}[$e] = {level}[$e]⟩
        ⟨|for $k in range({feet}):
            {touch_steps}[$e, $k] = 0⟩
        """,
        threads="e",
        kinds="control_flow early_exit",
        integer=True,
    ),
    Idea(
        "spawn",
        "spawn_robots reset_root place_robots reset_base randomize_spawn",
        "place the robots of ended episodes at random near their origin",
        """
        if not {done}[$e]:
            {pos_out}[$e] = {pos}[$e]
            return
        $rng = wp.rand_init({seed}, $e)
        ⟨$off = wp.vec3(wp.randf($rng) - 0.5, wp.randf($rng) - 0.5, 0.0)|$dx = {spread} * (2.0 * wp.randf($rng) - 1.0)
        $dy = {spread} * (2.0 * wp.randf($rng) - 1.0)
        $off = wp.vec3($dx, $dy, 0.0)|$angle = 6.2831853 * wp.randf($rng)
        $rad = {spread} * wp.sqrt(wp.randf($rng) + 0.01)
        $off = wp.vec3($rad * wp.cos($angle), $rad * wp.sin($angle), 0.0)⟩
        ⟨if {level}[$e] > 2:
            # harder levels start higher
            $off = $off + wp.vec3(0.0, 0.0, 0.05 * float({level}[$e]))
        |⟩{pos_out}[$e] = {origin}[$e] + $off⟨| + wp.vec3(0.0, 0.0, {target_h})⟩
        """,
        threads="e",
        kinds="vector control_flow combined random_noise",
    ),
    Idea(
        "curriculum",
        "update_curriculum update_terrain_levels adjust_difficulty curriculum_step move_levels",
        "change the level of each environment by its success",
        """
        ⟨if {reset_flag}[$e] == 0:
            {level_out}[$e] = {level}[$e]
            return
        |hook env_begin
        ⟩$lvl = ⟨{level}[$e]|int({level}[$e])⟩
        ⟨if {progress}[$e] > {up_dist}:
            $lvl = $lvl + 1
            ⟨wp.atomic_add({promoted}, {level}[$e], 1)|⟩
        elif {progress}[$e] < {down_dist}:
            ⟨$lvl = $lvl - 1|if {streak}[$e] < 0:
                $lvl = $lvl - 1⟩|if {streak}[$e] >= {hold}:
            $lvl = $lvl + 1
            {streak}[$e] = 0
            ⟨wp.atomic_add({promoted}, {level}[$e], 1)|⟩
        elif {streak}[$e] < -1:
            $lvl = $lvl - 1
            {streak}[$e] = 0⟩
        ⟨if $lvl >= {levels}:
            # solved: continue with any level
            $lvl = ($e + {episode}[$e]) % {levels}
        $lvl = wp.max($lvl, 0)|$lvl = wp.clamp($lvl, 0, {levels} - 1)|if $lvl < 0:
            $lvl = 0
        elif $lvl >= {levels}:
            $lvl = {levels} - 1⟩
        {level_out}[$e] = $lvl
        """,
        threads="e",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "commands",
        "resample_commands sample_commands update_commands draw_commands randomize_commands",
        "draw a new command for each environment when it is due",
        """
        ⟨if {cmd_time}[$e] < {resample}:
            {cmd_time}[$e] += 1
            return
        {cmd_time}[$e] = 0|hook env_begin
        if {cmd_time}[$e] % {resample} != 0 and not {done}[$e]:
            return⟩
        $rng = wp.rand_init({seed}, $e)
        $vx = ⟨2.0 * wp.randf($rng) - 1.0|wp.randf($rng, -1.0, 1.0)|wp.randf($rng, -0.5, 1.0)⟩
        $vy = 0.5 * (2.0 * wp.randf($rng) - 1.0)
        $wz = ⟨wp.randf($rng, -1.0, 1.0)|0.5 * (wp.randf($rng) - 0.5)⟩
        ⟨if wp.abs($vx) < {dead}:
            # small commands mean standing still
            ⟨{standing}[$e] = True
            |⟩$vx = 0.0
            $vy = 0.0|$still = $vx * $vx + $vy * $vy < {dead} * {dead}
        {standing}[$e] = $still
        if $still:
            return|$still = wp.randi($rng, 0, 5) == 0
        {standing}[$e] = $still
        if $still:
            # one of five robots shall stand
            $vx = 0.0
            $vy = 0.0
            $wz = 0.0|⟩
        {cmd_out}[$e, 0] = $vx⟨| * float({level}[$e] + 1) / float({levels})⟩
        {cmd_out}[$e, 1] = $vy
        {cmd_out}[$e, 2] = $wz
        """,
        threads="e",
        kinds="control_flow random_noise early_exit",
    ),
    Idea(
        "randomize",
        "randomize_bodies domain_randomization randomize_physics sample_properties randomize_mass",
        "draw the properties of each body",
        """
        ⟨if {body_kind}[$b] == {STATIC}:
            ⟨{mass_out}[$e, $b] = {mass}[$b]
            |⟩return
        |⟩⟨if {reset_flag}[$e] == 0:
            return
        |⟩⟨$rng = wp.rand_init({seed}, $e * {bodies} + $b)|$rng = wp.rand_init({seed} + $e, $b)⟩
        $frac = {mass_lo} + ({mass_hi} - {mass_lo}) * wp.randf($rng)
        {mass_out}[$e, $b] = {mass}[$b] * $frac
        ⟨$k = wp.randi($rng, 0, {BUCKETS})
        {bucket}[$e, $b] = $k
        {mu_out}[$e, $b] = {bucket_mu}[$k]|{mu_out}[$e, $b] = wp.max({friction}[$e] + 0.2 * (wp.randf($rng) - 0.5), 0.1)|{com_out}[$e, $b] = {spread} * wp.vec3(wp.randf($rng) - 0.5, wp.randf($rng) - 0.5, wp.randf($rng) - 0.5)|if $b == 0:
            # the payload is on the base
            {com_out}[$e, $b] = wp.vec3({spread} * (wp.randf($rng) - 0.5), 0.0, 0.1)
        else:
            {com_out}[$e, $b] = wp.vec3(0.0, 0.0, {spread} * (wp.randf($rng) - 0.5))⟩
        """,
        threads="e b",
        kinds="control_flow random_noise",
    ),
    Idea(
        "pushes",
        "push_robots apply_pushes random_pushes disturb_base kick_robots",
        "push some robots at random",
        """
        hook env_begin
        ⟨if ({steps}[$e] + $e) % {push_every} != 0:
            return
        |if {level}[$e] < 2:
            # beginners are not pushed
            return
        ⟩$rng = wp.rand_init({seed}, $e)
        ⟨$angle = 6.2831853 * wp.randf($rng)
        $val = {push} * wp.vec3(wp.cos($angle), wp.sin($angle), 0.0)|$val = {push} * wp.vec3(2.0 * wp.randf($rng) - 1.0, 2.0 * wp.randf($rng) - 1.0, 0.0)⟩
        ⟨{push_out}[$e] = $val|{push_out}[$e] = wp.quat_rotate({rot}[$e], $val)|# fast robots are pushed less
        {push_out}[$e] = $val / (1.0 + wp.length_sq($v))⟩
        ⟨wp.atomic_add({push_count}, 0, 1)|⟩
        """,
        threads="e",
        kinds="vector control_flow combined random_noise early_exit",
    ),
)
