// Instructions that a whole warp executes on matrices.
#pragma once

static bool other_instruction(Machine& m, Block& b, Warp& w, const Instruction& i, u32 position, u32 mask) { return false; }
