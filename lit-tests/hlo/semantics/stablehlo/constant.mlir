// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @constant_c1() {
  // expected-error @+1 {{'stablehlo.constant' op attribute 'value' has type tensor<3xi32>, but result 0 has type tensor<4xi32>}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi32>} : () -> tensor<4xi32>
  return
}

// -----

func.func @constant_c1_element_type() {
  // expected-error @+1 {{'stablehlo.constant' op attribute 'value' has type tensor<3xi32>, but result 0 has type tensor<3xi64>}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi32>} : () -> tensor<3xi64>
  return
}

// -----

func.func @constant_c1_storage() {
  // expected-error @+1 {{'stablehlo.constant' op attribute 'value' has type tensor<3xi16>, but result 0 has type tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi16>} : () -> tensor<3x!quant.uniform<i8:f32,0.5>>
  return
}

// -----

func.func @constant_attribute() {
  // expected-error @+1 {{'stablehlo.constant' op requires attribute 'value'}}
  %0 = "stablehlo.constant"() : () -> tensor<4xi32>
  return
}

// -----

func.func @constant_value_type() {
  // expected-error @+1 {{'stablehlo.constant' op attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
  %0 = "stablehlo.constant"() {value = 1 : i32} : () -> tensor<i32>
  return
}

// -----

func.func @constant_dynamic() {
  // expected-error @+1 {{'stablehlo.constant' op result #0 must be statically shaped tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values, but got 'tensor<?xi32>'}}
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<3xi32>} : () -> tensor<?xi32>
  return
}

// -----

func.func @constant_dynamic_value() {
  // expected-error @+1 {{elements literal type must have static shape}}
  %0 = stablehlo.constant dense<1> : tensor<?xi32>
  return
}

// -----

func.func @constant_without_elements() {
  // expected-error @+1 {{custom op 'stablehlo.constant' expected an elements attribute}}
  %0 = stablehlo.constant 1 : i32
  return
}
