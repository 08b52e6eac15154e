// RUN: halo-opt %s --halo-bufferize --verify-diagnostics --split-input-file

// Each program has one error, in the words of what fails first.

func.func @results(%x: tensor<4xi8>) -> tensor<2xf32> {
  // expected-error @+1 {{'halo.custom_call' op has results that no buffer was given for}}
  %0 = halo.custom_call "f"(%x) {operand_types = [tensor<4xui8>], result_types = [tensor<2xf32>]} : (tensor<4xi8>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @both(%x: tensor<4xi8>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @+1 {{'halo.custom_call' op has results that no buffer was given for}}
  %0 = halo.custom_call "f"(%x) {operand_types = [tensor<4xui8>], result_types = [tensor<2xf32>]} : (tensor<4xi8>) -> tensor<2xf32>
  %1 = halo.custom_call "g"(%x) {operand_types = [tensor<4xui8>], result_types = [tensor<2xf32>]} : (tensor<4xi8>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.negate' op has no lowering: it works on tensors still, where they become buffers}}
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
