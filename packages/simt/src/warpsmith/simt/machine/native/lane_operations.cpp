// Compiles the statements of the table: those of common operations as vectorized functions, the others in one switch.
#include "lane_operations.h"

#define D results[l]
#define D2 second_results[l]
#define A first_sources[l]
#define B second_sources[l]
#define C third_sources[l]
#define E fourth_sources[l]
#define CC carries[l]
#define DIVIDED_BY_ZERO divisions |= 1u << l

#define PARAMETERS V *results, V *second_results, const V *first_sources, const V *second_sources, \
    const V *third_sources, const V *fourth_sources, u32 *carries, u32 mask
#define ARGUMENTS results, second_results, first_sources, second_sources, third_sources, fourth_sources, carries, mask

#define COMMON(NUMBER, ...)                                                       \
    static u32 operation_##NUMBER(PARAMETERS) {                                   \
        u32 divisions = 0;                                                        \
        if (mask == ~0u) {                                                        \
            _Pragma("clang loop vectorize(assume_safety)")                        \
            for (int l = 0; l < WARP_LANES; l++) { __VA_ARGS__ }                  \
        } else {                                                                  \
            for (u32 left = mask; left; left &= left - 1) {                       \
                int l = __builtin_ctz(left);                                      \
                __VA_ARGS__                                                       \
            }                                                                     \
        }                                                                         \
        return divisions;                                                         \
    }
#define RARE(NUMBER, ...)
#include "statements.h"
#undef COMMON
#undef RARE

extern "C" {
WarpOperation *const common_operations[] = {
#define COMMON(NUMBER, ...) operation_##NUMBER,
#define RARE(NUMBER, ...)
#include "statements.h"
#undef COMMON
#undef RARE
};
}

static const u32 COMMON_OPERATIONS = sizeof(common_operations) / sizeof(*common_operations);

static u32 run_lane(u32 number, int l, PARAMETERS) {
    u32 divisions = 0;
    switch (number) {
#define COMMON(NUMBER, ...)
#define RARE(NUMBER, ...) case NUMBER: { __VA_ARGS__ } break;
#include "statements.h"
    }
    return divisions;
}

// Runs any operation by its number in the table.
extern "C" u32 run_operation(u32 number, PARAMETERS) {
    if (number < COMMON_OPERATIONS) return common_operations[number](ARGUMENTS);
    u32 divisions = 0;
    for (u32 left = mask; left; left &= left - 1) divisions |= run_lane(number, __builtin_ctz(left), ARGUMENTS);
    return divisions;
}
