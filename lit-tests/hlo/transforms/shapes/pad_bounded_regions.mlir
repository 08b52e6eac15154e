// RUN: halo-opt %s --split-input-file --halo-pad-bounded-regions | FileCheck %s

// A loop on a tensor that grows: data of the size of the bound, and the size. The sum ignores
// what is beyond the size.

// CHECK-LABEL: @grows
// CHECK: %[[N:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[PADDED:.*]] = stablehlo.dynamic_pad %arg0, {{.*}} -> tensor<4xf32>
// CHECK: %[[LOOP:.*]]:3 = stablehlo.while({{.*}} = %[[PADDED]], {{.*}} = %[[N]], {{.*}}) : tensor<4xf32>, tensor<i32>, tensor<f32>
// CHECK: stablehlo.compare{{ +}}LT, %{{.*}}, %arg1
// CHECK: stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK: stablehlo.select %{{.*}} : tensor<4xi1>, tensor<4xf32>
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.return %{{.*}} : tensor<4xf32>, tensor<i32>, tensor<f32>
// CHECK: %[[CUT:.*]] = stablehlo.set_dimension_size %[[LOOP]]#0, %[[LOOP]]#1, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
// CHECK: return %[[CUT]], %[[LOOP]]#1, %[[LOOP]]#2
func.func @grows(%x: tensor<?xf32, #stablehlo.bounds<4>>, %k: tensor<i32>)
    -> (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>, tensor<f32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%s = %x, %sum = %zero) : tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>
  cond {
    %n = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>
    %c = stablehlo.compare LT, %n, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>
    %more = stablehlo.add %n, %one : tensor<i32>
    %grown = stablehlo.set_dimension_size %s, %more, dim = 0
      : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    %next = stablehlo.reduce(%grown init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
    stablehlo.return %grown, %next : tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>
  }
  %size = stablehlo.get_dimension_size %0#0, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<i32>
  return %0#0, %size, %0#1 : tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>, tensor<f32>
}

// -----

// The size is the same in each iteration.

// CHECK-LABEL: @same_size
// CHECK: stablehlo.while({{.*}} = %arg0) : tensor<?xf32, #stablehlo.bounds<4>>
func.func @same_size(%x: tensor<?xf32, #stablehlo.bounds<4>>, %c: tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = stablehlo.while(%s = %x) : tensor<?xf32, #stablehlo.bounds<4>>
  cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.add %s, %s : tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %t : tensor<?xf32, #stablehlo.bounds<4>>
  }
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}

// -----

// Branches of different sizes.

// CHECK-LABEL: @branches
// CHECK: %[[IF:.*]]:2 = "stablehlo.if"(%arg1)
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<i32>
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<i32>
// CHECK: (tensor<i1>) -> (tensor<4xf32>, tensor<i32>)
// CHECK: stablehlo.set_dimension_size %[[IF]]#0, %[[IF]]#1, dim = 0
func.func @branches(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = "stablehlo.if"(%p) ({
    %one = stablehlo.constant dense<1> : tensor<i32>
    %a = stablehlo.set_dimension_size %x, %one, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }, {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %a = stablehlo.set_dimension_size %x, %three, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }) : (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}

// -----

// An op without a padded form, and a size without a bound, stay as they are.

// CHECK-LABEL: @left
// CHECK-NOT: dynamic_pad
// CHECK: "stablehlo.if"
// CHECK: stablehlo.custom_call
// CHECK: (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @left(%x: tensor<?xf32, #stablehlo.bounds<4>>, %p: tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.custom_call @unknown(%x) : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }, {
    stablehlo.return %x : tensor<?xf32, #stablehlo.bounds<4>>
  }) : (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
