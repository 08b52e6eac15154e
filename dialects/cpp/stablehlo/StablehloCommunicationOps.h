//===- StablehloCommunicationOps.h - Classes of dialects/stablehlo/CommunicationOps.td ---===//

#ifndef HALO_DIALECTS_STABLEHLO_COMMUNICATION_OPS_H
#define HALO_DIALECTS_STABLEHLO_COMMUNICATION_OPS_H

#include "AssemblyFormat.h"
#include "StablehloControlFlowOps.h"

#define GET_OP_CLASSES
#include "StablehloCommunicationOps.h.inc"

#endif // HALO_DIALECTS_STABLEHLO_COMMUNICATION_OPS_H
