//===- Dialect.td - The chlo dialect --------------------------------------===//

#ifndef HALO_CHLO_DIALECT
#define HALO_CHLO_DIALECT

include "stablehlo/Base.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mlir::chlo";
  let summary = "Computations composed of stablehlo ops";
  let description = [{
    Ops that frameworks emit instead of several StableHLO ops: implicit
    broadcasting, special functions, scans. Every op has an expansion.
  }];

  let dependentDialects = [
    "::mlir::quant::QuantDialect", "::mlir::stablehlo::StablehloDialect"
  ];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerBytecode();
    // One function per family of ops, so that each is compiled separately.
    void registerUnaryOps();
    void registerBroadcastOps();
    void registerOtherOps();
  }];
}

class Chlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Chlo_Dialect, mnemonic, traits # [Hlo_Semantics]>;

#endif // HALO_CHLO_DIALECT
