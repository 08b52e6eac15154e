//===- CheckOps.td - The check dialect ------------------------------------===//
//
// Assertions that a program makes about its own values. They stand in test
// programs; a backend that runs one fails with the place and the worst element.
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

// An assertion is never moved past an effect or dropped.
class Check_Op<string mnemonic, list<Trait> traits = []>
    : Op<Check_Dialect, mnemonic, traits # [
        Hlo_ExternalEffects, Hlo_Semantics]>;

def Check_FpTensor : TensorOf<[AnyFloat, AnyComplex]>;

def Check_ExpectEqOp : Check_Op<"expect_eq", [SameTypeOperands]> {
  let summary = "Asserts that two tensors are equal";
  let description = [{
    Floats must be the same number: NaN equals NaN of any bits, and zeros equal
    each other whatever their signs.
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
  let summary = "Asserts that a probe saw a tensor";
  let description = [{
    Compares with what `interpreter.probe` named `probe_id` wrote in its
    `iter`-th run.
  }];
  let arguments = (ins
    Hlo_Tensor:$expected, StrAttr:$probe_id, OptionalAttr<UI32Attr>:$iter);
  let assemblyFormat = [{
    $expected `,` `probe_id` `=` $probe_id (`,` `iter` `=` $iter^)?
    attr-dict `:` type($expected)
  }];
}

#endif // HALO_CHECK_OPS
