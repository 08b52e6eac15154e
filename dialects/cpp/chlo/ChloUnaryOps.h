//===- ChloUnaryOps.h - Classes of dialects/chlo/UnaryOps.td --------------===//

#ifndef HALO_DIALECTS_CHLO_UNARY_OPS_H
#define HALO_DIALECTS_CHLO_UNARY_OPS_H

#include "ChloDialect.h"

#define GET_OP_CLASSES
#include "ChloUnaryOps.h.inc"

#endif // HALO_DIALECTS_CHLO_UNARY_OPS_H
