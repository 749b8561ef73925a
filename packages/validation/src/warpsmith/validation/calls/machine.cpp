// Runs programs: sequences of calls of compiled statements, with jumps between them.
struct warpsmith_step { size_t kind; char* a; char* b; size_t c; };
struct warpsmith_link { char** place; size_t offset; };
struct warpsmith_program
{
    const warpsmith_step* steps;
    const char* image;          // what variables contain when a thread starts, for the frame from ``local`` on
    size_t local, local_size;
    size_t arguments_size, argument_count, adjoint_start, adjoint_size;  // adjoints start at 0 in a forward pass: there are none
    size_t dimensions, bounds_start, bounds_size, index_start;
    const warpsmith_link* links;  // pointers to adjoints that stay where they are
    size_t link_count;
};

extern "C" { WP_API char warpsmith_frame[1 << 20] __attribute__((aligned(64))); }

static void warpsmith_copy(char* to, const char* from, size_t size) { __builtin_memcpy(to, from, size); }

static void warpsmith_thread_of(const warpsmith_program& program, const char* arguments, const char* adjoints, size_t index)
{
    warpsmith_copy(warpsmith_frame + program.local, program.image, program.local_size);
    warpsmith_copy(warpsmith_frame, arguments, program.arguments_size);
    if (program.adjoint_size) warpsmith_copy(warpsmith_frame + program.adjoint_start, adjoints, program.adjoint_size);
    *(size_t*)(warpsmith_frame + program.index_start) = index;
    for (const warpsmith_step* step = program.steps;; ++step) {
        switch (step->kind) {
        case 0: ((void (*)(char**))step->a)((char**)step->b); break;
        case 1: step = (const warpsmith_step*)step->a - 1; break;
        case 2: if (*(const bool*)step->b) step = (const warpsmith_step*)step->a - 1; break;
        case 3: if (!*(const bool*)step->b) step = (const warpsmith_step*)step->a - 1; break;
        case 4: warpsmith_copy(step->a, step->b, step->c); break;
        default: return;
        }
    }
}

static void warpsmith_begin(const warpsmith_program& program, const void* bounds, char* adjoints)
{
    warpsmith_copy(warpsmith_frame + program.bounds_start, (const char*)bounds, program.bounds_size);
    for (size_t i = 0; i < program.link_count; ++i) *program.links[i].place = adjoints + program.links[i].offset;
}

static size_t warpsmith_threads(const warpsmith_program& program)
{
    switch (program.dimensions) {
    case 1: return ((wp::launch_bounds_t<1>*)(warpsmith_frame + program.bounds_start))->size;
    case 2: return ((wp::launch_bounds_t<2>*)(warpsmith_frame + program.bounds_start))->size;
    case 3: return ((wp::launch_bounds_t<3>*)(warpsmith_frame + program.bounds_start))->size;
    default: return ((wp::launch_bounds_t<4>*)(warpsmith_frame + program.bounds_start))->size;
    }
}

extern "C" {
WP_API void warpsmith_run(const warpsmith_program* program, const void* bounds, char* arguments, char* adjoints)
{
    warpsmith_begin(*program, bounds, adjoints);
    for (size_t index = 0, threads = warpsmith_threads(*program); index < threads; ++index)
        warpsmith_thread_of(*program, arguments, adjoints, index);
}
}

static void warpsmith_stride_of(void** given)
{
    const warpsmith_program& program = *(const warpsmith_program*)given[0];
    for (size_t index = (size_t)blockDim.x * blockIdx.x + threadIdx.x, threads = warpsmith_threads(program); index < threads;
         index += (size_t)blockDim.x * gridDim.x)
        warpsmith_thread_of(program, (const char*)given[1], (const char*)given[2], index);
}

extern "C" {
// ``arguments`` are given as to a CUDA kernel: the bounds, then each argument, then each adjoint. The first argument and the first
// adjoint are where their structures start.
WP_API void warpsmith_run_grid(const warpsmith_program* program, const warpsmith_shape* shape, void** arguments)
{
    char* adjoints = program->adjoint_start ? (char*)arguments[1 + program->argument_count] : nullptr;
    warpsmith_begin(*program, arguments[0], adjoints);
    void* given[] = { (void*)program, arguments[1], adjoints };
    warpsmith_drive(*shape, &warpsmith_stride_of, given);
}
}
