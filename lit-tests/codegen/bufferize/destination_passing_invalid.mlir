// RUN: halo-opt %s --split-input-file --verify-diagnostics --halo-destination-passing

func.func @recursive(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{a call is left after inlining: recursive functions cannot be compiled}}
  %0 = call @recursive(%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error @+1 {{an entry function returns tensor<*xf32>, and only ranked tensors can be returned}}
func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  return %a : tensor<*xf32>
}
