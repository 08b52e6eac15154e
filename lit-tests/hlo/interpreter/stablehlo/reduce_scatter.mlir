// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: numpy.sum and numpy.split.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    scatter_dimension = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  %xa0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb0 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra0, %rb0 = "interpreter.run_parallel"(%xa0, %xb0) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %ra0, dense<[11]> : tensor<1xi32>
  check.expect_eq_const %rb0, dense<[22]> : tensor<1xi32>

  // Another dimension and order.
  %xa1 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %xb1 = stablehlo.constant dense<[[0, 5], [6, -1]]> : tensor<2x2xi32>
  %ra1, %rb1 = "interpreter.run_parallel"(%xa1, %xb1) {
    programs = [[@columns], [@columns]]
  } : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<2x1xi32>, tensor<2x1xi32>)
  check.expect_eq_const %ra1, dense<[[5], [4]]> : tensor<2x1xi32>
  check.expect_eq_const %rb1, dense<[[1], [6]]> : tensor<2x1xi32>
  func.return
}

func.func private @replicas(%x: tensor<2xi32>) -> (tensor<1xi32>) {
  %r = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<1xi32>
  func.return %r : tensor<1xi32>
}

func.func private @columns(%x: tensor<2x2xi32>) -> (tensor<2x1xi32>) {
  %r = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.maximum %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    scatter_dimension = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<2x2xi32>) -> tensor<2x1xi32>
  func.return %r : tensor<2x1xi32>
}
