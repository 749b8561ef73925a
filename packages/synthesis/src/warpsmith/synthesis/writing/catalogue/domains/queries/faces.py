"""Ideas of the domain `queries`: triangles and vertices of meshes, one thread for each triangle."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FACES = (
    Idea(
        "face_geometry",
        "compute_face_areas face_geometry triangle_areas face_centroids",
        "compute ⟨1:the area|the centroid|the area and the normal⟩ of each triangle of a mesh",
        """
        ⟨2:$a = wp.mesh_get_point({mesh}, $f * 3 + 0)
        $b = wp.mesh_get_point({mesh}, $f * 3 + 1)
        $c = wp.mesh_get_point({mesh}, $f * 3 + 2)|$geo = wp.mesh_get({mesh})
        $a = $geo.points[$geo.indices[$f * 3 + 0]]
        $b = $geo.points[$geo.indices[$f * 3 + 1]]
        $c = $geo.points[$geo.indices[$f * 3 + 2]]|$geo = wp.mesh_get({mesh})
        $v0 = wp.mesh_get_index({mesh}, $f * 3 + 0)
        $v1 = wp.mesh_get_index({mesh}, $f * 3 + 1)
        $v2 = wp.mesh_get_index({mesh}, $f * 3 + 2)
        $a = $geo.points[$v0]
        $b = $geo.points[$v1]
        $c = $geo.points[$v2]⟩
        ⟨1:$n = wp.cross($b - $a, $c - $a)
        {fv}[$f] = ⟨0.5 * wp.length($n)|wp.length($n) * 0.5⟩|{fvec}[$f] = ⟨($a + $b + $c) / 3.0|($a + $b + $c) * (1.0 / 3.0)⟩
        ⟨if $a[2] > 0.0 and $b[2] > 0.0⟨ and $c[2] > 0.0|⟩:
            {fint}[$f] = 1|⟩|{fv}[$f] = 0.5 * wp.length(wp.cross($b - $a, $c - $a))
        {fvec}[$f] = ⟨wp.mesh_eval_face_normal({mesh}, $f)|wp.normalize(wp.cross($b - $a, $c - $a))⟩⟩
        """,
        threads="f",
        kinds="mesh_query",
    ),
    Idea(
        "slope_classes",
        "classify_slopes face_slope_class walkable_faces mark_steep_faces",
        "classify each triangle of a mesh as flat, sloped or steep by its normal",
        """
        ⟨1:if {fmat}[$f] == ⟨0|{which}⟩:
            {fint}[$f] = {NONE}
            return

        |⟩$n = wp.mesh_eval_face_normal({mesh}, $f)
        ⟨$steep = 1.0 - $n[2]|$steep = wp.abs($n[0]) + wp.abs($n[1])⟩
        if $steep < ⟨0.05|0.08⟩:
            {fint}[$f] = ⟨0|{MISS}⟩
        elif $steep < ⟨0.15|0.12⟩:
            {fint}[$f] = 1
        else:
            {fint}[$f] = 2
        """,
        threads="f",
        kinds="mesh_query",
    ),
    Idea(
        "face_velocity",
        "face_velocities wind_on_faces surface_velocity face_flux",
        "compute ⟨1:the mean velocity|the velocity along the normal⟩ of each triangle of a moving mesh",
        """
        ⟨2:$va = wp.mesh_get_velocity({mesh}, $f * 3 + 0)
        $vb = wp.mesh_get_velocity({mesh}, $f * 3 + 1)
        $vc = wp.mesh_get_velocity({mesh}, $f * 3 + 2)
        $vel = ($va + $vb + $vc) / 3.0|$vel = wp.mesh_eval_velocity({mesh}, $f, ⟨1.0 / 3.0, 1.0 / 3.0|0.3333, 0.3333⟩)⟩
        ⟨1:{fvec}[$f] = $vel
        ⟨{fint}[$f] = wp.where(wp.length($vel) > {level}, 1, 0)|⟩|$n = wp.mesh_eval_face_normal({mesh}, $f)
        $vn = wp.dot($vel, $n)
        {fvn}[$f] = $vn
        ⟨# whether it moves outward
        {fint}[$f] = wp.where($vn > 0.0, 1, 0)|{fvec}[$f] = $vel - $n * $vn|⟩⟩
        """,
        threads="f",
        kinds="mesh_query",
    ),
    Idea(
        "face_indices",
        "copy_face_indices find_degenerate edge_keys face_index_checks",
        "read the vertices of each triangle of a mesh and store ⟨1:the least one|a key of its first edge|the largest one⟩",
        """
        ⟨if {fmat}[$f] == ⟨0|{which}⟩:
            {fint}[$f] = {NONE}
            return

        |⟩$v0 = wp.mesh_get_index({mesh}, $f * 3)
        $v1 = wp.mesh_get_index({mesh}, $f * 3 + 1)
        ⟨1:$v2 = wp.mesh_get_index({mesh}, $f * 3 + 2)
        {fint}[$f] = wp.min(⟨$v0, wp.min($v1, $v2)|wp.min($v0, $v1), $v2⟩)|{fint}[$f] = wp.min($v0, $v1) * ⟨{verts}|64⟩ + wp.max($v0, $v1)
        |$v2 = wp.mesh_get_index({mesh}, $f * 3 + 2)
        {fint}[$f] = wp.max(⟨$v0, wp.max($v1, $v2)|wp.max($v0, $v1), $v2⟩)⟩
        """,
        threads="f",
        kinds="mesh_query",
        integer=True,
    ),
    Idea(
        "face_bounds",
        "face_bounds triangle_boxes compute_face_aabb face_extents",
        "compute the ⟨1:lower corner|size|height⟩ of the box around each triangle of a mesh",
        """
        ⟨2:$a = wp.mesh_get_point({mesh}, $f * 3 + 0)
        $lower = $a
        $upper = $a
        for $k in range(1, 3):
            $b = wp.mesh_get_point({mesh}, $f * 3 + $k)
            $lower = wp.min($lower, $b)
            $upper = wp.max($upper, $b)|$a = wp.mesh_get_point({mesh}, $f * 3)
        $b = wp.mesh_get_point({mesh}, $f * 3 + 1)
        $c = wp.mesh_get_point({mesh}, $f * 3 + 2)
        $lower = wp.min(wp.min($a, $b), $c)
        $upper = wp.max(wp.max($a, $b), $c)⟩
        ⟨1:{fvec}[$f] = $lower⟨ - wp.vec3({SKIN})|⟩|{fvec}[$f] = $upper - $lower⟨| + wp.vec3(2.0 * {SKIN})⟩|{ftop}[$f] = $upper[2] - $lower[2]⟨| + 2.0 * {SKIN}⟩
        ⟨if $upper[2] > 0.0:
            # it reaches above the plane
            {fint}[$f] = 1|⟩⟩
        """,
        threads="f",
        kinds="mesh_query",
    ),
)
