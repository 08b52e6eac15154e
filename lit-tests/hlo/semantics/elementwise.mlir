// RUN: halo-opt %s --split-input-file --verify-diagnostics

// Dynamic and bounded dimensions agree with sizes that fit.
func.func @valid(%a: tensor<?x3xf32>, %b: tensor<7x3xf32>,
                 %c: tensor<?x3xf32, #stablehlo.bounds<8, ?>>, %p: tensor<i1>) {
  %0 = stablehlo.add %a, %b : (tensor<?x3xf32>, tensor<7x3xf32>) -> tensor<7x3xf32>
  %1 = stablehlo.select %p, %b, %c : (tensor<i1>, tensor<7x3xf32>, tensor<?x3xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x3xf32>
  %2 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<?x3xf32>, tensor<7x3xf32>) -> tensor<7x3xi1>
  return
}

// -----

func.func @quantized(%a: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<4x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.multiply %a, %b : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 2.0:1>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<4x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<4xf32>
  return
}

// -----

func.func @same_type_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'stablehlo.multiply' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.multiply"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @same_type_c1_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.cosine"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @same_type_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{result 0 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.negate"(%a) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<7xf32>
  return
}

// -----

func.func @add_quantized(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error @+1 {{operand 1 has element type !quant.uniform<i16:f32, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @abs_c2(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+1 {{result 0 has element type f32, but the operands and attributes of the op imply f64}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xcomplex<f64>>) -> tensor<4xf32>
  return
}

// -----

func.func @imag_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @complex_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has element type complex<f64>, but the operands and attributes of the op imply complex<f32>}}
  %0 = "stablehlo.complex"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @compare_c1(%a: tensor<4xi32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{operand 1 has element type ui32, but operand 0 has element type i32}}
  %0 = stablehlo.compare LT, %a, %b : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi1>
  return
}

// -----

// The element type decides, whatever 'compare_type' says, as in upstream.
func.func @compare_c3(%a: tensor<4xi32>) {
  %0 = stablehlo.compare LT, %a, %a, UNSIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @select_c1(%p: tensor<3xi1>, %a: tensor<4xf32>) {
  // expected-error @+1 {{operand 0 has shape 3, but operand 1 has shape 4}}
  %0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<4xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{operand 2 has shape 5, but operand 1 has shape 4}}
  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c1(%l: tensor<3xf32>, %a: tensor<4xf32>, %h: tensor<f32>) {
  // expected-error @+1 {{operand 0 has shape 3, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%l, %a, %h) : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c2(%l: tensor<f32>, %a: tensor<4xf32>, %h: tensor<2x2xf32>) {
  // expected-error @+1 {{operand 2 has shape 2x2, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%l, %a, %h) : (tensor<f32>, tensor<4xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c4(%l: tensor<f32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has shape 1, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%l, %a, %l) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @uniform_dequantize_c2(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf64>
  return
}

// -----

func.func @uniform_quantize_c2(%a: tensor<4xf64>) {
  // expected-error @+1 {{result 0 expresses f32, but operand 0 has f64}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf64>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @quantized_type_c8(%a: tensor<4x!quant.uniform<i8:f32, 0.5:200>>) {
  // expected-error @+1 {{whose zero point 200 is not between -128 and 127}}
  %0 = "stablehlo.negate"(%a) : (tensor<4x!quant.uniform<i8:f32, 0.5:200>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:200>>
  return
}

// -----

func.func @quantized_type_c13(%a: tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{which has 2 scales for a dimension of size 4}}
  %0 = "stablehlo.add"(%a, %a) : (tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
