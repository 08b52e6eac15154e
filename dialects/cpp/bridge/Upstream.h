/* What tools know of upstream's dialects and passes. */

#ifndef HALO_DIALECTS_UPSTREAM_H
#define HALO_DIALECTS_UPSTREAM_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds Halo's dialects and those of upstream that programs are lowered through, with
 * their interfaces and the translations to LLVM IR. */
MLIR_CAPI_EXPORTED void
haloRegisterCompilerDialects(MlirDialectRegistry registry);

/* Adds the passes on these dialects to the program-wide registry. */
MLIR_CAPI_EXPORTED void haloRegisterCompilerPasses(void);

/* The same with every dialect, extension and translation of upstream. */
MLIR_CAPI_EXPORTED void haloRegisterAllDialects(MlirDialectRegistry registry);

/* Adds every pass and pipeline of upstream to the program-wide registry. */
MLIR_CAPI_EXPORTED void haloRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_UPSTREAM_H */
