// Functions that the statements of operations call. A value of a lane is a union V.
#pragma once

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef __int128 s128;
typedef unsigned __int128 u128;

union V {
    u64 u; s64 s; u32 w; s32 i; u16 h; s16 k; u8 b; s8 c; float f; double d;
};

// Of long functions, so that the many statements that call them compile quickly.
#define OUT_OF_LINE __attribute__((noinline))

extern "C" {
double sin(double);
double cos(double);
double log2(double);
double exp2(double);
double tanh(double);
}

// Rounding modes; the numbers are those of FLT_ROUNDS.
enum Rounding { TOWARD_ZERO = 0, NEAREST = 1, UP = 2, DOWN = 3, TIES_AWAY = 4 };

// The carry that an instruction without .cc does not write.
#define UNUSED_CARRY Discarded()
struct Discarded { template <typename T> void operator=(T) const {} };

// Bits of floating-point numbers

static inline u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
static inline u64 bits_of(double x) { return __builtin_bit_cast(u64, x); }
static inline float float_of(u32 bits) { return __builtin_bit_cast(float, bits); }
static inline double double_of(u64 bits) { return __builtin_bit_cast(double, bits); }

static const u32 SIGN32 = 0x80000000u;
static const u64 SIGN64 = 1ull << 63;
static const u32 ONE_NAN = 0x7fffffffu;

static inline float magnitude(float x) { return float_of(bits_of(x) & ~SIGN32); }
static inline double magnitude(double x) { return double_of(bits_of(x) & ~SIGN64); }
static inline float with_sign(float x, float sign) { return float_of((bits_of(x) & ~SIGN32) | (bits_of(sign) & SIGN32)); }
static inline double with_sign(double x, double sign) { return double_of((bits_of(x) & ~SIGN64) | (bits_of(sign) & SIGN64)); }

template <typename T> static inline bool is_notanumber(T x) { return x != x; }
template <typename T> static inline bool is_number(T x) { return x == x; }
template <typename T> static inline bool differ(T a, T b) { return a < b || a > b; }
template <typename T> static inline bool both_numbers(T a, T b) { return a == a && b == b; }
static inline bool is_infinite(float x) { return (bits_of(x) & ~SIGN32) == 0x7f800000u; }
static inline bool is_infinite(double x) { return (bits_of(x) & ~SIGN64) == 0x7ffull << 52; }
static inline bool is_finite(float x) { return (bits_of(x) & ~SIGN32) < 0x7f800000u; }
static inline bool is_finite(double x) { return (bits_of(x) & ~SIGN64) < 0x7ffull << 52; }
static inline bool is_subnormal(float x) { return x != 0 && !(bits_of(x) & 0x7f800000u); }
static inline bool is_subnormal(double x) { return x != 0 && !(bits_of(x) & 0x7ffull << 52); }
template <typename T> static inline bool is_normal(T x) { return is_finite(x) && !is_subnormal(x); }

// Modifiers

static inline float one_nan(float x) { return x == x ? x : float_of(ONE_NAN); }

static inline float flush(float x) {
    u32 bits = bits_of(x);
    return float_of(bits & 0x7f800000u ? bits : bits & SIGN32);
}

static inline double flush(double x) {
    u64 bits = bits_of(x);
    return double_of(bits & 0x7ffull << 52 ? bits : bits & SIGN64);
}

// NaN becomes 0.
template <typename T> static inline T saturate(T x) { return x > 0 ? (x < 1 ? x : (T)1) : (T)0; }

static inline s32 at_least_zero(s32 x) { return x > 0 ? x : 0; }

// Integers

static inline s32 clamp_to_s32(s64 x) { return x > 0x7fffffff ? 0x7fffffff : x < -0x80000000ll ? (s32)SIGN32 : (s32)x; }

static inline s64 product_of_24_bits_s32(s32 a, s32 b) { return (s64)((s32)((u32)a << 8) >> 8) * ((s32)((u32)b << 8) >> 8); }
static inline u64 product_of_24_bits_u32(u32 a, u32 b) { return (u64)(a & 0xffffff) * (b & 0xffffff); }

// Division by -1 avoids the overflow of the smallest number.
template <typename T> static inline T quotient(T a, T b) {
    if (b == 0) return (T)-1;
    if ((T)-1 < 0 && b == (T)-1) return (T)(0 - (u64)a);
    return a / b;
}

template <typename T> static inline T remainder(T a, T b) {
    if (b == 0) return a;
    if ((T)-1 < 0 && b == (T)-1) return 0;
    return a % b;
}

template <typename T, typename Flag> static inline T add_carry(T a, T b, u32 carry, Flag&& flag) {
    T sum = a + b, total = sum + carry;
    flag = (u32)((sum < a) | (total < sum));
    return total;
}

template <typename T, typename Flag> static inline T subtract_borrow(T a, T b, u32 borrow, Flag&& flag) {
    T difference = a - b, total = difference - borrow;
    flag = (u32)((a < b) | (difference < borrow));
    return total;
}

static inline u32 leading_place(u32 x) { return x ? 31 - __builtin_clz(x) : ~0u; }
static inline u32 leading_place(u64 x) { return x ? 63 - __builtin_clzll(x) : ~0u; }
static inline u32 leading_shift(u32 x) { return x ? __builtin_clz(x) : ~0u; }
static inline u32 leading_shift(u64 x) { return x ? __builtin_clzll(x) : ~0u; }

// The place of the set bit that is `offset` set bits from `base`: 1 is the first at or above it, -1 the first at or below it.
static inline u32 nth_set_bit(u32 mask, u32 base, s32 offset) {
    if (offset == 0) return base < 32 && mask >> base & 1 ? base : ~0u;
    s32 step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : (s32)(0u - offset);
    for (s64 place = base; place >= 0 && place < 32; place += step)
        if (mask >> place & 1 && --left == 0) return (u32)place;
    return ~0u;
}

static inline u32 extract_field(u32 x, u32 position, u32 length) {
    u32 start = position & 255, bits = length & 255;
    if (start > 31 || bits == 0) return 0;
    return x >> start & (bits > 31 ? ~0u : (1u << bits) - 1);
}

static inline u64 extract_field(u64 x, u32 start, u32 bits) {
    if (start > 63 || bits == 0) return 0;
    return x >> start & (bits > 63 ? ~0ull : (1ull << bits) - 1);
}

// Bits above the top of `x` are its sign.
static inline s64 extract_signed_field(s64 x, u32 start, u32 bits) {
    if (bits == 0) return 0;
    s64 moved = x >> (start > 63 ? 63 : start);
    return bits > 63 ? moved : (s64)((u64)moved << (64 - bits)) >> (64 - bits);
}

static inline s64 extract_field(s64 x, u32 start, u32 bits) { return extract_signed_field(x, start, bits); }
static inline s32 extract_field(s32 x, u32 position, u32 length) { return (s32)extract_signed_field(x, position & 255, length & 255); }

template <typename T> static inline T insert_field(T value, T into, u32 position, u32 length) {
    const u32 width = 8 * sizeof(T);
    u32 low = width == 32 ? 255 : ~0u, start = position & low, bits = length & low;
    if (start >= width || bits == 0) return into;
    T mask = (bits >= width ? ~(T)0 : ((T)1 << bits) - 1) << start;
    return (value << start & mask) | (into & ~mask);
}

static inline s32 extend_from_wrap(s32 x, u32 bits) { return bits & 31 ? (s32)((u32)x << (32 - (bits & 31))) >> (32 - (bits & 31)) : 0; }
static inline u32 extend_from_wrap(u32 x, u32 bits) { return x & ((1u << (bits & 31)) - 1); }
static inline s32 extend_from_clamp(s32 x, u32 bits) { return bits > 31 ? x : extend_from_wrap(x, bits); }
static inline u32 extend_from_clamp(u32 x, u32 bits) { return bits > 31 ? x : extend_from_wrap(x, bits); }

static inline u32 bit_mask_wrap(u32 start, u32 bits) { return ((1u << (bits & 31)) - 1) << (start & 31); }
static inline u32 bit_mask_clamp(u32 start, u32 bits) { return start > 31 ? 0 : (bits > 31 ? ~0u : (1u << bits) - 1) << start; }

static inline u32 dot_bytes(u32 a, u32 b, u32 total, bool signed_a, bool signed_b) {
    for (int place = 0; place < 32; place += 8) {
        u32 x = a >> place & 255, y = b >> place & 255;
        total += (signed_a ? (u32)(s8)x : x) * (signed_b ? (u32)(s8)y : y);
    }
    return total;
}

static inline u32 dot_halves(u32 a, u32 b, u32 total, bool signed_a, bool signed_b) {
    for (int k = 0; k < 2; k++) {
        u32 x = a >> 16 * k & 0xffff, y = b >> 8 * k & 255;
        total += (signed_a ? (u32)(s16)x : x) * (signed_b ? (u32)(s8)y : y);
    }
    return total;
}

// Bits

static inline u64 joined(u32 high, u32 low) { return (u64)high << 32 | low; }
static inline u32 paired(u16 low, u16 high) { return (u32)high << 16 | low; }
static inline u16 joined_bytes(u8 low, u8 high) { return (u16)(high << 8 | low); }

// Bit k of `table` is the result for the bits k>>2, k>>1&1, k&1 of a, b, c.
static inline u32 look_up_bits(u32 a, u32 b, u32 c, u32 table) {
    u32 with_00 = (table & 1 ? ~c : 0) | (table & 2 ? c : 0), with_01 = (table & 4 ? ~c : 0) | (table & 8 ? c : 0);
    u32 with_10 = (table & 16 ? ~c : 0) | (table & 32 ? c : 0), with_11 = (table & 64 ? ~c : 0) | (table & 128 ? c : 0);
    return (~a & ((~b & with_00) | (b & with_01))) | (a & ((~b & with_10) | (b & with_11)));
}

static inline u32 permute_bytes(u32 a, u32 b, u32 selectors) {
    u64 bytes = joined(b, a);
    u32 result = 0;
    for (int k = 0; k < 4; k++) {
        u32 selector = selectors >> 4 * k & 15, byte = bytes >> 8 * (selector & 7) & 255;
        result |= (selector & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * k;
    }
    return result;
}

static inline u32 selectors_f4e(u32 c) { c &= 3; return c | (c + 1) << 4 | (c + 2) << 8 | (c + 3) << 12; }
static inline u32 selectors_b4e(u32 c) { c &= 3; return c | ((c + 7) & 7) << 4 | ((c + 6) & 7) << 8 | ((c + 5) & 7) << 12; }
static inline u32 selectors_rc8(u32 c) { return (c & 3) * 0x1111; }
static inline u32 selectors_rc16(u32 c) { return c & 1 ? 0x3232 : 0x1010; }
static inline u32 selectors_ecl(u32 c) { c &= 3; return c | (c > 1 ? c : 1) << 4 | (c > 2 ? c : 2) << 8 | 3 << 12; }
static inline u32 selectors_ecr(u32 c) { c &= 3; return (c < 1 ? c : 1) << 4 | (c < 2 ? c : 2) << 8 | c << 12; }

// float32 and float64

static inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float square_root(float x) { return __builtin_sqrtf(x); }
static inline double square_root(double x) { return __builtin_sqrt(x); }

// The processor computes in another rounding mode. Functions with FENV_ACCESS are not reordered with the change of the mode.
#define DIRECTED(EXPRESSION)                        \
    _Pragma("STDC FENV_ACCESS ON")                  \
    __builtin_set_flt_rounds(mode);                 \
    auto result = EXPRESSION;                       \
    __builtin_set_flt_rounds(NEAREST);              \
    return result;

#define DIRECTED_FUNCTIONS(T, FMA, SQRT)                                                                     \
    OUT_OF_LINE static T directed_sum(T a, T b, int mode) { DIRECTED(a + b) }                  \
    OUT_OF_LINE static T directed_product(T a, T b, int mode) { DIRECTED(a * b) }              \
    OUT_OF_LINE static T directed_quotient(T a, T b, int mode) { DIRECTED(a / b) }             \
    OUT_OF_LINE static T directed_fused(T a, T b, T c, int mode) { DIRECTED(FMA(a, b, c)) }    \
    OUT_OF_LINE static T directed_root(T x, int mode) { DIRECTED(SQRT(x)) }
DIRECTED_FUNCTIONS(float, __builtin_fmaf, __builtin_sqrtf)
DIRECTED_FUNCTIONS(double, __builtin_fma, __builtin_sqrt)

template <typename R, typename T> OUT_OF_LINE static R directed_conversion(T x, int mode) { DIRECTED((R)x) }

// Of zeros the negative one is smaller. NaN is ignored if the other number is none.
template <typename T> static inline T smaller(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    return a < b || (a == b && bits_of(a) > bits_of(b)) ? a : b;
}

template <typename T> static inline T larger(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    return a > b || (a == b && bits_of(a) < bits_of(b)) ? a : b;
}

template <typename T> static inline T smaller_or_nan(T a, T b) { return a != a ? a : b != b ? b : smaller(a, b); }
template <typename T> static inline T larger_or_nan(T a, T b) { return a != a ? a : b != b ? b : larger(a, b); }

static inline float with_product_sign(float x, float a, float b) { return float_of(bits_of(x) ^ ((bits_of(a) ^ bits_of(b)) & SIGN32)); }

static inline float fast_quotient(float a, float b) {
    float size = magnitude(b);
    if (size > 0x1p126f && is_finite(b)) return is_infinite(a) ? float_of(ONE_NAN) : a * with_sign(0.0f, b);
    return a / b;
}

// The sine or cosine of a number that is multiplied by 1/(2pi) in float32, rounded toward zero: so does `MUFU` of an H200.
static inline double turns_of(float x) {
    double turns = (double)x * (double)float_of(0x3e22f983u);  // exact
    float nearest = (float)turns;
    if (__builtin_fabs((double)nearest) > __builtin_fabs(turns)) nearest = float_of(bits_of(nearest) - 1);
    return (double)nearest - __builtin_rint((double)nearest);
}
static inline float fast_sine(float x) { return x == 0 ? x : (float)__builtin_sin(6.283185307179586 * turns_of(x)); }
static inline float fast_cosine(float x) { return (float)__builtin_cos(6.283185307179586 * turns_of(x)); }

static inline double upper_half(double x) { return double_of(bits_of(x) & 0xffffffff00000000ull); }

// Narrow floating-point formats

// The sum, whose last bit is set if it is inexact: rounding it to fewer bits gives the correctly rounded exact sum.
static inline double sum_to_odd(double a, double b) {
    double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    u64 bits = bits_of(sum);
    if (!is_finite(sum) || error == 0 || bits & 1) return sum;
    return double_of((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// The integer as a float64, whose last bit is set if it is inexact.
template <typename T> static inline double double_to_odd(T x) {
    u64 size = x < 0 ? 0 - (u64)x : (u64)x;
    if (size >> 53) size = (size & ~0x7ffull) | (size & 0x7ff ? 0x800 : 0);
    return x < 0 ? -(double)size : (double)size;
}

// The bits, without sign, of a finite number in a format with `fraction` and `exponent` bits. Too large numbers give a larger
// exponent than the format has. `away` says whether the mode rounds away from zero.
static inline u32 narrow_bits(u64 bits, int fraction, int exponent, int mode, bool away) {
    int bias = (1 << (exponent - 1)) - 1, power = (int)(bits >> 52 & 0x7ff) - 1023;
    u64 digits = (bits & ((1ull << 52) - 1)) | (power == -1023 ? 0 : 1ull << 52);
    int below = 1 - bias - power, dropped = 52 - fraction + (below > 0 ? below : 0);
    dropped = dropped > 62 ? 62 : dropped;
    u64 kept = digits >> dropped, rest = digits & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
    bool up = mode == NEAREST ? rest > half || (rest == half && kept & 1) : mode == TIES_AWAY ? rest >= half : away && rest;
    u64 scale = below > 0 ? 0 : (u64)(power + bias - 1) << fraction;
    return (u32)(kept + up + scale);
}

// The bits of a number in a format with infinity and NaN.
static inline u32 narrow(double x, int fraction, int exponent, int mode) {
    u32 infinity = ((1u << exponent) - 1) << fraction, sign = (u32)(bits_of(x) >> 63) << (fraction + exponent);
    if (x != x) return (1u << (fraction + exponent)) - 1;
    bool away = mode == UP ? !sign : mode == DOWN && sign;
    if (is_infinite(x)) return sign | infinity;
    u32 size = narrow_bits(bits_of(x), fraction, exponent, mode, away);
    if (size >= infinity) size = mode == NEAREST || mode == TIES_AWAY || away ? infinity : infinity - 1;
    return sign | size;
}

OUT_OF_LINE static u16 to_half(double x, int mode = NEAREST) { return (u16)narrow(x, 10, 5, mode); }
OUT_OF_LINE static u16 to_bfloat(double x, int mode = NEAREST) { return (u16)narrow(x, 7, 8, mode); }

static inline float from_bfloat(u16 bits) { return float_of((u32)bits << 16); }

static inline float from_half(u16 bits) {
    u32 sign = (u32)(bits & 0x8000) << 16, rest = bits & 0x7fff;
    if (rest >= 0x7c00) return float_of(sign | 0x7f800000u | rest << 13);
    return float_of(bits_of(float_of(rest << 13) * 0x1p112f) | sign);
}

static inline float flush_half(float x) { return magnitude(x) < 0x1p-14f ? with_sign(0.0f, x) : x; }
static inline float from_flushed_half(u16 bits) { return flush_half(from_half(bits)); }
static inline u16 flush_half_bits(u16 bits) { return bits & 0x7c00 ? bits : bits & 0x8000; }

// Negative numbers become zero; the canonical NaN has no sign.
static inline u16 at_least_zero_half(u16 bits) { return bits & 0x8000 ? 0 : bits; }
static inline u32 at_least_zero_bits(u32 bits) { return bits & SIGN32 ? 0 : bits; }

// Only for float16.
static inline u16 saturate_half(u16 bits) {
    if (bits & 0x8000 || bits > 0x7c00) return 0;
    return bits > 0x3c00 ? 0x3c00 : bits;
}

// Infinity becomes the largest finite number.
static inline u16 finite_bits(u16 bits, u16 largest) { return (bits & 0x7fff) == largest + 1 ? (bits & 0x8000) | largest : bits; }

static inline u32 to_tensor_float(float x, int mode, bool finite) {
    u32 bits = narrow(x, 10, 8, mode);
    if (x != x) return ONE_NAN;
    if (finite && (bits & 0x3ffff) == 0x3fc00) bits--;
    return bits << 13;
}

static inline u8 to_byte_float(double x, bool at_least_zero, int fraction, int exponent, u8 largest) {
    if (x != x) return 0x7f;
    u8 sign = bits_of(x) >> 63 ? 0x80 : 0;
    if (sign && at_least_zero) return 0;
    u32 size = is_infinite(x) ? largest : narrow_bits(bits_of(x), fraction, exponent, NEAREST, false);
    return sign | (size > largest ? largest : (u8)size);
}
static inline u8 to_e4m3(double x, bool at_least_zero) { return to_byte_float(x, at_least_zero, 3, 4, 0x7e); }
static inline u8 to_e5m2(double x, bool at_least_zero) { return to_byte_float(x, at_least_zero, 2, 5, 0x7b); }

static inline float from_e5m2(u8 bits) { return from_half((u16)(bits << 8)); }
static inline float from_e4m3(u8 bits) {
    if ((bits & 0x7f) == 0x7f) return float_of(ONE_NAN);
    return from_half((u16)((bits & 0x80) << 8 | (bits & 0x7f) << 7)) * 0x1p8f;
}

template <typename F> static inline u32 each_half(F function, u32 a) {
    return paired(function((u16)a), function((u16)(a >> 16)));
}
template <typename F> static inline u32 each_half(F function, u32 a, u32 b) {
    return paired(function((u16)a, (u16)b), function((u16)(a >> 16), (u16)(b >> 16)));
}
template <typename F> static inline u32 each_half(F function, u32 a, u32 b, u32 c) {
    return paired(function((u16)a, (u16)b, (u16)c), function((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)));
}

// Comparisons of halves

enum Comparison { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_ };

OUT_OF_LINE static bool compare(float a, float b, Comparison comparison) {
    bool numbers = a == a && b == b;
    switch (comparison) {
    case EQ: return a == b;
    case NE: return numbers && a != b;
    case LT: return a < b;
    case LE: return a <= b;
    case GT: return a > b;
    case GE: return a >= b;
    case EQU: return !numbers || a == b;
    case NEU: return a != b;
    case LTU: return !(a >= b);
    case LEU: return !(a > b);
    case GTU: return !(a <= b);
    case GEU: return !(a < b);
    case NUM: return numbers;
    default: return !numbers;
    }
}

// 16 ones for each half whose comparison is true.
OUT_OF_LINE static u32 compare_pairs(u32 a, u32 b, Comparison comparison, float (*read)(u16)) {
    return each_half([=](u16 x, u16 y) -> u16 { return compare(read(x), read(y), comparison) ? 0xffff : 0; }, a, b);
}

// Conversions to integers

template <typename R> struct Limits { static constexpr R SIGN = (R)(1ull << (8 * sizeof(R) - 1)), LOWEST = (R)-1 < 0 ? SIGN : 0, HIGHEST = (R)~LOWEST; };

template <typename R, typename T> static inline R saturated(T x) {
    s128 value = x, lowest = Limits<R>::LOWEST, highest = Limits<R>::HIGHEST;
    return (R)(value < lowest ? lowest : value > highest ? highest : value);
}

// `x` is an integer, infinite or NaN.
template <typename R> static inline R to_integer(double x, u64 nan) {
    if (x != x) return (R)nan;
    if (x <= (double)Limits<R>::LOWEST) return Limits<R>::LOWEST;
    if (x >= (double)Limits<R>::HIGHEST) return Limits<R>::HIGHEST;
    return (R)x;
}
