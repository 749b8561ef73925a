"""Smoothed particle hydrodynamics over lists of neighbours."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, helper, local, loop, number, size
from warpsmith.synthesis.writing.ideas.parts import Idea, Index

PARAMETERS = (
    size("np", 24, 64, "num_particles particle_count np n_particles", "number of particles"),
    size("nn", 4, 8, "max_neighbors num_nbrs k_max", "largest number of neighbours", constants="MAX_NEIGHBORS MAX_NBRS K_MAX"),
    size("nz", 48, 96, "num_pairs", "length of the neighbour list"),
    data("fx", VEC3, -1.0, 1.0, "positions x particle_q pos", "position of each particle in m", "np"),
    data("fv", VEC3, -1.0, 1.0, "velocities v particle_qd vel", "velocity of each particle in m/s", "np"),
    data("fm", FLOAT, 0.5, 1.5, "masses m particle_mass mass", "mass of each particle in kg", "np"),
    data("frho", FLOAT, 0.6, 2.0, "densities rho particle_density density", "density at each particle in kg/m^3", "np"),
    data("fp", FLOAT, 0.0, 2.0, "pressures p particle_pressure pressure", "pressure at each particle in Pa", "np"),
    data("fc", FLOAT, 0.0, 1.0, "colors c phase_field temperature", "color field of each particle", "np"),
    data("ftype", INT, 0, 2, "particle_types phase kind material", "type of each particle: fluid, boundary or air", "np"),
    data("fnbr", INT, -1, "np", "neighbors nbr_table neighbor_ids", "neighbours of each particle, -1 where there is none", "np nn", shared=True),
    data("fbeg", INT, 0, "nz", "neighbor_start row_begin nbr_offsets", "first entry of each particle in the neighbour list", "np+1", "offsets", shared=True),
    data("flist", INT, 0, "np", "neighbor_list nbr_idx pair_list", "neighbours of all particles, one after the other", "nz", shared=True),
    data("frho_out", FLOAT, 0.0, 0.0, "densities_out rho_out density_sum", "density at each particle in kg/m^3", "np"),
    data("fp_out", FLOAT, 0.0, 0.0, "pressures_out p_out particle_p", "pressure at each particle in Pa", "np"),
    data("fa_out", VEC3, 0.0, 0.0, "accelerations a_out dv_dt acc", "acceleration of each particle in m/s^2", "np"),
    data("fn_out", VEC3, 0.0, 0.0, "surface_normals n_out color_gradient", "gradient of the color field", "np"),
    data("fv_out", VEC3, 0.0, 0.0, "velocities_out v_out xsph_velocity", "velocity of each particle in m/s", "np"),
    data("fs_out", FLOAT, 0.0, 0.0, "scalars_out div_out shepard field_out", "sum at each particle", "np"),
    data("fk_out", INT, 0, 0, "neighbor_counts count_out surface_flags nbr_count", "number of neighbours in the support", "np"),
    data("ftotal", INT, 0, 0, "surface_count num_surface total_pairs pair_count", "number of particles or pairs", "1", start=0.0),
    number("fh", 1.0, 1.8, "smoothing_length h support_radius", "radius of the support in m"),
    number("rho0", 0.8, 1.2, "rest_density rho0 reference_density", "density at rest in kg/m^3", "REST_DENSITY RHO0"),
    number("stiff", 1.0, 5.0, "stiffness gas_constant k_p", "stiffness of the equation of state in J/kg", "STIFFNESS GAS_CONSTANT"),
    number("visc", 0.05, 0.5, "viscosity mu visc", "dynamic viscosity in Pa s", "VISCOSITY MU"),
)  # fmt: skip

INDICES = (Index("f", "np", "tid i p pid", "particle"),)

NAMES = {
    "nb": "j nbr neighbor q",
    "dx": "xij d r_vec offset",
    "rr": "r dist r_len rij",
    "wij": "w wij kernel_w w_ij",
    "rho": "rho density rho_i sum_rho",
    "acc": "a acc accel f_i",
    "mean": "s total acc_s value",
}

LOCALS = (
    local("dx", "{fx}[$f] - {fx}[$nb]"),
    local("rr", "wp.length($dx) + 1.0e-4", "wp.sqrt(wp.dot($dx, $dx) + 1.0e-6)"),
    local("wij", "@sph_w($rr, {fh})"),
)

LOOPS = (
    loop(
        "fluid",
        "for $k in range({nn}):\n    $nb = {fnbr}[$f, $k]\n    if $nb >= 0:\n        body",
        "for $k in range({nn}):\n    $nb = {fnbr}[$f, $k]\n    if $nb < 0⟨| or $nb == $f⟩:\n        continue\n    body",
        "for $k in range({fbeg}[$f], {fbeg}[$f + 1]):\n    $nb = {flist}[$k]\n    body",
        "for $k in range({fbeg}[$f], {fbeg}[$f + 1]):\n    $nb = {flist}[$k]\n    if $nb != $f:\n        body",
    ),
)

HELPERS = (
    helper(
        "sph_w",
        """
def ⟨poly6|w_poly6⟩(r: float, h: float) -> float:
    x = wp.max(h * h - r * r, 0.0)
    return 1.566681 * x * x * x / wp.pow(h, 9.0)
""",
        """
def ⟨wendland|wendland_c2⟩(r: float, h: float) -> float:
    q = wp.min(r / h, 1.0)
    t = 1.0 - q
    return t * t * t * t * (4.0 * q + 1.0)
""",
        """
def spiky_kernel(r: float, h: float) -> float:
    # zero outside of the support
    x = wp.max(h - r, 0.0)
    return x * x * x / (h * h * h)
""",
    ),
    helper(
        "sph_grad",
        """
def ⟨spiky_gradient|grad_spiky⟩(d: wp.vec3, r: float, h: float) -> wp.vec3:
    x = wp.max(h - r, 0.0)
    return d * (-3.0 * x * x / (h * h * h * r))
""",
        """
def wendland_gradient(d: wp.vec3, r: float, h: float) -> wp.vec3:
    t = 1.0 - wp.min(r / h, 1.0)
    return d * (-20.0 * t * t * t / (h * h))
""",
    ),
)

FLUIDS = (
    Idea(
        "sph_density",
        "compute_density sph_density sum_density density_summation",
        "sum the density at each particle over its neighbours",
        """
        $rho = float(⟨0.0|0.1⟩)
        each fluid:
            ⟨2:$rho += {fm}[$nb] * $wij|if {ftype}[$nb] != ⟨1|2⟩:
                $rho += {fm}[$nb] * $wij|$rho += $wij⟩
        ⟨3:{frho_out}[$f] = $rho|{frho_out}[$f] = $rho * 1.2⟩
        """.replace("⟨3:{frho_out}[$f] = $rho|{frho_out}[$f] = $rho * 1.2⟩", "{frho_out}[$f] = $rho"),
        threads="f",
        kinds="sph control_flow particles",
    ),
    Idea(
        "sph_state",
        "equation_of_state compute_pressure tait_pressure eos_pressure",
        "compute the pressure of each particle by ⟨1:a linear equation of state|the Tait equation|a linear equation without tension⟩",
        """
        ⟨2:if {ftype}[$f] == ⟨1|2⟩:
            {fp_out}[$f] = ⟨0.0|{fp}[$f]⟩
            return
        |⟩$ratio = {frho}[$f] / {rho0}
        ⟨1:{fp_out}[$f] = {stiff} * ({frho}[$f] - {rho0})|{fp_out}[$f] = {stiff} * (wp.pow($ratio, ⟨7.0|3.0⟩) - 1.0)|{fp_out}[$f] = wp.max({stiff} * ($ratio - 1.0), 0.0)⟩
        ⟨3:if $ratio > ⟨1.2|1.5⟩:
            wp.atomic_add({ftotal}, 0, 1)|⟩
        """,
        threads="f",
        kinds="sph math",
    ),
    Idea(
        "sph_pressure",
        "pressure_forces sph_pressure pressure_gradient momentum_pressure",
        "compute the acceleration by the gradient of the pressure ⟨2:in the symmetric form|by the mean pressure|with boundary particles⟩",
        """
        $acc = wp.vec3()
        each fluid:
            ⟨2:$term = {fp}[$f] / ({frho}[$f] * {frho}[$f]) + {fp}[$nb] / ({frho}[$nb] * {frho}[$nb])|$term = ({fp}[$f] + {fp}[$nb]) / (2.0 * {frho}[$f] * {frho}[$nb])|$term = {fp}[$f] / ({frho}[$f] * {frho}[$f])
            if {ftype}[$nb] == 0:
                $term = $term + {fp}[$nb] / ({frho}[$nb] * {frho}[$nb])⟩
            $acc -= @sph_grad($dx, $rr, {fh}) * ({fm}[$nb] * $term)
        {fa_out}[$f] = $acc⟨| + wp.vec3(0.0, -9.81, 0.0)⟩
        """,
        threads="f",
        kinds="sph vector particles",
    ),
    Idea(
        "sph_viscosity",
        "viscosity_forces sph_viscosity xsph_velocity smooth_velocities",
        "⟨2:compute the acceleration by viscosity|smooth the velocities over the neighbours|compute the divergence of the velocity⟩",
        """
        ⟨2:$acc = wp.vec3()
        each fluid:
            $acc += ({fv}[$nb] - {fv}[$f]) * ({visc} * {fm}[$nb] / {frho}[$nb] * $wij)
        {fa_out}[$f] = $acc|$acc = {fv}[$f]
        each fluid:
            $acc += ({fv}[$nb] - {fv}[$f]) * ({fm}[$nb] / ({frho}[$f] + {frho}[$nb]) * $wij⟨| * {visc}⟩)
        {fv_out}[$f] = $acc|$mean = float(0.0)
        each fluid:
            $mean += {fm}[$nb] / {frho}[$nb] * wp.dot({fv}[$nb] - {fv}[$f], @sph_grad($dx, $rr, {fh}))
        {fs_out}[$f] = $mean⟩
        """,
        threads="f",
        kinds="sph vector particles",
    ),
    Idea(
        "sph_surface",
        "surface_normals color_field_gradient surface_tension normals_sph",
        "compute the gradient of the color field ⟨2:|of other types only⟩",
        """
        $acc = wp.vec3()
        each fluid:
            ⟨2:$acc += @sph_grad($dx, $rr, {fh}) * ({fm}[$nb] / {frho}[$nb]⟨| * {fc}[$nb]⟩)|if {ftype}[$nb] != {ftype}[$f]:
                $acc += @sph_grad($dx, $rr, {fh}) * ({fc}[$nb] - {fc}[$f])⟩
        {fn_out}[$f] = $acc
        """,
        threads="f",
        kinds="sph vector",
    ),
    Idea(
        "sph_interpolate",
        "interpolate_field shepard_sum sph_average diffuse_temperature",
        "⟨2:interpolate the color field|sum the weights of the neighbours|diffuse the color field⟩ at each particle",
        """
        $mean = float(0.0)
        each fluid:
            $mean += ⟨2:{fm}[$nb] / {frho}[$nb] * {fc}[$nb] * $wij|{fm}[$nb] / {frho}[$nb] * $wij|({fc}[$nb] - {fc}[$f]) * $wij * {visc}⟩
        {fs_out}[$f] = ⟨$mean|{fc}[$f] + $mean⟩
        """,
        threads="f",
        kinds="sph reduction",
    ),
    Idea(
        "sph_neighbors",
        "count_support count_fluid_neighbors classify_surface detect_surface",
        "count the neighbours in the support ⟨2:|and mark particles at the surface|of the same type⟩",
        """
        $count = int(0)
        each fluid:
            if $rr < {fh}⟨| and {ftype}[$nb] ⟨==|!=⟩ {ftype}[$f]⟩:
                $count += 1
        ⟨2:{fk_out}[$f] = $count|if $count < ⟨2|3⟩:
            {fk_out}[$f] = 1
            wp.atomic_add({ftotal}, 0, 1)
        else:
            {fk_out}[$f] = 0|{fk_out}[$f] = $count
        wp.atomic_add({ftotal}, 0, $count)⟩
        """,
        threads="f",
        kinds="sph control_flow",
    ),
)
