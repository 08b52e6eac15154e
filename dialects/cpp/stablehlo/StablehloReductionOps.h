//===- StablehloReductionOps.h - Classes of dialects/stablehlo/ReductionOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_REDUCTION_OPS_H
#define HALO_DIALECTS_STABLEHLO_REDUCTION_OPS_H

#include "AssemblyFormat.h"
#include "StablehloControlFlowOps.h"

#define GET_OP_CLASSES
#include "StablehloReductionOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_REDUCTION_OPS_H
