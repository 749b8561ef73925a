"""Ideas of the domain `geometry`: polygons and planes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

POLYGONS = (
    Idea(
        "polygon_area",
        "polygon_areas signed_polygon_area shoelace compute_poly_area",
        "compute the signed area of each polygon⟨1:| and the moments of its corners| and its perimeter⟩",
        """
        $first = {poff}[$g]
        $last = {poff}[$g + 1]
        ⟨if $last - $first < ⟨3|2⟩:
            # no area
            {parea}[$g] = 0.0
            return
        |⟩$area = float(0.0)
        ⟨1:|$cx = float(0.0)
        $cy = float(0.0)|$per = float(0.0)⟩
        for $j in range($first, $last):
            ⟨$next = $j + 1
            if $next == $last:
                $next = $first|$next = wp.where($j + 1 < $last, $j + 1, $first)⟩
            $a = {pxy}[$j]
            $b = {pxy}[$next]
            $cr = $a[0] * $b[1] - $b[0] * $a[1]
            $area += 0.5 * $cr
            ⟨1:|$cx += ($a[0] + $b[0]) * $cr
            $cy += ($a[1] + $b[1]) * $cr|$per += wp.length($b - $a + wp.vec2(0.001, 0.0))⟩

        {parea}[$g] = $area
        ⟨1:|{pmom}[$g] = ⟨wp.vec2($cx / 6.0, $cy / 6.0)|wp.vec2($cx, $cy) / 6.0⟩|{pper}[$g] = $per⟩
        ⟨|{pnum}[$g] = $last - $first⟩
        """,
        threads="g",
        kinds="arithmetic",
    ),
    Idea(
        "in_polygon",
        "point_in_polygon crossing_test inside_test classify_points_2d",
        "test by crossings whether each point lies inside of its polygon",
        """
        $poly = ⟨$i % {g}|$i * {g} // {n}⟩
        $q = {p2}[$i]
        $first = {poff}[$poly]
        $last = {poff}[$poly + 1]
        ⟨|if not {alive}[$i]:
            {isin}[$i] = 0
            return
        ⟩$cross = int(0)
        for $j in range($first, $last):
            $a = {pxy}[$j]
            ⟨$next = $j + 1
            if $next == $last:
                $next = $first
            $b = {pxy}[$next]|$b = {pxy}[$first + ($j - $first + 1) % ($last - $first)]⟩
            if ($a[1] > $q[1]) != ($b[1] > $q[1]):
                # x of the crossing with the horizontal line
                $xc = $a[0] + ($q[1] - $a[1]) * ($b[0] - $a[0]) / ($b[1] - $a[1])
                if $q[0] < $xc:
                    $cross += 1

        ⟨{isin}[$i] = $cross % 2|if $cross % 2 == 1:
            {isin}[$i] = 1
            ⟨wp.atomic_add({count}, 0, 1)|wp.atomic_add({pcount}, $poly, 1)|wp.atomic_add({count}, 0, 1)
            wp.atomic_add({pcount}, $poly, 1)⟩
        else:
            {isin}[$i] = 0⟩
        """,
        kinds="control_flow multi_conditional",
    ),
    Idea(
        "plane_side",
        "classify_against_planes clip_points plane_sides half_space_test",
        "classify each point by the planes that it lies behind",
        """
        hook point
        $pos = {p}[$i]
        $bits = int(0)
        $least = float(10.0)
        for $k in range(⟨6|4|5⟩):
            $pl = {plane}[$k]
            $d = $pl[0] * $pos[0] + $pl[1] * $pos[1] + $pl[2] * $pos[2] + $pl[3]
            ⟨|$d = $d + {rad}[$i]
            ⟩$least = wp.min($least, $d)
            if $d < 0.0:
                # one bit for each plane
                $bits = $bits | (1 << $k)

        {pbits}[$i] = $bits
        ⟨{pdist}[$i] = $least|if $bits == 0:
            {pdist}[$i] = 0.0
            wp.atomic_add({count}, 0, 1)
        else:
            {pdist}[$i] = $least|if $least < -{rmax}:
            # far behind
            {pdist}[$i] = -{rmax}
        else:
            {pdist}[$i] = $least⟩
        """,
        kinds="control_flow combined integer_bits",
    ),
)
