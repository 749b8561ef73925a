// printf: the format and the strings are read within the ranges of the launch.
#pragma once

static const u32 MOST_CHARACTERS = 1 << 16;  // that one call reads
static const s32 LARGEST_WIDTH = 200;        // also of a precision

enum PrintResult { PRINT_DONE, PRINT_OUTSIDE, PRINT_INVALID };

struct Printer {
    Machine& m;
    Block& b;
    Warp& w;
    u32 lane;
    u64 format, arguments;
    u32 characters;  // that have been read
    u32 values;      // arguments that have been printed
    u64 address;     // the last one that was read
};

// A conversion of a format, such as "%-8.3f".
struct Conversion {
    char flags[8];
    u32 flag_count;
    s32 width, precision;  // -1 without one
    u32 halves, longs;     // letters h and l
    char type;
};

static void print_byte(Printer& p, char character) {
    Launch* launch = p.m.launch;
    if (launch->printed_size < launch->printed_capacity) launch->printed[launch->printed_size++] = character;
}

static void print_blanks(Printer& p, s64 count) {
    for (; count > 0; count--) print_byte(p, ' ');
}

static bool is_one_of(char character, const char* set) {
    while (*set && *set != character) set++;
    return *set != 0;
}

static PrintResult read_byte(Printer& p, u64 address, char& character) {
    Place place;
    p.address = address;
    if (++p.characters > MOST_CHARACTERS) return PRINT_INVALID;
    if (!find_place(p.m, p.b, p.w, p.lane, SPACE_GENERIC, address, 1, false, place)) return PRINT_OUTSIDE;
    character = *place.host;
    return PRINT_DONE;
}

static PrintResult read_argument(Printer& p, u32 size, u64& value) {
    Place place;
    p.arguments = (p.arguments + size - 1) / size * size;
    p.address = p.arguments;
    if (!find_place(p.m, p.b, p.w, p.lane, SPACE_GENERIC, p.arguments, size, false, place)) return PRINT_OUTSIDE;
    value = load_bytes(place.host, size, false);
    p.arguments += size;
    p.values++;
    return PRINT_DONE;
}

// Read a width or a precision: digits, or a star for an argument; `character` becomes the one behind it.
static PrintResult read_number(Printer& p, char& character, s32& number) {
    if (character == '*') {
        u64 value;
        if (PrintResult result = read_argument(p, 4, value)) return result;
        number = (s32)value;
        if (number < -LARGEST_WIDTH || number > LARGEST_WIDTH) return PRINT_INVALID;
        return read_byte(p, p.format++, character);
    }
    if (character >= '0' && character <= '9') number = 0;
    while (character >= '0' && character <= '9') {
        number = number * 10 + (character - '0');
        if (number > LARGEST_WIDTH) return PRINT_INVALID;
        if (PrintResult result = read_byte(p, p.format++, character)) return result;
    }
    return PRINT_DONE;
}

// Read what follows a percent sign.
static PrintResult read_conversion(Printer& p, Conversion& c) {
    char character;
    if (PrintResult result = read_byte(p, p.format++, character)) return result;
    while (is_one_of(character, "-+ #0")) {
        bool known = false;
        for (u32 k = 0; k < c.flag_count; k++) known |= c.flags[k] == character;
        if (!known) c.flags[c.flag_count++] = character;
        if (PrintResult result = read_byte(p, p.format++, character)) return result;
    }
    if (PrintResult result = read_number(p, character, c.width)) return result;
    if (character == '.') {
        c.precision = 0;
        if (PrintResult result = read_byte(p, p.format++, character)) return result;
        if (PrintResult result = read_number(p, character, c.precision)) return result;
    }
    while (is_one_of(character, "hlzjt")) {
        if (character == 'h') c.halves++; else c.longs++;
        if (PrintResult result = read_byte(p, p.format++, character)) return result;
    }
    c.type = character;
    return is_one_of(character, "diouxXcsfFeEgGaAp%") ? PRINT_DONE : PRINT_INVALID;
}

static PrintResult print_string(Printer& p, const Conversion& c) {
    u64 start;
    if (PrintResult result = read_argument(p, 8, start)) return result;
    bool left = c.width < -1;
    for (u32 k = 0; k < c.flag_count; k++) left |= c.flags[k] == '-';
    s64 length = 0, width = c.width < 0 ? -c.width : c.width;
    for (char character; c.precision < 0 || length < c.precision; length++) {
        if (PrintResult result = read_byte(p, start + length, character)) return result;
        if (!character) break;
    }
    if (c.width != -1 && !left) print_blanks(p, width - length);
    for (s64 k = 0; k < length; k++) {
        char character;
        if (PrintResult result = read_byte(p, start + k, character)) return result;
        print_byte(p, character);
    }
    if (c.width != -1 && left) print_blanks(p, width - length);
    return PRINT_DONE;
}

// Let the C library print a number. The format is made anew, so that it contains nothing but what is known to be valid.
static PrintResult print_number(Printer& p, const Conversion& c) {
    char format[32] = {}, text[1024];
    u32 length = 0;
    format[length++] = '%';
    for (u32 k = 0; k < c.flag_count; k++) format[length++] = c.flags[k];
    if (c.width != -1) format[length++] = '*';
    if (c.precision >= 0) { format[length++] = '.'; format[length++] = '*'; }
    bool is_float = is_one_of(c.type, "fFeEgGaA"), is_pointer = c.type == 'p', is_wide = c.longs && !is_float && c.type != 'c';
    if (is_wide && !is_pointer) { format[length++] = 'l'; format[length++] = 'l'; }
    format[length++] = c.type;
    V value;
    if (PrintResult result = read_argument(p, is_float || is_pointer || is_wide ? 8 : 4, value.u)) return result;
    bool is_signed = c.type == 'd' || c.type == 'i';
    if (!is_wide && c.halves == 1) value.w = is_signed ? (u32)(s32)(s16)value.w : (u16)value.w;
    if (!is_wide && c.halves >= 2) value.w = is_signed ? (u32)(s32)(s8)value.w : (u8)value.w;
    s32 written = 0, width = c.width, precision = c.precision;
#define PRINT(number) \
    (width != -1 ? precision >= 0 ? snprintf(text, sizeof text, format, width, precision, number) : snprintf(text, sizeof text, format, width, number) \
                 : precision >= 0 ? snprintf(text, sizeof text, format, precision, number) : snprintf(text, sizeof text, format, number))
    if (is_float) written = PRINT(value.d);
    else if (is_wide || is_pointer) written = PRINT(value.u);
    else written = PRINT(value.w);
#undef PRINT
    for (s32 k = 0; k < written && k < (s32)sizeof text - 1; k++) print_byte(p, text[k]);
    return PRINT_DONE;
}

static PrintResult print_format(Printer& p) {
    for (;;) {
        char character;
        if (PrintResult result = read_byte(p, p.format++, character)) return result;
        if (!character) return PRINT_DONE;
        if (character != '%') {
            print_byte(p, character);
            continue;
        }
        Conversion c = {};
        c.width = c.precision = -1;
        if (PrintResult result = read_conversion(p, c)) return result;
        if (c.type == '%') print_byte(p, '%');
        else if (PrintResult result = c.type == 's' ? print_string(p, c) : print_number(p, c)) return result;
    }
}

// Print the arguments of a lane; the result is their number.
static bool print(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 lane) {
    u64 format = w.registers[i.slot[2] * LANES + lane].u, arguments = w.registers[i.slot[3] * LANES + lane].u;
    Printer printer = {m, b, w, lane, format, arguments, 0, 0, 0};
    PrintResult result = print_format(printer);
    charge(m, 256ull * printer.characters);
    if (result == PRINT_OUTSIDE) return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, printer.address, 1, 0);
    if (result == PRINT_INVALID) return stop(m, FINDING_INVALID, b, w, position, lane, printer.address, 0, INVALID_FORMAT);
    if (i.slot[0] >= 0) w.registers[i.slot[0] * LANES + lane].u = printer.values;
    return true;
}
