"""Ideas of the domain `grids`: shallow water, terrain, level sets, vorticity."""

from __future__ import annotations

from warpsmith.synthesis.writing.catalogue.domains.grids.locals import stencil
from warpsmith.synthesis.writing.ideas.parts import Idea

SURFACE = (
    Idea(
        "shallow",
        "shallow_water_step swe_step update_water_column wave_2d_height",
        "advance ⟨1:depth and momentum|the depth|the momentum⟩ of shallow water by one step",
        stencil("""
        hook mask2
        ⟨9:|||if EDGE2:
            # closed basin
            {depth_out}[$i, $j] = {depth}[$i, $j]
            return
        |if EDGE2:
            return
        ⟩
        # water depth in m
        $d = {depth}[$i, $j]
        ⟨1:|if {solid2}[$i, $j]:
            {depth_out}[$i, $j] = 0.0
            return
        |⟩
        # central differences of the momentum
        $dqx = 0.5 * ({hu}[IP, $j] - {hu}[IM, $j]) ⟨5:* {inv_h}|/ {h}⟩
        $dqy = 0.5 * ({hv}[$i, JP] - {hv}[$i, JM]) ⟨5:* {inv_h}|/ {h}⟩
        ⟨1:$dn = $d - {dt} * ($dqx + $dqy)
        {depth_out}[$i, $j] = wp.max($dn, 0.0)
        if $d < {dry}:
            # a dry cell has no momentum
            {hu_out}[$i, $j] = 0.0
            {hv_out}[$i, $j] = 0.0
        else:
            $sx = ({depth}[IP, $j] + {bed}[IP, $j] - {depth}[IM, $j] - {bed}[IM, $j]) ⟨5:* {inv_h}|/ {h}⟩
            $sy = ({depth}[$i, JP] + {bed}[$i, JP] - {depth}[$i, JM] - {bed}[$i, JM]) ⟨5:* {inv_h}|/ {h}⟩
            {hu_out}[$i, $j] = {hu}[$i, $j] - 0.5 * {g} * $d * $sx * {dt}⟨ - {damp} * {dt} * {hu}[$i, $j]|⟩
            {hv_out}[$i, $j] = {hv}[$i, $j] - 0.5 * {g} * $d * $sy * {dt}⟨ - {damp} * {dt} * {hv}[$i, $j]|⟩
        |$dn = $d - {dt} * ($dqx + $dqy)⟨| + {dt} * {source}[$i, $j]⟩
        if $dn < {dry}:
            {depth_out}[$i, $j] = 0.0
            wp.atomic_add({changed}, 0, 1)
        else:
            {depth_out}[$i, $j] = $dn
        |# momentum is lost where water leaves the cell
        $loss = $dqx + $dqy
        $surface = $d + {bed}[$i, $j]
        $sx = ({depth}[IP, $j] + {bed}[IP, $j] - $surface) ⟨5:* {inv_h}|/ {h}⟩
        $sy = ({depth}[$i, JP] + {bed}[$i, JP] - $surface) ⟨5:* {inv_h}|/ {h}⟩
        ⟨if $sx * $sx + $sy * $sy < 0.05:
            # a level surface
            $sx = 0.0
            $sy = 0.0
        |⟩{hu_out}[$i, $j] = (1.0 - {damp}) * {hu}[$i, $j] - {g} * $d * $sx * {dt} - {dt} * $loss * {hu}[$i, $j]
        {hv_out}[$i, $j] = (1.0 - {damp}) * {hv}[$i, $j] - {g} * $d * $sy * {dt} - {dt} * $loss * {hv}[$i, $j]
        ⟩
        hook end2
        """),
        threads="i j",
        kinds="scalar_param stencil fields multi_dim",
    ),
    Idea(
        "erosion",
        "thermal_erosion slide_material erode_terrain talus_step",
        "move material from steep cells of a terrain ⟨1:to the lowest neighbour|to all lower neighbours⟩",
        """
        # height in m
        $z = {land}[$i, $j]
        hook begin2
        ⟨1:# steepest descent among the neighbours
        $best = float(0.0)
        $bi = int($i)
        $bj = int($j)
        each ⟨around|side⟩:
            $drop = $z - {land}[$ii, $jj]
            if $drop > $best:
                $best = $drop
                $bi = $ii
                $bj = $jj

        if $best > $rest:
            # a part of the excess slides
            $amount = {rate} * ($best - $rest)
            wp.atomic_add({moved}, $i, $j, -$amount)
            wp.atomic_add({moved}, $bi, $bj, $amount)
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        |$excess = float(0.0)
        each ⟨around|side⟩:
            $drop = $z - {land}[$ii, $jj] - $rest
            if $drop > 0.0:
                # one part for each neighbour
                $part = {rate} * $drop ⟨/ 8.0|* 0.125|/ 4.0⟩
                wp.atomic_add({moved}, $ii, $jj, $part)
                $excess += $part
        wp.atomic_add({moved}, $i, $j, -$excess)
        ⟨|if {state}[$i, $j] == {TREE}:
            # loss of planted cells
            wp.atomic_add({total}, 0, $excess)⟩
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="atomic nested_loop control_flow gather_scatter multi_dim",
    ),
    Idea(
        "reinit",
        "level_set_step update_level_set advance_sdf eikonal_step",
        "⟨1:restore the distance property of a level set by one step|move a level set along its normal by one step|move a level set with the velocity by one step⟩",
        stencil("""
        hook begin3
        ⟨9:|||if EDGE3:
            {phi3_out}[$i, $j, $k] = {phi3}[$i, $j, $k]
            return
        |if EDGE3:
            return
        ⟩
        # distance to the surface, negative inside
        $c = {phi3}[$i, $j, $k]
        ⟨|# only the narrow band
        if wp.abs($c) > {band}:
            {phi3_out}[$i, $j, $k] = $c
            return
        ⟩
        # backward and forward differences
        $bx = $c - {phi3}[IM, $j, $k]
        $fx = {phi3}[IP, $j, $k] - $c
        $by = $c - {phi3}[$i, JM, $k]
        $fy = {phi3}[$i, JP, $k] - $c
        $bz = $c - {phi3}[$i, $j, KM]
        $fz = {phi3}[$i, $j, KP] - $c

        ⟨1:$s = $c / wp.sqrt($c * $c + ⟨1.0|0.25⟩)
        # one-sided differences against the direction of motion
        $norm = wp.sqrt(@godunov($bx, $fx, $s) + @godunov($by, $fy, $s) + @godunov($bz, $fz, $s) + 0.01)
        {phi3_out}[$i, $j, $k] = $c - {dt} * $s * ($norm - 1.0)
        |# the front grows where the field exceeds the ambient value
        $f = {speed} * ({u3}[$i, $j, $k] - {ambient})
        $s = wp.sign($f)
        # upwind norm of the gradient
        $norm = wp.sqrt(@godunov($bx, $fx, $s) + @godunov($by, $fy, $s) + @godunov($bz, $fz, $s) + 0.01)
        {phi3_out}[$i, $j, $k] = ⟨$c - {dt} * $f * $norm|$c - {dt} * wp.clamp($f * $norm, -1.0, 1.0)⟩
        |$v = {vel3}[$i, $j, $k]
        ⟨$rate = wp.max($v[0], 0.0) * $bx + wp.min($v[0], 0.0) * $fx
        $rate += wp.max($v[1], 0.0) * $by + wp.min($v[1], 0.0) * $fy
        $rate += wp.max($v[2], 0.0) * $bz + wp.min($v[2], 0.0) * $fz
        |$rate = $v[0] * $bx if $v[0] > 0.0 else $v[0] * $fx
        $rate += $v[1] * $by if $v[1] > 0.0 else $v[1] * $fy
        $rate += $v[2] * $bz if $v[2] > 0.0 else $v[2] * $fz
        ⟩{phi3_out}[$i, $j, $k] = $c - {dt} * $rate
        ⟩
        hook end3
        """),
        threads="i j k",
        kinds="math control_flow stencil signed_distance multi_dim",
    ),
    Idea(
        "normals",
        "compute_normals sdf_gradient surface_normals level_set_geometry",
        "compute the ⟨1:normal|normal and the curvature|normal of cells near the surface⟩ of a level set",
        stencil("""
        hook begin3
        ⟨1:||$c = {phi3}[$i, $j, $k]
        if wp.abs($c) > {band}:
            # far from the surface
            {normal_out}[$i, $j, $k] = wp.vec3(0.0, 0.0, 0.0)
            return
        ⟩
        ⟨9:|||if EDGE3:
            return
        |if EDGE3:
            {surface}[$i, $j, $k] = False
            return
        ⟩
        # central differences
        $gx = 0.5 * ({phi3}[IP, $j, $k] - {phi3}[IM, $j, $k])⟨5:| * {inv_h}⟩
        $gy = 0.5 * ({phi3}[$i, JP, $k] - {phi3}[$i, JM, $k])⟨5:| * {inv_h}⟩
        $gz = 0.5 * ({phi3}[$i, $j, KP] - {phi3}[$i, $j, KM])⟨5:| * {inv_h}⟩
        $grad = wp.vec3($gx, $gy, $gz)
        $len = ⟨wp.sqrt(wp.dot($grad, $grad) + 1.0e-4)|wp.length($grad) + 0.01⟩
        {normal_out}[$i, $j, $k] = $grad / $len
        ⟨1:|$lap = {phi3}[IP, $j, $k] + {phi3}[IM, $j, $k] + {phi3}[$i, JP, $k] + {phi3}[$i, JM, $k]
        $lap += {phi3}[$i, $j, KP] + {phi3}[$i, $j, KM] - 6.0 * {phi3}[$i, $j, $k]
        {curv}[$i, $j, $k] = ⟨$lap⟨5:| * {inv_h} * {inv_h}⟩ / $len|wp.clamp($lap⟨5:| * {inv_h} * {inv_h}⟩ / $len, -2.0, 2.0)⟩
        |⟨if $c * {phi3}[IP, $j, $k] < 0.0 or $c * {phi3}[$i, JP, $k] < 0.0:
            {surface}[$i, $j, $k] = True
        |if $c < 0.0:
            wp.atomic_add({changed}, 0, 1)
        |⟩⟩
        hook end3
        """),
        threads="i j k",
        kinds="vector combined stencil signed_distance multi_dim",
    ),
    Idea(
        "vorticity",
        "compute_curl vorticity curl_field velocity_derivatives",
        "compute the ⟨1:curl|divergence|curl and the divergence⟩ of a velocity field on a 3-D grid",
        stencil("""
        hook begin3
        ⟨9:|||if EDGE3:
            return
        |if EDGE3:
            return
        ⟩
        # central differences along each axis
        $ddx = ({vel3}[IP, $j, $k] - {vel3}[IM, $j, $k]) * ⟨5:0.5|(0.5 / {h})|0.5 * {inv_h}⟩
        $ddy = ({vel3}[$i, JP, $k] - {vel3}[$i, JM, $k]) * ⟨5:0.5|(0.5 / {h})|0.5 * {inv_h}⟩
        $ddz = ({vel3}[$i, $j, KP] - {vel3}[$i, $j, KM]) * ⟨5:0.5|(0.5 / {h})|0.5 * {inv_h}⟩
        ⟨1:$curl = wp.vec3($ddy[2] - $ddz[1], $ddz[0] - $ddx[2], $ddx[1] - $ddy[0])
        {vort}[$i, $j, $k] = $curl
        ⟨|if wp.length_sq($curl) > {theta}:
            # a strong vortex
            wp.atomic_add({changed}, 0, 1)|if {flags3}[$i, $j, $k] == {FLUID}:
            wp.atomic_add({total}, 0, wp.dot($curl, $curl))⟩
        |$d = $ddx[0] + $ddy[1] + $ddz[2]
        {div3}[$i, $j, $k] = $d
        ⟨|wp.atomic_add({total}, 0, $d * $d)|if wp.abs($d) > {theta}:
            # far from incompressible
            wp.atomic_add({changed}, 0, 1)⟩
        |{vort}[$i, $j, $k] = wp.vec3($ddy[2] - $ddz[1], $ddz[0] - $ddx[2], $ddx[1] - $ddy[0])
        {div3}[$i, $j, $k] = $ddx[0] + $ddy[1] + $ddz[2]
        ⟩
        hook end3
        """),
        threads="i j k",
        kinds="vector stencil fields multi_dim",
    ),
    Idea(
        "forces",
        "apply_body_forces add_buoyancy grid_forces integrate_grid_velocity",
        "add ⟨1:gravity|buoyancy|gravity and drag⟩ to the velocities of a 3-D grid⟨2:| and enforce the walls| and limit them⟩",
        """
        hook begin3
        # velocity in m/s
        $v = {vel3}[$i, $j, $k]
        ⟨1:$v = $v + wp.vec3(0.0, 0.0, -{g}) * {dt}
        |$hot = {u3}[$i, $j, $k] - {ambient}
        if $hot > 0.0:
            # hot cells rise
            $v = $v + wp.vec3(0.0, 0.0, {lift} * $hot * {dt})
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        |$v = $v * (1.0 - {damp} * {dt}) - wp.vec3(0.0, 0.0, {g} * {dt})
        ⟩⟨|$v = $v + {force3}[$i, $j, $k] * {dt}⟩
        ⟨2:|# no flow through the six walls
        if $i == 0 or $i == {nx} - 1:
            $v = wp.vec3(0.0, $v[1], $v[2])
        if $j == 0 or $j == {ny} - 1:
            $v = wp.vec3($v[0], 0.0, $v[2])
        if $k == 0:
            # ground
            $v = wp.vec3($v[0], $v[1], wp.max($v[2], 0.0))
        |$speed = wp.length($v) + 0.001
        if $speed > {limit}:
            $v = $v * ({limit} / $speed)⟩
        {vel3_out}[$i, $j, $k] = $v
        hook end3
        """,
        threads="i j k",
        kinds="vector combined control_flow fields multi_dim",
    ),
)
