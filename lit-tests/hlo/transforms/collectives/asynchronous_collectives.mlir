// RUN: halo-opt %s --halo-asynchronous-collectives --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-asynchronous-collectives=memory-percent=100 --split-input-file | FileCheck %s --check-prefix=TIGHT

// The collective starts when its operand is there; what does not need it comes first.
// CHECK-LABEL: func.func @independent
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg0
// CHECK-NEXT: %[[FUTURE:.*]] = "stablehlo.async_start"(%[[N]]) ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<512xf32>):
// CHECK-NEXT: %[[G:.*]] = "stablehlo.all_gather"(%[[X]]) <{all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}>
// CHECK-NEXT: stablehlo.return %[[G]]
// CHECK-NEXT: }) : (tensor<512xf32>) -> !stablehlo.future<tensor<1024xf32>>
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general
// CHECK-NEXT: %[[DONE:.*]] = "stablehlo.async_done"(%[[FUTURE]])
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[DONE]]
// CHECK-NEXT: return %[[T]], %[[DOT]]
func.func @independent(%a: tensor<512xf32>, %b: tensor<64x64xf32>) -> (tensor<1024xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.negate %a : tensor<512xf32>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<512xf32>) -> tensor<1024xf32>
  %2 = stablehlo.tanh %1 : tensor<1024xf32>
  %3 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2, %3 : tensor<1024xf32>, tensor<64x64xf32>
}

// -----

// A collective whose operands are there starts before what stands before it. Without anything to
// compute beside it, the second one stays as it is.
// CHECK-LABEL: func.func @early
// CHECK-NEXT: "stablehlo.async_start"(%arg0)
// CHECK: stablehlo.dot_general
// CHECK-NEXT: "stablehlo.async_done"
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: "stablehlo.all_gather"
// CHECK-NEXT: return
func.func @early(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<256x64xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<64x64xf32>) -> tensor<128x64xf32>
  %2 = stablehlo.negate %1 : tensor<128x64xf32>
  %3 = "stablehlo.all_gather"(%2) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<128x64xf32>) -> tensor<256x64xf32>
  return %0, %3 : tensor<64x64xf32>, tensor<256x64xf32>
}

// -----

// Collectives start and end in the order of the program. An operand that is there twice stays so.
// CHECK-LABEL: func.func @order
// CHECK: %[[A:.*]] = "stablehlo.async_start"(%arg0, %arg0) ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<64x64xf32>, %[[Y:.*]]: tensor<64x64xf32>):
// CHECK-NEXT: :2 = "stablehlo.all_gather"(%[[X]], %[[Y]])
// CHECK: %[[B:.*]] = "stablehlo.async_start"(%arg0)
// CHECK: stablehlo.dot_general
// CHECK: "stablehlo.async_done"(%[[A]])
// CHECK: "stablehlo.async_done"(%[[B]])
// CHECK: stablehlo.tanh
func.func @order(%a: tensor<64x64xf32>) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0:2 = "stablehlo.all_gather"(%a, %a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<128x64xf32>, tensor<128x64xf32>)
  %1 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  %3 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0#0, %0#1, %2, %3 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// No collective passes an op with effects.
// CHECK-LABEL: func.func @effects
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.custom_call @effect
// CHECK: stablehlo.async_start
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.async_done
// CHECK: stablehlo.custom_call @effect
func.func @effects(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<128x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<64x64xf32>) -> ()
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<64x64xf32>) -> tensor<128x64xf32>
  %2 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<64x64xf32>) -> ()
  return %0, %1, %2 : tensor<64x64xf32>, tensor<128x64xf32>, tensor<64x64xf32>
}

// -----

// %3 of 64 kB would live beside the 128 kB of %2, which are the most that lives at once.
// CHECK-LABEL: func.func @memory
// TIGHT-LABEL: func.func @memory
// TIGHT: "stablehlo.all_gather"
// TIGHT-NOT: stablehlo.async_done
// TIGHT: stablehlo.reduce
// TIGHT: stablehlo.iota
func.func @memory(%a: tensor<128x128xf32>, %c: tensor<f32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<128x128xf32>) -> tensor<256x128xf32>
  %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<256x128xf32>, tensor<f32>) -> tensor<128xf32>
  %3 = stablehlo.iota dim = 0 : tensor<128x128xf32>
  %4 = stablehlo.dot_general %3, %a, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %5 = stablehlo.reduce(%4 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
  return %2, %5 : tensor<128xf32>, tensor<128xf32>
}

// -----

// Loops that all processes run are scheduled too.
// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while
// CHECK: stablehlo.async_start
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.async_done
// CHECK: stablehlo.return
func.func @loop(%a: tensor<64x64xf32>, %p: tensor<i1>) -> tensor<64x64xf32> {
  %0:2 = stablehlo.while(%x = %a, %q = %p) : tensor<64x64xf32>, tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %2 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %3 = stablehlo.add %1, %2 : tensor<64x64xf32>
      stablehlo.return %3, %q : tensor<64x64xf32>, tensor<i1>
    }
  return %0#0 : tensor<64x64xf32>
}
