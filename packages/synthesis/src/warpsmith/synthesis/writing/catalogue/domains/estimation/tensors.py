"""Ideas of the domain `estimation`: strains, stresses, inertia, invariants, rotations of tensors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TENSORS = (
    Idea(
        "strain",
        "compute_strain green_strain strain_from_gradient element_strain",
        "compute the ⟨1:Green|small|left Green⟩ strain of each element from its deformation gradient",
        """
        ⟨hook element
        |⟩⟨1:$E = (wp.transpose($Fd) @ $Fd - $eye3) * 0.5|$E = ⟨($Fd + wp.transpose($Fd)) * 0.5|@symmetric($Fd)⟩ - $eye3|$E = ($Fd @ wp.transpose($Fd) - $eye3) * 0.5⟩
        {ten_out}[$el] = $E
        ⟨{el_g}[$el] = wp.trace($E)|{el_f}[$el] = wp.ddot($E, $E)|{el_h}[$el] = wp.determinant($Fd)|⟩
        """,
        threads="el",
        kinds="matrix linear_algebra finite_elements",
    ),
    Idea(
        "hooke",
        "linear_stress hooke_stress elastic_stress stress_from_strain",
        "compute the stress of each element from its strain by ⟨1:Hooke's law|the law of its material|an increment of Hooke's law⟩",
        """
        ⟨1:{ten_out}[$el] = $eye3 * ({lame} * wp.trace($eps)) + ⟨$eps * (2.0 * {mu})|@symmetric($eps) * (2.0 * {mu})⟩
        ⟨{el_f}[$el] = 0.5 * {lame} * wp.trace($eps) * wp.trace($eps) + {mu} * wp.ddot($eps, $eps)|⟩|$tr = wp.trace($eps)
        ⟨if {kind}[$el] == {ELASTIC}:
            {ten_out}[$el] = $eye3 * ({lame} * $tr) + $eps * (2.0 * {mu})
        elif {kind}[$el] == {SOFT}:
            # the volume may change freely
            {ten_out}[$el] = ($eps - $eye3 * ($tr / 3.0)) * (2.0 * {mu})
        else:
            # only shear
            {ten_out}[$el] = $eps * (2.0 * {mu})|if {kind}[$el] == {SOFT}:
            {ten_out}[$el] = $eps * (2.0 * {mu}) - $eye3 * ($tr * {mu} * 2.0 / 3.0)
        else:
            {ten_out}[$el] = $eps * (2.0 * {mu}) + $eye3 * ({lame} * $tr)⟩|$M = $eps * (2.0 * {mu}) + $eye3 * ({lame} * wp.trace($eps))
        {ten_out}[$el] = $sig + $M⟩
        """,
        threads="el",
        kinds="matrix scalar_param finite_elements",
    ),
    Idea(
        "invariants",
        "tensor_invariants compute_invariants matrix_invariants principal_invariants",
        "compute the invariants of ⟨1:the stress|the strain|the inertia|the deformation⟩ of each element",
        """
        ⟨2:$M = ⟨1:$sig|$eps|$I_b|$Fd⟩
        $tr = wp.trace($M)
        {el_f}[$el] = $tr
        {el_g}[$el] = 0.5 * ($tr * $tr - ⟨wp.trace($M @ $M)|wp.ddot($M, wp.transpose($M))⟩)
        ⟨{el_h}[$el] = wp.determinant($M)|⟩|$M = @symmetric(⟨1:$sig|$eps|$I_b|$Fd⟩)
        {el_f}[$el] = wp.trace($M)
        {el_g}[$el] = wp.determinant($M)|$M = ⟨1:$sig|$eps|$I_b|$Fd⟩
        # in the plane
        {el_f}[$el] = $M[0, 0] + $M[1, 1]
        {el_g}[$el] = $M[0, 0] * $M[1, 1] - $M[0, 1] * $M[1, 0]
        ⟨{el_h}[$el] = $M[2, 2]|⟩⟩
        """,
        threads="el",
        kinds="matrix arithmetic",
    ),
    Idea(
        "von_mises",
        "von_mises_stress equivalent_stress check_yield yield_test",
        "compute the von Mises stress of each element⟨1:| and mark those that yield| and its deviator⟩",
        """
        $dev = $sig - $eye3 * (wp.trace($sig) / 3.0)
        $vm = wp.sqrt(1.5 * wp.ddot($dev, $dev) + ⟨1.0e-6|1.0e-4⟩)
        ⟨1:{el_f}[$el] = $vm|{el_f}[$el] = $vm
        if $vm > {yld}:
            {el_flag}[$el] = 1
            ⟨wp.atomic_add({count}, 0, 1)|wp.atomic_add({per_mode}, {kind}[$el], 1)|⟩|{el_f}[$el] = $vm
        {ten_out}[$el] = ⟨$dev|$dev / $vm⟩⟩
        """,
        threads="el",
        kinds="matrix math finite_elements",
    ),
    Idea(
        "return_map",
        "return_mapping plastic_projection radial_return clamp_stress",
        "scale stresses beyond the yield surface back to it⟨1:| and count them⟩",
        """
        $tr = wp.trace($sig) / 3.0
        $dev = $sig - $eye3 * $tr
        $vm = wp.sqrt(1.5 * wp.ddot($dev, $dev) + 1.0e-4)
        if $vm <= {yld}:
            {ten_out}[$el] = $sig
            ⟨wp.atomic_add({per_mode}, 0, 1)|⟩
        else:
            # keep the pressure
            {ten_out}[$el] = $dev * ({yld} / $vm) + $eye3 * $tr
            ⟨1:{el_f}[$el] = ($vm - {yld}) / (3.0 * {mu})|wp.atomic_add({count}, 0, 1)
            ⟨{el_flag}[$el] = 1|⟩⟩
        """,
        threads="el",
        kinds="matrix control_flow math scalar_param",
    ),
    Idea(
        "rotate_tensor",
        "rotate_tensors transform_inertia world_tensor tensor_to_world",
        "rotate ⟨1:the inertia|the stress|the strain⟩ of each element ⟨2:into the world|into its own frame⟩",
        """
        hook element
        ⟨2:{ten_out}[$el] = ⟨$R_el @ ⟨1:$I_b|$sig|$eps⟩ @ wp.transpose($R_el)|@sandwich($R_el, ⟨1:$I_b|$sig|$eps⟩)⟩|⟨3:{ten_out}[$el] = wp.transpose($R_el) @ ⟨1:$I_b|$sig|$eps⟩ @ $R_el|$M = wp.quat_to_matrix($q_el)
        {ten_out}[$el] = wp.transpose($M) @ ⟨1:$I_b|$sig|$eps⟩ @ $M⟩⟩
        hook element_done
        """,
        threads="el",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "parallel_axis",
        "parallel_axis shift_inertia composite_inertia accumulate_inertia",
        "⟨1:compute the inertia of each part about the reference point|add the inertia of each part to its cluster|add point masses to the inertia of each cluster⟩",
        """
        ⟨1:hook element
        $M = $eye3 * wp.dot($lever, $lever) - wp.outer($lever, $lever)
        {ten_out}[$el] = $I_b + $M * $mass_i|if $cl_el < 0:
            return
        $M = $I_b + ($eye3 * wp.dot($lever, $lever) - wp.outer($lever, $lever)) * $mass_i
        wp.atomic_add({scat}, $cl_el, $M)
        ⟨wp.atomic_add({wsum}, $cl_el, $mass_i)|wp.atomic_add({sum3}, $cl_el, $lever * $mass_i)|⟩|if $cl_el >= 0:
            ⟨wp.atomic_add({scat}, $cl_el, ($eye3 * wp.dot($lever, $lever) - wp.outer($lever, $lever)) * $mass_i)|wp.atomic_add({scat}, $cl_el, -$mass_i * wp.skew($lever) @ wp.skew($lever))⟩
            wp.atomic_add({wsum}, $cl_el, $mass_i)⟩
        """,
        threads="el",
        kinds="matrix vector",
    ),
    Idea(
        "momentum",
        "angular_momentum gyroscopic_torque spin_energy body_momentum",
        "compute ⟨1:the angular momentum|the gyroscopic torque|the rotational energy|the angular acceleration⟩ of each body",
        """
        hook element
        ⟨1:{el_vec}[$el] = ⟨$I_b * $om|@sandwich($R_el, $I_b) * $om⟩|{el_vec}[$el] = wp.cross($om, $I_b * $om)|{el_f}[$el] = 0.5 * wp.dot($om, $I_b * $om)
        ⟨wp.atomic_add({loss}, 0, 0.5 * wp.dot($om, $I_b * $om))|⟩|{el_vec}[$el] = wp.inverse($I_b) * ({torque}[$el] - wp.cross($om, $I_b * $om))⟩
        hook element_done
        """,
        threads="el",
        kinds="matrix vector",
    ),
)
