//===- Ops.td - All ops of the chlo dialect -------------------------------===//

#ifndef HALO_CHLO_OPS
#define HALO_CHLO_OPS

include "chlo/BroadcastOps.td"
include "chlo/OtherOps.td"
include "chlo/UnaryOps.td"

#endif // HALO_CHLO_OPS
