"""Ideas of the domain `rendering`: rays of cameras, projections, poses and visibility of instances."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CAMERAS = (
    Idea(
        "pixel_rays",
        "generate_rays camera_rays create_primary_rays generate_camera_rays",
        "create the ray of each pixel of ⟨1:a pinhole|an orthographic|a fisheye|a distorted pinhole⟩ camera",
        """
        ⟨|if ($x + $y) % 2 != {frame} % 2:
            return
        |# the background needs no ray
        if {ids}[$y, $x] == {NO_HIT}:
            return
        ⟩# image plane from -1 to 1
        $u = (float($x) + 0.5) / float({w}) * 2.0 - 1.0
        $v = ⟨1.0 - (float($y) + 0.5) / float({h}) * 2.0|(float($y) + 0.5) / float({h}) * 2.0 - 1.0⟩
        ⟨1:$local_d = wp.normalize(wp.vec3($u, $v, -{focal}))|$local_d = wp.vec3(0.0, 0.0, -1.0)|$angle = wp.sqrt($u * $u + $v * $v + 1.0e-4)
        $local_d = wp.vec3(wp.sin($angle) * $u / $angle, wp.sin($angle) * $v / $angle, -wp.cos($angle))|$bend = 1.0 + {lens} * ($u * $u + $v * $v)
        $local_d = wp.normalize(wp.vec3($u * $bend, $v * $bend, -{focal}))⟩
        $d_world = ⟨1:⟨2:wp.quat_rotate({cam_rot}[0], $local_d)|$local_d⟩|wp.quat_rotate({cam_rot}[0], $local_d)|⟨2:wp.quat_rotate({cam_rot}[0], $local_d)|$local_d⟩|⟨2:wp.quat_rotate({cam_rot}[0], $local_d)|$local_d⟩⟩
        {img_d}[$y, $x] = $d_world
        ⟨1:⟨|{img_o}[$y, $x] = {cam_pos}[0] + $d_world * {near}|{img_o}[$y, $x] = {cam_pos}[0]⟩|⟨2:{img_o}[$y, $x] = {cam_pos}[0] + wp.quat_rotate({cam_rot}[0], wp.vec3($u, $v, 0.0))|{img_o}[$y, $x] = {cam_pos}[0] + wp.quat_rotate({cam_rot}[0], wp.vec3($u, $v, -{near}))⟩|⟨|if $angle > 1.0:
            # outside of the image circle
            {img_i}[$y, $x] = 0
        else:
            {img_i}[$y, $x] = 1⟩|{img_o}[$y, $x] = {cam_pos}[0]⟩
        """,
        threads="y x",
        kinds="vector math ray_tracing quaternion",
        docs="Pixel centers lie at half-integer positions; the camera looks along its negative z axis",
    ),
    Idea(
        "ray_from_index",
        "init_rays generate_rays_linear setup_rays rays_from_pixels",
        "create rays from linear pixel indices⟨1:| with a random position in the pixel| of two cameras with a small distance⟩",
        """
        hook ray
        ⟨$pix = $i|$pix = {pixel_of}[$i]⟩
        $px = $pix % {cols}
        $py = $pix // {cols}
        ⟨1:$u = (float($px) + 0.5) / float({cols}) - 0.5
        $v = (float($py) + 0.5) / float({cols}) - 0.5|$xi = {jitter}[$i]
        $u = (float($px) + $xi[0]) / float({cols}) - 0.5
        $v = (float($py) + $xi[1]) / float({cols}) - 0.5|$u = (float($px) + 0.5) / float({cols}) - 0.5
        $v = (float($py) + 0.5) / float({cols}) - 0.5
        ⟨# odd columns belong to the right eye
        |⟩if $px % 2 == 1:
            $u += 0.032
        else:
            $u -= 0.032⟩

        $axis = ⟨wp.vec3($u, ⟨$v|-$v⟩, ⟨-{focal}|{focal}⟩)|wp.quat_rotate({cam_rot}[0], wp.vec3($u, ⟨$v|-$v⟩, ⟨-{focal}|{focal}⟩))⟩
        {out_d}[$i] = wp.normalize($axis)
        {out_o}[$i] = {cam_pos}[0]⟨| + $axis * {near}⟩
        ⟨|{out_state}[$i] = {R_NEW}|{out_id}[$i] = {NO_HIT}
        {out_t}[$i] = -1.0|if $py == 0 or $px == 0:
            # border pixels are traced later
            {out_flag}[$i] = 1
        else:
            {out_flag}[$i] = 0⟩
        """,
        kinds="vector scalar_param ray_tracing",
    ),
    Idea(
        "unproject",
        "depth_to_points unproject_depth backproject linearize_depth",
        "compute ⟨1:the point in the frame of the camera|the point in the world|the linear depth⟩ of each pixel from its depth",
        """
        hook pixel
        $z = {depth}[$y, $x]
        ⟨1:$px = (float($x) + 0.5 - 0.5 * float({w})) / (0.5 * float({h}) * {focal})
        $py = (float($y) + 0.5 - 0.5 * float({h})) / (0.5 * float({h}) * {focal})
        {img_rgb}[$y, $x] = wp.vec3($px * $z, ⟨$py|-$py⟩ * $z, ⟨$z|-$z⟩)|$px = (float($x) + 0.5 - 0.5 * float({w})) * $z / (0.5 * float({h}) * {focal})
        $py = (0.5 * float({h}) - float($y) - 0.5) * $z / (0.5 * float({h}) * {focal})
        {img_rgb}[$y, $x] = {cam_pos}[0] + wp.quat_rotate({cam_rot}[0], wp.vec3($px, $py, -$z))|# from depth in the unit interval to the distance of the plane
        $unit = wp.clamp($z / 8.0, 0.0, 1.0)
        $linear = {near} * {far} / ({far} - $unit * ({far} - {near}))
        {img_z}[$y, $x] = ⟨$linear|($linear - {near}) / ({far} - {near})|wp.min($linear, 5.0)⟩⟩
        ⟨|if $z > 4.0:
            # far away
            {img_id}[$y, $x] = {NO_HIT}
            wp.atomic_add({counter}, 0, 1)
        else:
            {img_id}[$y, $x] = {ids}[$y, $x]|{img_f}[$y, $x] = 1.0 / $z⟩
        """,
        threads="y x",
        kinds="vector arithmetic",
    ),
    Idea(
        "project_points",
        "project_points points_to_pixels transform_to_screen world_to_pixel",
        "project points to pixels and store ⟨1:the linear index of the pixel|the index and the depth⟩, or -1 outside of the image",
        """
        hook point
        $clip = {view}[0] * wp.vec4($pt[0], $pt[1], $pt[2], 1.0)
        $w_clip = $clip[3] + ⟨2.0|{far} * 0.2⟩
        ⟨# outside of the range of depths
        |⟩if $w_clip < {near} or $clip[2] ⟨< -1.2|> 1.2⟩:
            {pt_pixel}[$p] = {NO_HIT}
            return
        $sx = int(wp.floor(($clip[0] / $w_clip * {focal} + 0.5) * float({w})))
        $sy = int(wp.floor((0.5 - $clip[1] / $w_clip * {focal}) * float({h})))
        if $sx < 0 or $sx >= {w} or $sy < 0 or $sy >= {h}:
            {pt_pixel}[$p] = {NO_HIT}
            ⟨wp.atomic_add({stats}, 1, 1)
            |⟩return
        {pt_pixel}[$p] = ⟨$sy * {w} + $sx|({h} - 1 - $sy) * {w} + $sx⟩
        ⟨1:⟨|wp.atomic_add({tile_count}, wp.min($sy // {TILE}, 3), wp.min($sx // {TILE}, 3), 1)|wp.atomic_add({counter}, 0, 1)⟩|{pt_depth}[$p] = ⟨$w_clip|$clip[2] / $w_clip|wp.length($pt - {cam_pos}[0])⟩⟩
        """,
        threads="p",
        kinds="matrix control_flow combined multi_conditional",
    ),
    Idea(
        "instance_points",
        "transform_instances update_world_points apply_instance_poses place_instances",
        "transform ⟨1:the anchor|the normal|the anchor and the normal⟩ of each instance to the world⟨2:| and to the frame of the instance that it is attached to⟩",
        """
        hook instance
        ⟨1:$moved_p = wp.transform_point($q_pose, {inst_local}[$q])|$moved_n = wp.transform_vector($q_pose, {inst_normal}[$q])|$moved_p = wp.transform_point($q_pose, {inst_local}[$q])
        $moved_n = wp.quat_rotate(wp.transform_get_rotation($q_pose), {inst_normal}[$q])⟩
        ⟨2:|$anchor = {inst_parent}[$q]
        if $anchor ⟨>= 0|!= {NO_HIT}⟩:
            $outer = {inst_pose}[$anchor]
            ⟨1:$moved_p = wp.transform_point($outer, $moved_p)|$moved_n = wp.transform_vector($outer, $moved_n)|$moved_p = wp.transform_point($outer, $moved_p)
            $moved_n = wp.transform_vector($outer, $moved_n)⟩
        ⟩⟨1:{inst_p}[$q] = $moved_p|{inst_n}[$q] = $moved_n|{inst_p}[$q] = $moved_p
        {inst_n}[$q] = $moved_n⟩
        ⟨|if ({inst_flags}[$q] & {STATIC}) == 0:
            # instances that move
            wp.atomic_add({stats}, 2, 1)⟩
        """,
        threads="q",
        kinds="vector transform spatial",
        docs="Poses map from the frame of the instance to the world, or to the frame of its parent",
    ),
    Idea(
        "cull",
        "frustum_cull cull_instances test_visibility mark_visible",
        "mark the instances whose bounding sphere ⟨1:touches the view|touches the view and choose a level of detail|lies completely in the view⟩",
        """
        hook instance
        $middle = wp.transform_get_translation($q_pose)
        $reach = {inst_rad}[$q]
        $seen = int(1)
        for $side in range({SIDES}):
            $gap = wp.dot({planes}[$side], $middle - {cam_pos}[0]) + {plane_d}[$side]
            if $gap < ⟨1:-$reach|-$reach|$reach⟩:
                $seen = 0
        {inst_vis}[$q] = $seen
        ⟨1:if $seen == 1:
            wp.atomic_add({counter}, 0, 1)
        ⟨else:
            wp.atomic_add({stats}, 1, 1)|⟩|⟨if $seen == 0:
            {inst_lod}[$q] = -1
            return
        |⟩$size = $reach * {focal} / (wp.length($middle - {cam_pos}[0]) + 0.1)
        if $size > 1.0:
            {inst_lod}[$q] = 0
        elif $size > 0.4:
            {inst_lod}[$q] = 1
        ⟨elif ({inst_flags}[$q] & {STATIC}) != 0:
            # static instances are always drawn
            {inst_lod}[$q] = 2
        |⟩else:
            # too small to draw
            {inst_lod}[$q] = ⟨3|-1⟩
            {inst_vis}[$q] = 0|if $seen == 1 and ({inst_flags}[$q] & {STATIC}) == 0:
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="q",
        kinds="control_flow multi_conditional combined atomic early_exit",
    ),
)
