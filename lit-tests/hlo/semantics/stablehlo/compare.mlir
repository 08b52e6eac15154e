// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @compare_c1(%a: tensor<4xi32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{'stablehlo.compare' op operand 1 has element type ui32, but operand 0 has element type i32}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2_operand(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2_result(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @compare_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op result #0 must be ranked tensor of bool values, but got 'tensor<4xi8>'}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @compare_direction(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+2 {{custom op 'stablehlo.compare' expected ::mlir::stablehlo::ComparisonDirection to be one of: EQ, NE, GE, GT, LE, LT}}
  // expected-error @+1 {{custom op 'stablehlo.compare' failed to parse Stablehlo_ComparisonDirectionAttr parameter 'value' which is to be a `::mlir::stablehlo::ComparisonDirection`}}
  %0 = stablehlo.compare LESS, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_without_direction(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op requires attribute 'comparison_direction'}}
  %0 = "stablehlo.compare"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

// Programs in the wild ask for a total order of integers.
func.func @compare_c3_accepted(%a: tensor<4xi1>, %b: tensor<4xi32>, %c: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.compare EQ, %a, %a, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %b, %b, TOTALORDER : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.compare EQ, %c, %c, FLOAT : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

// (C3) is not checked, as upstream does not: element types say how to compare.

func.func @compare_c3(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui32>, %b: tensor<4xi1>, %c: tensor<4xcomplex<f32>>) {
  %0 = stablehlo.compare LT, %f, %f, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %f, %f, UNSIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = stablehlo.compare LT, %i, %i, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = stablehlo.compare LT, %i, %i, FLOAT : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %4 = stablehlo.compare LT, %i, %i, TOTALORDER : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %5 = stablehlo.compare LT, %u, %u, SIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  %6 = stablehlo.compare EQ, %b, %b, SIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %7 = stablehlo.compare EQ, %b, %b, FLOAT : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %8 = stablehlo.compare EQ, %c, %c, TOTALORDER : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  %9 = stablehlo.compare EQ, %c, %c, SIGNED : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}
