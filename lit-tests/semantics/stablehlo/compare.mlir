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

// -----

func.func @compare_c3_boolean(%a: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is SIGNED, but operand 0 has element type i1}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_boolean_float(%a: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is FLOAT, but operand 0 has element type i1}}
  %0 = stablehlo.compare EQ, %a, %a, FLOAT : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_integer_float(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is FLOAT, but operand 0 has element type i32}}
  %0 = stablehlo.compare EQ, %a, %a, FLOAT : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_unsigned_float(%a: tensor<4xui32>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is FLOAT, but operand 0 has element type ui32}}
  %0 = stablehlo.compare EQ, %a, %a, FLOAT : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is TOTALORDER, but operand 0 has element type complex<f32>}}
  %0 = stablehlo.compare EQ, %a, %a, TOTALORDER : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @compare_c3_complex_signed(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.compare' op attribute 'compare_type' is SIGNED, but operand 0 has element type complex<f32>}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
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
