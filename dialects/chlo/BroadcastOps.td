//===- BroadcastOps.td - Elementwise ops that broadcast -------------------===//
//
// Each op broadcasts its operands to one shape and then does the same as the op without
// `broadcast_`: `broadcast_dimensions` maps the dimensions of the operand of lower rank, by default
// to the last ones, and dimensions of size one are repeated.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_CHLO_BROADCAST_OPS
#define HALO_CHLO_BROADCAST_OPS

include "chlo/Attrs.td"
include "chlo/Dialect.td"

class Chlo_BroadcastOp<string mnemonic, list<Trait> traits,
                       Type operandType = Hlo_AnyTensor,
                       Type resultType = Hlo_AnyTensor>
    : Chlo_Op<"broadcast_" # mnemonic, traits # [Pure, Hlo_InfersTypes]> {
  let arguments = (ins
    operandType:$lhs,
    operandType:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    `:` `(` type($lhs) `,` type($rhs) `)` `->` type(results)
  }];
}

def Chlo_BroadcastAddOp : Chlo_BroadcastOp<"add", [Commutative]> {
  let summary = "Addition with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.add`
    does.
  }];
}

def Chlo_BroadcastAndOp : Chlo_BroadcastOp<"and",
    [Commutative], Hlo_AnyPredOrIntTensor> {
  let summary = "Logical or bitwise and with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.and`
    does.
  }];
}

def Chlo_BroadcastAtan2Op : Chlo_BroadcastOp<"atan2",
    [SameOperandsAndResultElementType]> {
  let summary = "Angle of a point with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.atan2`
    does.
  }];
}

def Chlo_BroadcastDivOp : Chlo_BroadcastOp<"divide",
    [SameOperandsAndResultElementType]> {
  let summary = "Division with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.divide`
    does.
  }];
}

def Chlo_BroadcastMaxOp : Chlo_BroadcastOp<"maximum", [Commutative]> {
  let summary = "Maximum with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.maximum` does.
  }];
}

def Chlo_BroadcastMinOp : Chlo_BroadcastOp<"minimum", [Commutative]> {
  let summary = "Minimum with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.minimum` does.
  }];
}

def Chlo_BroadcastMulOp : Chlo_BroadcastOp<"multiply",
    [Commutative, SameOperandsAndResultElementType]> {
  let summary = "Multiplication with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.multiply` does.
  }];
}

def Chlo_BroadcastNextAfterOp : Chlo_BroadcastOp<"next_after",
    [SameOperandsAndResultElementType]> {
  let summary = "Next representable number with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `chlo.next_after`
    does.
  }];
}

def Chlo_BroadcastOrOp : Chlo_BroadcastOp<"or",
    [Commutative], Hlo_AnyPredOrIntTensor> {
  let summary = "Logical or bitwise or with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.or`
    does.
  }];
}

def Chlo_BroadcastPolygammaOp : Chlo_BroadcastOp<"polygamma",
    [SameOperandsAndResultElementType]> {
  let summary = "Polygamma function with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `chlo.polygamma`
    does.
  }];
}

def Chlo_BroadcastPowOp : Chlo_BroadcastOp<"power",
    [SameOperandsAndResultElementType]> {
  let summary = "Power with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.power`
    does.
  }];
}

def Chlo_BroadcastRemOp : Chlo_BroadcastOp<"remainder",
    [SameOperandsAndResultElementType]> {
  let summary = "Remainder with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.remainder` does.
  }];
}

def Chlo_BroadcastShiftLeftOp : Chlo_BroadcastOp<"shift_left",
    [SameOperandsAndResultElementType]> {
  let summary = "Left shift with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.shift_left` does.
  }];
}

def Chlo_BroadcastShiftRightArithmeticOp : Chlo_BroadcastOp<"shift_right_arithmetic",
    [SameOperandsAndResultElementType]> {
  let summary = "Right shift that copies the sign with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.shift_right_arithmetic` does.
  }];
}

def Chlo_BroadcastShiftRightLogicalOp : Chlo_BroadcastOp<"shift_right_logical",
    [SameOperandsAndResultElementType]> {
  let summary = "Right shift that brings in zeros with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.shift_right_logical` does.
  }];
}

def Chlo_BroadcastSubOp : Chlo_BroadcastOp<"subtract",
    [SameOperandsAndResultElementType]> {
  let summary = "Subtraction with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.subtract` does.
  }];
}

def Chlo_BroadcastXorOp : Chlo_BroadcastOp<"xor",
    [Commutative], Hlo_AnyPredOrIntTensor> {
  let summary = "Logical or bitwise exclusive or with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `stablehlo.xor`
    does.
  }];
}

def Chlo_BroadcastZetaOp : Chlo_BroadcastOp<"zeta",
    [SameOperandsAndResultElementType], Hlo_AnyFpTensor,
    Hlo_AnyFpTensor> {
  let summary = "Hurwitz zeta function with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what `chlo.zeta` does.
  }];
}

def Chlo_BroadcastComplexOp : Chlo_BroadcastOp<"complex", [],
    Hlo_AnyFpTensor, Hlo_AnyComplexTensor> {
  let summary = "Complex numbers from their parts with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.complex` does.
  }];
}

def Chlo_BroadcastCompareOp
    : Chlo_BroadcastOp<"compare", [], Hlo_AnyTensor, Hlo_AnyPredTensor> {
  let summary = "Comparison with broadcasting";
  let description = [{
    Broadcasts like every op of this family, then does what
    `stablehlo.compare` does.
  }];

  let arguments = (ins
    Hlo_AnyTensor:$lhs,
    Hlo_AnyTensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
    Chlo_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<Chlo_ComparisonTypeAttr>:$compare_type);
}

def Chlo_BroadcastSelectOp : Chlo_Op<"broadcast_select", [
    Pure, Hlo_InfersTypes]> {
  let summary = "Choice between two tensors with broadcasting";
  let description = [{
    Broadcasts all three operands to one shape, then does what
    `stablehlo.select` does.
  }];

  let arguments = (ins
    Hlo_PredTensor:$pred, Hlo_AnyTensor:$on_true, Hlo_AnyTensor:$on_false);
  let results = (outs Hlo_AnyTensor:$result);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict
    `:` `(` type($pred) `,` type($on_true) `,` type($on_false) `)`
    `->` type(results)
  }];
}

#endif // HALO_CHLO_BROADCAST_OPS
