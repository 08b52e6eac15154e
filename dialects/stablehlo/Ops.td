//===- Ops.td - All ops of the stablehlo dialect --------------------------===//
//
// All ops, for tools that need the whole dialect. The C++ is generated for each family separately.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_STABLEHLO_OPS
#define HALO_STABLEHLO_OPS

include "stablehlo/BinaryOps.td"
include "stablehlo/CommunicationOps.td"
include "stablehlo/ControlFlowOps.td"
include "stablehlo/DynamicOps.td"
include "stablehlo/LinearAlgebraOps.td"
include "stablehlo/ReductionOps.td"
include "stablehlo/ShapeOps.td"
include "stablehlo/UnaryOps.td"

#endif // HALO_STABLEHLO_OPS
