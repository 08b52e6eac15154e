//===- CheckDialect.h - The check dialect ---------------------------------===//

#ifndef HALO_DIALECTS_CHECK_DIALECT_H
#define HALO_DIALECTS_CHECK_DIALECT_H

#include "StablehloAttrs.h"

#include "CheckDialect.h.inc"

#define GET_OP_CLASSES
#include "CheckOps.h.inc"

#endif // HALO_DIALECTS_CHECK_DIALECT_H
