// RUN: halo-opt %s --stablehlo-refine-shapes --split-input-file | FileCheck %s

// Functions are refined for what they are called with: @ones once for each size,
// which goes into it.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<4x3xf32>, tensor<3xf32>)
func.func @main(%a: tensor<4x3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>) {
  // CHECK: call @ones() : () -> tensor<4xf32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4x3xf32>) -> tensor<i32>
  %1 = func.call @ones(%0) : (tensor<i32>) -> tensor<?xf32>
  %2 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x3xf32>) -> tensor<i32>
  // CHECK: call @ones_1() : () -> tensor<3xf32>
  %3 = func.call @ones(%2) : (tensor<i32>) -> tensor<?xf32>
  %4 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK: %[[SHAPE:.*]] = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %[[SHAPE]], dims = [0] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  %7 = stablehlo.dynamic_broadcast_in_dim %1, %6, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.add {{.*}} : tensor<4x3xf32>
  %8 = stablehlo.add %7, %a : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %8, %3 : tensor<?x3xf32>, tensor<?xf32>
}

// CHECK: func.func private @ones() -> tensor<4xf32>
// CHECK: func.func private @ones_1() -> tensor<3xf32>
// CHECK-NOT: func.func
func.func private @ones(%n: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// A loop works on what it is given; branches join.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<5xf32>, tensor<5xf32>)
func.func @main(%a: tensor<5xf32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = stablehlo.constant dense<5> : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<5xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: stablehlo.while(%{{.*}}) : tensor<i1>, tensor<5xf32>
  // CHECK: stablehlo.negate {{.*}} : tensor<5xf32>
  %1:2 = stablehlo.while(%c = %p, %x = %0) : tensor<i1>, tensor<?xf32>
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %f = stablehlo.constant dense<false> : tensor<i1>
    %y = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %f, %y : tensor<i1>, tensor<?xf32>
  }
  // CHECK: "stablehlo.if"
  // CHECK: (tensor<i1>) -> tensor<5xf32>
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %1#1 : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<5xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %1#1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Custom calls say which operands are shapes; arguments come out of their
// wrappers.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<2x6xf32>
func.func @main(%a: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-NOT: shape_refinement_operand_wrapper
  %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%a, %c) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %2 = stablehlo.constant dense<6> : tensor<1xi32>
  %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.concatenate %3, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.custom_call @double(%arg0, %{{.*}}) {{.*}} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  %5 = stablehlo.custom_call @double(%0, %4) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %5 : tensor<?x?xf32>
}

// -----

// A call keeps its effects where its results are constants, and what it says
// of the arguments that it keeps; one without effects goes.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<4xf32>, tensor<6xf32>)
// CHECK: %[[FOUR:.*]] = stablehlo.constant dense<4> : tensor<1xi64>
// CHECK: call @told(%arg1) {arg_attrs = [{test.kept}], no_inline} : (!stablehlo.token) -> tensor<1xi64>
// CHECK-NOT: call @pure
// CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %[[FOUR]], dims = []
func.func @main(%x: tensor<f32>, %t: !stablehlo.token) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = stablehlo.constant dense<4> : tensor<i64>
  %0 = func.call @told(%n, %t) {arg_attrs = [{test.dropped}, {test.kept}], no_inline} : (tensor<i64>, !stablehlo.token) -> tensor<1xi64>
  %1 = func.call @pure(%n) : (tensor<i64>) -> tensor<1xi64>
  %2 = stablehlo.dynamic_broadcast_in_dim %x, %0, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %x, %1, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  return %2, %3 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NOT: func.func private @pure
// CHECK: func.func private @told(%arg0: !stablehlo.token {test.b}) -> tensor<1xi64>
func.func private @told(%n: tensor<i64> {test.a}, %t: !stablehlo.token {test.b}) -> tensor<1xi64> {
  func.call @tell(%t) : (!stablehlo.token) -> ()
  %0 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}
func.func private @tell(%t: !stablehlo.token) {
  stablehlo.custom_call @tell(%t) {has_side_effect = true} : (!stablehlo.token) -> ()
  return
}
func.func private @pure(%n: tensor<i64>) -> tensor<1xi64> {
  %two = stablehlo.constant dense<2> : tensor<i64>
  %0 = stablehlo.add %n, %two : tensor<i64>
  %1 = stablehlo.reshape %0 : (tensor<i64>) -> tensor<1xi64>
  return %1 : tensor<1xi64>
}

// -----

// A public function that is called in one way becomes what it is refined to.

// CHECK-LABEL: func.func @main(%arg0: tensor<5xf32>) -> tensor<5xf32>
// CHECK: func.func @helper(%arg0: tensor<5xf32>) -> tensor<5xf32>
// CHECK-NOT: func.func
func.func @main(%x: tensor<5xf32>) -> tensor<?xf32> {
  %0 = func.call @helper(%x) : (tensor<5xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @helper(%x: tensor<5xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : (tensor<5xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// One that others refer to stays as it is, beside its copy.

// CHECK-LABEL: func.func @main(%arg0: tensor<6xf32>) -> tensor<6xf32>
// CHECK: call @kept_0(%arg0)
// CHECK: called_computations = [@kept]
// CHECK: func.func private @kept_0(%arg0: tensor<6xf32>) -> tensor<6xf32>
// CHECK: func.func @kept(%arg0: tensor<?xf32>) -> tensor<?xf32>
func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {
  %c = builtin.unrealized_conversion_cast %x : tensor<6xf32> to tensor<?xf32>
  %0 = func.call @kept(%c) : (tensor<?xf32>) -> tensor<?xf32>
  stablehlo.custom_call @apply(%0) {called_computations = [@kept], has_side_effect = true} : (tensor<?xf32>) -> ()
  return %0 : tensor<?xf32>
}
func.func @kept(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Collectives know the size of their groups where these list replicas, or all
// processes; not where a group is on several partitions.

// CHECK-LABEL: func.func @main
// CHECK: -> tensor<4x6xf32>
// CHECK: -> tensor<4x?xf32>
// CHECK: (tensor<4x6xf32>) -> tensor<2x6xf32>
func.func @main(%x: tensor<4x3xf32>, %y: tensor<4x6xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>, tensor<?x6xf32>) {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x3xf32>) -> tensor<4x?xf32>
  %1 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4x3xf32>) -> tensor<4x?xf32>
  %2 = "stablehlo.reduce_scatter"(%y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<4x6xf32>) -> tensor<?x6xf32>
  return %0, %1, %2 : tensor<4x?xf32>, tensor<4x?xf32>, tensor<?x6xf32>
}

// -----

// Shapes of tensors in tuples count one after the other; a wrapper without a
// rank and a cast let their values through.

// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>) -> (tuple<tensor<1x2xf32>, tensor<3xf32>>, tensor<4xf32>, tensor<4xf32>)
// CHECK: return %{{.*}}, %arg0, %arg0
func.func @main(%x: tensor<4xf32>) -> (tuple<tensor<?x?xf32>, tensor<?xf32>>, tensor<*xf32>, tensor<?xf32>) {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %d = stablehlo.constant dense<3> : tensor<1xi64>
  %e = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.custom_call @parts(%x, %c, %d) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>} : (tensor<4xf32>, tensor<2xi64>, tensor<1xi64>) -> tuple<tensor<?x?xf32>, tensor<?xf32>>
  %1 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x, %e) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<*xf32>
  %2 = builtin.unrealized_conversion_cast %x : tensor<4xf32> to tensor<?xf32>
  return %0, %1, %2 : tuple<tensor<?x?xf32>, tensor<?xf32>>, tensor<*xf32>, tensor<?xf32>
}

// -----

// The region of a scan takes slices of what the scan is given.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[INIT:.*]]: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
func.func @main(%x: tensor<2x3xf32>, %init: tensor<3xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  // CHECK: ^bb0(%{{.*}}: tensor<3xf32>, %{{.*}}: tensor<3xf32>):
  // CHECK: stablehlo.add {{.*}} : tensor<3xf32>
  // CHECK: (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  %0:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%e: tensor<?xf32>, %carry: tensor<?xf32>):
    %s = stablehlo.add %e, %carry : tensor<?xf32>
    stablehlo.return %s, %s : tensor<?xf32>, tensor<?xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?xf32>
}

// -----

// A loop whose body returns another size than that of its operands has an open one; the
// operand is converted to it.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<?xf32, #stablehlo.bounds<2>>
func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  // CHECK: %[[INIT:.*]] = stablehlo.convert %{{.*}} : (tensor<1xf32>) -> tensor<?xf32, #stablehlo.bounds<2>>
  // CHECK: stablehlo.while(%{{.*}} = %[[INIT]]) : tensor<?xf32, #stablehlo.bounds<2>>
  // CHECK: stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<?xf32, #stablehlo.bounds<2>>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %init = stablehlo.set_dimension_size %x, %one, dim = 0 : (tensor<2xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %0 = stablehlo.while(%s = %init) : tensor<?xf32, #stablehlo.bounds<4>>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.convert %x : (tensor<2xf32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}

// -----

// One whose body returns the same size has that, also in a loop around it.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<3xf32>
func.func @main(%x: tensor<3xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  // CHECK: stablehlo.while(%{{.*}} = %{{.*}}) : tensor<3xf32>
  // CHECK: stablehlo.while(%{{.*}} = %{{.*}}) : tensor<3xf32>
  %init = stablehlo.convert %x : (tensor<3xf32>) -> tensor<?xf32>
  %y = stablehlo.add %init, %init : tensor<?xf32>
  %0 = stablehlo.while(%s = %y) : tensor<?xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.while(%t = %s) : tensor<?xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %a = stablehlo.negate %t : tensor<?xf32>
      stablehlo.return %a : tensor<?xf32>
    }
    stablehlo.return %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Branches of different sizes: the largest is a bound.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<?xf32, #stablehlo.bounds<3>>
func.func @main(%p: tensor<i1>) -> tensor<?xf32> {
  // CHECK: stablehlo.convert %{{.*}} : (tensor<1xf32>) -> tensor<?xf32, #stablehlo.bounds<3>>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<3xf32>) -> tensor<?xf32, #stablehlo.bounds<3>>
  // CHECK: (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<3>>
  %0 = "stablehlo.if"(%p) ({
    %n = stablehlo.constant dense<1> : tensor<1xi32>
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    %n = stablehlo.constant dense<3> : tensor<1xi32>
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A size may grow again, up to the bound of the result.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  // CHECK: %[[CUT:.*]] = stablehlo.set_dimension_size %arg0, %{{.*}} : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  // CHECK: stablehlo.set_dimension_size %{{.*}}, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<4xf32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %two, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %1 = stablehlo.set_dimension_size %0, %four, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %1 : tensor<?xf32, #stablehlo.bounds<4>>
}
