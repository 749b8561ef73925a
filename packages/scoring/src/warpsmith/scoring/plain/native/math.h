// CUDA's mathematical functions, by those of the C library.
#pragma once

#define WARPSMITH_UNARY(name)                                              \
    extern "C" double name(double);                                        \
    extern "C" float name##f(float);                                       \
    static inline float name(float x) { return name##f(x); }               \
    static inline double name(int x) { return name((double)x); }           \
    static inline double name(unsigned int x) { return name((double)x); }  \
    static inline double name(long long x) { return name((double)x); }
#define WARPSMITH_BINARY(name)                                                               \
    extern "C" double name(double, double);                                                  \
    extern "C" float name##f(float, float);                                                  \
    static inline float name(float x, float y) { return name##f(x, y); }                     \
    static inline double name(float x, double y) { return name((double)x, y); }              \
    static inline double name(double x, float y) { return name(x, (double)y); }              \
    static inline double name(int x, int y) { return name((double)x, (double)y); }           \
    static inline double name(double x, int y) { return name(x, (double)y); }                \
    static inline double name(int x, double y) { return name((double)x, y); }                \
    static inline double name(int x, float y) { return name((double)x, (double)y); }

WARPSMITH_UNARY(sin) WARPSMITH_UNARY(cos) WARPSMITH_UNARY(tan) WARPSMITH_UNARY(asin) WARPSMITH_UNARY(acos)
WARPSMITH_UNARY(atan) WARPSMITH_UNARY(sinh) WARPSMITH_UNARY(cosh) WARPSMITH_UNARY(tanh) WARPSMITH_UNARY(asinh)
WARPSMITH_UNARY(acosh) WARPSMITH_UNARY(atanh) WARPSMITH_UNARY(exp) WARPSMITH_UNARY(exp2) WARPSMITH_UNARY(expm1)
WARPSMITH_UNARY(log) WARPSMITH_UNARY(log2) WARPSMITH_UNARY(log10) WARPSMITH_UNARY(log1p) WARPSMITH_UNARY(sqrt)
WARPSMITH_UNARY(cbrt) WARPSMITH_UNARY(floor) WARPSMITH_UNARY(ceil) WARPSMITH_UNARY(trunc) WARPSMITH_UNARY(round)
WARPSMITH_UNARY(rint) WARPSMITH_UNARY(nearbyint) WARPSMITH_UNARY(fabs) WARPSMITH_UNARY(erf) WARPSMITH_UNARY(erfc)
WARPSMITH_UNARY(tgamma) WARPSMITH_UNARY(lgamma)
WARPSMITH_BINARY(pow) WARPSMITH_BINARY(atan2) WARPSMITH_BINARY(fmod) WARPSMITH_BINARY(remainder) WARPSMITH_BINARY(hypot)
WARPSMITH_BINARY(copysign) WARPSMITH_BINARY(fdim) WARPSMITH_BINARY(fmin) WARPSMITH_BINARY(fmax) WARPSMITH_BINARY(nextafter)
#undef WARPSMITH_UNARY
#undef WARPSMITH_BINARY

static inline float pow(float x, int y) { return powf(x, (float)y); }
static inline double fmod(float x, int y) { return fmod((double)x, (double)y); }
static inline float fmin(float x, int y) { return fminf(x, (float)y); }
static inline float fmax(float x, int y) { return fmaxf(x, (float)y); }

extern "C" {
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double modf(double, double*);
float modff(float, float*);
double frexp(double, int*);
float frexpf(float, int*);
int abs(int) noexcept;
long long llabs(long long) noexcept;
}
static inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline float ldexp(float x, int y) { return ldexpf(x, y); }
static inline float abs(float x) { return fabsf(x); }
static inline double abs(double x) { return fabs(x); }
static inline long long abs(long long x) { return x < 0 ? -x : x; }

#define WARPSMITH_DERIVED(type, f)                                                                             \
    static inline type rsqrt##f(type x) { return 1 / sqrt##f(x); }                                             \
    static inline type rcbrt##f(type x) { return 1 / cbrt##f(x); }                                             \
    static inline type exp10##f(type x) { return pow##f((type)10, x); }                                        \
    static inline type sinpi##f(type x) { return (type)sin((double)(x - 2 * rint##f(x / 2)) * 3.14159265358979323846); } \
    static inline type cospi##f(type x) { return (type)cos((double)(x - 2 * rint##f(x / 2)) * 3.14159265358979323846); } \
    static inline void sincos##f(type x, type* s, type* c) { *s = sin##f(x); *c = cos##f(x); }                 \
    static inline void sincospi##f(type x, type* s, type* c) { *s = sinpi##f(x); *c = cospi##f(x); }           \
    static inline type rhypot##f(type x, type y) { return 1 / hypot##f(x, y); }                                \
    static inline type norm3d##f(type x, type y, type z) { return sqrt##f(x * x + y * y + z * z); }            \
    static inline type rnorm3d##f(type x, type y, type z) { return 1 / norm3d##f(x, y, z); }                   \
    static inline type norm4d##f(type x, type y, type z, type w) { return sqrt##f(x * x + y * y + z * z + w * w); } \
    static inline type rnorm4d##f(type x, type y, type z, type w) { return 1 / norm4d##f(x, y, z, w); }        \
    static inline type normcdf##f(type x) { return erfc##f(-x * (type)0.70710678118654752440) / 2; }
WARPSMITH_DERIVED(float, f)
WARPSMITH_DERIVED(double, )
#undef WARPSMITH_DERIVED
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrt(float x) { return rcbrtf(x); }

#define WARPSMITH_TESTS(type)                                                          \
    static inline bool isnan(type x) { return x != x; }                                \
    static inline bool isinf(type x) { return __builtin_isinf(x); }                    \
    static inline bool isfinite(type x) { return __builtin_isfinite(x); }              \
    static inline bool signbit(type x) { return __builtin_signbit(x); }
WARPSMITH_TESTS(float)
WARPSMITH_TESTS(double)
#undef WARPSMITH_TESTS

#define WARPSMITH_LEAST(type)                                                    \
    static inline type min(type x, type y) { return x < y ? x : y; }             \
    static inline type max(type x, type y) { return x > y ? x : y; }
WARPSMITH_LEAST(int)
WARPSMITH_LEAST(unsigned int)
WARPSMITH_LEAST(long)
WARPSMITH_LEAST(unsigned long)
WARPSMITH_LEAST(long long)
WARPSMITH_LEAST(unsigned long long)
#undef WARPSMITH_LEAST
static inline unsigned int min(int x, unsigned int y) { return min((unsigned int)x, y); }
static inline unsigned int min(unsigned int x, int y) { return min(x, (unsigned int)y); }
static inline unsigned int max(int x, unsigned int y) { return max((unsigned int)x, y); }
static inline unsigned int max(unsigned int x, int y) { return max(x, (unsigned int)y); }
static inline float min(float x, float y) { return fminf(x, y); }
static inline float max(float x, float y) { return fmaxf(x, y); }
static inline double min(double x, double y) { return fmin(x, y); }
static inline double max(double x, double y) { return fmax(x, y); }
static inline double min(float x, double y) { return fmin((double)x, y); }
static inline double min(double x, float y) { return fmin(x, (double)y); }
static inline double max(float x, double y) { return fmax((double)x, y); }
static inline double max(double x, float y) { return fmax(x, (double)y); }

template <typename To, typename From> static inline To warpsmith_bits(From from)
{
    To to;
    memcpy(&to, &from, sizeof(to));
    return to;
}
static inline int __float_as_int(float x) { return warpsmith_bits<int>(x); }
static inline unsigned int __float_as_uint(float x) { return warpsmith_bits<unsigned int>(x); }
static inline float __int_as_float(int x) { return warpsmith_bits<float>(x); }
static inline float __uint_as_float(unsigned int x) { return warpsmith_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return warpsmith_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return warpsmith_bits<double>(x); }

static inline float __fdividef(float x, float y) { return x / y; }
static inline float fdividef(float x, float y) { return x / y; }
static inline float __sinf(float x) { return sinf(x); }
static inline float __cosf(float x) { return cosf(x); }
static inline float __tanf(float x) { return tanf(x); }
static inline float __expf(float x) { return expf(x); }
static inline float __exp10f(float x) { return exp10f(x); }
static inline float __logf(float x) { return logf(x); }
static inline float __log2f(float x) { return log2f(x); }
static inline float __log10f(float x) { return log10f(x); }
static inline float __powf(float x, float y) { return powf(x, y); }
static inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fsub_rn(float x, float y) { return x - y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __frsqrt_rn(float x) { return rsqrtf(x); }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline int __float2int_rz(float x) { return (int)x; }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __float2int_rd(float x) { return (int)floorf(x); }
static inline int __float2int_ru(float x) { return (int)ceilf(x); }
static inline float __int2float_rn(int x) { return (float)x; }
static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
static inline int __mul24(int x, int y) { return x * y; }
static inline int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
static inline unsigned int __umulhi(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x * y) >> 32); }
template <typename T> static inline T __ldg(const T* at) { return *at; }
