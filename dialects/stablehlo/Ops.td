//===- Ops.td - All ops of the stablehlo dialect --------------------------===//
//
// For tools that want the dialect as a whole. The C++ is generated family by
// family.
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
