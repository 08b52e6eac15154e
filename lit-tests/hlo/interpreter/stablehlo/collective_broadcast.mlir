// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: the operand of the root, zeros outside of the groups.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.collective_broadcast"(%x) {
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  // The third replica is in no group.
  %xa = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %xc = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %ra, %rb, %rc = "interpreter.run_parallel"(%xa, %xb, %xc) {
    programs = [[@replicas], [@replicas], [@replicas]]
  } : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra, dense<[10, 20]> : tensor<2xi32>
  check.expect_eq_const %rb, dense<[10, 20]> : tensor<2xi32>
  check.expect_eq_const %rc, dense<[0, 0]> : tensor<2xi32>
  func.return
}

func.func private @replicas(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.collective_broadcast"(%x) {
    replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
