// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: the first is the example of the specification, the others numpy.split and numpy.concatenate.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.all_to_all"(%x) {
    split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64,
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  %xa0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %xb0 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi32>
  %ra0, %rb0 = "interpreter.run_parallel"(%xa0, %xb0) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2x4xi32>, tensor<2x4xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>)
  check.expect_eq_const %ra0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi32>
  check.expect_eq_const %rb0, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi32>

  // With a channel, between partitions.
  %xa1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra1, %rb1 = "interpreter.run_parallel"(%xa1, %xb1) {
    programs = [[@partitions, @partitions]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra1, dense<[1, 10]> : tensor<2xi32>
  check.expect_eq_const %rb1, dense<[2, 20]> : tensor<2xi32>
  func.return
}

func.func private @replicas(%x: tensor<2x4xi32>) -> (tensor<4x2xi32>) {
  %r = "stablehlo.all_to_all"(%x) {
    split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2x4xi32>) -> tensor<4x2xi32>
  func.return %r : tensor<4x2xi32>
}

func.func private @partitions(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.all_to_all"(%x) {
    split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
