# Tries to write a file by a system call in assembler.
import warp as wp

snippet = """
    long result;
    asm volatile("syscall" : "=a"(result) : "a"(85L), "D"("/tmp/warpsmith-marker"), "S"(0600L) : "rcx", "r11", "memory");
    return x;
    """


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
