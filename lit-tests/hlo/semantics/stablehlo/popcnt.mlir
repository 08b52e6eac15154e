// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @popcnt_element_type(%a: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.popcnt' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<4xi1>'}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @popcnt_operand_count(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.popcnt' op requires a single operand}}
  %0 = "stablehlo.popcnt"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @popcnt_c1_shape(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.popcnt' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<4xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @popcnt_c1_rank(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.popcnt' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<4xi32>) -> tensor<4x1xi32>
  return
}

// -----

func.func @popcnt_c1_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.popcnt' op result 0 has element type ui32, but operand 0 has element type i32}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @popcnt_c1_bound(%a: tensor<?xi32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.popcnt' op result 0 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<7xi32>
  return
}

// -----

func.func @popcnt_unranked(%a: tensor<*xi32>) {
  // expected-error @+1 {{'stablehlo.popcnt' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<*xi32>'}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<*xi32>) -> tensor<*xi32>
  return
}
