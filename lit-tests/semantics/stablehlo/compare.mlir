// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @compare_c1(%a: tensor<4xi32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{'stablehlo.compare' op operand 1 has element type ui32, but operand 0 has element type i32}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2_operand(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c2_result(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @compare_c3_signed(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is SIGNED, but operand 0 has element type f32}}
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_unsigned(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is UNSIGNED, but operand 0 has element type i32}}
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_unsigned_integer(%a: tensor<4xui32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is SIGNED, but operand 0 has element type ui32}}
  %0 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
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
