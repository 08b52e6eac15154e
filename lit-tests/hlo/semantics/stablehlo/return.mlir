// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @return_not_last(%p: tensor<i1>) {
  "stablehlo.if"(%p) ({
    // expected-error @+1 {{'stablehlo.return' op must be the last operation in the parent block}}
    "stablehlo.return"() : () -> ()
    %0 = stablehlo.not %p : tensor<i1>
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @return_value_type(%n: index) {
  // expected-error @+1 {{'stablehlo.return' op operand #0 must be variadic of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or ranked tensor of per-axis integer quantized values or token or nested tuple with any combination of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or memref of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or ranked tensor of per-axis integer quantized values or token values or memref of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'index'}}
  stablehlo.return %n : index
}
