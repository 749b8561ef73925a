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

struct wp_args_k_71a5cd15 {
    wp::array_t<wp::float32> x;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> a;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> o;
    wp::array_t<wp::vec_t<2, wp::float32>> s;
};


template <bool wp_linear_contiguous>
static void k_71a5cd15_cpu_kernel_forward(
    wp::launch_bounds_t<1> dim,
    size_t task_index,
    wp_args_k_71a5cd15 *_wp_args)
{
    static constexpr bool wp_linear_tid = wp_linear_contiguous;
    wp_args_k_71a5cd15 wp_contiguous_args;
    if constexpr (wp_linear_contiguous)
    {
        wp_contiguous_args = *_wp_args;
        wp_contiguous_args.x.strides[0] = sizeof(wp::float32);
        wp_contiguous_args.a.strides[0] = sizeof(wp::mat_t<2, 2, wp::float32>);
        wp_contiguous_args.o.strides[0] = sizeof(wp::mat_t<2, 2, wp::float32>);
        wp_contiguous_args.s.strides[0] = sizeof(wp::vec_t<2, wp::float32>);
        _wp_args = &wp_contiguous_args;
    }
    //---------
    // argument vars
    wp::array_t<wp::float32> var_x = _wp_args->x;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> var_a = _wp_args->a;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> var_o = _wp_args->o;
    wp::array_t<wp::vec_t<2, wp::float32>> var_s = _wp_args->s;
    //---------
    // primal vars
    wp::int32 var_0;
    wp::float32* var_1;
    wp::float32 var_2;
    wp::float32 var_3;
    wp::float32* var_4;
    wp::float32 var_5;
    wp::float32 var_6;
    wp::float32 var_7;
    wp::mat_t<2, 2, wp::float32> var_8;
    wp::mat_t<2, 2, wp::float32> var_9;
    wp::vec_t<2, wp::float32> var_10;
    wp::mat_t<2, 2, wp::float32> var_11;
    wp::mat_t<2, 2, wp::float32> var_12;
    wp::mat_t<2, 2, wp::float32> var_13;
    wp::mat_t<2, 2, wp::float32> var_14;
    wp::mat_t<2, 2, wp::float32> var_15;
    //---------
    // forward
    // def k(x: wp.array(dtype=float), a: wp.array(dtype=wp.mat22), o: wp.array(dtype=wp.mat22), s: wp.array(dtype=wp.vec2)):       <L 4>
    // i = wp.tid()                                                                           <L 5>
    var_0 = builtin_tid1d();
    // c = wp.cos(x[i]); d = wp.sin(x[i])                                                     <L 6>
    var_1 = wp::address(var_x, var_0);
    var_3 = wp::load(var_1);
    var_2 = wp::cos(var_3);
    var_4 = wp::address(var_x, var_0);
    var_6 = wp::load(var_4);
    var_5 = wp::sin(var_6);
    // m = wp.mat22(c, -d, d, c)                                                              <L 7>
    var_7 = wp::neg(var_5);
    var_8 = wp::mat_t<2, 2, wp::float32>(var_2, var_7, var_5, var_2);
    // u, sg, w = wp.svd2(m)                                                                  <L 8>
    wp::svd2(var_8, var_9, var_10, var_11);
    // a[i] = m                                                                               <L 9>
    wp::array_store(var_a, var_0, var_8);
    // o[i] = u * wp.diag(sg) * wp.transpose(w)                                               <L 10>
    var_12 = wp::diag(var_10);
    var_13 = wp::mul(var_9, var_12);
    var_14 = wp::transpose(var_11);
    var_15 = wp::mul(var_13, var_14);
    wp::array_store(var_o, var_0, var_15);
    // s[i] = sg                                                                              <L 11>
    wp::array_store(var_s, var_0, var_10);
}



template <bool wp_linear_contiguous>
static void k_71a5cd15_cpu_kernel_backward(
    wp::launch_bounds_t<1> dim,
    size_t task_index,
    wp_args_k_71a5cd15 *_wp_args,
    wp_args_k_71a5cd15 *_wp_adj_args)
{
    static constexpr bool wp_linear_tid = wp_linear_contiguous;
    wp_args_k_71a5cd15 wp_contiguous_args;
    wp_args_k_71a5cd15 wp_contiguous_adj_args;
    if constexpr (wp_linear_contiguous)
    {
        wp_contiguous_args = *_wp_args;
        wp_contiguous_adj_args = *_wp_adj_args;
        wp_contiguous_args.x.strides[0] = sizeof(wp::float32);
        wp_contiguous_adj_args.x.strides[0] = sizeof(wp::float32);
        wp_contiguous_args.a.strides[0] = sizeof(wp::mat_t<2, 2, wp::float32>);
        wp_contiguous_adj_args.a.strides[0] = sizeof(wp::mat_t<2, 2, wp::float32>);
        wp_contiguous_args.o.strides[0] = sizeof(wp::mat_t<2, 2, wp::float32>);
        wp_contiguous_adj_args.o.strides[0] = sizeof(wp::mat_t<2, 2, wp::float32>);
        wp_contiguous_args.s.strides[0] = sizeof(wp::vec_t<2, wp::float32>);
        wp_contiguous_adj_args.s.strides[0] = sizeof(wp::vec_t<2, wp::float32>);
        _wp_args = &wp_contiguous_args;
        _wp_adj_args = &wp_contiguous_adj_args;
    }
    //---------
    // argument vars
    wp::array_t<wp::float32> var_x = _wp_args->x;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> var_a = _wp_args->a;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> var_o = _wp_args->o;
    wp::array_t<wp::vec_t<2, wp::float32>> var_s = _wp_args->s;
    wp::array_t<wp::float32> adj_x = _wp_adj_args->x;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> adj_a = _wp_adj_args->a;
    wp::array_t<wp::mat_t<2, 2, wp::float32>> adj_o = _wp_adj_args->o;
    wp::array_t<wp::vec_t<2, wp::float32>> adj_s = _wp_adj_args->s;
    //---------
    // primal vars
    wp::int32 var_0;
    wp::float32* var_1;
    wp::float32 var_2;
    wp::float32 var_3;
    wp::float32* var_4;
    wp::float32 var_5;
    wp::float32 var_6;
    wp::float32 var_7;
    wp::mat_t<2, 2, wp::float32> var_8;
    wp::mat_t<2, 2, wp::float32> var_9;
    wp::vec_t<2, wp::float32> var_10;
    wp::mat_t<2, 2, wp::float32> var_11;
    wp::mat_t<2, 2, wp::float32> var_12;
    wp::mat_t<2, 2, wp::float32> var_13;
    wp::mat_t<2, 2, wp::float32> var_14;
    wp::mat_t<2, 2, wp::float32> var_15;
    //---------
    // dual vars
    wp::int32 adj_0 = {};
    wp::float32 adj_1 = {};
    wp::float32 adj_2 = {};
    wp::float32 adj_3 = {};
    wp::float32 adj_4 = {};
    wp::float32 adj_5 = {};
    wp::float32 adj_6 = {};
    wp::float32 adj_7 = {};
    wp::mat_t<2, 2, wp::float32> adj_8 = {};
    wp::mat_t<2, 2, wp::float32> adj_9 = {};
    wp::vec_t<2, wp::float32> adj_10 = {};
    wp::mat_t<2, 2, wp::float32> adj_11 = {};
    wp::mat_t<2, 2, wp::float32> adj_12 = {};
    wp::mat_t<2, 2, wp::float32> adj_13 = {};
    wp::mat_t<2, 2, wp::float32> adj_14 = {};
    wp::mat_t<2, 2, wp::float32> adj_15 = {};
    //---------
    // forward
    // def k(x: wp.array(dtype=float), a: wp.array(dtype=wp.mat22), o: wp.array(dtype=wp.mat22), s: wp.array(dtype=wp.vec2)):       <L 4>
    // i = wp.tid()                                                                           <L 5>
    var_0 = builtin_tid1d();
    // c = wp.cos(x[i]); d = wp.sin(x[i])                                                     <L 6>
    var_1 = wp::address(var_x, var_0);
    var_3 = wp::load(var_1);
    var_2 = wp::cos(var_3);
    var_4 = wp::address(var_x, var_0);
    var_6 = wp::load(var_4);
    var_5 = wp::sin(var_6);
    // m = wp.mat22(c, -d, d, c)                                                              <L 7>
    var_7 = wp::neg(var_5);
    var_8 = wp::mat_t<2, 2, wp::float32>(var_2, var_7, var_5, var_2);
    // u, sg, w = wp.svd2(m)                                                                  <L 8>
    wp::svd2(var_8, var_9, var_10, var_11);
    // a[i] = m                                                                               <L 9>
    // wp::array_store(var_a, var_0, var_8);
    // o[i] = u * wp.diag(sg) * wp.transpose(w)                                               <L 10>
    var_12 = wp::diag(var_10);
    var_13 = wp::mul(var_9, var_12);
    var_14 = wp::transpose(var_11);
    var_15 = wp::mul(var_13, var_14);
    // wp::array_store(var_o, var_0, var_15);
    // s[i] = sg                                                                              <L 11>
    // wp::array_store(var_s, var_0, var_10);
    //---------
    // reverse
    wp::adj_array_store(var_s, var_0, var_10, adj_s, adj_0, adj_10);
    // adj: s[i] = sg                                                                         <L 11>
    wp::adj_array_store(var_o, var_0, var_15, adj_o, adj_0, adj_15);
    wp::adj_mul(var_13, var_14, adj_13, adj_14, adj_15);
    wp::adj_transpose(var_11, adj_11, adj_14);
    wp::adj_mul(var_9, var_12, adj_9, adj_12, adj_13);
    wp::adj_diag(var_10, adj_10, adj_12);
    // adj: o[i] = u * wp.diag(sg) * wp.transpose(w)                                          <L 10>
    wp::adj_array_store(var_a, var_0, var_8, adj_a, adj_0, adj_8);
    // adj: a[i] = m                                                                          <L 9>
    wp::adj_svd2(var_8, var_9, var_10, var_11, adj_8, adj_9, adj_10, adj_11);
    // adj: u, sg, w = wp.svd2(m)                                                             <L 8>
    wp::adj_mat_t(var_2, var_7, var_5, var_2, adj_2, adj_7, adj_5, adj_2, adj_8);
    wp::adj_neg(var_5, adj_5, adj_7);
    // adj: m = wp.mat22(c, -d, d, c)                                                         <L 7>
    wp::adj_sin(var_6, adj_4, adj_5);
    wp::adj_address(var_x, var_0, adj_x, adj_0, adj_4);
    wp::adj_cos(var_3, adj_1, adj_2);
    wp::adj_address(var_x, var_0, adj_x, adj_0, adj_1);
    // adj: c = wp.cos(x[i]); d = wp.sin(x[i])                                                <L 6>
    // adj: i = wp.tid()                                                                      <L 5>
    // adj: def k(x: wp.array(dtype=float), a: wp.array(dtype=wp.mat22), o: wp.array(dtype=wp.mat22), s: wp.array(dtype=wp.vec2)):  <L 4>
    return;
}



template <bool wp_linear_contiguous>
static WP_FORCEINLINE void k_71a5cd15_cpu_forward_tasks(
    wp::launch_bounds_t<1> *dim,
    wp_args_k_71a5cd15 *_wp_args)
{
    for (size_t task_index = 0; task_index < dim->size; ++task_index)
    {
        k_71a5cd15_cpu_kernel_forward<wp_linear_contiguous>(*dim, task_index, _wp_args);
    }
}

static WP_FORCEINLINE void k_71a5cd15_cpu_forward_dispatch(
    wp::launch_bounds_t<1> *dim,
    wp_args_k_71a5cd15 *_wp_args)
{
    wp::tile_shared_storage_t tile_mem;
#if defined(WP_ENABLE_TILES_IN_STACK_MEMORY)
    wp::shared_tile_storage = &tile_mem;
#endif

    const bool wp_linear_contiguous = dim->coord_mult == 1 && ((_wp_args->x.strides[0] == (int)sizeof(wp::float32)) & (_wp_args->a.strides[0] == (int)sizeof(wp::mat_t<2, 2, wp::float32>)) & (_wp_args->o.strides[0] == (int)sizeof(wp::mat_t<2, 2, wp::float32>)) & (_wp_args->s.strides[0] == (int)sizeof(wp::vec_t<2, wp::float32>)));
    if (wp_linear_contiguous)
        k_71a5cd15_cpu_forward_tasks<true>(dim, _wp_args);
    else
        k_71a5cd15_cpu_forward_tasks<false>(dim, _wp_args);
}

extern "C" {

// Python CPU entry points
WP_API void k_71a5cd15_cpu_forward(
    wp::launch_bounds_t<1> *dim,
    wp_args_k_71a5cd15 *_wp_args)
{
    k_71a5cd15_cpu_forward_dispatch(dim, _wp_args);
}

} // extern C



template <bool wp_linear_contiguous>
static WP_FORCEINLINE void k_71a5cd15_cpu_backward_tasks(
    wp::launch_bounds_t<1> *dim,
    wp_args_k_71a5cd15 *_wp_args,
    wp_args_k_71a5cd15 *_wp_adj_args)
{
    for (size_t task_index = 0; task_index < dim->size; ++task_index)
    {
        k_71a5cd15_cpu_kernel_backward<wp_linear_contiguous>(
            *dim, task_index, _wp_args, _wp_adj_args);
    }
}

static WP_FORCEINLINE void k_71a5cd15_cpu_backward_dispatch(
    wp::launch_bounds_t<1> *dim,
    wp_args_k_71a5cd15 *_wp_args,
    wp_args_k_71a5cd15 *_wp_adj_args)
{
    wp::tile_shared_storage_t tile_mem;
#if defined(WP_ENABLE_TILES_IN_STACK_MEMORY)
    wp::shared_tile_storage = &tile_mem;
#endif

    const bool wp_linear_contiguous = dim->coord_mult == 1 && ((_wp_args->x.strides[0] == (int)sizeof(wp::float32)) & (_wp_adj_args->x.strides[0] == (int)sizeof(wp::float32)) & (_wp_args->a.strides[0] == (int)sizeof(wp::mat_t<2, 2, wp::float32>)) & (_wp_adj_args->a.strides[0] == (int)sizeof(wp::mat_t<2, 2, wp::float32>)) & (_wp_args->o.strides[0] == (int)sizeof(wp::mat_t<2, 2, wp::float32>)) & (_wp_adj_args->o.strides[0] == (int)sizeof(wp::mat_t<2, 2, wp::float32>)) & (_wp_args->s.strides[0] == (int)sizeof(wp::vec_t<2, wp::float32>)) & (_wp_adj_args->s.strides[0] == (int)sizeof(wp::vec_t<2, wp::float32>)));
    if (wp_linear_contiguous)
        k_71a5cd15_cpu_backward_tasks<true>(dim, _wp_args, _wp_adj_args);
    else
        k_71a5cd15_cpu_backward_tasks<false>(dim, _wp_args, _wp_adj_args);
}

extern "C" {

WP_API void k_71a5cd15_cpu_backward(
    wp::launch_bounds_t<1> *dim,
    wp_args_k_71a5cd15 *_wp_args,
    wp_args_k_71a5cd15 *_wp_adj_args)
{
    k_71a5cd15_cpu_backward_dispatch(dim, _wp_args, _wp_adj_args);
}

} // extern C

