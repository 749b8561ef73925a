// Where an address is. No access leaves the ranges of a launch.
#pragma once

enum Area { AREA_NONE, AREA_GLOBAL, AREA_SHARED, AREA_LOCAL, AREA_PARAM };

struct Place {
    u8* host;
    u64 offset;
    u32 area, range;
};

static inline bool find_range(Machine& m, u64 address, u64 size, Place& place) {
    Launch* launch = m.launch;
    u32 index = m.last_range;
    if (index >= launch->range_count || address < launch->ranges[index].low || address >= launch->ranges[index].high) {
        u32 low = 0, high = launch->range_count;
        while (low < high) {
            u32 middle = (low + high) / 2;
            if (launch->ranges[middle].high <= address) low = middle + 1; else high = middle;
        }
        if (low >= launch->range_count || address < launch->ranges[low].low) return false;
        index = m.last_range = low;
    }
    const Range& range = launch->ranges[index];
    if (size > range.high - address) return false;
    place.offset = address - range.low;
    place.host = range.host + place.offset;
    place.area = AREA_GLOBAL;
    place.range = index;
    return true;
}

static inline bool find_place(Machine& m, Block& b, Warp& w, u32 lane, u32 space, u64 address, u64 size, bool writes, Place& place) {
    Launch* launch = m.launch;
    u32 window = (u32)(address >> 56);
    u64 offset = address & 0xffffffffull;
    if (space == SPACE_GENERIC) {
        if (window == 0) {
            if (!find_range(m, address, size, place)) return false;
            return !writes || launch->ranges[place.range].writable;
        }
        if (address & 0x00ffffff00000000ull) return false;
        space = window == 1 ? SPACE_SHARED : window == 2 ? SPACE_LOCAL : window == 3 ? SPACE_PARAM : ~0u;
    }
    place.offset = offset;
    place.range = 0;
    if (space == SPACE_SHARED) {
        if (offset + size > launch->shared_size) return false;
        place.host = b.shared + offset;
        place.area = AREA_SHARED;
        return true;
    }
    if (space == SPACE_LOCAL) {
        if (offset + size > (u64)(w.frame[lane] + launch->targets[w.function[lane]].used)) return false;
        place.host = w.local + (u64)lane * launch->local_size + offset;
        place.area = AREA_LOCAL;
        return true;
    }
    if (space == SPACE_PARAM) {
        if (writes || offset + size > launch->parameter_size) return false;
        place.host = (u8*)launch->parameters + offset;
        place.area = AREA_PARAM;
        return true;
    }
    return false;
}

static inline u64 load_bytes(const u8* host, u32 size, bool is_signed) {
    switch (size) {
    case 1: return is_signed ? (u64)(s64) * (s8*)host : *host;
    case 2: { u16 value; memcpy(&value, host, 2); return is_signed ? (u64)(s64)(s16)value : value; }
    case 4: { u32 value; memcpy(&value, host, 4); return is_signed ? (u64)(s64)(s32)value : value; }
    default: { u64 value; memcpy(&value, host, 8); return value; }
    }
}

// Sectors of 32 bytes that the lanes of a request touch.
static u32 sectors(const u64* address, u32 mask, u32 size) {
    u64 found[LANES * 2];
    u32 count = 0;
    FOR_LANES(lane, mask) {
        for (u64 sector = address[lane] >> 5; sector <= (address[lane] + size - 1) >> 5; sector++) {
            u32 k = count;
            while (k > 0 && found[k - 1] != sector) k--;
            if (k == 0 && count < LANES * 2) found[count++] = sector;
        }
    }
    return count;
}

// Passes over the 32 banks of shared memory: lanes that read one word share it; 8 bytes take half warps, 16 quarter warps.
static u32 bank_passes(const u64* offset, u32 mask, u32 size) {
    u32 parts = size <= 4 ? 1 : size / 4, lanes = LANES / parts, total = 0;
    for (u32 part = 0; part < parts; part++) {
        u64 words[LANES * 4];
        u32 count = 0, per_bank[32] = {}, most = 0;
        u32 some = mask & (lanes == 32 ? ~0u : ((1u << lanes) - 1) << part * lanes);
        FOR_LANES(lane, some) {
            for (u32 k = 0; k < (size + 3) / 4; k++) {
                u64 word = (offset[lane] >> 2) + k;
                u32 j = 0;
                while (j < count && words[j] != word) j++;
                if (j == count) {
                    words[count++] = word;
                    u32 in_bank = ++per_bank[word & 31];
                    if (in_bank > most) most = in_bank;
                }
            }
        }
        total += most;
    }
    return total;
}
