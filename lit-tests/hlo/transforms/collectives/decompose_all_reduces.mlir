// RUN: halo-opt %s --halo-decompose-all-reduces --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-decompose-all-reduces --halo-asynchronous-collectives --split-input-file | FileCheck %s --check-prefix=OVERLAP

// Each of three members reduces a third of 10000 elements and two of padding.
// CHECK-LABEL: func.func @padded
// CHECK-NEXT: %[[FLAT:.*]] = stablehlo.reshape %arg0 : (tensor<100x100xf32>) -> tensor<10000xf32>
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[FLAT]], %{{.*}}, low = [0], high = [2], interior = [0]
// CHECK: %[[PART:.*]] = "stablehlo.reduce_scatter"(%[[PADDED]]) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
// CHECK: stablehlo.maximum
// CHECK: }) : (tensor<10002xf32>) -> tensor<3334xf32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%[[PART]]) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, use_global_device_ids}> : (tensor<3334xf32>) -> tensor<10002xf32>
// CHECK: %[[OWN:.*]] = stablehlo.slice %[[ALL]] [0:10000]
// CHECK: %[[RESULT:.*]] = stablehlo.reshape %[[OWN]] : (tensor<10000xf32>) -> tensor<100x100xf32>
// CHECK: return %[[RESULT]]
func.func @padded(%a: tensor<100x100xf32>) -> tensor<100x100xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids} : (tensor<100x100xf32>) -> tensor<100x100xf32>
  return %0 : tensor<100x100xf32>
}

// -----

// Several operands are large together. Without a channel there is none.
// CHECK-LABEL: func.func @several
// CHECK: %[[BOTH:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, dim = 0 : (tensor<8192xf32>, tensor<4096xf32>) -> tensor<12288xf32>
// CHECK: "stablehlo.reduce_scatter"(%[[BOTH]]) <{replica_groups
// CHECK: (tensor<12288xf32>) -> tensor<3072xf32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"
// CHECK-DAG: %[[A:.*]] = stablehlo.slice %[[ALL]] [0:8192]
// CHECK-DAG: stablehlo.reshape %[[A]] : (tensor<8192xf32>) -> tensor<8192xf32>
// CHECK-DAG: %[[B:.*]] = stablehlo.slice %[[ALL]] [8192:12288]
// CHECK-DAG: stablehlo.reshape %[[B]] : (tensor<4096xf32>) -> tensor<64x64xf32>
func.func @several(%a: tensor<8192xf32>, %b: tensor<64x64xf32>) -> (tensor<8192xf32>, tensor<64x64xf32>) {
  %0:2 = "stablehlo.all_reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8192xf32>, tensor<64x64xf32>) -> (tensor<8192xf32>, tensor<64x64xf32>)
  return %0#0, %0#1 : tensor<8192xf32>, tensor<64x64xf32>
}

// -----

// Two members send as much either way, small values take one exchange, and what the program
// starts stays one op.
// CHECK-LABEL: func.func @others
// CHECK-NOT: reduce_scatter
// CHECK-COUNT-3: "stablehlo.all_reduce"
// CHECK-NOT: reduce_scatter
func.func @others(%a: tensor<8192xf32>, %b: tensor<8191xf32>) -> (tensor<8192xf32>, tensor<8191xf32>, tensor<8192xf32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<8192xf32>) -> tensor<8192xf32>
  %1 = "stablehlo.all_reduce"(%b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8191xf32>) -> tensor<8191xf32>
  %2 = "stablehlo.async_start"(%a) ({
  ^bb0(%c: tensor<8192xf32>):
    %4 = "stablehlo.all_reduce"(%c) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %5 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8192xf32>) -> tensor<8192xf32>
    stablehlo.return %4 : tensor<8192xf32>
  }) : (tensor<8192xf32>) -> !stablehlo.future<tensor<8192xf32>>
  %3 = "stablehlo.async_done"(%2) : (!stablehlo.future<tensor<8192xf32>>) -> tensor<8192xf32>
  return %0, %1, %3 : tensor<8192xf32>, tensor<8191xf32>, tensor<8192xf32>
}

// -----

// Products come beside both exchanges.
// CHECK-LABEL: func.func @overlap
// OVERLAP-LABEL: func.func @overlap
// OVERLAP: %[[SUM:.*]] = "stablehlo.async_start"
// OVERLAP: "stablehlo.reduce_scatter"
// OVERLAP: stablehlo.dot_general
// OVERLAP: %[[PART:.*]] = "stablehlo.async_done"(%[[SUM]])
// OVERLAP: %[[ALL:.*]] = "stablehlo.async_start"(%[[PART]])
// OVERLAP: "stablehlo.all_gather"
// OVERLAP: stablehlo.dot_general
// OVERLAP: "stablehlo.async_done"(%[[ALL]])
func.func @overlap(%a: tensor<256x256xf32>, %b: tensor<128x512xf32>, %c: tensor<512x512xf32>) -> (tensor<256x256xf32>, tensor<128x512xf32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.tanh %0 : tensor<256x256xf32>
  %2 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  %3 = stablehlo.dot_general %2, %c, contracting_dims = [1] x [0] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
  return %1, %3 : tensor<256x256xf32>, tensor<128x512xf32>
}
