// RUN: halo-opt %s --stablehlo-canonicalize-dynamism --split-input-file --verify-diagnostics | FileCheck %s

// The annotation of shapes has one number of an operand for each result, and
// what these operands are fits the results.

func.func @count(%a: tensor<4xf32>, %s: tensor<2xi64>) -> tensor<1x2xf32> {
  // expected-error @+1 {{indices_of_shape_operands: number of elements (2) must be equal to the number of operation results (1)}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<[1, 1]> : tensor<2xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @tuple(%a: tensor<4xf32>, %s: tensor<2xi64>) -> tuple<tensor<1x2xf32>, tensor<1x2xf32>> {
  // expected-error @+1 {{indices_of_shape_operands: number of elements (1) must be equal to the number of operation results (2), with tuples flattened}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tuple<tensor<1x2xf32>, tensor<1x2xf32>>
  return %0 : tuple<tensor<1x2xf32>, tensor<1x2xf32>>
}

// -----

func.func @rank(%a: tensor<4xf32>, %s: tensor<2xi64>) -> tensor<1x2xf32> {
  // expected-error @+1 {{indices_of_shape_operands: must have rank = 1}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<1> : tensor<1x1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @element_type(%a: tensor<4xf32>, %s: tensor<2xi64>) -> tensor<1x2xf32> {
  // expected-error @+1 {{indices_of_shape_operands: must have i64 element type}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<1> : tensor<1xi32>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @bounds(%a: tensor<4xf32>, %s: tensor<2xi64>) -> tensor<1x2xf32> {
  // expected-error @+1 {{indices_of_shape_operands: index #0 (-1) must be within bounds for operation operands (from 0 to 2)}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<-1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @result(%a: tensor<4xf32>) -> tensor<1x2xf32> {
  %s = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  // expected-error @+1 {{refinement #0 ([1, 1]) must be compatible with operation result #0 ('tensor<1x2xf32>')}}
  %0 = stablehlo.custom_call @foo(%a, %s) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// Shapes are dropped with their layouts.

// CHECK-LABEL: @layouts
func.func @layouts(%a: tensor<4x3xf32>) -> tensor<1x2xf32> {
  // CHECK: stablehlo.custom_call @foo(%arg0) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x3xf32>) -> tensor<1x2xf32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %0 = stablehlo.custom_call @foo(%c, %a) {indices_of_shape_operands = dense<0> : tensor<1xi64>, operand_layouts = [dense<0> : tensor<1xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2xi64>, tensor<4x3xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
