//===- ChloBroadcastOps.h - Classes of dialects/chlo/BroadcastOps.td --------------===//

#ifndef HALO_DIALECTS_CHLO_BROADCAST_OPS_H
#define HALO_DIALECTS_CHLO_BROADCAST_OPS_H

#include "ChloDialect.h"

#define GET_OP_CLASSES
#include "ChloBroadcastOps.h.inc"

#endif // HALO_DIALECTS_CHLO_BROADCAST_OPS_H
