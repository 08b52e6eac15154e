// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @torch_index_select_shape(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op result 0 has shape 3x4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @torch_index_select_element_type(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf64>
  return
}

// -----

func.func @torch_index_select_attribute(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op requires attribute 'batch_dims'}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @torch_index_select_dim(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op attribute 'dim' is 2, but operand 0 has rank 2}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 2 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @torch_index_select_dim_negative(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op attribute 'dim' is -3, but operand 0 has rank 2}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = -3 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @torch_index_select_batch_dims(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op attribute 'batch_dims' is 2, but operand 1 has rank 1}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, batch_dims = 2 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @torch_index_select_batch_dims_negative(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op attribute 'batch_dims' is -2, but operand 1 has rank 1}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, batch_dims = -2 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @torch_index_select_batched(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op attribute 'batch_dims' is 1, but attribute 'dim' is 0, which must not be a batch dimension}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 1 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @torch_index_select_batch_size(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op dimension 0 of operand 1 has size 2, but that of operand 0 has size 5}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
