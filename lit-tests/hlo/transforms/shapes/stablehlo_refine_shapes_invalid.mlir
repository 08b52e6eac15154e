// RUN: halo-opt %s --stablehlo-refine-shapes --split-input-file --verify-diagnostics

func.func @main(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = func.call @forever(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @forever(%a: tensor<3xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{Function forever is being refined recursively}}
  %0 = func.call @forever(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{must have no more than one function or a `main` function to clearly identify which function will be refined}}
module {
  func.func @a() { return }
  func.func @b() { return }
}

// -----

// expected-error @+1 {{'func.func' op must have exactly one block}}
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  cf.br ^bb1(%a : tensor<f32>)
^bb1(%b : tensor<f32>):
  return %b : tensor<f32>
}

// -----

// The annotation of shapes has one number of an operand for each tensor.

func.func @main(%a: tensor<4xf32>, %s: tensor<1xi64>) -> tensor<?xf32> {
  // expected-error @+1 {{indices_of_shape_operands: number of elements (2) must be equal to the number of operation results (1)}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<[1, 1]> : tensor<2xi64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%a: tensor<4xf32>, %s: tensor<1xi64>) -> tensor<?xf32> {
  // expected-error @+1 {{indices_of_shape_operands: index #0 (2) must be within bounds for operation operands (from 0 to 2)}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<2> : tensor<1xi64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
