//===- Dialect.td - The stablehlo dialect ---------------------------------===//

#ifndef HALO_STABLEHLO_DIALECT
#define HALO_STABLEHLO_DIALECT

include "stablehlo/Base.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mlir::stablehlo";
  let summary = "Tensor computations exported by machine learning frameworks";
  let description = [{
    The operation set of the StableHLO specification, in its own syntax, so that
    programs exported by JAX, PyTorch/XLA and TensorFlow are read unmodified.
    Every value is immutable; effects are ordered by tokens.

    Specification: openxla/stablehlo, `docs/spec.md`.
  }];

  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  // `#stablehlo.type_extensions<...>` is an older spelling of `#stablehlo.bounds<...>`, which the
  // generated parser does not accept.
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerBytecode();
    void registerTypes();
    // One function per family of ops, so that each is compiled on its own.
    void registerUnaryOps();
    void registerBinaryOps();
    void registerShapeOps();
    void registerDynamicOps();
    void registerLinearAlgebraOps();
    void registerReductionOps();
    void registerControlFlowOps();
    void registerCommunicationOps();
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

// Hlo_Semantics is the last trait: the hook runs on ops that satisfy every constraint written in
// ODS.
class Stablehlo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic,
         traits # [Hlo_Speculatability, Hlo_Semantics]>;

#endif // HALO_STABLEHLO_DIALECT
