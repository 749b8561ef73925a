#define WP_NO_BFLOAT16

#define WP_TILE_BLOCK_DIM 1
#define WP_NO_CRT
#include "builtin.h"
#include "deterministic.h"

#define builtin_tid1d() wp::linear_tid<wp_linear_tid>(task_index, dim)
#define builtin_tid2d(x, y) wp::tid(x, y, task_index, dim)
#define builtin_tid3d(x, y, z) wp::tid(x, y, z, task_index, dim)
#define builtin_tid4d(x, y, z, w) wp::tid(x, y, z, w, task_index, dim)

#define builtin_block_dim() wp::block_dim()


// avoid namespacing of float type for casting to float type, this is to avoid wp::float(x), which is not valid in C++
#define float(x) cast_float(x)
#define adj_float(x, adj_x, adj_ret) adj_cast_float(x, adj_x, adj_ret)

#define int(x) cast_int(x)
#define adj_int(x, adj_x, adj_ret) adj_cast_int(x, adj_x, adj_ret)

struct wp_args_literal_7b24cd3d {
    wp::array_t<wp::float32> x;
    wp::array_t<wp::int64> k;
};


template <bool wp_linear_contiguous>
static void literal_7b24cd3d_cpu_kernel_forward(
    wp::launch_bounds_t<1> dim,
    size_t task_index,
    wp_args_literal_7b24cd3d *_wp_args)
{
    static constexpr bool wp_linear_tid = wp_linear_contiguous;

    //---------
    // argument vars
    wp::array_t<wp::float32> var_x = _wp_args->x;
    wp::array_t<wp::int64> var_k = _wp_args->k;
    //---------
    // primal vars
    const wp::int32 var_0 = 3000000000;
    wp::float32 var_1;
    const wp::int32 var_2 = 0;
    wp::int64 var_3;
    const wp::int32 var_4 = 0;
    wp::int64 var_5;
    const wp::int32 var_6 = 1;
    //---------
    // forward
    // def literal(x: wp.array(dtype=float), k: wp.array(dtype=wp.int64)):                    <L 4>
    // x[0] = float(3000000000)                                                               <L 5>
    var_1 = wp::float(var_0);
    wp::array_store(var_x, var_2, var_1);
    // k[0] = wp.int64(3000000000)                                                            <L 6>
    var_3 = 3000000000ll;
    wp::array_store(var_k, var_4, var_3);
    // big = 3000000000                                                                       <L 7>
    // k[1] = wp.int64(big)                                                                   <L 8>
    var_5 = 3000000000ll;
    wp::array_store(var_k, var_6, var_5);
}



template <bool wp_linear_contiguous>
static void literal_7b24cd3d_cpu_kernel_backward(
    wp::launch_bounds_t<1> dim,
    size_t task_index,
    wp_args_literal_7b24cd3d *_wp_args,
    wp_args_literal_7b24cd3d *_wp_adj_args)
{
    static constexpr bool wp_linear_tid = wp_linear_contiguous;

    //---------
    // argument vars
    wp::array_t<wp::float32> var_x = _wp_args->x;
    wp::array_t<wp::int64> var_k = _wp_args->k;
    wp::array_t<wp::float32> adj_x = _wp_adj_args->x;
    wp::array_t<wp::int64> adj_k = _wp_adj_args->k;
    //---------
    // primal vars
    const wp::int32 var_0 = 3000000000;
    wp::float32 var_1;
    const wp::int32 var_2 = 0;
    wp::int64 var_3;
    const wp::int32 var_4 = 0;
    wp::int64 var_5;
    const wp::int32 var_6 = 1;
    //---------
    // dual vars
    wp::int32 adj_0 = {};
    wp::float32 adj_1 = {};
    wp::int32 adj_2 = {};
    wp::int64 adj_3 = {};
    wp::int32 adj_4 = {};
    wp::int64 adj_5 = {};
    wp::int32 adj_6 = {};
    //---------
    // forward
    // def literal(x: wp.array(dtype=float), k: wp.array(dtype=wp.int64)):                    <L 4>
    // x[0] = float(3000000000)                                                               <L 5>
    var_1 = wp::float(var_0);
    // wp::array_store(var_x, var_2, var_1);
    // k[0] = wp.int64(3000000000)                                                            <L 6>
    var_3 = 3000000000ll;
    // wp::array_store(var_k, var_4, var_3);
    // big = 3000000000                                                                       <L 7>
    // k[1] = wp.int64(big)                                                                   <L 8>
    var_5 = 3000000000ll;
    // wp::array_store(var_k, var_6, var_5);
    //---------
    // reverse
    wp::adj_array_store(var_k, var_6, var_5, adj_k, adj_6, adj_5);
    // adj: k[1] = wp.int64(big)                                                              <L 8>
    // adj: big = 3000000000                                                                  <L 7>
    wp::adj_array_store(var_k, var_4, var_3, adj_k, adj_4, adj_3);
    // adj: k[0] = wp.int64(3000000000)                                                       <L 6>
    wp::adj_array_store(var_x, var_2, var_1, adj_x, adj_2, adj_1);
    wp::adj_float(var_0, adj_0, adj_1);
    // adj: x[0] = float(3000000000)                                                          <L 5>
    // adj: def literal(x: wp.array(dtype=float), k: wp.array(dtype=wp.int64)):               <L 4>
    return;
}



template <bool wp_linear_contiguous>
static WP_FORCEINLINE void literal_7b24cd3d_cpu_forward_tasks(
    wp::launch_bounds_t<1> *dim,
    wp_args_literal_7b24cd3d *_wp_args)
{
    for (size_t task_index = 0; task_index < dim->size; ++task_index)
    {
        literal_7b24cd3d_cpu_kernel_forward<wp_linear_contiguous>(*dim, task_index, _wp_args);
    }
}

static WP_FORCEINLINE void literal_7b24cd3d_cpu_forward_dispatch(
    wp::launch_bounds_t<1> *dim,
    wp_args_literal_7b24cd3d *_wp_args)
{
    wp::tile_shared_storage_t tile_mem;
#if defined(WP_ENABLE_TILES_IN_STACK_MEMORY)
    wp::shared_tile_storage = &tile_mem;
#endif

    literal_7b24cd3d_cpu_forward_tasks<false>(dim, _wp_args);
}

extern "C" {

// Python CPU entry points
WP_API void literal_7b24cd3d_cpu_forward(
    wp::launch_bounds_t<1> *dim,
    wp_args_literal_7b24cd3d *_wp_args)
{
    literal_7b24cd3d_cpu_forward_dispatch(dim, _wp_args);
}

} // extern C



template <bool wp_linear_contiguous>
static WP_FORCEINLINE void literal_7b24cd3d_cpu_backward_tasks(
    wp::launch_bounds_t<1> *dim,
    wp_args_literal_7b24cd3d *_wp_args,
    wp_args_literal_7b24cd3d *_wp_adj_args)
{
    for (size_t task_index = 0; task_index < dim->size; ++task_index)
    {
        literal_7b24cd3d_cpu_kernel_backward<wp_linear_contiguous>(
            *dim, task_index, _wp_args, _wp_adj_args);
    }
}

static WP_FORCEINLINE void literal_7b24cd3d_cpu_backward_dispatch(
    wp::launch_bounds_t<1> *dim,
    wp_args_literal_7b24cd3d *_wp_args,
    wp_args_literal_7b24cd3d *_wp_adj_args)
{
    wp::tile_shared_storage_t tile_mem;
#if defined(WP_ENABLE_TILES_IN_STACK_MEMORY)
    wp::shared_tile_storage = &tile_mem;
#endif

    literal_7b24cd3d_cpu_backward_tasks<false>(dim, _wp_args, _wp_adj_args);
}

extern "C" {

WP_API void literal_7b24cd3d_cpu_backward(
    wp::launch_bounds_t<1> *dim,
    wp_args_literal_7b24cd3d *_wp_args,
    wp_args_literal_7b24cd3d *_wp_adj_args)
{
    literal_7b24cd3d_cpu_backward_dispatch(dim, _wp_args, _wp_adj_args);
}

} // extern C

