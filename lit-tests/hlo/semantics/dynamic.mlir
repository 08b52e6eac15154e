// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<?xf32>, %s: tensor<2xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x7xf32>
  %1 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x?xf32>
  %2 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c2(%a: tensor<?xf32>, %s: tensor<2xi32>) {
  // expected-error @+1 {{attribute 'broadcast_dimensions' has 2 entries, but operand 0 has rank 1}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x7xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c7(%a: tensor<?xf32>, %s: tensor<3xi32>) {
  // expected-error @+1 {{result 0 has shape ?x7, but the operands and attributes of the op imply shape ?x?x?}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x7xf32>
  return
}

// -----

func.func @dynamic_reshape_c4(%a: tensor<6xf32>) {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // expected-error @+1 {{result 0 has shape 2x3, but the operands and attributes of the op imply shape 3x2}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_iota_c1(%s: tensor<2xi32>) {
  // expected-error @+1 {{attribute 'iota_dimension' has dimension 2, but result 0 has rank 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_pad_c4(%a: tensor<4xf32>, %f: tensor<f32>) {
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  // expected-error @+1 {{result 0 has shape 8, but the operands and attributes of the op imply shape 9}}
  %0 = stablehlo.dynamic_pad %a, %f, %n, %n, %n : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  return
}

// -----

func.func @rng_c3(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  // expected-error @+1 {{result 0 has shape 4x3, but the operands and attributes of the op imply shape 3x4}}
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @rng_bit_generator_c1(%a: tensor<2xui64>) {
  // expected-error @+1 {{result 0 has shape 3, but operand 0 has shape 2}}
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<3xui64>, tensor<9xui32>)
  return
}
