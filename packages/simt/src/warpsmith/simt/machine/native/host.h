// The functions of the C library that the machine uses; Warp's linker finds them in the process.
#pragma once

extern "C" {
void* malloc(unsigned long);
void* calloc(unsigned long, unsigned long);
void* realloc(void*, unsigned long);
void free(void*);
void* memcpy(void*, const void*, unsigned long);
void* memset(void*, int, unsigned long);
int memcmp(const void*, const void*, unsigned long);
int snprintf(char*, unsigned long, const char*, ...);
}

#define FOR_LANES(lane, mask) for (u32 rest_ = (mask), lane = 0; rest_ && (lane = __builtin_ctz(rest_), true); rest_ &= rest_ - 1)
#define FOR_LANES_OF(lane, mask) for (u32 rest_of_ = (mask), lane = 0; rest_of_ && (lane = __builtin_ctz(rest_of_), true); rest_of_ &= rest_of_ - 1)

static inline u32 lanes_in(u32 mask) { return __builtin_popcount(mask); }

template <typename T> static T* make(u64 count) { return (T*)calloc(count ? count : 1, sizeof(T)); }
