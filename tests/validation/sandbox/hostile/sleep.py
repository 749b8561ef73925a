# Tries to wait without end without using the processor.
import warp as wp

snippet = """
    // Finds a function of the C library: from printf back to the start of its file, and through the table of its symbols.
    auto find = [](const char* name) -> void* {
        char* start = (char*)((unsigned long long)&printf & ~4095ull);
        while (*(unsigned*)start != 0x464c457fu)
            start -= 4096;
        char* header = start + *(long long*)(start + 32);
        while (*(unsigned*)header != 2)
            header += 56;
        char *texts = nullptr, *symbol = nullptr;
        for (long long* entry = (long long*)(start + *(long long*)(header + 16)); entry[0]; entry += 2) {
            char* place = (char*)entry[1] < start ? start + entry[1] : (char*)entry[1];
            texts = entry[0] == 5 ? place : texts;
            symbol = entry[0] == 6 ? place : symbol;
        }
        for (;; symbol += 24) {
            const char *one = texts + *(unsigned*)symbol, *other = name;
            while (*one && *one == *other)
                ++one, ++other;
            if (*one == *other && *(unsigned short*)(symbol + 6))
                return start + *(long long*)(symbol + 8);
        }
    };
    for (;;)
        ((unsigned (*)(unsigned))find("sleep"))(1000);
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
