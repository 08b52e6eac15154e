// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: numpy.sum of the replicas.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.cross-replica-sum"(%x) {
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  %xa0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb0 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra0, %rb0 = "interpreter.run_parallel"(%xa0, %xb0) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra0, dense<[11, 22]> : tensor<2xi32>
  check.expect_eq_const %rb0, dense<[11, 22]> : tensor<2xi32>

  // Two groups.
  %xa1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %xc1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %xd1 = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %ra1, %rb1, %rc1, %rd1 = "interpreter.run_parallel"(%xa1, %xb1, %xc1, %xd1) {
    programs = [[@groups], [@groups], [@groups], [@groups]]
  }
      : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra1, dense<[4, 6]> : tensor<2xi32>
  check.expect_eq_const %rb1, dense<[40, 60]> : tensor<2xi32>
  check.expect_eq_const %rc1, dense<[4, 6]> : tensor<2xi32>
  check.expect_eq_const %rd1, dense<[40, 60]> : tensor<2xi32>
  func.return
}

func.func private @replicas(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.cross-replica-sum"(%x) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}

func.func private @groups(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.cross-replica-sum"(%x) {
    replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
