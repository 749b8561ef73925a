// CUDA's vector types and the functions that make them.
#pragma once

#define WARPSMITH_VECTORS(type, scalar, pair, quad)                                                        \
    struct type##1 { scalar x; };                                                                          \
    struct alignas(pair) type##2 { scalar x, y; };                                                         \
    struct type##3 { scalar x, y, z; };                                                                    \
    struct alignas(quad) type##4 { scalar x, y, z, w; };                                                   \
    static inline type##1 make_##type##1(scalar x) { return { x }; }                                       \
    static inline type##2 make_##type##2(scalar x, scalar y) { return { x, y }; }                          \
    static inline type##3 make_##type##3(scalar x, scalar y, scalar z) { return { x, y, z }; }             \
    static inline type##4 make_##type##4(scalar x, scalar y, scalar z, scalar w) { return { x, y, z, w }; }

WARPSMITH_VECTORS(char, signed char, 2, 4)
WARPSMITH_VECTORS(uchar, unsigned char, 2, 4)
WARPSMITH_VECTORS(short, short, 4, 8)
WARPSMITH_VECTORS(ushort, unsigned short, 4, 8)
WARPSMITH_VECTORS(int, int, 8, 16)
WARPSMITH_VECTORS(uint, unsigned int, 8, 16)
WARPSMITH_VECTORS(longlong, long long, 16, 16)
WARPSMITH_VECTORS(ulonglong, unsigned long long, 16, 16)
WARPSMITH_VECTORS(float, float, 8, 16)
WARPSMITH_VECTORS(double, double, 16, 16)
#undef WARPSMITH_VECTORS

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
};
