"""Handwritten texts, a forward and a backward pass, for tests of edits and proofs."""

from __future__ import annotations

PARAMETERS = """    wp::array_t<wp::float32> var_x,
    wp::array_t<wp::int32> var_ids,
    wp::float32 var_s,
    wp::int32 var_n,
    wp::array_t<wp::float32> var_y"""
ADJOINTS = PARAMETERS.replace("var_", "adj_")

FORWARD = f"""
extern "C" __global__ void f_cuda_kernel_forward(
    wp::launch_bounds_t<1> dim,
{PARAMETERS})
{{
        //---------
        // primal vars
        wp::int32 var_0;
        bool var_1;
        wp::float32* var_2;
        wp::float32 var_3;
        wp::float32 var_4;
        const wp::float32 var_5 = 2.0;
        const wp::float32 var_6 = 2.0;
        const wp::int32 var_7 = 1;
        wp::float32 var_8;
        wp::range_t var_9;
        wp::int32 var_10;
        wp::vec_t<3, wp::float32> var_11;
        wp::float32 var_12;
        wp::float32 var_13;
        bool var_14;
        wp::float32 var_15;
        wp::float32 var_16;
        wp::float32 var_17;
        //---------
        // forward
        var_0 = builtin_tid1d();
        var_1 = (var_0 >= var_n);
        if (var_1) {{
            continue;
        }}
        var_2 = wp::address(var_x, var_0);
        var_4 = wp::load(var_2);
        var_3 = wp::mul(var_4, var_s);
        var_8 = wp::div(var_3, var_5);
        var_9 = wp::range(var_n);
        start_for_1:;
            if (iter_cmp(var_9) == 0) goto end_for_1;
            var_10 = wp::iter_next(var_9);
            var_12 = wp::add(var_8, var_6);
            wp::assign(var_8, var_12);
            goto start_for_1;
        end_for_1:;
        var_11 = wp::vec_t<3, wp::float32>(var_5, var_6, var_8);
        var_13 = wp::extract(var_11, var_7);
        var_14 = ((var_13 < var_s) && (var_s < var_8));
        if (var_14) {{
            var_15 = wp::sin(var_13);
        }}
        var_16 = wp::sub(var_13, var_s);
        var_17 = wp::length_sq(var_16);
        wp::array_store(var_y, var_0, var_17);
}}
"""

BACKWARD = f"""
extern "C" __global__ void f_cuda_kernel_backward(
    wp::launch_bounds_t<1> dim,
{PARAMETERS},
{ADJOINTS})
{{
        //---------
        // primal vars
        wp::int32 var_0;
        wp::float32* var_2;
        wp::float32 var_3;
        wp::float32 var_4;
        const wp::float32 var_5 = 2.0;
        wp::float32 var_6;
        wp::range_t var_7;
        wp::int32 var_8;
        wp::float32 var_9;
        wp::int32* var_10;
        wp::int32 var_11;
        wp::float32 var_12;
        //---------
        // dual vars
        wp::float32 adj_2 = {{}};
        wp::float32 adj_3 = {{}};
        wp::float32 adj_5 = {{}};
        wp::float32 adj_6 = {{}};
        wp::float32 adj_9 = {{}};
        wp::int32 adj_10 = {{}};
        wp::float32 adj_12 = {{}};
        wp::int32 adj_0 = {{}};
        //---------
        // forward
        var_0 = builtin_tid1d();
        var_2 = wp::address(var_x, var_0);
        var_4 = wp::load(var_2);
        var_3 = wp::mul(var_4, var_s);
        var_6 = wp::mul(var_5, var_3);
        var_10 = wp::address(var_ids, var_0);
        var_11 = wp::load(var_10);
        var_12 = wp::float(var_11);
        var_7 = wp::range(var_n);
        // wp::array_store(var_y, var_0, var_6);
        //---------
        // reverse
        wp::adj_array_store(var_y, var_0, var_6, adj_y, adj_0, adj_6);
        var_7 = wp::iter_reverse(var_7);
        start_for_1:;
            if (iter_cmp(var_7) == 0) goto end_for_1;
            var_8 = wp::iter_next(var_7);
            adj_9 = {{}};
            adj_5 = {{}};
            wp::adj_add(var_6, var_9, adj_6, adj_9, adj_6);
            wp::adj_mul(var_5, var_6, adj_5, adj_6, adj_9);
            goto start_for_1;
        end_for_1:;
        wp::adj_float(var_11, adj_10, adj_12);
        wp::adj_mul(var_5, var_3, adj_5, adj_3, adj_6);
        wp::adj_sub(var_3, var_5, adj_3, adj_5, adj_6);
        wp::adj_mul(var_4, var_s, adj_2, adj_s, adj_3);
        wp::adj_address(var_x, var_0, adj_x, adj_0, adj_2);
        continue;
}}
"""
