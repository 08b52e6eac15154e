// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @iota_c1() {
  // expected-error @+1 {{'stablehlo.iota' op attribute 'iota_dimension' has dimension 2, but result 0 has rank 2}}
  %0 = "stablehlo.iota"() {iota_dimension = 2 : i64} : () -> tensor<4x5xi32>
  return
}

// -----

func.func @iota_c1_scalar() {
  // expected-error @+1 {{'stablehlo.iota' op attribute 'iota_dimension' has dimension 0, but result 0 has rank 0}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<i32>
  return
}

// -----

func.func @iota_negative() {
  // expected-error @+1 {{'stablehlo.iota' op attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.iota"() {iota_dimension = -1 : i64} : () -> tensor<4xi32>
  return
}

// -----

func.func @iota_element_type() {
  // expected-error @+1 {{'stablehlo.iota' op result #0 must be statically shaped tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<4xi1>'}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi1>
  return
}

// -----

func.func @iota_dynamic() {
  // expected-error @+1 {{'stablehlo.iota' op result #0 must be statically shaped tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<?xi32>'}}
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<?xi32>
  return
}

// -----

func.func @iota_attribute() {
  // expected-error @+1 {{'stablehlo.iota' op requires attribute 'iota_dimension'}}
  %0 = "stablehlo.iota"() : () -> tensor<4xi32>
  return
}
