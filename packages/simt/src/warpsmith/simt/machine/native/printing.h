// printf: the format and the strings are read within the ranges of the launch.
#pragma once

static void print_byte(Launch* launch, char character) {
    if (launch->printed_size < launch->printed_capacity) launch->printed[launch->printed_size++] = character;
}

static bool read_byte(Machine& m, Block& b, Warp& w, u32 lane, u64 address, char& character) {
    Place place;
    if (!find_place(m, b, w, lane, SPACE_GENERIC, address, 1, false, place)) return false;
    character = *place.host;
    return true;
}

static bool read_argument(Machine& m, Block& b, Warp& w, u32 lane, u64& address, u32 size, u64& value) {
    Place place;
    address = (address + size - 1) / size * size;
    if (!find_place(m, b, w, lane, SPACE_GENERIC, address, size, false, place)) return false;
    value = load_bytes(place.host, size, false);
    address += size;
    return true;
}

// Print one conversion; false if an address is outside.
static bool print_value(Machine& m, Block& b, Warp& w, u32 lane, const char* format, u64& arguments) {
    char text[512] = {};
    u32 length = 0;
    bool wide = false;
    while (format[length]) wide |= format[length] == 'l' || format[length] == 'z' || format[length] == 'j' || format[length] == 't', length++;
    char conversion = format[length - 1];
    u64 value = 0;
    bool is_float = conversion == 'f' || conversion == 'F' || conversion == 'e' || conversion == 'E' || conversion == 'g' || conversion == 'G' || conversion == 'a' || conversion == 'A';
    u32 size = is_float || conversion == 's' || conversion == 'p' || wide ? 8 : 4;
    if (!read_argument(m, b, w, lane, arguments, size, value)) return false;
    if (conversion == 's') {
        for (u32 k = 0; k < 65536; k++) {
            char character;
            if (!read_byte(m, b, w, lane, value + k, character)) return false;
            if (!character) break;
            print_byte(m.launch, character);
        }
        return true;
    }
    if (is_float) {
        V number;
        number.u = value;
        snprintf(text, sizeof text, format, number.d);
    } else if (size == 8) {
        snprintf(text, sizeof text, format, value);
    } else {
        snprintf(text, sizeof text, format, (u32)value);
    }
    for (u32 k = 0; text[k] && k < sizeof text; k++) print_byte(m.launch, text[k]);
    return true;
}

static bool print(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 lane) {
    u64 format = w.registers[i.slot[2] * LANES + lane].u, arguments = w.registers[i.slot[3] * LANES + lane].u;
    for (u32 count = 0; count < 65536; count++) {
        char character, conversion[32] = {};
        if (!read_byte(m, b, w, lane, format++, character)) return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, format - 1, 1, 0);
        if (!character) break;
        if (character != '%') {
            print_byte(m.launch, character);
            continue;
        }
        u32 length = 0;
        conversion[length++] = '%';
        bool valid = false;
        while (length < 24) {
            if (!read_byte(m, b, w, lane, format++, character)) return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, format - 1, 1, 0);
            if (character == 'h') continue;
            conversion[length++] = character;
            bool flag = character == '-' || character == '+' || character == ' ' || character == '#' || character == '.' || (character >= '0' && character <= '9');
            if (flag || character == 'l' || character == 'z' || character == 'j' || character == 't') continue;
            const char* known = "diouxXcsfFeEgGaAp%";
            while (*known && *known != character) known++;
            valid = *known != 0;
            break;
        }
        u32 digits = 0;  // a width of more than two digits would not fit
        for (u32 k = 1; k < length; k++) digits = conversion[k] >= '0' && conversion[k] <= '9' ? digits + 1 : conversion[k] == '.' ? 0 : digits > 2 ? digits : 0;
        if (!valid || digits > 2) return stop(m, FINDING_INVALID, b, w, position, lane, format, 0, 4);
        if (character == '%') print_byte(m.launch, '%');
        else if (!print_value(m, b, w, lane, conversion, arguments))
            return stop(m, FINDING_OUT_OF_BOUNDS, b, w, position, lane, arguments, 8, 0);
    }
    if (i.slot[0] >= 0) w.registers[i.slot[0] * LANES + lane].u = 0;
    return true;
}
