//===- Dialect.td - The halo dialect --------------------------------------===//
//
// The contracts between passes of the compiler. Information that one pass leaves for another, and
// that no upstream dialect can express, is an op or an attribute of this dialect, so that the
// verifier checks it and a dump shows it. src/hlo/semantics/halo.rs verifies them.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_HALO_DIALECT
#define HALO_HALO_DIALECT

include "stablehlo/Base.td"

def Halo_Dialect : Dialect {
  let name = "halo";
  let cppNamespace = "::halo::dialect";
  let summary = "Contracts between the passes of the compiler";
  let description = [{
    Ops represent calls out of the compiled program: to the handler of a custom
    call, to the thread pool, to other processes, to a library of matrix
    products.

    Attributes with the prefix `halo.` are discardable attributes of ops of
    other dialects; `src/ir/ops/halo/contracts.rs` declares their owners, values,
    writers, readers, and the phase after which none is present.

    Other names with this prefix are errors, and so are all of them on arguments
    and results of functions.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // HALO_HALO_DIALECT
