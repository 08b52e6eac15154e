// RUN: halo-opt %s --stablehlo-check-shape-assertions --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @holds
func.func @holds() {
  // CHECK-NOT: custom_call
  %0 = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%0) {error_message = "never", has_side_effect = true} : (tensor<i1>) -> ()
  // CHECK: return
  return
}

// -----

func.func @fails() {
  %0 = stablehlo.constant dense<false> : tensor<i1>
  %1 = stablehlo.constant dense<7> : tensor<i32>
  %2 = stablehlo.constant dense<-2> : tensor<i64>
  // expected-error @+1 {{size 7 is not a multiple of -2}}
  stablehlo.custom_call @shape_assertion(%0, %1, %2) {error_message = "size {0} is not a multiple of {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i64>) -> ()
  return
}

// -----

func.func @computed(%a: tensor<i1>) {
  // expected-error @+1 {{expects static assert_what (operand #0)}}
  stablehlo.custom_call @shape_assertion(%a) {error_message = "?", has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// -----

func.func @computed_value(%a: tensor<i32>) {
  %0 = stablehlo.constant dense<false> : tensor<i1>
  // expected-error @+1 {{expects static error_message_input (operand #1)}}
  stablehlo.custom_call @shape_assertion(%0, %a) {error_message = "{0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return
}

// -----

func.func @no_condition() {
  // expected-error @+1 {{a shape assertion needs a condition as its first operand}}
  stablehlo.custom_call @shape_assertion() {error_message = "?", has_side_effect = true} : () -> ()
  return
}

// -----

func.func @condition_type() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  // expected-error @+1 {{operand 0 of a shape assertion has type tensor<i32>, but must have type tensor<i1>}}
  stablehlo.custom_call @shape_assertion(%0) {error_message = "?", has_side_effect = true} : (tensor<i32>) -> ()
  return
}

// -----

func.func @value_type() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  // expected-error @+1 {{operand 1 of a shape assertion has type tensor<i1>, but must have type tensor<i32> or tensor<i64>}}
  stablehlo.custom_call @shape_assertion(%0, %0) {error_message = "{0}", has_side_effect = true} : (tensor<i1>, tensor<i1>) -> ()
  return
}

// -----

func.func @message() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  // expected-error @+1 {{a shape assertion needs an attribute 'error_message' that is a string}}
  stablehlo.custom_call @shape_assertion(%0) {has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// -----

func.func @place() {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  // expected-error @+1 {{the message of a shape assertion names value 0, but there are 0}}
  stablehlo.custom_call @shape_assertion(%0) {error_message = "{0}", has_side_effect = true} : (tensor<i1>) -> ()
  return
}
