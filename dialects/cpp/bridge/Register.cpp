//===- Register.cpp - Registration of Halo's dialects ---------------------===//

#include "Register.h"

#include "CheckDialect.h"
#include "ChloDialect.h"
#include "DynamicDialect.h"
#include "HaloDialect.h"
#include "InterpreterDialect.h"
#include "MhloDialect.h"
#include "SdyDialect.h"
#include "StablehloAttrs.h"
#include "mlir/CAPI/IR.h"

void haloRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<mlir::quant::QuantDialect,
                           mlir::stablehlo::StablehloDialect,
                           mlir::chlo::ChloDialect,
                           mlir::check::CheckDialect, mlir::mhlo::MhloDialect,
                           mlir::sdy::SdyDialect,
                           halo::dialect::HaloDialect,
                           mlir::stablehlo::interpreter::InterpreterDialect>();
  halo::registerDynamicDialects(*unwrap(registry));
}
