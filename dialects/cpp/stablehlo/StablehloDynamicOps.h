//===- StablehloDynamicOps.h - Classes of dialects/stablehlo/DynamicOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_DYNAMIC_OPS_H
#define HALO_DIALECTS_STABLEHLO_DYNAMIC_OPS_H

#include "AssemblyFormat.h"

#define GET_OP_CLASSES
#include "StablehloDynamicOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_DYNAMIC_OPS_H
