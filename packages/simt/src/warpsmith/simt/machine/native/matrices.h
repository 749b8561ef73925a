// Instructions that a whole warp executes on matrices: mma, wmma, ldmatrix, stmatrix, movmatrix.
#pragma once

static const u32 MOST_ELEMENTS = 4096;

// The part of a matrix that each lane has in registers. `matrix_plans.py` writes the description.
struct Fragment {
    u32 layout, element, bits, rows, columns, registers;
    const s32* slots;
};

static Fragment fragment_at(const Machine& m, const s32* words) {
    return {(u32)words[0], (u32)words[1], (u32)words[2], (u32)words[3], (u32)words[4], (u32)words[5], words + 6};
}

static const s32* after(const Fragment& f) { return f.slots + f.registers; }

static u32 elements_per_register(const Fragment& f) { return f.bits < 32 ? 32 / f.bits : 1; }

// The index, by rows, of an element that a lane has in a register. The layouts A, B and C are those that PTX defines for mma;
// The layout WMMA is used by wmma only. It repeats elements where the lanes have more registers than the matrix has elements.
static inline u32 element_index(const Fragment& f, u32 lane, u32 reg, u32 part, u32 each) {
    u32 group = lane >> 2, member = lane & 3, element = reg * each + part;
    switch (f.layout) {
    case LAYOUT_A: return (group + (f.rows > 8 ? 8 * (reg & 1) : 0)) * f.columns + member * each + part + 4 * each * (f.rows > 8 ? reg >> 1 : reg);
    case LAYOUT_B: return (member * each + part + 4 * each * reg) * f.columns + group;
    case LAYOUT_C: return (group + 8 * (element >> 1)) * f.columns + member * 2 + (element & 1);
    default: return (lane * f.registers * each + element) % (f.rows * f.columns);
    }
}

static void gather(Warp& w, const Fragment& f, u64* matrix) {
    u32 each = elements_per_register(f);
    u64 kept = f.bits == 64 ? ~0ull : (1ull << f.bits) - 1;
    for (u32 k = 0; k < f.registers; k++)
        for (u32 lane = 0; lane < LANES; lane++)
            for (u32 part = 0; part < each; part++)
                matrix[element_index(f, lane, k, part, each)] = w.registers[f.slots[k] * LANES + lane].u >> part * f.bits & kept;
}

static void scatter(Warp& w, const Fragment& f, u32 group, const u64* matrix) {
    u32 each = elements_per_register(f);
    for (u32 k = 0; k < f.registers; k++)
        FOR_LANES(lane, group) {
            u64 value = 0;
            for (u32 part = 0; part < each; part++) value |= matrix[element_index(f, lane, k, part, each)] << part * f.bits;
            w.registers[f.slots[k] * LANES + lane].u = value;
        }
}

static double float_value(u32 element, u64 bits) {
    switch (element) {
    case ELEMENT_F16: return from_half((u16)bits);
    case ELEMENT_BF16: return from_bfloat((u16)bits);
    case ELEMENT_TF32: return float_of((u32)bits & ~0x1fffu);  // 10 bits of mantissa count
    case ELEMENT_F32: return float_of((u32)bits);
    case ELEMENT_E4M3: return from_e4m3((u8)bits);
    case ELEMENT_E5M2: return from_e5m2((u8)bits);
    default: return double_of(bits);
    }
}

static s32 integer_value(u32 element, u64 bits) {
    switch (element) {
    case ELEMENT_S4: return (s32)((u32)bits << 28) >> 28;
    case ELEMENT_S8: return (s8)bits;
    default: return (s32)bits;
    }
}

static u64 rounded_bits(u32 element, double value) {
    switch (element) {
    case ELEMENT_F16: return to_half(value);
    case ELEMENT_F32: return bits_of(one_nan((float)value));
    default: return bits_of(value);
    }
}

static bool is_integer(u32 element) { return element <= ELEMENT_S32; }

// Integers are exact, and wrap or saturate at the end.
static void multiply_integers(const Instruction& i, const Fragment& a, const Fragment& b, u64* left, u64* right, u64* sums) {
    for (u32 row = 0; row < a.rows; row++)
        for (u32 column = 0; column < b.columns; column++) {
            s64 sum = (s32)sums[row * b.columns + column];
            for (u32 k = 0; k < a.columns; k++) {
                s64 x = integer_value(a.element, left[row * a.columns + k]), y = integer_value(b.element, right[k * b.columns + column]);
                sum += i.mode == PRODUCT_XOR ? x ^ y : i.mode == PRODUCT_AND ? x & y : x * y;
            }
            sums[row * b.columns + column] = (u32)(i.flags & 1 ? clamp_to_s32(sum) : (s32)sum);
        }
}

// Products are exact, sums are made in double precision in the order of k and rounded once to the type of the result. A sum of
// .f64 is a chain of fused multiply-adds. PTX specifies neither the order nor the rounding of float sums.
static void multiply_floats(const Fragment& a, const Fragment& b, const Fragment& c, const Fragment& d, u64* left, u64* right, u64* sums) {
    double x[MOST_ELEMENTS], y[MOST_ELEMENTS];
    for (u32 k = 0; k < a.rows * a.columns; k++) x[k] = float_value(a.element, left[k]);
    for (u32 k = 0; k < b.rows * b.columns; k++) y[k] = float_value(b.element, right[k]);
    for (u32 row = 0; row < a.rows; row++)
        for (u32 column = 0; column < b.columns; column++) {
            double sum = float_value(c.element, sums[row * b.columns + column]);
            for (u32 k = 0; k < a.columns; k++) sum = fused(x[row * a.columns + k], y[k * b.columns + column], sum);
            sums[row * b.columns + column] = rounded_bits(d.element, sum);
        }
}

static void multiply(Machine& m, Warp& w, const Instruction& i, u32 group) {
    Fragment d = fragment_at(m, m.launch->tables + i.slot[6]), a = fragment_at(m, after(d)), b = fragment_at(m, after(a)), c = fragment_at(m, after(b));
    u64 left[MOST_ELEMENTS], right[MOST_ELEMENTS], sums[MOST_ELEMENTS];
    gather(w, a, left);
    gather(w, b, right);
    gather(w, c, sums);
    if (is_integer(a.element)) multiply_integers(i, a, b, left, right, sums);
    else multiply_floats(a, b, c, d, left, right, sums);
    scatter(w, d, group, sums);
}

// A part of a matrix in memory, at most 16 bytes, which counts as the access of one lane.
struct Piece {
    u64 address;
    Place place;
    u32 size;
};

// Find the rows or columns of a matrix; each is aligned to the fragment of a lane, at most to 16 bytes.
static bool find_pieces(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 group, const Fragment& f, bool writes,
                        Piece* pieces, u32& count) {
    V* registers = w.registers;
    u32 first_lane = __builtin_ctz(group), lines = i.mode ? f.columns : f.rows, length = i.mode ? f.rows : f.columns;
    u32 bytes = length * f.bits / 8, fragment = f.registers * (f.bits == 64 ? 8 : 4), step = bytes < 16 ? bytes : 16;
    u64 start = address_of(i, registers[i.slot[4] * LANES + first_lane]);
    u64 stride = i.slot[3] < 0 ? length : registers[i.slot[3] * LANES + first_lane].w;
    FOR_LANES(lane, group) {
        if (address_of(i, registers[i.slot[4] * LANES + lane]) != start || (i.slot[3] >= 0 && registers[i.slot[3] * LANES + lane].w != stride))
            return stop(m, FINDING_INVALID, b, w, position, lane, 0, 0, INVALID_MATRIX_ADDRESS);
    }
    count = 0;
    for (u32 line = 0; line < lines; line++) {
        u64 address = start + line * (stride * f.bits / 8);
        if (i.space != SPACE_GENERIC) address = (u32)address;
        u32 alignment = line && fragment > 16 ? 16 : fragment;
        for (u32 offset = 0; offset < bytes; offset += step) {
            Piece& piece = pieces[count];
            u32 lane = count++ % LANES;
            piece.address = address + offset;
            piece.size = step;
            if (!find_place(m, b, w, lane, i.space, piece.address, step, writes, piece.place))
                return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, piece.address, step, writes);
            if (!offset && (piece.place.area == AREA_GLOBAL ? address : piece.place.offset) % alignment)
                return stop(m, FINDING_MISALIGNED, b, w, position, lane, address, alignment, writes);
        }
    }
    return true;
}

static void note_piece(Machine& m, Block& b, Warp& w, u32 position, u32 lane, const Piece& piece, const u8* stored) {
    bool races = tracks_races(m) && piece.place.area != AREA_LOCAL;
    if (races) {
        bool changes = !stored || memcmp(piece.place.host, stored, piece.size) != 0;
        note_race(m, b, w, lane, position, stored ? ACCESS_WRITE : ACCESS_READ, changes, piece.place, piece.address, piece.size);
    }
    if (stored) mark_written(m, b, w, lane, piece.place, piece.size);
    else if (m.launch->checks & CHECK_UNWRITTEN) check_written(m, b, w, lane, position, piece.place, piece.size);
}

// Each 32 pieces are a request.
static void count_pieces(Machine& m, const Piece* pieces, u32 count) {
    for (u32 first = 0; first < count; first += LANES) {
        u64 addresses[LANES];
        u32 mask = 0;
        for (u32 lane = 0; lane < LANES && first + lane < count; lane++) {
            const Piece& piece = pieces[first + lane];
            addresses[lane] = piece.place.area == AREA_GLOBAL ? piece.address : piece.place.offset;
            mask |= 1u << lane;
        }
        count_traffic(m, addresses, 1u << pieces[first].place.area, mask, pieces[first].size);
    }
}

static u32 memory_index(const Instruction& i, const Fragment& f, u32 index) {
    return i.mode ? index % f.columns * f.rows + index / f.columns : index;
}

static bool load_fragment(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 group) {
    Fragment f = fragment_at(m, m.launch->tables + i.slot[6]);
    Piece pieces[256];
    u8 bytes[MOST_ELEMENTS + 8];
    u64 matrix[MOST_ELEMENTS];
    u32 count, kept = f.bits < 8 ? (1u << f.bits) - 1 : 0;
    if (!find_pieces(m, b, w, i, position, group, f, false, pieces, count)) return false;
    for (u32 k = 0; k < count; k++) {
        note_piece(m, b, w, position, k % LANES, pieces[k], nullptr);
        memcpy(bytes + k * pieces[k].size, pieces[k].place.host, pieces[k].size);
    }
    for (u32 k = 0; k < f.rows * f.columns; k++) {
        u32 at = memory_index(i, f, k) * f.bits;
        matrix[k] = kept ? bytes[at / 8] >> at % 8 & kept : load_bytes(bytes + at / 8, f.bits / 8, false);
    }
    scatter(w, f, group, matrix);
    count_pieces(m, pieces, count);
    return true;
}

static bool store_fragment(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 group) {
    Fragment f = fragment_at(m, m.launch->tables + i.slot[6]);
    Piece pieces[256];
    u8 bytes[MOST_ELEMENTS];
    u64 matrix[MOST_ELEMENTS];
    u32 count;
    if (!find_pieces(m, b, w, i, position, group, f, true, pieces, count)) return false;
    gather(w, f, matrix);
    for (u32 k = 0; k < f.rows * f.columns; k++) memcpy(bytes + memory_index(i, f, k) * f.bits / 8, &matrix[k], f.bits / 8);
    for (u32 k = 0; k < count; k++) {
        note_piece(m, b, w, position, k % LANES, pieces[k], bytes + k * pieces[k].size);
        memcpy(pieces[k].place.host, bytes + k * pieces[k].size, pieces[k].size);
    }
    count_pieces(m, pieces, count);
    return true;
}

// The lanes that have a word of a row of 8 by 8 halves; transposed, the two lanes share it.
static u32 lane_of_word(const Instruction& i, u32 row, u32 word, u32 half) { return i.mode ? (2 * word + half) * 4 + row / 2 : row * 4 + word; }

// ldmatrix and stmatrix: lane 8 * k + r has the address of row r of matrix k.
static bool move_rows(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 group) {
    V* registers = w.registers;
    bool writes = i.operation == OP_MATRIX_STORE;
    u64 addresses[LANES], counted[LANES];
    u32 areas = 0, providers = group & (i.count == 4 ? ~0u : (1u << 8 * i.count) - 1);
    FOR_LANES(provider, providers) addresses[provider] = address_of(i, registers[i.slot[4] * LANES + provider]);
    FOR_LANES(provider, providers) {
        u32 slot = i.slot[provider / 8], row = provider % 8;
        u64 address = addresses[provider];
        Place place;
        if (!reach(m, b, w, i, position, provider, address, 16, writes, place)) return false;
        areas |= 1u << place.area;
        counted[provider] = place.area == AREA_GLOBAL ? address : place.offset;
        for (u32 word = 0; word < 4; word++) {
            u32 lane = lane_of_word(i, row, word, 0), other = lane_of_word(i, row, word, 1), shift = i.mode ? row % 2 * 16 : 0;
            Piece piece = {address + 4 * word, place, 4};
            piece.place.host += 4 * word;
            piece.place.offset += 4 * word;
            if (writes) {
                V value = registers[slot * LANES + lane];
                if (i.mode) value.w = (value.w >> shift & 0xffff) | registers[slot * LANES + other].w >> shift << 16;
                note_piece(m, b, w, position, lane, piece, (u8*)&value);
                memcpy(piece.place.host, &value, 4);
                continue;
            }
            u32 value;
            note_piece(m, b, w, position, lane, piece, nullptr);
            memcpy(&value, piece.place.host, 4);
            if (!i.mode) {
                if (group >> lane & 1) registers[slot * LANES + lane].u = value;
                continue;
            }
            V& low = registers[slot * LANES + lane];
            V& high = registers[slot * LANES + other];
            if (group >> lane & 1) low.u = (low.w & ~(0xffffu << shift)) | (value & 0xffff) << shift;
            if (group >> other & 1) high.u = (high.w & ~(0xffffu << shift)) | value >> 16 << shift;
        }
    }
    count_traffic(m, counted, areas, providers, 16);
    return true;
}

static void transpose(Warp& w, const Instruction& i, u32 group) {
    V* registers = w.registers;
    u16 matrix[8][8];
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 part = 0; part < 2; part++) matrix[lane / 4][lane % 4 * 2 + part] = registers[i.slot[2] * LANES + lane].w >> 16 * part;
    FOR_LANES(lane, group) {
        u32 column = lane / 4, row = lane % 4 * 2;
        registers[i.slot[0] * LANES + lane].u = matrix[row][column] | (u32)matrix[row + 1][column] << 16;
    }
}

static bool matrix_instruction(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 group) {
    if (group != ~0u && (w.live & ~group) == 0)  // `exchange` reports absent lanes that are alive
        report(m, FINDING_ABSENT_LANE, position, b.number, w.first + __builtin_ctz(group), 0, 0, __builtin_ctz(~group));
    switch (i.operation) {
    case OP_MMA: multiply(m, w, i, group); return true;
    case OP_FRAGMENT_LOAD: return load_fragment(m, b, w, i, position, group);
    case OP_FRAGMENT_STORE: return store_fragment(m, b, w, i, position, group);
    case OP_MATRIX_MOVE: transpose(w, i, group); return true;
    default: return move_rows(m, b, w, i, position, group);
    }
}
