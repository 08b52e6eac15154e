// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=parallel %s
// RUN: halo-run --backend=cpu --no-constant-folding --entry=parallel %s

// Values: numpy.sum at the root; the other processes get zeros.

func.func @main() {
  // One process is its own group.
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[0]]> : tensor<1x1xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[1, 2]> : tensor<2xi32>
  func.return
}

func.func @parallel() {
  // The root is the first of the group.
  %xa = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %xb = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ra, %rb = "interpreter.run_parallel"(%xa, %xb) {
    programs = [[@replicas], [@replicas]]
  } : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %ra, dense<0> : tensor<2xi32>
  check.expect_eq_const %rb, dense<[11, 22]> : tensor<2xi32>
  func.return
}

func.func private @replicas(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %r = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) {
    replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<2xi32>) -> tensor<2xi32>
  func.return %r : tensor<2xi32>
}
