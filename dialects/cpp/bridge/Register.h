/*===- Register.h - Registration of Halo's dialects -----------------------===*/

#ifndef HALO_DIALECTS_REGISTER_H
#define HALO_DIALECTS_REGISTER_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds Halo's dialects, quant, whose types they use, and the dialects that were
 * declared in Rust. */
MLIR_CAPI_EXPORTED void haloRegisterDialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_REGISTER_H */
