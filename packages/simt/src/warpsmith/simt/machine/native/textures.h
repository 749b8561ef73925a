// Texture fetches: addressing, filters and mip levels as the CUDA programming guide describes them.
#pragma once

static const u32 TEXTURE_MAGIC = 0x54584554, MOST_TEXELS = 1 << 16, MOST_LEVELS = 16;

// What is before the texels of a texture, see `DeviceMemory.add_texture`.
struct Texture {
    u32 magic, dimensions, channels, type, linear, linear_levels, normalized, mode[3], levels, size[3], weight_bits, unused;
};

struct Texels {
    Texture t;
    const u8* bytes;
    u64 size;
};

static bool find_texture(Machine& m, u64 handle, Texels& found) {
    Place place;
    u64 address = handle & ((1ull << 56) - 1);
    if ((handle & ~address) != WINDOW_TEXTURE || !find_range(m, address, sizeof(Texture), place)) return false;
    const Range& range = m.launch->ranges[place.range];
    if (range.writable || place.offset) return false;
    memcpy(&found.t, place.host, sizeof(Texture));
    found.bytes = place.host + sizeof(Texture);
    found.size = range.high - range.low - sizeof(Texture);
    const Texture& t = found.t;
    bool fits = t.levels >= 1 && t.levels <= MOST_LEVELS && t.channels >= 1 && t.channels <= 4;
    for (u32 axis = 0; axis < 3; axis++) fits &= t.size[axis] >= 1 && t.size[axis] <= MOST_TEXELS;
    return t.magic == TEXTURE_MAGIC && fits;
}

static u32 level_size(const Texture& t, u32 axis, u32 level) { return t.size[axis] >> level ? t.size[axis] >> level : 1; }

static u32 texel_bytes(u32 type) {
    return type == TEXEL_UINT8 || type == TEXEL_INT8 ? 1 : type == TEXEL_UINT16 || type == TEXEL_INT16 || type == TEXEL_FLOAT16 ? 2 : 4;
}

// The bits of a channel of a texel, sign-extended; 0 outside of the texture and for channels that it lacks.
static u64 texel_bits(const Texels& texels, u32 level, const s64* index, u32 channel) {
    const Texture& t = texels.t;
    u64 start = 0, width = level_size(t, 0, level), height = level_size(t, 1, level), bytes = texel_bytes(t.type);
    for (u32 axis = 0; axis < 3; axis++) if (index[axis] < 0 || index[axis] >= level_size(t, axis, level)) return 0;
    if (channel >= t.channels) return 0;
    for (u32 k = 0; k < level; k++) start += (u64)level_size(t, 0, k) * level_size(t, 1, k) * level_size(t, 2, k);
    u64 offset = ((start + (index[2] * height + index[1]) * width + index[0]) * t.channels + channel) * bytes;
    if (offset + bytes > texels.size) return 0;
    return load_bytes(texels.bytes + offset, (u32)bytes, t.type == TEXEL_INT8 || t.type == TEXEL_INT16 || t.type == TEXEL_INT32);
}

// Integers of 8 and 16 bits are fractions of the largest one.
static double texel_value(u32 type, u64 bits) {
    double value;
    switch (type) {
    case TEXEL_UINT8: return (double)bits / 255;
    case TEXEL_UINT16: return (double)bits / 65535;
    case TEXEL_INT8: value = (double)(s64)bits / 127; return value < -1 ? -1 : value;
    case TEXEL_INT16: value = (double)(s64)bits / 32767; return value < -1 ? -1 : value;
    case TEXEL_FLOAT16: return from_half((u16)bits);
    default: return float_of((u32)bits);
    }
}

// The position of a coordinate in texels. Wrapping and mirroring need normalized coordinates; others clamp.
static double texel_position(const Texture& t, u32 axis, u32 level, float coordinate, u32& mode) {
    double u = coordinate == coordinate ? coordinate : 0, size = level_size(t, axis, level);
    mode = t.mode[axis];
    if (!t.normalized && (mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR)) mode = ADDRESS_CLAMP;
    if (mode == ADDRESS_WRAP) u -= __builtin_floor(u);
    if (mode == ADDRESS_MIRROR) u -= 2 * __builtin_floor(u / 2);
    if (u != u) u = 0;  // infinite coordinates
    double position = t.normalized ? u * size : u * size / t.size[axis];
    return position < -2 ? -2 : position > 2 * size + 1 ? 2 * size + 1 : position;
}

static s64 addressed_index(s64 index, s64 size, u32 mode) {
    switch (mode) {
    case ADDRESS_WRAP: return (index % size + size) % size;
    case ADDRESS_MIRROR: index = (index % (2 * size) + 2 * size) % (2 * size); return index < size ? index : 2 * size - 1 - index;
    case ADDRESS_CLAMP: return index < 0 ? 0 : index < size ? index : size - 1;
    default: return index;
    }
}

static double rounded_weight(const Texture& t, double weight) {
    double steps = 1u << t.weight_bits;
    return t.weight_bits ? __builtin_floor(weight * steps + 0.5) / steps : weight;
}

static void nearest_index(const Texture& t, u32 level, const float* coordinates, u32 dimensions, s64* index) {
    for (u32 axis = 0; axis < 3; axis++) {
        u32 mode;
        index[axis] = 0;
        if (axis >= dimensions) continue;
        double position = texel_position(t, axis, level, coordinates[axis], mode);
        index[axis] = addressed_index((s64)__builtin_floor(position), level_size(t, axis, level), mode);
    }
}

static void filter_level(const Texels& texels, u32 level, const float* coordinates, u32 dimensions, double* result) {
    const Texture& t = texels.t;
    s64 corners[2][3] = {};
    double weights[2][3];
    for (u32 axis = 0; axis < dimensions; axis++) {
        u32 mode;
        double position = texel_position(t, axis, level, coordinates[axis], mode) - 0.5, low = __builtin_floor(position);
        weights[1][axis] = rounded_weight(t, position - low);
        weights[0][axis] = 1 - weights[1][axis];
        for (u32 side = 0; side < 2; side++) corners[side][axis] = addressed_index((s64)low + side, level_size(t, axis, level), mode);
    }
    for (u32 channel = 0; channel < 4; channel++) {
        result[channel] = 0;
        for (u32 corner = 0; corner < 1u << dimensions; corner++) {
            s64 index[3] = {};
            double weight = 1;
            for (u32 axis = 0; axis < dimensions; axis++) {
                index[axis] = corners[corner >> axis & 1][axis];
                weight *= weights[corner >> axis & 1][axis];
            }
            if (weight) result[channel] += weight * texel_value(t.type, texel_bits(texels, level, index, channel));
        }
    }
}

static void sample_level(const Texels& texels, u32 level, const float* coordinates, u32 dimensions, double* result) {
    if (texels.t.linear) return filter_level(texels, level, coordinates, dimensions, result);
    s64 index[3];
    nearest_index(texels.t, level, coordinates, dimensions, index);
    for (u32 channel = 0; channel < 4; channel++) result[channel] = texel_value(texels.t.type, texel_bits(texels, level, index, channel));
}

static void sample(const Texels& texels, float lod, const float* coordinates, u32 dimensions, double* result) {
    const Texture& t = texels.t;
    double last = t.levels - 1, level = lod > 0 ? (lod < last ? lod : last) : 0;
    if (!t.linear_levels) return sample_level(texels, (u32)(level + 0.5), coordinates, dimensions, result);
    double low = __builtin_floor(level), weight = rounded_weight(t, level - low), next[4];
    sample_level(texels, (u32)low, coordinates, dimensions, result);
    if (!weight) return;
    sample_level(texels, (u32)low + 1, coordinates, dimensions, next);
    for (u32 channel = 0; channel < 4; channel++) result[channel] += weight * (next[channel] - result[channel]);
}

// Integer coordinates are indices of texels, and a level is one, too.
static void fetch_texel(const Texels& texels, const V* coordinates, s32 level, u32 dimensions, u64* bits) {
    s64 index[3] = {};
    for (u32 axis = 0; axis < dimensions; axis++) index[axis] = coordinates[axis].i;
    for (u32 channel = 0; channel < 4; channel++)
        bits[channel] = level < 0 || level >= (s32)texels.t.levels ? 0 : texel_bits(texels, level, index, channel);
}

static bool texture(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    FOR_LANES(lane, mask) {
        Texels texels;
        u64 handle = registers[i.slot[4] * LANES + lane].u, bits[4];
        if (!find_texture(m, handle, texels) || i.count < texels.t.dimensions) return stop(m, FINDING_INVALID, b, w, position, lane, handle, 0, INVALID_TEXTURE);
        V coordinates[3] = {}, level = {};
        float places[3];
        for (u32 axis = 0; axis < i.count; axis++) {
            coordinates[axis] = registers[i.slot[5 + axis] * LANES + lane];
            places[axis] = coordinates[axis].f;
        }
        if (i.immediate >= 0) level = registers[i.immediate * LANES + lane];
        u32 type = texels.t.type;
        bool raw = type == TEXEL_UINT32 || type == TEXEL_INT32 || i.kind != KIND_F32;  // fetched without a filter
        if (i.mode) {
            fetch_texel(texels, coordinates, level.i, i.count, bits);
        } else if (raw) {
            s64 index[3];
            nearest_index(texels.t, 0, places, i.count, index);
            for (u32 channel = 0; channel < 4; channel++) bits[channel] = texel_bits(texels, 0, index, channel);
        }
        double values[4];
        if (!i.mode && !raw) sample(texels, level.f, places, i.count, values);
        for (u32 channel = 0; channel < 4; channel++) {
            u64 result = raw ? (u32)bits[channel] : bits_of((float)(i.mode ? texel_value(type, bits[channel]) : values[channel]));
            if (i.slot[channel] >= 0) registers[i.slot[channel] * LANES + lane].u = result;
        }
    }
    return true;
}

static bool query_texture(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) {
    V* registers = w.registers;
    FOR_LANES(lane, mask) {
        Texels texels;
        u64 handle = registers[i.slot[4] * LANES + lane].u;
        if (!find_texture(m, handle, texels)) return stop(m, FINDING_INVALID, b, w, position, lane, handle, 0, INVALID_TEXTURE);
        u32 level = i.slot[5] < 0 ? 0 : registers[i.slot[5] * LANES + lane].w;
        if (level >= texels.t.levels) level = texels.t.levels - 1;
        u32 value = i.mode < 3 ? level_size(texels.t, i.mode, level) : i.mode == 3 ? texels.t.levels : texels.t.normalized;
        if (i.mode < 3 && i.mode >= texels.t.dimensions) value = 0;
        registers[i.slot[0] * LANES + lane].u = value;
    }
    return true;
}
