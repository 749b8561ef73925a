"""Functions and constants whose names other modules have, too."""

import numpy as np
import warp as wp

TINY = 1.0e-6
EPSILON = wp.float32(np.finfo(np.float32).eps)


@wp.func
def scaled(x: float):
    return x * TINY


@wp.func
def velocity_at_point(velocity: wp.spatial_vector, point: wp.vec3):
    return 2.0 * wp.velocity_at_point(velocity, point)


@wp.struct
class State:
    length: float

    def doubled(self):
        return 2.0 * self.length


@wp.func
def _both(x: float) -> tuple[float, float]:
    return x, scaled(x)
