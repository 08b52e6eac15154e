// Converts functions with loops, vectors and buffers to the LLVM dialect op by op.

#pragma once

#include "Addresses.h"

namespace halo {

// Converts the functions of a module that return nothing and whose ops all have one counterpart in
// the LLVM dialect. Other functions stay unchanged. Functions take the pointers of their buffers.
void convertDirectly(mlir::Operation *module, Accesses &accesses);

} // namespace halo
