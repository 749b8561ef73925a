"""The names of Warp that generated text contains, so that the process of the command need not load Warp."""

from __future__ import annotations

FUNCTIONS = frozenset(
    """
    abs acos add add_inplace address approx_div approx_inverse argmax argmin array_store array_t asin assign assign_copy
    assign_inplace atan atan2 atomic_add atomic_and atomic_cas atomic_exch atomic_max atomic_min atomic_or atomic_sub
    atomic_xor bfloat16 bit_and bit_and_inplace bit_count bit_or bit_or_inplace bit_xor bit_xor_inplace bvh_get_group_root
    bvh_query_aabb bvh_query_capsule bvh_query_capsule_next bvh_query_next bvh_query_next_dynamic bvh_query_ray
    bvh_query_ray_next bvh_query_sphere bvh_query_sphere_next cast cbrt ceil clamp closest_point_edge_edge copy copysign cos
    cosh cross curlnoise cw_div cw_mul ddot degrees dense_chol dense_chol_batched dense_gemm dense_gemm_batched dense_solve
    dense_solve_batched dense_subs determinant diag div dot eig3 erf erfc erfcinv erfinv exp expect_eq expect_near
    expect_neq extract fixedarray_t float float16 float32 float64 floor floordiv frac get_diag hash_grid_point_id
    hash_grid_query hash_grid_query_next identity index indexref int int16 int32 int64 int8 intersect_tri_tri inverse invert
    isfinite isinf isnan iter_next iter_reverse len length length_sq lerp load log log10 log2 lower_bound lshift mat_t
    matrix_from_cols matrix_from_rows max mesh_eval_face_normal mesh_eval_position mesh_eval_velocity mesh_get mesh_get_bvh
    mesh_get_group_root mesh_get_index mesh_get_point mesh_get_velocity mesh_query_aabb mesh_query_aabb_next
    mesh_query_furthest_point_no_sign mesh_query_next_dynamic mesh_query_point mesh_query_point_no_sign
    mesh_query_point_sign_normal mesh_query_point_sign_parity mesh_query_point_sign_winding_number mesh_query_ray
    mesh_query_ray_anyhit mesh_query_ray_count_intersections mesh_query_sphere mesh_query_sphere_next min mod mul neg noise
    nonzero normalize outer pnoise poisson pos pow print qr3 quat_from_axis_angle quat_from_matrix quat_identity
    quat_inverse quat_rotate quat_rotate_inv quat_rpy quat_slerp quat_t quat_to_axis_angle quat_to_matrix radians rand_init
    randf randi randn randu range rint round rshift sample_cdf sample_triangle sample_unit_cube sample_unit_disk
    sample_unit_hemisphere sample_unit_hemisphere_surface sample_unit_ring sample_unit_sphere sample_unit_sphere_surface
    sample_unit_square select sign sin sinh skew slice_t smoothstep spatial_adjoint spatial_bottom spatial_cross
    spatial_cross_dual spatial_dot spatial_top sqrt static step store sub sub_inplace svd2 svd3 tan tanh texture_sample tile
    tile_add tile_add_inplace tile_arange tile_argmax tile_argmin tile_assign tile_astype tile_atomic_add
    tile_atomic_add_indexed tile_axpy tile_binary_map tile_bit_and tile_bit_and_inplace tile_bit_or tile_bit_or_inplace
    tile_bit_xor tile_bit_xor_inplace tile_broadcast tile_bvh_query_aabb tile_bvh_query_next tile_bvh_query_ray
    tile_cholesky tile_cholesky_inplace tile_cholesky_solve tile_cholesky_solve_inplace tile_diag_add tile_div
    tile_div_elementwise tile_dot tile_empty tile_extract tile_from_thread tile_full tile_load tile_load_indexed tile_map
    tile_matmul tile_matmul_acc tile_max tile_mesh_query_aabb tile_mesh_query_aabb_next tile_min tile_mul
    tile_mul_elementwise tile_neg tile_ones tile_query_valid tile_randf tile_randi tile_reduce tile_reduce_axis tile_reshape
    tile_scan_exclusive tile_scan_inclusive tile_scan_max_inclusive tile_scan_min_inclusive tile_scatter_add
    tile_scatter_masked tile_slice_indexed tile_sort tile_squeeze tile_stack_clear tile_stack_count tile_stack_init
    tile_stack_pop tile_stack_push tile_store tile_store_indexed tile_sub tile_sub_inplace tile_sum tile_sum_axis
    tile_transpose tile_unary_map tile_view tile_zeros trace transform_add_inplace transform_get_rotation
    transform_get_translation transform_identity transform_inverse transform_multiply transform_point transform_set_rotation
    transform_set_rotation_copy transform_set_translation transform_set_translation_copy transform_sub_inplace transform_t
    transform_vector transpose trunc tuple uint16 uint32 uint64 uint8 unot untile vec_t view volume_index_to_world
    volume_index_to_world_dir volume_lookup volume_lookup_f volume_lookup_i volume_lookup_index volume_lookup_v
    volume_sample volume_sample_f volume_sample_grad volume_sample_grad_f volume_sample_grad_index volume_sample_i
    volume_sample_index volume_sample_v volume_store volume_store_f volume_store_i volume_store_v volume_voxel_count
    volume_world_to_index volume_world_to_index_dir where
    """.split()
)
"""The functions of Warp's registry in the namespace ``wp``."""

GLOBAL_FUNCTIONS = frozenset(
    """
    bool builtin_block_dim builtin_tid1d builtin_tid2d builtin_tid3d builtin_tid4d printf tile_fft tile_ifft
    tile_lower_solve tile_lower_solve_inplace tile_upper_solve tile_upper_solve_inplace
    """.split()
)
"""The functions and macros of the registry outside of a namespace."""

TYPES = frozenset(
    """
    Bvh HashGrid Mesh Volume bind bvh_query_t bvh_query_thread_block_t fabricarray_t hash_grid_query_f hash_grid_query_t
    indexedarray_t indexedfabricarray_t init initializer_array launch_bounds_t mesh_query_aabb_t
    mesh_query_aabb_thread_block_t mesh_query_point_t mesh_query_ray_t range_t shape_t str texture1d_t texture2d_t
    texture3d_t tile_alloc_empty tile_coord_t tile_layout_register_t tile_layout_strided_t tile_register_t tile_shape_t
    tile_shared_storage_t tile_shared_t tile_stack_alloc tile_stack_t tile_stride_t tuple_t
    """.split()
)
"""Types and members of types that are not in the registry."""
