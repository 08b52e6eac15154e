// RUN: halo-opt %s --split-input-file --verify-diagnostics --stablehlo-legalize-to-linalg

func.func @no_lowering(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{the CPU backend has no lowering for 'stablehlo.cholesky'}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'stablehlo.add' has a result of dynamic shape tensor<?xf32>}}
  %0 = stablehlo.add %a, %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}
