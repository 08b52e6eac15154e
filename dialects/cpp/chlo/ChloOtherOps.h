//===- ChloOtherOps.h - Classes of dialects/chlo/OtherOps.td --------------===//

#ifndef HALO_DIALECTS_CHLO_OTHER_OPS_H
#define HALO_DIALECTS_CHLO_OTHER_OPS_H

#include "ChloDialect.h"

#define GET_OP_CLASSES
#include "ChloOtherOps.h.inc"

#endif // HALO_DIALECTS_CHLO_OTHER_OPS_H
