// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @rng_bit_generator_c1(%a: tensor<2xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op result 0 has shape 3, but operand 0 has shape 2}}
  %0:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<3xui64>, tensor<9xui32>)
  return
}

// -----

func.func @rng_bit_generator_c1_element_type(%a: tensor<2xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op result 0 has element type ui32, but operand 0 has element type ui64}}
  %0:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui32>, tensor<9xui32>)
  return
}

// -----

func.func @rng_bit_generator_dynamic(%a: tensor<2xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op result #1 must be statically shaped tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float values, but got 'tensor<?xui32>'}}
  %0:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}

// -----

func.func @rng_bit_generator_result_type(%a: tensor<2xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op result #1 must be statically shaped tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float values, but got 'tensor<4xi1>'}}
  %0:2 = "stablehlo.rng_bit_generator"(%a) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi1>)
  return
}

// -----

func.func @rng_bit_generator_algorithm(%a: tensor<2xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op requires attribute 'rng_algorithm'}}
  %0:2 = "stablehlo.rng_bit_generator"(%a) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_three_fry(%a: tensor<3xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op operand 0 has type tensor<3xui64>, but the state of THREE_FRY has 2 words of 64 bits}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_narrow(%a: tensor<2xui32>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op operand 0 has type tensor<2xui32>, but the state of THREE_FRY has 2 words of 64 bits}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui32>) -> (tensor<2xui32>, tensor<4xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox(%a: tensor<4xui64>) {
  // expected-error @+1 {{'stablehlo.rng_bit_generator' op operand 0 has type tensor<4xui64>, but the state of PHILOX has 2 or 3 words of 64 bits}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}

// -----

// The same bits in narrower words, and the state that is left to the backend.
func.func @rng_bit_generator_c2_accepted(%a: tensor<4xui32>, %b: tensor<5xui64>) {
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
  %1:2 = stablehlo.rng_bit_generator %b, algorithm = DEFAULT : (tensor<5xui64>) -> (tensor<5xui64>, tensor<4xui32>)
  return
}
