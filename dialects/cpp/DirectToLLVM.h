// Functions of loops, vectors and buffers become the LLVM dialect op by op.

#pragma once

#include "Addresses.h"

namespace halo {

// Converts those functions of a module that return nothing and of which all ops have one form
// in the LLVM dialect. Others stay as they are. Functions take the pointers of their buffers.
void convertDirectly(mlir::Operation *module, Accesses &accesses);

} // namespace halo
