//===- CheckOps.td - The check dialect ------------------------------------===//
//
// Assertions about values of a program, for test programs. A backend that runs a
// failing assertion reports its location and the worst element.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_CHECK_OPS
#define HALO_CHECK_OPS

include "stablehlo/Base.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::mlir::check";
  let summary = "Assertions in test programs";
}

// An assertion is never moved past an effect or erased.
class Check_Op<string mnemonic, list<Trait> traits = []>
    : Op<Check_Dialect, mnemonic, traits # [
        Hlo_ExternalEffects, Hlo_Semantics]>;

def Check_FpTensor : TensorOf<[AnyFloat, AnyComplex]>;

def Check_ExpectEqOp : Check_Op<"expect_eq", [SameTypeOperands]> {
  let summary = "Asserts that two tensors are equal";
  let description = [{
    Floats are compared by value, except that any NaN equals any other NaN.
    Positive and negative zero are equal.
  }];
  let arguments = (ins Hlo_Tensor:$lhs, Hlo_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Check_ExpectEqConstOp
    : Check_Op<"expect_eq_const", [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "Asserts that a tensor equals a constant";
  let description = [{
    Floats are compared as by `check.expect_eq`.
  }];
  let arguments = (ins Hlo_Tensor:$lhs, ElementsAttr:$value);
  let assemblyFormat = "$lhs `,` $value attr-dict";
}

def Check_ExpectAlmostEqOp
    : Check_Op<"expect_almost_eq", [SameTypeOperands]> {
  let summary = "Asserts that two tensors are nearly equal";
  let description = [{
    Elements may differ by `tolerance`.
  }];
  let arguments = (ins
    Check_FpTensor:$lhs, Check_FpTensor:$rhs,
    DefaultValuedOptionalAttr<F64Attr, "0.001">:$tolerance);
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict `:` type($lhs)
  }];
}

def Check_ExpectAlmostEqConstOp
    : Check_Op<"expect_almost_eq_const", [AllTypesMatch<["lhs", "value"]>]> {
  let summary = "Asserts that a tensor nearly equals a constant";
  let description = [{
    Elements may differ by `tolerance`.
  }];
  let arguments = (ins
    Check_FpTensor:$lhs, ElementsAttr:$value,
    DefaultValuedOptionalAttr<F64Attr, "0.001">:$tolerance);
  let assemblyFormat =
      "$lhs `,` $value (`,` `tolerance` `=` $tolerance^)? attr-dict";
}

def Check_ExpectCloseOp : Check_Op<"expect_close"> {
  let summary = "Asserts that two tensors differ by a few ULP";
  let description = [{
    The distance of two elements, in units in the last place, must be at least
    `min_ulp_difference` and at most `max_ulp_difference`.
  }];
  let arguments = (ins
    Check_FpTensor:$actual, Check_FpTensor:$expected,
    DefaultValuedOptionalAttr<UI64Attr, "3">:$max_ulp_difference,
    DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let assemblyFormat = [{
    $actual `,` $expected ``
    custom<UlpLimits>($max_ulp_difference, $min_ulp_difference)
    attr-dict `:` type($actual) `,` type($expected)
  }];
}

def Check_ExpectSerializedEqOp : Check_Op<"expect_serialized_eq"> {
  let summary = "Asserts that a probe recorded a tensor";
  let description = [{
    Compares with the value that `interpreter.probe` named `probe_id` recorded
    in its `iter`-th run.
  }];
  let arguments = (ins
    Hlo_Tensor:$expected, StrAttr:$probe_id, OptionalAttr<UI32Attr>:$iter);
  let assemblyFormat = [{
    $expected `,` `probe_id` `=` $probe_id (`,` `iter` `=` $iter^)?
    attr-dict `:` type($expected)
  }];
}

#endif // HALO_CHECK_OPS
