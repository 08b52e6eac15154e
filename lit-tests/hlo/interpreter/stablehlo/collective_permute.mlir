// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: the example of the specification, and one with partitions.

func.func @main() {
  // A process sends to itself.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.collective_permute"(%x) {
    source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  %xa0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %xb0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %ra0, %rb0 = "interpreter.run_parallel"(%xa0, %xb0) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %ra0, dense<0> : tensor<2x2xi32>
  check.expect_eq_const %rb0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>

  // A ring of partitions.
  %xa1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %xc1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %ra1, %rb1, %rc1 = "interpreter.run_parallel"(%xa1, %xb1, %xc1) {
    programs = [[@ring, @ring, @ring]]
  } : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra1, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %rb1, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %rc1, dense<[10, 20]> : tensor<2xi32>
  func.return
}

func.func private @replicas(%x: tensor<2x2xi32>) -> (tensor<2x2xi32>) {
  %r = "stablehlo.collective_permute"(%x) {
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  func.return %r : tensor<2x2xi32>
}

func.func private @ring(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.collective_permute"(%x) {
    source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
