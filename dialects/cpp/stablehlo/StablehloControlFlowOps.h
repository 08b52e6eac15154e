//===- StablehloControlFlowOps.h - Classes of dialects/stablehlo/ControlFlowOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_CONTROL_FLOW_OPS_H
#define HALO_DIALECTS_STABLEHLO_CONTROL_FLOW_OPS_H

#include "AssemblyFormat.h"

#define GET_OP_CLASSES
#include "StablehloControlFlowOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_CONTROL_FLOW_OPS_H
