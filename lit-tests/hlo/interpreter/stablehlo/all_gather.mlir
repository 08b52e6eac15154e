// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: the formula of the specification, by hand.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.all_gather"(%x) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  // Two replicas, in the order of the group.
  %xa0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb0 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra0, %rb0 = "interpreter.run_parallel"(%xa0, %xb0) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %ra0, dense<[10, 20, 1, 2]> : tensor<4xi32>
  check.expect_eq_const %rb0, dense<[10, 20, 1, 2]> : tensor<4xi32>

  // With a channel the group of a replica has all of its partitions.
  %xa1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra1, %rb1 = "interpreter.run_parallel"(%xa1, %xb1) {
    programs = [[@both, @both]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %ra1, dense<[1, 2, 10, 20]> : tensor<4xi32>
  check.expect_eq_const %rb1, dense<[1, 2, 10, 20]> : tensor<4xi32>

  // Numbers of processes.
  %xa2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb2 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra2, %rb2 = "interpreter.run_parallel"(%xa2, %xb2) {
    programs = [[@ids, @ids]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %ra2, dense<[1, 2, 10, 20]> : tensor<4xi32>
  check.expect_eq_const %rb2, dense<[1, 2, 10, 20]> : tensor<4xi32>
  func.return
}

func.func private @replicas(%x: tensor<2xi32>) -> (tensor<4xi32>) {
  %r = "stablehlo.all_gather"(%x) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<4xi32>
  func.return %r : tensor<4xi32>
}

func.func private @both(%x: tensor<2xi32>) -> (tensor<4xi32>) {
  %r = "stablehlo.all_gather"(%x) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
  } : (tensor<2xi32>) -> tensor<4xi32>
  func.return %r : tensor<4xi32>
}

func.func private @ids(%x: tensor<2xi32>) -> (tensor<4xi32>) {
  %r = "stablehlo.all_gather"(%x) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids
  } : (tensor<2xi32>) -> tensor<4xi32>
  func.return %r : tensor<4xi32>
}
