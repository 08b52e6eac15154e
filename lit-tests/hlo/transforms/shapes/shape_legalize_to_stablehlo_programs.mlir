// RUN: halo-opt %s --shape-legalize-to-stablehlo="legalize-constraints=true inline-assuming=true" | FileCheck %s
// RUN: halo-opt %s --shape-legalize-to-stablehlo="legalize-constraints=true inline-assuming=true" --stablehlo-legalize-to-linalg | FileCheck %s --check-prefix=LINALG

// Shape computations as PyTorch and TensorFlow write them.

// LINALG-NOT: = {{shape|stablehlo}}.

// CHECK-LABEL: @sizes_of_types(
// CHECK-NOT: shape.
// CHECK: stablehlo.get_dimension_size
// CHECK: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
func.func @sizes_of_types(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %n = shape.num_elements %s : !shape.shape -> !shape.size
  %i = shape.size_to_index %n : !shape.size
  %shape = tensor.from_elements %i : tensor<1xindex>
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: @extents(
// CHECK-NOT: shape.
// CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 0 : (tensor<3xi32>) -> tensor<?x?x?xf32>
func.func @extents(%a: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %s = shape.shape_of %a : tensor<?x?xf32> -> !shape.shape
  %c1 = shape.const_size 1
  %d = shape.get_extent %s, %c1 : !shape.shape, !shape.size -> !shape.size
  %c4 = shape.const_shape [4] : !shape.shape
  %m = shape.mul %d, %c1 : !shape.size, !shape.size -> !shape.size
  %f = shape.from_extents %d, %m : !shape.size, !shape.size
  %all = shape.concat %f, %c4 : !shape.shape, !shape.shape -> !shape.shape
  %e = shape.to_extent_tensor %all : !shape.shape -> tensor<3xindex>
  %0 = stablehlo.dynamic_iota %e, dim = 0 : (tensor<3xindex>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: @assumed(
// CHECK-NOT: shape.
// CHECK: stablehlo.custom_call @shape_assertion
// CHECK-NOT: shape.
// CHECK: %[[SUM:.*]] = stablehlo.add
// CHECK: return %[[SUM]]
func.func @assumed(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.cstr_eq %0, %1 : tensor<1xindex>, tensor<1xindex>
  %3 = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
  %4 = shape.assuming_all %2, %3
  %5 = shape.assuming %4 -> (tensor<?xf32>) {
    %6 = stablehlo.add %a, %b : tensor<?xf32>
    shape.assuming_yield %6 : tensor<?xf32>
  }
  return %5 : tensor<?xf32>
}

// CHECK-LABEL: @scalars(
// CHECK: %[[MORE:.*]] = stablehlo.compare GT
// CHECK: stablehlo.select %[[MORE]]
// CHECK: stablehlo.divide
// CHECK: stablehlo.remainder
// CHECK: stablehlo.subtract
// CHECK: stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NOT: arith.
// CHECK: return
func.func @scalars(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %more = arith.cmpi ugt, %n, %c3 : index
  %m = arith.select %more, %n, %c3 : index
  %half = arith.floordivsi %m, %c3 : index
  %shape = tensor.from_elements %half : tensor<1xindex>
  %two = arith.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %two, %shape, dims = [] : (tensor<f32>, tensor<1xindex>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
