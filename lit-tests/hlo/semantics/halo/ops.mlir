// RUN: halo-opt %s --verify-diagnostics --split-input-file

func.func @both(%x: tensor<2xf32>, %place: memref<2xf32>) {
  // expected-error @+1 {{has results and buffers for them}}
  %0 = halo.custom_call "f"(%x) outs(%place : memref<2xf32>) {operand_types = [tensor<2xf32>], result_types = [tensor<2xf32>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @inputs(%x: tensor<2xf32>) {
  // expected-error @+1 {{has 1 inputs, but attribute 'operand_types' has 0 types}}
  halo.custom_call "f"(%x) {operand_types = [], result_types = []} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @outputs(%place: memref<2xf32>) {
  // expected-error @+1 {{has 1 outputs, but attribute 'result_types' has 0 types}}
  halo.custom_call "f"() outs(%place : memref<2xf32>) {operand_types = [], result_types = []} : () -> ()
  return
}

// -----

func.func @elements(%x: tensor<2xf32>) {
  // expected-error @+1 {{has tensor<2xf32> as number 0 of its inputs, but attribute 'operand_types' has tensor<3xf32>}}
  halo.custom_call "f"(%x) {operand_types = [tensor<3xf32>], result_types = []} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @layout_count(%x: tensor<2xf32>) {
  // expected-error @+1 {{attribute 'operand_layouts' has 0 layouts for 1 types}}
  halo.custom_call "f"(%x) {operand_types = [tensor<2xf32>], result_types = [], operand_layouts = []} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @layout(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{attribute 'operand_layouts' has array<i64: 1, 1>, which does not order the dimensions of tensor<2x3xf32>}}
  halo.custom_call "f"(%x) {operand_types = [tensor<2x3xf32>], result_types = [], operand_layouts = [array<i64: 1, 1>]} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @no_kernel(%i: index) {
  // expected-error @+1 {{calls @absent, which is not a function with 'halo.kernel'}}
  halo.parallel_call @absent from %i to %i grain 4
  return
}

// -----

func.func private @plain(index, index)
func.func @not_a_kernel(%i: index) {
  // expected-error @+1 {{calls @plain, which is not a function with 'halo.kernel'}}
  halo.parallel_call @plain from %i to %i grain 4
  return
}

// -----

func.func private @kernel(index, index, memref<4xf32>) attributes {halo.kernel}
func.func @captures(%i: index, %a: memref<8xf32>) {
  // expected-error @+1 {{calls @kernel of type (index, index, memref<4xf32>) -> (), which its operands do not fit}}
  halo.parallel_call @kernel from %i to %i grain 4 captures(%a : memref<8xf32>)
  return
}

// -----

func.func private @kernel(index, index) attributes {halo.kernel}
func.func @grain(%i: index) {
  // expected-error @+1 {{attribute 'grain' failed to satisfy constraint}}
  halo.parallel_call @kernel from %i to %i grain 0
  return
}

// -----

#row = #halo.matrix<start = 0, leading_dimension = 2, batch_stride = 0, transposed = false>
func.func @gemm_types(%a: memref<2x2xi32>, %c: memref<2x2xi32>) {
  // expected-error @+1 {{has matrices of types that no library multiplies}}
  halo.gemm %a, %a into %c {batch = 1 : i64, m = 2 : i64, n = 2 : i64, k = 2 : i64, precision = #halo.gemm_precision<full>, lhs_matrix = #row, rhs_matrix = #row, output_matrix = #row} : memref<2x2xi32>, memref<2x2xi32>, memref<2x2xi32>
  return
}

// -----

#row = #halo.matrix<start = 0, leading_dimension = 2, batch_stride = 0, transposed = false>
#column = #halo.matrix<start = 0, leading_dimension = 2, batch_stride = 0, transposed = true>
func.func @gemm_output(%a: memref<2x2xf32>, %c: memref<2x2xf32>) {
  // expected-error @+1 {{writes a matrix that is transposed}}
  halo.gemm %a, %a into %c {batch = 1 : i64, m = 2 : i64, n = 2 : i64, k = 2 : i64, precision = #halo.gemm_precision<full>, lhs_matrix = #row, rhs_matrix = #row, output_matrix = #column} : memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>
  return
}

// -----

// The last row ends one element behind the buffer.
#row = #halo.matrix<start = 0, leading_dimension = 2, batch_stride = 0, transposed = false>
#late = #halo.matrix<start = 1, leading_dimension = 2, batch_stride = 0, transposed = false>
func.func @gemm_reach(%a: memref<2x2xf32>, %c: memref<2x2xf32>) {
  // expected-error @+1 {{attribute 'rhs_matrix' places a matrix of 2 by 2 outside of operand 1, memref<2x2xf32>}}
  halo.gemm %a, %a into %c {batch = 1 : i64, m = 2 : i64, n = 2 : i64, k = 2 : i64, precision = #halo.gemm_precision<full>, lhs_matrix = #row, rhs_matrix = #late, output_matrix = #row} : memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>
  return
}

// -----

// The second matrix of the batch has no place.
#row = #halo.matrix<start = 0, leading_dimension = 2, batch_stride = 4, transposed = false>
func.func @gemm_batch(%a: memref<2x2x2xf32>, %c: memref<2x2xf32>) {
  // expected-error @+1 {{attribute 'output_matrix' places a matrix of 2 by 2 outside of operand 2, memref<2x2xf32>}}
  halo.gemm %a, %a into %c {batch = 2 : i64, m = 2 : i64, n = 2 : i64, k = 2 : i64, precision = #halo.gemm_precision<full>, lhs_matrix = #row, rhs_matrix = #row, output_matrix = #row} : memref<2x2x2xf32>, memref<2x2x2xf32>, memref<2x2xf32>
  return
}

// -----

// A place that cannot be counted is none.
#row = #halo.matrix<start = 0, leading_dimension = 2, batch_stride = 0, transposed = false>
#far = #halo.matrix<start = 9223372036854775807, leading_dimension = 2, batch_stride = 0, transposed = false>
func.func @gemm_overflow(%a: memref<2x2xf32>, %c: memref<2x2xf32>) {
  // expected-error @+1 {{attribute 'lhs_matrix' places a matrix of 2 by 2 outside of operand 0}}
  halo.gemm %a, %a into %c {batch = 1 : i64, m = 2 : i64, n = 2 : i64, k = 2 : i64, precision = #halo.gemm_precision<full>, lhs_matrix = #far, rhs_matrix = #row, output_matrix = #row} : memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>
  return
}
