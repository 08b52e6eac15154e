//===- OtherOps.td - CHLO ops that are not elementwise with broadcasting --===//

#ifndef HALO_CHLO_OTHER_OPS
#define HALO_CHLO_OTHER_OPS

include "chlo/Attrs.td"
include "chlo/Dialect.td"

//===----------------------------------------------------------------------===//
// Functions of two operands
//===----------------------------------------------------------------------===//

class Chlo_BinaryOp<string mnemonic, Type type, string lhs, string rhs>
    : Chlo_Op<mnemonic, [
        Pure, Hlo_InfersOperandTypes]> {
  let arguments = !dag(ins, [type, type], [lhs, rhs]);
  let results = (outs type:$result);
  let assemblyFormat =
      "$" # lhs # " `,` $" # rhs # " attr-dict `:` type($" # lhs #
      ") `,` type($" # rhs # ") `->` type($result)";
}

def Chlo_MulhiOp : Chlo_BinaryOp<"mulhi", Hlo_IntTensor, "lhs", "rhs"> {
  let summary = "Upper half of a product";
  let description = [{
    Multiplies at twice the width and keeps the upper half of the bits.
  }];
}

def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after", Hlo_AnyFpTensor, "x", "y"> {
  let summary = "Next representable number";
  let description = [{
    Returns the next representable number after `x` in the direction of `y`.
  }];
}

def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma", Hlo_AnyFpTensor, "n", "x"> {
  let summary = "Polygamma function";
  let description = [{
    Computes the `n`-th derivative of `digamma` at `x`.
  }];
}

def Chlo_ZetaOp : Chlo_BinaryOp<"zeta", Hlo_AnyFpTensor, "x", "q"> {
  let summary = "Hurwitz zeta function";
  let description = [{
    Computes the sum of `(q + n)^-x` over all `n` from zero on.
  }];
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Chlo_ConstantOp : Chlo_Op<"constant", [
    ConstantLike, Pure, AllTypesMatch<["value", "output"]>, Hlo_InfersTypes]> {
  let summary = "Constant tensor";
  let description = [{
    Gives `value`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Hlo_StaticTensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Chlo_ConstantLikeOp : Chlo_Op<"constant_like", [
    Pure, Hlo_InfersTypes]> {
  let summary = "Constant in the shape of a tensor";
  let description = [{
    Repeats `value` over the shape of the operand.
  }];
  let arguments = (ins TypedAttrInterface:$value, Hlo_AnyTensor:$operand);
  let results = (outs Hlo_AnyTensor:$result);
}

//===----------------------------------------------------------------------===//
// Selections, products and scans
//===----------------------------------------------------------------------===//

def Chlo_TopKOp : Chlo_Op<"top_k", [Pure, Hlo_InfersTypes]> {
  let summary = "The largest entries of the last dimension";
  let description = [{
    Returns the `k` largest entries of every row in descending order, and their
    indices. Equal entries are in the order of their indices if `is_stable`,
    and in Halo always.
  }];
  let arguments = (ins
    Hlo_AnyTensor:$operand,
    I64Attr:$k,
    DefaultValuedOptionalAttr<BoolAttr, "true">:$is_stable);
  let results = (outs Hlo_AnyTensor:$values, Hlo_AnyTensor:$indices);
  // Older versions have no `is_stable`.
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable^)? `)` attr-dict
    `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

def Chlo_RaggedDotOp : Chlo_Op<"ragged_dot", [Pure]> {
  let summary = "Product with groups of rows of different sizes";
  let description = [{
    Divides the ragged dimension of `lhs` into groups of `group_sizes` rows and
    multiplies each group by its part of `rhs`. The ragged dimension may be a
    free, contracting or batching dimension.
  }];
  let arguments = (ins
    Hlo_AnyTensor:$lhs,
    Hlo_AnyTensor:$rhs,
    Hlo_IntTensor:$group_sizes,
    Chlo_RaggedDotDimensionNumbers:$ragged_dot_dimension_numbers,
    OptionalAttr<Chlo_PrecisionConfigAttr>:$precision_config);
  let results = (outs Hlo_AnyTensor:$result);
}

def Chlo_ScanOp : Chlo_Op<"scan", [
    AttrSizedOperandSegments, AttrSizedResultSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::mlir::stablehlo::ReturnOp">]> {
  let summary = "Scan along a dimension";
  let description = [{
    Runs the body on every slice of `inputs` along `dimension` and on the values
    carried from the previous iteration, initially `inits`. Returns the
    concatenated slices of all iterations, and the carried values of the last
    one.
  }];
  let arguments = (ins
    Variadic<Hlo_AnyTensor>:$inputs,
    Variadic<Hlo_AnyTensor>:$inits,
    I64Attr:$dimension,
    OptionalAttr<I64Attr>:$scan_dim_size,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
    OptionalAttr<BoolAttr>:$is_associative);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs
    Variadic<Hlo_AnyTensor>:$outputs, Variadic<Hlo_AnyTensor>:$carries);
  let hasCustomAssemblyFormat = 1;
}

#endif // HALO_CHLO_OTHER_OPS
