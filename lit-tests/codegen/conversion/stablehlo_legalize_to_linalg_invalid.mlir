// RUN: halo-opt %s --split-input-file --verify-diagnostics --stablehlo-legalize-to-linalg

// Expanded by --halo-expand-communication.
func.func @no_lowering(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{there is no lowering for 'stablehlo.all_gather'}}
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic(%a: tensor<?x3x3xf32>) {
  // expected-error @+1 {{'stablehlo.cholesky' has an operand of dynamic shape tensor<?x3x3xf32>, and its code is made for static shapes: refine the shapes first}}
  %0 = stablehlo.cholesky %a : tensor<?x3x3xf32>
  return
}

// -----

func.func @dynamic_kernel(%x: tensor<?x8x4xf32>, %w: tensor<?x4x2xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' has the dynamic shape tensor<?x4x2xf32> in a dimension that must be static: refine the shapes first}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x4xf32>, tensor<?x4x2xf32>) -> tensor<?x?x2xf32>
  return
}

// -----

// expected-error @+1 {{argument 0 has the type tensor<*xf32>, and code is made for ranked tensors without encodings}}
func.func @unranked_argument(%a: tensor<*xf32>) {
  return
}

// -----

func.func @token() -> !stablehlo.token {
  // expected-error @+1 {{there is no code for elements of !stablehlo.token}}
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @buffer(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{there is no code for a custom call on buffers, such as memref<2xf32>}}
  %0 = stablehlo.custom_call @Pin(%a) : (tensor<2xf32>) -> memref<2xf32>
  %1 = stablehlo.custom_call @Unpin(%0) : (memref<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @larger_than_any_memory(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.broadcast_in_dim' op result 0 has type tensor<4611686018427387904x4xf32>, which has more elements than memory can hold}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<4611686018427387904x4xf32>
  %1 = stablehlo.reduce(%0 init: %a) applies stablehlo.add across dimensions = [0, 1] : (tensor<4611686018427387904x4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
