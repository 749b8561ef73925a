import numpy as np
import warp as wp


@wp.kernel(module="unique")
def age_contacts(partners: wp.array(dtype=wp.int32), ages: wp.array(dtype=wp.int32)):
    tid = wp.tid()

    if partners[tid] >= 0:
        ages[tid] = ages[tid] + 1
    else:
        ages[tid] = wp.max(ages[tid] - 1, 0)


random = np.random.default_rng(34)
partners = wp.array(random.integers(-1, 4, (78,)), dtype=wp.int32, device="cpu")
ages = wp.array(random.integers(0, 7, (78,)), dtype=wp.int32, device="cpu")
wp.launch(age_contacts, dim=78, inputs=[partners, ages], device="cpu")
