"""Rows of the domain `particles` for short kernels: deformation, temperature, packed attributes, numbers."""

from __future__ import annotations

from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, MAT33, VEC3, VEC4
from warpsmith.synthesis.writing.ideas.declare import data, integer, number

FIELDS = (
    data("wind", VEC3, -1.0, 1.0, "wind wind_velocity air_velocity flow_v", "velocity of the air at each particle in m/s"),
    data("heat", FLOAT, 0.1, 2.0, "temperatures temp particle_temp heat", "temperature of each particle in units of 100 K"),
    data("heat_out", FLOAT, 0.0, 0.0, "temperatures_out temp_new particle_temp_out heat_next", "new temperature of each particle"),
    data("rate_out", FLOAT, 0.0, 0.0, "density_rates drho particle_drho rho_dot", "rate of change of the density in kg/m^3/s"),
    data("div_out", FLOAT, 0.0, 0.0, "divergences div_v velocity_div div_out", "divergence of the velocity at each particle in 1/s"),
    data("hrate", FLOAT, 0.0, 0.0, "heat_flows dtemp_dt particle_dtemp heat_rate", "flow of heat into each particle"),
    data("limit_out", FLOAT, 0.0, 0.0, "step_limits dt_i particle_dt cfl_dt", "largest stable time step of each particle in s"),
    data("charge", FLOAT, -1.0, 1.0, "charges q particle_charge charge", "charge of each particle"),
    data("F", MAT33, -0.15, 1.15, "deformation_gradients F particle_F def_grad", "deformation gradient of each particle", "n", "near_identity"),
    data("L", MAT33, -0.5, 0.5, "velocity_gradients grad_v particle_L vel_grad", "velocity gradient at each particle in 1/s"),
    data("F_out", MAT33, 0.0, 0.0, "deformation_out F_new particle_F_out new_def_grad", "new deformation gradient"),
    data("S_out", MAT33, 0.0, 0.0, "stresses sigma particle_stress stress_out", "stress of each particle in Pa"),
    data("inertia", MAT33, 0.0, 0.0, "inertia inertia_sum gyration_tensor second_moment", "sum of the second moments in kg m^2", "1", start=0.0),
    data("xm_out", VEC4, 0.0, 0.0, "packed pos_mass particle_xyzm packed_out", "position and mass of each particle"),
    data("col_count", INT, 0, 0, "column_counts col_total num_in_column", "number of particles in each column of cells", "gx"),
    data("near_out", BOOL, 0, 0, "range_flags is_marked selected in_range", "whether a particle is marked"),
    number("sub_dt", 0.002, 0.04, "substep sub_dt h_step", "length of a substep in s"),
    number("cool", 0.1, 1.5, "cooling_rate cooling k_loss", "rate of cooling in 1/s"),
    number("shear", 0.5, 4.0, "shear_modulus mu_s shear", "shear modulus in Pa"),
    number("bulk", 1.0, 6.0, "bulk_modulus kappa lame_lambda", "bulk modulus in Pa"),
    number("spring_k", 0.5, 5.0, "spring_k attract_k anchor_ke", "stiffness of the anchors in N/m"),
    number("reach", 0.8, 2.2, "radius reach sensor_range", "range in m"),
    integer("offset", 0, 5, "offset id_offset base_id", "offset of the ids"),
    integer("stride", 2, 4, "stride interval update_every", "distance of the particles that are selected"),
    integer("slots", 2, 3, "num_slots slots_used slot_limit", "slots of each cell that are searched"),
)  # fmt: skip
