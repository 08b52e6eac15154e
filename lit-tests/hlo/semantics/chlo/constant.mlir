// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @constant_result_type() {
  // expected-error @+1 {{'chlo.constant' op failed to verify that all of {value, output} have same type}}
  %0 = "chlo.constant"() {value = dense<1> : tensor<2xi32>} : () -> tensor<3xi32>
  return
}

// -----

func.func @constant_attribute() {
  // expected-error @+1 {{'chlo.constant' op requires attribute 'value'}}
  %0 = "chlo.constant"() : () -> tensor<2xi32>
  return
}

// -----

func.func @constant_value() {
  // expected-error @+1 {{'chlo.constant' op attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
  %0 = "chlo.constant"() {value = 1 : i32} : () -> tensor<i32>
  return
}
