// Trapezoids under a curve; the wrong twin waits until a sum of floats equals the end.
__global__ void unequal_floats(const float* slopes, float* areas, int steps)
{
    float slope = slopes[threadIdx.x];
    float h = 1.0f / steps;
    float area = 0.0f;
#ifdef WRONG
    for (float t = 0.0f; t != 1.0f; t += h) {  // WRONG: step_limit
#else
    for (int k = 0; k < steps; k++) {
        float t = k * h;
#endif
        area += 0.5f * h * (slope * t + slope * (t + h));  // WRONG: step_limit
    }
    areas[threadIdx.x] = area;
}
