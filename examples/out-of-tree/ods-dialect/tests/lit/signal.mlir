// The syntax of all ops, what the folder and the canonicalizer make of them, and the loops
// of the CPU.
//
// RUN: signal-run %s --entry=syntax --compile-to=hlo | FileCheck %s
// RUN: signal-run %s --entry=gains --compile-to=hlo | FileCheck %s --check-prefix=GAINS
// RUN: signal-run %s --entry=syntax --compile-to=linalg | FileCheck %s --check-prefix=LINALG

// CHECK-LABEL: func.func @syntax(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<3xf32>
// CHECK: %[[F:.*]] = signal.taps %[[C]] : tensor<3xf32>
// CHECK: %[[Y:.*]] = signal.cascade %[[X]] stages 2 {
// CHECK: ^bb0(%[[S:.*]]: tensor<4xf32>):
// CHECK: %[[A:.*]] = signal.fir %[[S]], %[[F]] : tensor<4xf32>, !signal.filter<3>
// CHECK: %[[B:.*]] = signal.fir %[[A]], %[[F]] boundary wrap : tensor<4xf32>, !signal.filter<3>
// CHECK: signal.yield %[[B]] : tensor<4xf32>
// CHECK: } : tensor<4xf32>
// CHECK: signal.mix %[[X]], %[[Y]] : tensor<4xf32>, tensor<4xf32>

// A filter is the tensor of its coefficients, and a cascade a loop.
// LINALG-LABEL: func.func @syntax(
// LINALG: scf.for
// LINALG: linalg.generic
// LINALG: tensor.extract
// LINALG-NOT: signal.
func.func @syntax(%x: tensor<4xf32>, %c: tensor<3xf32>) -> tensor<4xf32> {
  %f = "signal.taps"(%c) : (tensor<3xf32>) -> !signal.filter<3>
  %y = signal.cascade %x stages 2 {
  ^bb0(%s: tensor<4xf32>):
    %0 = "signal.fir"(%s, %f) <{boundary = #signal<boundary zero>}> : (tensor<4xf32>, !signal.filter<3>) -> tensor<4xf32>
    %1 = signal.fir %0, %f boundary wrap : tensor<4xf32>, !signal.filter<3>
    signal.yield %1 : tensor<4xf32>
  } : tensor<4xf32>
  %m = signal.mix %x, %y : tensor<4xf32>, tensor<4xf32>
  return %m : tensor<4xf32>
}

// GAINS-LABEL: func.func @gains(
// GAINS-SAME: %[[X:.*]]: tensor<4xf32>
// GAINS-NEXT: %[[Y:.*]] = signal.gain %[[X]] by 6.000000e+00 : tensor<4xf32>
// GAINS-NEXT: return %[[X]], %[[X]], %[[Y]]
func.func @gains(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = signal.gain %x : tensor<4xf32>
  %0 = signal.gain %x by 2.0 : tensor<4xf32>
  %1 = signal.gain %0 by 0.5 : tensor<4xf32>
  %2 = signal.gain %0 by 3.0 : tensor<4xf32>
  return %one, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
