//===- StablehloBinaryOps.h - Classes of dialects/stablehlo/BinaryOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_BINARY_OPS_H
#define HALO_DIALECTS_STABLEHLO_BINARY_OPS_H

#include "AssemblyFormat.h"

#define GET_OP_CLASSES
#include "StablehloBinaryOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_BINARY_OPS_H
