// RUN: halo-opt %s --halo-hoist-collectives --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-hoist-collectives=bytes=31 --split-input-file | FileCheck %s --check-prefix=SMALL

// %w is carried without change, and %c is from outside; %x is neither.
// CHECK-LABEL: func.func @gathers
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[G:.*]] = "stablehlo.all_gather"(%[[N]])
// CHECK-NEXT: %[[H:.*]] = "stablehlo.all_gather"(%arg2)
// CHECK-NEXT: %{{.*}}:3 = stablehlo.while(%[[X:.*]] = %arg0,
// CHECK: do {
// CHECK-NEXT: %[[P:.*]] = "stablehlo.collective_permute"(%[[X]])
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[P]], %[[G]]
// CHECK-NEXT: stablehlo.add %[[S]], %[[H]]
// SMALL-LABEL: func.func @gathers
// SMALL: stablehlo.while
// SMALL: "stablehlo.all_gather"
func.func @gathers(%a: tensor<8xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %0:3 = stablehlo.while(%x = %a, %w = %b, %q = %p) : tensor<8xf32>, tensor<4xf32>, tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
      %2 = stablehlo.negate %w : tensor<4xf32>
      %3 = "stablehlo.all_gather"(%2) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
      %4 = stablehlo.add %1, %3 : tensor<8xf32>
      %5 = "stablehlo.all_gather"(%c) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
      %6 = stablehlo.add %4, %5 : tensor<8xf32>
      stablehlo.return %6, %w, %q : tensor<8xf32>, tensor<4xf32>, tensor<i1>
    }
  return %0#0 : tensor<8xf32>
}

// -----

// Out of two loops, with the body of the reduction. One whose operand another collective in the
// loop computes leaves with it.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT: %[[R:.*]] = "stablehlo.all_reduce"(%arg1)
// CHECK: %[[P:.*]] = "stablehlo.collective_permute"(%[[R]])
// CHECK-NEXT: stablehlo.while
// CHECK-NOT: stablehlo.all_reduce
func.func @nested(%a: tensor<4xf32>, %b: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0:2 = stablehlo.while(%x = %a, %q = %p) : tensor<4xf32>, tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1:2 = stablehlo.while(%y = %x, %r = %q) : tensor<4xf32>, tensor<i1>
        cond {
          stablehlo.return %r : tensor<i1>
        } do {
          %2 = "stablehlo.all_reduce"(%b) ({
          ^bb0(%u: tensor<f32>, %v: tensor<f32>):
            %s = stablehlo.add %u, %v : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
          %3 = "stablehlo.collective_permute"(%2) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
          %4 = stablehlo.add %y, %3 : tensor<4xf32>
          stablehlo.return %4, %r : tensor<4xf32>, tensor<i1>
        }
      stablehlo.return %1#0, %q : tensor<4xf32>, tensor<i1>
    }
  return %0#0 : tensor<4xf32>
}

// -----

// A loop that does not iterate has no need of it, and processes may take different branches.
// CHECK-LABEL: func.func @stays
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_gather"
// CHECK: stablehlo.if
// CHECK-NEXT: stablehlo.while
// CHECK: "stablehlo.all_gather"
func.func @stays(%a: tensor<8xf32>, %b: tensor<4xf32>, %p: tensor<i1>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %i = %zero) : tensor<8xf32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = "stablehlo.all_gather"(%b) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
      %2 = stablehlo.add %x, %1 : tensor<8xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %3 : tensor<8xf32>, tensor<i32>
    }
  %4 = "stablehlo.if"(%p) ({
    %1:2 = stablehlo.while(%x = %a, %q = %p) : tensor<8xf32>, tensor<i1>
      cond {
        stablehlo.return %q : tensor<i1>
      } do {
        %2 = "stablehlo.all_gather"(%b) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
        %3 = stablehlo.add %x, %2 : tensor<8xf32>
        stablehlo.return %3, %q : tensor<8xf32>, tensor<i1>
      }
    stablehlo.return %1#0 : tensor<8xf32>
  }, {
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  %5 = stablehlo.add %0#0, %4 : tensor<8xf32>
  return %5 : tensor<8xf32>
}
