// The operations of the table as functions over the lanes of a warp.
#pragma once
#include "arithmetic.h"

const int WARP_LANES = 32;

// Runs an operation for the lanes of `mask`. Each pointer is to the values of all lanes of a result or a source, or null if the
// operation has fewer. A result may be the same array as a source; other overlaps are not allowed. Returns the lanes that
// divided an integer by zero.
typedef u32 WarpOperation(V *results, V *second_results, const V *a, const V *b, const V *c, const V *e, u32 *carries, u32 mask);
