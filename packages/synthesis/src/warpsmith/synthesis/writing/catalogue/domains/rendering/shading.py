"""Ideas of the domain `rendering`: light lists, materials, reflection and refraction, states of paths."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHADING = (
    Idea(
        "light_list",
        "shade_lights accumulate_lights direct_lighting sum_lights",
        "add the light of all lamps ⟨1:within their range|by type|that face the surface⟩ at each hit",
        """
        hook ray
        $sum = wp.vec3(⟨|0.0, 0.0, 0.0⟩)
        each light:
            $to_l = {light_pos}[$light] - $p
            $dist = wp.length($to_l) + 0.05
            ⟨1:if $dist < {light_range}[$light]:
                $ndl = wp.max(wp.dot($n, $to_l) / $dist, 0.0)
                $sum += {light_rgb}[$light] * ($ndl * @falloff($dist, {light_range}[$light]))|if {light_type}[$light] == {POINT}:
                $sum += {light_rgb}[$light] * (wp.max(wp.dot($n, $to_l), 0.0) / ($dist * (1.0 + $dist * $dist)))
            elif {light_type}[$light] == {SPOT}:
                ⟨# narrow cone around the vertical axis
                |⟩$cone = wp.max($to_l[1] / $dist, 0.0)
                $sum += {light_rgb}[$light] * ($cone * $cone * @falloff($dist, {light_range}[$light]))
            else:
                $sum += {light_rgb}[$light] * {ambient}|$facing = wp.dot($n, $to_l) / $dist
            if $facing > 0.0 and $dist < {light_range}[$light]:
                $sum += {light_rgb}[$light] * ($facing * @falloff($dist, {light_range}[$light]))
            ⟨|else:
                # light from behind wraps around a little
                $sum += {light_rgb}[$light] * (0.1 * wp.max(1.0 + $facing, 0.0))⟩⟩
        {out_rgb}[$i] = $sum
        ⟨|{out_f}[$i] = @luminance($sum)|if @luminance($sum) < {ambient}:
            # in the dark
            {out_flag}[$i] = 1⟩
        """,
        kinds="vector combined control_flow ray_tracing",
    ),
    Idea(
        "light_mask",
        "assign_lights light_masks select_lights cull_lights",
        "build the bit mask of the lamps that reach each hit and count them",
        """
        hook ray
        $mask = int(0)
        $count = int(0)
        for $light in range({lights}):
            ⟨if not {light_on}[$light]:
                continue
            |if {light_type}[$light] > {SPOT}:
                # lights without a position reach every hit
                $mask += 1 << $light
                $count += 1
                continue
            |⟩$to_l = {light_pos}[$light] - $p
            if wp.dot($to_l, $to_l) < {light_range}[$light] * {light_range}[$light]:
                ⟨if wp.dot($n, $to_l) > ⟨0.0|-0.2⟩:
                    $mask += 1 << $light
                    $count += 1|$mask += 1 << $light
                $count += 1⟩
        {out_mask}[$i] = $mask
        {out_count}[$i] = $count
        ⟨|if $count == 0:
            wp.atomic_add({counter}, 0, 1)
            {out_state}[$i] = {R_DONE}
        else:
            {out_state}[$i] = {R_SHADOW}|wp.atomic_max({stats}, 0, $count)|# without light only the ambient term remains
        {out_state}[$i] = {R_DONE} if $mask == 0 else {R_SHADOW}⟩
        """,
        kinds="control_flow multi_conditional combined integer_bits",
    ),
    Idea(
        "surface",
        "shade_hits shade_surface eval_material phong_shading",
        "shade each hit with ⟨1:Lambert's law|Blinn and Phong's model|a wrapped diffuse term⟩ and the material of the object that it hits",
        """
        hook ray
        $obj_k = {hit_id}[$i]
        if $obj_k ⟨< 0|== {NO_HIT}⟩:
            # background
            {out_rgb}[$i] = wp.vec3(0.1, 0.2, 0.4) * (0.5 + 0.5 * $d[1])
            return
        ⟨$mat = {obj_mat}[$obj_k]
        $base = {base_color}[$i]
        if $mat >= 0:
            $base = {albedo}[$mat]|$mat = wp.max({obj_mat}[$obj_k], 0)
        $base = ⟨{albedo}[$mat]|wp.cw_mul({albedo}[$mat], {base_color}[$i])⟩|$mat = wp.max({obj_mat}[$obj_k], 0)
        $base = {albedo}[$mat]
        ⟨if $obj_k == {wanted}:
            # highlight the selection
            $base = $base * 0.5 + wp.vec3(0.5, 0.25, 0.0)|if {mat_kind}[$mat] == {MIRROR}:
            $base = $base * 0.2⟩⟩
        ⟨1:$ndl = wp.max(wp.dot($n, $l), 0.0)
        $rgb = $base * ($ndl + {ambient})|$ndl = wp.max(wp.dot($n, $l), 0.0)
        $half_v = wp.normalize($l - $d * 0.9)
        $spec = wp.pow(wp.max(wp.dot($n, $half_v), 0.01), {shine})
        $rgb = $base * ($ndl + {ambient}) + wp.vec3(1.0, 1.0, 1.0) * (⟨0.5|0.3⟩ * $spec)|$wrapped = wp.max((wp.dot($n, $l) + 0.5) / 1.5, 0.0)
        $rgb = $base * (⟨$wrapped|$wrapped * $wrapped⟩ + {ambient})⟩
        hook shade
        {out_rgb}[$i] = $rgb⟨| + {emit}[wp.max({obj_mat}[$obj_k], 0)]⟩
        ⟨|wp.atomic_add({per_obj}, $obj_k, 1)|{out_f}[$i] = @luminance($rgb)⟩
        """,
        kinds="vector combined control_flow ray_tracing",
    ),
    Idea(
        "scatter",
        "scatter_paths bounce_rays sample_materials next_bounce",
        "choose the next direction of each path by the type of its material",
        """
        hook ray
        $obj_k = {hit_id}[$i]
        if $obj_k < 0⟨| or {bounce}[$i] >= {max_bounce}⟩:
            {out_state}[$i] = {R_DONE}
            return
        $mat = {obj_mat}[$obj_k]
        ⟨if $mat == {NO_HIT}:
            wp.atomic_add({stats}, 1, 1)
            return
        $type_k = {mat_kind}[$mat]|$mat = wp.max($mat, 0)
        $type_k = {mat_kind}[$mat]⟩
        $cos_i = -wp.dot($d, $n)
        if $type_k == {DIFFUSE}:
            # between the normal and the light
            {out_d}[$i] = wp.normalize($n * 1.5 + $l)
            {out_weight}[$i] = ⟨wp.cw_mul({throughput}[$i], {albedo}[$mat])|{throughput}[$i] * 0.5⟩
        elif $type_k == {MIRROR}:
            {out_d}[$i] = @reflect($d, $n)
            {out_weight}[$i] = {throughput}[$i] ⟨* @schlick($cos_i, 0.8)|* 0.95⟩
        elif $type_k == {GLASS}:
            $eta = 1.0 / {ior} if $cos_i > 0.0 else {ior}
            $k_term = 1.0 - $eta * $eta * (1.0 - $cos_i * $cos_i)
            if $k_term < 0.01:
                # total reflection
                {out_d}[$i] = @reflect($d, $n)
                ⟨wp.atomic_add({counter}, 0, 1)|⟩
            else:
                {out_d}[$i] = $d * $eta + $n * ($eta * $cos_i - wp.sign($cos_i) * wp.sqrt($k_term))
            {out_weight}[$i] = {throughput}[$i]
        else:
            # emitters end the path
            ⟨wp.atomic_add({energy}, 0, @luminance(wp.cw_mul({throughput}[$i], {emit}[$mat])))
            |⟩{out_state}[$i] = {R_DONE}
            return
        {out_state}[$i] = {R_TRACED}
        ⟨|{out_count}[$i] = {bounce}[$i] + 1|{out_o}[$i] = $p + $n * {EPS}⟩
        """,
        kinds="control_flow multi_conditional combined ray_tracing helper_functions",
        docs="One bounce of a path tracer: direction and throughput depend on the material",
    ),
    Idea(
        "fresnel",
        "fresnel_weights fresnel_split reflectance split_light",
        "compute the share of the light that is reflected ⟨1:by Schlick's approximation|at a dielectric|at a rough surface⟩",
        """
        hook ray
        $cos_i = wp.abs(wp.dot($d, $n))
        ⟨1:$f0 = ⟨0.04|(({ior} - 1.0) / ({ior} + 1.0)) * (({ior} - 1.0) / ({ior} + 1.0))⟩
        $share = @schlick($cos_i, $f0)|$sin_t = (1.0 - $cos_i * $cos_i) / ({ior} * {ior})
        $cos_t = wp.sqrt(1.0 - $sin_t)
        $rs = ($cos_i - {ior} * $cos_t) / ($cos_i + {ior} * $cos_t)
        $rp = ({ior} * $cos_i - $cos_t) / ({ior} * $cos_i + $cos_t)
        $share = 0.5 * ($rs * $rs + $rp * $rp)|$a = {rough}[wp.max({obj_mat}[wp.max({hit_id}[$i], 0)], 0)]
        $share = @schlick($cos_i, 0.04) * ⟨(1.0 - $a * $a)|wp.exp(-$a * {shine})⟩⟩
        {out_f}[$i] = $share
        ⟨|{out_rgb}[$i] = {base_color}[$i] * (1.0 - $share)|if $share > 0.05:
            {out_d}[$i] = @reflect($d, $n)
            {out_weight}[$i] = {throughput}[$i] * $share
        else:
            {out_weight}[$i] = {throughput}[$i]|{out_weight}[$i] = {throughput}[$i] * (1.0 - $share)⟩
        """,
        kinds="arithmetic math vector",
    ),
    Idea(
        "ray_states",
        "update_ray_states advance_paths next_ray_state retire_rays",
        "advance the state of each ray by its hit and its number of bounces⟨1:| and count the rays of each state⟩",
        """
        $stage = {ray_state}[$i]
        $next = int($stage)
        if $stage == {R_NEW}:
            if {hit_id}[$i] ⟨>= 0|!= {NO_HIT}⟩:
                $next = int({R_TRACED})
            else:
                ⟨# left the scene
                |⟩$next = int({R_DONE})
        elif $stage == {R_TRACED}:
            ⟨if {bounce}[$i] >= {max_bounce}:
                $next = int({R_DONE})
            elif {alive}[$i]:
                $next = int({R_SHADOW})|$next = int({R_SHADOW}) if {bounce}[$i] < {max_bounce} else int({R_DONE})⟩
        elif $stage == {R_SHADOW}:
            ⟨if not {alive}[$i]:
                $next = int({R_DONE})
            else:
                $next = int({R_NEW})
                wp.atomic_add({stats}, 5, 1)|# the next bounce begins
            $next = int({R_NEW})
            wp.atomic_add({stats}, 6, 1)⟩
        ⟨|else:
            if {bounce}[$i] == 0:
                # finished without a bounce
                wp.atomic_add({counter}, 0, 1)
            wp.atomic_add({stats}, 7, 1)⟩
        {out_state}[$i] = $next
        ⟨1:⟨|if $next != $stage:
            wp.atomic_add({stats}, 4, 1)⟩|wp.atomic_add({stats}, wp.min($next, 4), 1)⟩
        """,
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "compact_rays",
        "collect_alive compact_rays queue_rays select_alive_rays",
        "⟨1:store the position of each ray that is still alive among these rays|copy the pixels of rays that are not finished to the front|compute a sort key of each ray from its state and object⟩",
        """
        ⟨1:if not {alive}[$i]:
            {out_slot}[$i] = -1
            return
        $slot = int(0)
        for $k in range($i):
            if {alive}[$k]:
                $slot += 1
        {out_slot}[$i] = $slot
        ⟨wp.atomic_add({counter}, 0, 1)|wp.atomic_max({stats}, 2, $slot + 1)|⟩|if {ray_state}[$i] ⟨3:== {R_DONE}|>= {R_DONE}⟩:
            return
        $slot = int(0)
        ⟨for $k in range($i):
            if {ray_state}[$k] ⟨3:!= {R_DONE}|< {R_DONE}⟩:
                $slot += 1|$k = int(0)
        while $k < $i:
            if {ray_state}[$k] ⟨3:!= {R_DONE}|< {R_DONE}⟩:
                $slot += 1
            $k += 1⟩
        {out_pix}[$slot] = {pixel_of}[$i]|$key = {ray_state}[$i] * 16
        if {hit_id}[$i] >= 0:
            $key += {hit_id}[$i] + 1
            ⟨if {obj_mat}[{hit_id}[$i]] == {NO_HIT}:
                # objects without a material come last
                $key += 128|⟩
        ⟨if {bounce}[$i] > {max_bounce}:
            $key += 256
        |⟩{out_slot}[$i] = $key⟩
        """,
        kinds="control_flow while_loop early_exit",
        integer=True,
    ),
)
