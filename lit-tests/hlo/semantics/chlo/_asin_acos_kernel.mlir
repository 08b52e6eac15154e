// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @asin_acos_kernel_element_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo._asin_acos_kernel' op operand #0 must be tensor of complex type with 32/64-bit float elements values, but got 'tensor<4xf32>'}}
  %0 = "chlo._asin_acos_kernel"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @asin_acos_kernel_operand_count(%a: tensor<4xcomplex<f32>>, %b: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'chlo._asin_acos_kernel' op requires a single operand}}
  %0 = "chlo._asin_acos_kernel"(%a, %b) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @asin_acos_kernel_result_shape(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'chlo._asin_acos_kernel' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "chlo._asin_acos_kernel"(%a) : (tensor<4xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @asin_acos_kernel_result_rank(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'chlo._asin_acos_kernel' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "chlo._asin_acos_kernel"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4x1xcomplex<f32>>
  return
}

// -----

func.func @asin_acos_kernel_result_type(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'chlo._asin_acos_kernel' op result 0 has element type complex<f64>, but operand 0 has element type complex<f32>}}
  %0 = "chlo._asin_acos_kernel"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f64>>
  return
}
