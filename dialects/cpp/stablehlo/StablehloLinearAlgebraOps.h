//===- StablehloLinearAlgebraOps.h - Classes of dialects/stablehlo/LinearAlgebraOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_LINEAR_ALGEBRA_OPS_H
#define HALO_DIALECTS_STABLEHLO_LINEAR_ALGEBRA_OPS_H

#include "AssemblyFormat.h"

#define GET_OP_CLASSES
#include "StablehloLinearAlgebraOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_LINEAR_ALGEBRA_OPS_H
