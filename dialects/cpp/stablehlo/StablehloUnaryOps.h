//===- StablehloUnaryOps.h - Classes of dialects/stablehlo/UnaryOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_UNARY_OPS_H
#define HALO_DIALECTS_STABLEHLO_UNARY_OPS_H

#include "AssemblyFormat.h"

#define GET_OP_CLASSES
#include "StablehloUnaryOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_UNARY_OPS_H
