// RUN: halo-run %s --simulate=%S/Inputs/topology.toml --replicas=1 | FileCheck %s

// A chain of elementwise ops is one kernel, which reads 40 kB and writes 40 kB: 0.08 ms, its
// arithmetic 0.02 ms, and 1 ms. The loop runs it 10 times. The branch with a product takes longer. Softmax is one
// kernel too. From 1 to 10 there are 4 steps of 3. A loop of an unknown count runs once.
// CHECK-DAG: 10 {{.*}} multiply
// CHECK-DAG: 1 {{.*}} divide
// CHECK-DAG: 1 {{.*}} dot_general
// CHECK-DAG: 1 {{.*}} negate
// CHECK-DAG: 4 {{.*}} maximum
// CHECK: step:
// CHECK: sent by each process
// CHECK: note: {{.*}}simulate_control_flow.mlir:[[#@LINE+24]]:{{[0-9]+}}: a loop is counted as one iteration: how many is not known
func.func @main(%x: tensor<100x100xf32>, %p: tensor<i1>) -> (tensor<100x100xf32>, tensor<100x100xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = stablehlo.while(%y = %x, %i = %zero) : tensor<100x100xf32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %y, %y : tensor<100x100xf32>
      %2 = stablehlo.multiply %1, %y : tensor<100x100xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %2, %3 : tensor<100x100xf32>, tensor<i32>
    }
  %4 = "stablehlo.if"(%p) ({
    %1 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
    %2 = stablehlo.add %1, %x : tensor<100x100xf32>
    stablehlo.return %2 : tensor<100x100xf32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<100x100xf32>
    %2 = stablehlo.multiply %1, %x : tensor<100x100xf32>
    stablehlo.return %2 : tensor<100x100xf32>
  }) : (tensor<i1>) -> tensor<100x100xf32>
  %5:2 = stablehlo.while(%y = %0#0, %q = %p) : tensor<100x100xf32>, tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1 = stablehlo.negate %y : tensor<100x100xf32>
      stablehlo.return %1, %q : tensor<100x100xf32>, tensor<i1>
    }
  %three = stablehlo.constant dense<3> : tensor<i32>
  %13:2 = stablehlo.while(%y = %5#0, %i = %one) : tensor<100x100xf32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LE, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.maximum %y, %x : tensor<100x100xf32>
      %2 = stablehlo.add %three, %i : tensor<i32>
      stablehlo.return %1, %2 : tensor<100x100xf32>, tensor<i32>
    }
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %nothing = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%4 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<100x100xf32>, tensor<f32>) -> tensor<100xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<100xf32>) -> tensor<100x100xf32>
  %8 = stablehlo.subtract %4, %7 : tensor<100x100xf32>
  %9 = stablehlo.exponential %8 : tensor<100x100xf32>
  %10 = stablehlo.reduce(%9 init: %nothing) applies stablehlo.add across dimensions = [1] : (tensor<100x100xf32>, tensor<f32>) -> tensor<100xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<100xf32>) -> tensor<100x100xf32>
  %12 = stablehlo.divide %9, %11 : tensor<100x100xf32>
  return %13#0, %12 : tensor<100x100xf32>, tensor<100x100xf32>
}
