"""Ideas of the domain `environments`: observations of the policy."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

OBSERVATIONS = (
    Idea(
        "build_obs",
        "compute_observations build_obs fill_observations assemble_obs write_obs",
        "write the observation of each robot",
        """
        # vectors in the frame of the robot
        ⟨$lv = wp.quat_rotate_inv({rot}[$e], {lin}[$e])
        $av = wp.quat_rotate_inv({rot}[$e], {ang}[$e])
        $g = wp.quat_rotate_inv({rot}[$e], wp.vec3(0.0, 0.0, -1.0))|$inv = wp.quat_inverse({rot}[$e])
        $lv = wp.quat_rotate($inv, {lin}[$e])
        $av = wp.quat_rotate($inv, {ang}[$e])
        $g = wp.quat_rotate($inv, wp.vec3(0.0, 0.0, -1.0))⟩
        for $k in range(3):
            {obs}[$e, $k] = $lv[$k]⟨ * {s_lin}|⟩
            {obs}[$e, 3 + $k] = $av[$k]
            {obs}[$e, 6 + $k] = $g[$k]
            {obs}[$e, 9 + $k] = {cmd}[$e, $k]⟨| * {s_lin}⟩

        # joints
        for $k in range({DOF}):
            {obs}[$e, {OFF_Q} + $k] = {q}[$e, $k] - {default}[$k]
            {obs}[$e, {OFF_QD} + $k] = {qd}[$e, $k] * {s_qd}
            {obs}[$e, {OFF_ACT} + $k] = ⟨{act_last}[$e, $k]|{act}[$e, $k]|wp.clamp({act}[$e, $k], -{obs_clip}, {obs_clip})⟩
        ⟨|# the critic sees more
        {priv}[$e, 0] = {friction}[$e]
        {priv}[$e, 1] = {payload}[$e]
        {priv}[$e, 2] = {height}[$e]
        for $k in range(3):
            {priv}[$e, 3 + $k] = {lin}[$e][$k]⟩
        """,
        threads="e",
        kinds="vector quaternion",
        docs="velocities and gravity in the frame of the robot, the command, joints and actions, one after the other",
    ),
    Idea(
        "flat_obs",
        "write_joint_obs fill_flat_obs joint_observations pack_obs copy_joint_state",
        "write the part of the flat observation that belongs to each joint",
        """
        ⟨$base = $e * {OBS}
        {obs_flat}[$base + {OFF_Q} + $j] = $q - {default}[$j]
        {obs_flat}[$base + {OFF_QD} + $j] = {s_qd} * $qd
        ⟨|{obs_flat}[$base + {OFF_ACT} + $j] = {act_last}[$e, $j]⟩|$base = $e * {OBS} + {OFF_Q}
        {obs_flat}[$base + $j] = ⟨$q|wp.sin($q)|wp.clamp($q, -{obs_clip}, {obs_clip})⟩
        {obs_flat}[$base + {DOF} + $j] = {s_qd} * $qd
        ⟨|if {stuck}[$e]:
            {obs_flat}[$base + 2 * {DOF} + $j] = 0.0
        else:
            {obs_flat}[$base + 2 * {DOF} + $j] = {act_last}[$e, $j]⟩⟩
        ⟨|if $j < 3:
            # the command comes first
            {obs_flat}[$e * {OBS} + $j] = {cmd}[$e, $j]⟩
        """,
        threads="e j",
        kinds="arithmetic",
    ),
    Idea(
        "coords_obs",
        "gather_coordinates read_joint_coords copy_qpos extract_state unpack_coords",
        "copy coordinates of each environment from the shared state",
        """
        hook joint_begin
        $base = {coord_start}[$e]
        ⟨if $j == 0:
            # the first coordinate is the angle of the base
            {q_reset}[$e, $j] = wp.atan2(wp.sin({coords}[$base]), wp.cos({coords}[$base]))
        else:
            {q_reset}[$e, $j] = {coords}[$base + $j]|{q_reset}[$e, $j] = {coords}[$base + $j]|if {mode}[$j] == {POSITION}:
            {q_reset}[$e, $j] = wp.clamp({coords}[$base + $j], {lower}[$j], {upper}[$j])
        else:
            {q_reset}[$e, $j] = {coords}[$base + $j]|# the base has the first ⟨1:coordinate|two coordinates⟩
        {q_reset}[$e, $j] = wp.clamp({coords}[$base + $j + ⟨1:1|2⟩], {lower}[$j], {upper}[$j])⟩
        ⟨|{qd_reset}[$e, $j] = ⟨0.0|{qd}[$e, $j]⟩⟩
        """,
        threads="e j",
        kinds="gather_scatter",
    ),
    Idea(
        "height_scan",
        "scan_heights sample_height_map height_scan measure_heights terrain_scan",
        "sample the height of the terrain around each robot",
        """
        $cs = wp.cos({yaw}[$e])
        $sn = wp.sin({yaw}[$e])
        # offsets turn with the robot
        $px = {pos}[$e][0] + $cs * {scan_off}[$s, 0] - $sn * {scan_off}[$s, 1]
        $py = {pos}[$e][1] + $sn * {scan_off}[$s, 0] + $cs * {scan_off}[$s, 1]
        $row = int(wp.floor($px / {cell_size})) + {MAP} // 2
        $col = int(wp.floor($py / {cell_size})) + {MAP} // 2
        ⟨1:if $row < 0 or $row >= {MAP} or $col < 0 or $col >= {MAP}:
            # outside of the map
            {scan}[$e, $s] = {obs_clip}
            return
        $ground = {terrain}[$row, $col]|$row = wp.clamp($row, 0, {MAP} - 2)
        $col = wp.clamp($col, 0, {MAP} - 2)
        ⟨$ground = {terrain}[$row, $col]|# the lowest of three corners, for steps
        $ground = wp.min({terrain}[$row, $col], wp.min({terrain}[$row + 1, $col], {terrain}[$row, $col + 1]))|$ground = 0.25 * ({terrain}[$row, $col] + {terrain}[$row + 1, $col] + {terrain}[$row, $col + 1] + {terrain}[$row + 1, $col + 1])⟩⟩
        {scan}[$e, $s] = ⟨wp.clamp({height}[$e] - $ground, -{obs_clip}, {obs_clip})|{height}[$e] - $ground|wp.max({height}[$e] - $ground, 0.0)⟩
        """,
        threads="e s",
        kinds="math gather_scatter",
    ),
    Idea(
        "normalize_obs",
        "normalize_obs normalize_observations whiten_obs clip_obs scale_observations",
        "normalize each entry of the observations",
        """
        ⟨$val = {obs_in}[$e, $o] - {obs_mean}[$o]|$val = {obs_in}[$e, $o]⟩
        ⟨|if {stuck}[$e]:
            {obs_norm}[$e, $o] = 0.0
            return⟩
        $val = $val / wp.sqrt({obs_var}[$o] + 0.01)
        ⟨|$rng = wp.rand_init({seed}, $e * {obs_dim} + $o)
        if $o < {OFF_ACT}:
            # sensors are noisy, actions are not
            $val = $val + {noise} * (2.0 * wp.randf($rng) - 1.0)⟩
        ⟨{obs_norm}[$e, $o] = wp.clamp($val, -{obs_clip}, {obs_clip})|if wp.abs($val) > {obs_clip}:
            $val = {obs_clip} * wp.sign($val)
            ⟨wp.atomic_add({saturated}, $e, 1)|⟩
        {obs_norm}[$e, $o] = $val⟩
        """,
        threads="e o",
        kinds="control_flow",
    ),
    Idea(
        "stack_frames",
        "stack_frames update_obs_history shift_history push_frame roll_history",
        "shift the observations of the last steps and put the newest in front",
        """
        ⟨if {done}[$e]:
            # a new episode starts with copies of its first observation
            for $k in range({RING}):
                {frames_out}[$e, $k, $j] = {fresh}[$e, $j]
            return
        |if {reset_flag}[$e] != 0:
            for $k in range({RING}):
                {frames_out}[$e, $k, $j] = ⟨0.0|{fresh}[$e, $j]⟩
            return
        |⟩⟨for $k in range(1, {RING}):
            {frames_out}[$e, $k, $j] = {frames}[$e, $k - 1, $j]|for $k in range({RING} - 1):
            {frames_out}[$e, $k + 1, $j] = {frames}[$e, $k, $j]⟩
        {frames_out}[$e, 0, $j] = ⟨{fresh}[$e, $j]|wp.clamp({fresh}[$e, $j], -{obs_clip}, {obs_clip})⟩
        """,
        threads="e j",
        kinds="control_flow gather_scatter",
    ),
)
