//===- InterpreterDialect.h - The interpreter dialect ---------------------===//

#ifndef HALO_DIALECTS_INTERPRETER_DIALECT_H
#define HALO_DIALECTS_INTERPRETER_DIALECT_H

#include "StablehloAttrs.h"

#include "InterpreterDialect.h.inc"

#define GET_OP_CLASSES
#include "InterpreterOps.h.inc"

#endif // HALO_DIALECTS_INTERPRETER_DIALECT_H
