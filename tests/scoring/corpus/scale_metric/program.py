import numpy as np
import warp as wp


@wp.kernel(module="unique")
def scale_metric(
    rest_shape_inv: wp.array(dtype=wp.mat22, ndim=2),
    metric_in: wp.array(dtype=wp.mat22, ndim=2),
    face_level: wp.array(dtype=int, ndim=2),
    tensor_out: wp.array(dtype=wp.mat22, ndim=2),
    trace_out: wp.array(dtype=float, ndim=2),
    tri_count: int,
):
    thread = wp.tid()
    worldid = thread // tri_count
    tid = thread % tri_count
    # 2x2 tensor of the triangle
    metric = wp.transpose(rest_shape_inv[worldid, tid]) * metric_in[worldid, tid]
    if face_level[worldid, tid] == 0:
        # inactive triangles keep their metric
        metric = metric_in[worldid, tid]
    tensor_out[worldid, tid] = metric
    trace_out[worldid, tid] = wp.determinant(metric)


random = np.random.default_rng(46)
rest_shape_inv = wp.array(np.eye(2) + random.uniform(-0.3, 0.3, (3, 31, 2, 2)), dtype=wp.mat22, device="cpu")
metric_in = wp.array(np.eye(2) + random.uniform(-0.4, 0.4, (3, 31, 2, 2)), dtype=wp.mat22, device="cpu")
face_level = wp.array(random.integers(0, 3, (3, 31)), dtype=wp.int32, device="cpu")
tensor_out = wp.array(np.zeros((3, 31, 2, 2)), dtype=wp.mat22, device="cpu")
trace_out = wp.array(np.zeros((3, 31)), dtype=wp.float32, device="cpu")
tri_count = 31
wp.launch(scale_metric, dim=93, inputs=[rest_shape_inv, metric_in, face_level, tensor_out, trace_out, tri_count], device="cpu")
