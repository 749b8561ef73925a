"""Category `particles`: integrators, drag and force fields, contact with ground and spheres, emitters."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import ORBITS, PARTICLES
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, output, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("physics", 2.0), ("curve", 0.6), ("selection", 0.4)))

PARAMETERS = (
    array("x", VEC3, -2.0, 2.0, "x", "pos_in", "particle_x", "points"),
    array("v", VEC3, -3.0, 3.0, "v", "vel_in", "particle_v", "velocities_in"),
    array("old", VEC3, -2.0, 2.0, "prev_positions", "x_prev", "last_pos"),
    array("f", VEC3, -5.0, 5.0, "f", "external_forces", "particle_f"),
    array("w", FLOAT, 0.2, 2.0, "inv_mass", "w_mass", "particle_inv_mass"),
    value("h", 0.005, 0.05, "dt", "h", "sub_dt", "time_step"),
    output("nx", VEC3, "x_new", "pos_out", "next_x"),
    output("nv", VEC3, "v_new", "vel_out", "next_v"),
)

P, V, F = inner("p", "p", "pos_i", "x_i"), inner("u", "u", "vel_i", "v_i"), inner("a", "a", "acc_i", "force_i")
D, L = inner("d", "delta", "r_vec", "to_center"), inner("l", "dist_i", "gap", "len_r")
SPEED = template_output("s", VEC3, -60.0, 60.0, "v_next", "updated_v", "vel_after")
PLACE = template_output("q", VEC3, -60.0, 60.0, "x_next", "moved", "pos_after")
G = "wp.vec3(0.0, -⟨9.8|9.81|1.6⟩, 0.0)"
LOAD = "$p = {x}[{i}]\n$u = {v}[{i}]\n"
FORCE = f"⟨{{f}}[{{i}}] * {{w}}[{{i}}]|{{f}}[{{i}}] * {{w}}[{{i}}] + {G}|{G} + {{0}}|{{0}} - $u * ⟨0.1|0.5⟩⟩"
SPHERE = "$d = $p - wp.vec3(⟨0.0, 0.5, 0.0|0.0, -1.0, 0.0|0.2, 0.0, 0.3⟩)\n$l = wp.length($d) + ⟨0.01|0.001⟩\n"
N = inner("n", "normal", "n_hat", "nrm")
X = template_input(VEC3, -5.0, 5.0)

TEMPLATES = (
    Template("a semi-implicit Euler step", LOAD + f"$a = {FORCE}\n$u2 = ⟨$u + $a * {{h}}|($u + $a * {{h}}) * (1.0 - ⟨0.1|0.5⟩ * {{h}})⟩\n{{nv}}[{{i}}] = $u2\n{{nx}}[{{i}}] = $p + $u2 * {{h}}",
          (X,), (P, V, F, inner("u2", "v1", "new_v"))),
    Template("a velocity Verlet step", LOAD + f"$a = {FORCE}\n$m = $u + 0.5 * $a * {{h}}\n$q = $p + $m * {{h}}\n$s = $m + ⟨0.5 * $a * {{h}}|0.5 * {{h}} * ({{1}} - $q)⟩",
          (X, X), (P, V, F, inner("m", "v_half", "v_mid"), PLACE, SPEED)),
    Template("position Verlet", f"$p = {{x}}[{{i}}]\n$q = $p + ($p - {{old}}[{{i}}])⟨| * 0.99| * 0.98⟩ + ⟨{{0}}|{G}|{{f}}[{{i}}] * {{w}}[{{i}}]⟩ * {{h}} * {{h}}", (X,), (P, PLACE)),
    Template("a Runge-Kutta step of second order", LOAD + "$a = ⟨-⟨1.0|4.0⟩ * $p|wp.cross($p, wp.vec3(0.0, ⟨1.0|2.0⟩, 0.0)) - $p⟩\n$m = $p + $u * (0.5 * {h})\n$u2 = $u + $a * (0.5 * {h})\n"
          "$q = $p + $u2 * {h}\n$s = $u ⟨- ⟨1.0|4.0⟩ * $m|+ ({0} - $m)⟩ * {h}", (X,), (P, V, F, inner("m", "x_mid", "p_half"), inner("u2", "v_mid", "u_half"), PLACE, SPEED)),
    Template("drag", "$u = {v}[{i}]\n$l = wp.length($u)\n$s = $u - $u * (⟨0.5 * $l|0.1 + 0.2 * $l|{1} * $l⟩ * {w}[{i}] * {h}) + {0} * {h}", (X, template_input(FLOAT, 0.0, 2.0)),
          (V, inner("l", "speed_i", "v_mag"), SPEED)),
    Template("contact with the ground", LOAD + "if $p[1] < ⟨0.0|{0}|-0.5⟩ and $u[1] < 0.0:\n    $u = wp.vec3($u[0] * ⟨0.8|0.9⟩, -⟨0.5|0.7|0.3⟩ * $u[1], $u[2] * ⟨0.8|0.9⟩)\n$s = $u ⟨+ {1} * {h}|* (1.0 - {h})⟩",
          (template_input(FLOAT, -0.5, 0.5), X), (P, V, SPEED)),
    Template("contact with a sphere", LOAD + SPHERE + "$n = $d / $l\n$c = wp.min($l - ⟨1.0|0.75|{0}⟩, 0.0)\n$q = $p - $n * $c\n$s = $u - $n * (wp.min(wp.dot($u, $n), 0.0) * ⟨1.5|1.0|1.8⟩)",
          (template_input(FLOAT, 0.3, 1.5),), (P, V, D, L, N, inner("c", "depth_c", "overlap", "pen"), PLACE, SPEED)),
    Template("an attractor", "$p = {x}[{i}]\n" + SPHERE + "$s = {v}[{i}] - $d * (⟨{0}|1.5⟩ * {h} / ($l * $l⟨ * $l|⟩ + ⟨0.05|0.1⟩))", (template_input(FLOAT, 0.1, 4.0),), (P, D, L, SPEED)),
    Template("a vortex", "$p = {x}[{i}]\n$t = wp.cross(wp.vec3(⟨0.0, 1.0, 0.0|0.0, 0.0, 1.0⟩), $p)\n$q = $p + $t * (⟨{0}|2.0⟩ * {h} / (⟨0.5|0.1⟩ + wp.dot($p, $p)))", (template_input(FLOAT, -4.0, 4.0),),
          (P, inner("t", "tangent", "swirl"), PLACE)),
    Template("particles that start anew", "$l = {0} - {h}\n$q = {x}[{i}] + {v}[{i}] * {h}\nif $l < ⟨0.0|0.2⟩:\n    $rng = wp.rand_init(⟨7|42|2024⟩, {i})\n"
          "    $q = wp.vec3(wp.randf($rng, -⟨0.5|1.0⟩, ⟨0.5|1.0⟩), ⟨0.0|2.0⟩, wp.randf($rng, -0.5, 0.5)) + {x}[{i}] * 0.01", (template_input(FLOAT, -1.0, 4.0),),
          (inner("l", "life", "remaining", "age_left"), inner("rng", "rng", "seed_i"), PLACE)),
    Template("walls of a box", "$p = {x}[{i}] + {v}[{i}] * {h}\n$b = ⟨1.5|1.0⟩\n$q = wp.vec3(wp.clamp($p[0], -$b, $b), wp.clamp($p[1], -$b, $b), wp.clamp($p[2], -$b, $b))\n$s = {v}[{i}] + ($q - $p) * ⟨1.5|2.0|0.5⟩",
          (), (P, inner("b", "bound", "half_size", "limit_b"), PLACE, SPEED)),
    Template("a speed limit", "$u = {v}[{i}] + {0} * {h}\n$l = wp.length($u)\nif $l > ⟨2.0|{1}|1.5⟩:\n    $u = $u * (⟨2.0|{1}|1.5⟩ / $l)\n$q = {x}[{i}] + $u * {h}", (X, template_input(FLOAT, 1.0, 3.0)),
          (inner("u", "v_new", "vel_i"), inner("l", "speed_i", "v_mag"), PLACE)),
)  # fmt: skip

DOMAIN = DomainTemplate((PARTICLES, ORBITS), TEMPLATES, ("integrate", "advance", "step", "simulate", "update"), PARAMETERS)
CATEGORY = Category("particles", DOMAIN.draw, WEIGHTS, "of moving particles", "domains", dry_run=False)
