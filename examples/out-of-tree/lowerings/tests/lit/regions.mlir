// The lowerings of the vendor's ops are asked in regions on scalars too, and go before
// Halo's there.
//
// RUN: vendor-run %s --input=1073741824 --expect=2147483647
// RUN: vendor-run %s --backend=interpreter --input=1073741824 --expect=2147483647
// RUN: vendor-run %s --entry=window --input=1073741824 --expect=2147483647
// RUN: vendor-run %s --entry=scatter --input=1073741824 --expect=2147483647
// RUN: vendor-run %s --entry=select_and_scatter --input=1073741824 --expect=2147483647
// RUN: vendor-run %s --entry=sort --input=1 --expect=1
// RUN: vendor-run %s --entry=map --input=1.0 --expect=0.777777778
// RUN: vendor-run %s --entry=nested --input=1073741824 --expect=2147483647
// RUN: vendor-run %s --compile-to=linalg | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: arith.minsi
// CHECK: arith.maxsi
func.func @main(%x: tensor<3xi32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1 = vendor.saturating_add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

func.func @window(%x: tensor<3xi32>) -> tensor<1xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = vendor.saturating_add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}

func.func @scatter(%x: tensor<2xi32>) -> tensor<2xi32> {
  %indices = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %0 = "stablehlo.scatter"(%x, %indices, %x) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    unique_indices = true
  }> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = vendor.saturating_add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @select_and_scatter(%x: tensor<1xi32>) -> tensor<1xi32> {
  %0 = stablehlo.slice %x [0:1] : (tensor<1xi32>) -> tensor<1xi32>
  %init = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
  %1 = "stablehlo.select_and_scatter"(%x, %x, %init) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = vendor.saturating_add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  return %1 : tensor<1xi32>
}

func.func @sort(%x: tensor<3xi32>) -> tensor<3xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = vendor.saturating_add %a, %a : tensor<i32>
    %2 = vendor.saturating_add %b, %b : tensor<i32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

func.func @map(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.tanh %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// In a branch in the body, with a value from around it.
func.func @nested(%x: tensor<3xi32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %positive = stablehlo.compare GE, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "stablehlo.if"(%positive) ({
      %2 = vendor.saturating_add %a, %b : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }, {
      stablehlo.return %a : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}
